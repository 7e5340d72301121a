"""The experiments of wsj: rows that can fail, and quick simulations of every part."""

import numpy as np
import pytest

from perfmodel import slowest
from sim.traces import lanl_like, read_lanl, write_lanl
from tests.support.logs import require
from validation.reproduction.rows import Estimate, Row
from validation.reproduction.wsj import choices as wsj_choices
from validation.reproduction.wsj import main as wsj
from validation.reproduction.wsj import model as wsj_model
from validation.reproduction.wsj import prediction, section3, table_rows
from validation.reproduction.wsj import table as wsj_table
from validation.reproduction.wsj import windows as wsj_windows
from validation.reproduction.wsj.prediction import below, measure
from validation.reproduction.wsj.systems import HEAVY_CV, REPAIRS, USUAL, Choice, System, draw
from validation.reproduction.wsj.trace import LOG, Node, Period, period, poisson_mean, replay


@pytest.fixture(scope="module")
def of_section_3():
    return {setup: section3.judged(setup) for setup in (section3.AS_PRINTED, section3.CORRECTED)}


def test_values_and_orders_of_section_3_are_judged_apart(of_section_3):
    for setup, rows in of_section_3.items():
        kinds = {row.what: row.kind for row in rows if row.kind != "R"}
        assert not any(";" in kind for kind in kinds.values()), setup
        for what, kind in kinds.items():
            assert kind.startswith("B") == ("values" in what), what
        for place in wsj_model.PLACES:
            for word in ("values", "order"):
                assert any(what.startswith(f"{place.where}, {word}") for what in kinds)


def test_an_order_can_hold_where_the_values_fail(of_section_3):
    verdicts = {row.what: row.verdict for row in of_section_3[section3.CORRECTED]}
    values = [verdicts[what] for what in verdicts if what.startswith("Fig. 4, values")]
    order = [verdicts[what] for what in verdicts if what.startswith("Fig. 4, order")]
    assert (values, order) == (["fails", "fails"], ["holds"])


def test_the_formulas_as_printed_meet_figure_1_with_the_fitted_cv_alone(of_section_3):
    found = [
        (setup, row.verdict)
        for setup, rows in of_section_3.items()
        for row in rows
        if row.what.startswith("Fig. 1, values")
    ]
    assert found == [
        (section3.AS_PRINTED, "holds"),
        (section3.AS_PRINTED, "fails"),
        (section3.CORRECTED, "fails"),
        (section3.CORRECTED, "fails"),
    ]


def test_the_storage_cost_shifts_the_formulas_as_printed():
    place = wsj_model.PLACES[0]
    without, stored = (place.ours(wsj_model.Model(True, storage)) for storage in (0.0, 0.2))
    assert np.subtract(stored, without).tolist() == pytest.approx([128.0 / 2.0 * 0.2] * 3)


@pytest.mark.slow
def test_figures_2_and_3_are_as_the_paper_says():
    assert section3.figure_2().verdict == "holds"
    assert section3.figure_3(printed=False).verdict == "holds"
    assert section3.figure_5(printed=True).verdict == "holds"


@pytest.mark.slow
def test_every_choice_of_section_3_is_in_its_table():
    lines = section3.choices().splitlines()
    assert len(lines) == 2 + 2 * 2 * 4
    (met,) = [line for line in lines if line.startswith("| corrected | 0 | 1.2 |")]
    assert met.split("|")[5].strip() == "+2.0 %"


def test_a_wrong_printed_number_is_judged_wrong():
    assert section3.within([326.0, 225.5], [327.0, 224.0], 0.01) == "holds"
    assert section3.within([326.0, 225.5], [327.0, 229.0], 0.01) == "fails"


def test_the_corrected_formulas_do_not_meet_figure_1():
    ours = wsj_model.completion(rate=1 / 256, downtime=4.0).mean
    assert section3.within(225.5, ours, 0.01) == "fails"


@pytest.mark.parametrize(
    ("error", "half", "verdict"),
    [
        (0.05, 0.01, "holds"),
        (-0.05, 0.01, "holds"),
        (-0.12, 0.01, "fails"),
        (0.095, 0.01, "unresolved"),
    ],
)
def test_a_bound_is_judged_with_its_interval(error, half, verdict):
    assert below(error, half, 0.10) == verdict


@pytest.mark.slow
def test_the_best_period_of_the_slowest_falls_with_the_tasks():
    (row,) = section3.interval_rows((1, 16))
    periods = [float(cell.split(": ")[1].split(" (")[0]) for cell in row.ours.split(", ")]
    assert periods == sorted(periods, reverse=True)
    assert periods[0] > 1.5 * periods[-1]
    assert "falls" in row.note


@pytest.mark.few(2)
@pytest.mark.parametrize("repair", REPAIRS[:3], ids=str)
def test_the_model_predicts_played_jobs_within_the_bound(repair):
    point = measure(8, 100, 128.0, repair, systems=2, plays=400)
    (row,) = prediction.rows([point])
    assert row.verdict == "holds", row


def test_an_error_that_does_not_fall_with_the_work_fails():
    def points(*errors):
        return [
            prediction.Point(
                8, 100, 16.0 * 2**n, REPAIRS[0], *np.array([[e] * 2, [0.01] * 2, [e] * 2])
            )
            for n, e in enumerate(errors)
        ]

    for errors, verdict in (
        ((-0.09, 0.05, 0.02), "holds"),
        ((0.09, 0.05, 0.051), "unresolved"),
        ((0.02, 0.05, 0.01), "fails"),
    ):
        _, row = prediction.rows(points(*errors))
        assert row.verdict == verdict


def test_a_wrong_prediction_fails_the_bound(monkeypatch):
    def doubled(system, work, repair, choice):
        return 2.0 * work

    monkeypatch.setattr(prediction, "predicted_mean", doubled)
    point = measure(9, 25, 32.0, REPAIRS[0], systems=2, plays=100)
    assert next(prediction.rows([point])).verdict == "fails"


@pytest.mark.parametrize("repair", REPAIRS, ids=str)
def test_repairs_have_the_mean_and_cv_they_say(repair):
    from validation.subjects.laws import predictable

    law = predictable(repair.law(3.0))
    assert law.mean == pytest.approx(3.0)
    assert law.std / law.mean == pytest.approx(repair.cv)


def test_systems_are_drawn_from_the_ranges_of_the_paper():
    system = draw(np.random.default_rng(1), 500, speeds=5.0)
    rates = 1.0 / (3600.0 * system.mtbf)
    assert rates.min() > 1.5e-7
    assert rates.max() < 4.5e-7
    assert system.mttr.min() > 2.0
    assert system.mttr.max() < 4.0
    assert system.speed.max() / system.speed.min() == pytest.approx(5.0)


def test_rules_choose_by_what_they_look_at():
    # Fast with many failures, slow with few, medium in both. One per cent of the time in repair
    # does not outweigh speed.
    system = System(
        speed=np.array([5.0, 1.0, 3.0]),
        mtbf=np.array([100.0, 2000.0, 1500.0]),
        mttr=np.array([0.9, 2.0, 2.0]),
    )
    found = wsj_table.schedules(1000.0, system, 1, [1, 0, 2])
    assert {rule: int(schedule.chosen[0]) for rule, schedule in found.items()} == {
        "fault-aware": 0,
        "random": 1,
        "speed-only": 0,
        "reliability-only": 2,
        "speed-reliability": 2,
        wsj_table.BY_MTBF: 1,
    }


def test_reliability_is_that_of_a_machine_during_its_even_share():
    # The reading of the library: the probability of no failure in the time of an even share.
    system = draw(np.random.default_rng(2), 60, speeds=5.0)
    work, processes = 9000.0, 15
    survival = np.exp(-work / (processes * system.speed * system.mtbf))
    found = wsj_table.schedules(work, system, processes, np.arange(60))
    for rule, key in (
        ("reliability-only", survival),
        ("speed-reliability", system.speed * survival),
    ):
        assert found[rule].chosen.tolist() == np.argsort(-key)[:processes].tolist()


def test_the_work_is_that_of_the_printed_time():
    work = wsj_table.whole_work(100, systems=3)
    times = []
    for k in range(3):
        system = draw(np.random.default_rng((1, 100, k)), 100, speeds=5.0)
        found = wsj_table.schedules(work, system, 10, np.arange(100))
        times.append(found["fault-aware"].expected_time)
    assert np.mean(times) == pytest.approx(314.7, rel=1e-4)


def table_of(aware, random, other):
    rules = {rule: other for rule in (*wsj_table.PRINTED, wsj_table.BY_MTBF)}
    times = {**rules, "fault-aware": aware, "random": random}
    return wsj_table.Table(dict.fromkeys(wsj_table.SHARES, times), aware, {100: 1.0, 1000: 1.0})


def verdicts_of(table):
    return {
        (setup, row.what.split(": ")[1]): row.verdict
        for setup, rows in table_rows.rows(table).items()
        for row in rows
    }


def test_table_1_is_judged_by_order():
    low, high = np.array([[10.0, 11.0, 12.0]] * 6), np.array([[20.0, 21.0, 23.0]] * 6)
    middle = (low + high) / 2.0
    right = verdicts_of(table_of(low, high, middle))
    wrong = verdicts_of(table_of(high, low, middle))
    for shares in wsj_table.SHARES:
        for what in ("fault-aware first", "random last"):
            assert right[table_rows.setup(shares), what] == "holds"
            assert wrong[table_rows.setup(shares), what] == "fails"


def test_an_order_within_its_noise_is_unresolved():
    noisy = np.array([[10.0, 13.0, 10.0]] * 6)
    level = np.array([[11.0, 11.0, 11.5]] * 6)
    found = verdicts_of(table_of(noisy, 3.0 * level, level))
    assert found[table_rows.setup("even"), "fault-aware first"] == "unresolved"


@pytest.mark.parametrize(
    ("ours", "verdict"),
    [
        (Estimate(1.1, 0.04), "holds"),
        (Estimate(1.1, 0.06), "unresolved"),
        (Estimate(0.8, 0.1), "unresolved"),
        (Estimate(0.8, 0.04), "fails"),
    ],
)
def test_a_band_is_judged_by_the_interval(ours, verdict):
    assert table_rows.close(1.0, ours, 0.15) == verdict


def test_even_shares_cost_the_rivals_time_and_not_fault_aware(monkeypatch):
    monkeypatch.setattr(wsj_table, "COLUMNS", wsj_table.COLUMNS[:1])
    found = wsj_table.play_table(2, plays=20)
    even, equal = (found.times[shares] for shares in wsj_table.SHARES)
    assert (even["fault-aware"] == equal["fault-aware"]).all()
    for rule in ("random", "reliability-only"):
        assert (even[rule] > 1.1 * equal[rule]).all()


def test_other_choices_change_the_machines_that_are_played():
    system = draw(np.random.default_rng(2), 3, speeds=5.0)
    choice = Choice(interval=20.0, storage=0.0)
    machine = system.machines(REPAIRS[0], choice=choice)[0]
    assert (machine.interval, machine.checkpoint_cost) == (20.0, 0.0)
    even = draw(np.random.default_rng(2), 501, speeds=5.0, even=True)
    assert np.median(even.speed) == pytest.approx(3.0, abs=0.3)


def test_the_choices_of_table_1_are_a_line_for_each_kind_of_shares():
    low, high = np.array([[10.0, 11.0, 12.0]] * 6), np.array([[20.0, 21.0, 23.0]] * 6)
    table = table_of(low, high, (low + high) / 2.0)
    lines = wsj_choices.table_1({USUAL: table, Choice(even_speeds=True): table}).splitlines()
    assert len(lines) == 2 + 2 * 2
    assert "| even | 11 11 11 11 11 11 | 6 holds | 6 holds |" in lines[2]
    assert "themselves" in lines[4]


def test_a_long_period_breaks_the_bound_of_short_tasks(monkeypatch):
    # Eq. (11) takes rework of a whole period, which a task shorter than that cannot lose.
    monkeypatch.setattr(wsj_choices, "_PAIRS", ((100.0, 0.2),))
    monkeypatch.setattr(wsj_choices, "_PLACES", ((8, 100, 16.0), (9, 25, 32.0)))
    monkeypatch.setattr(wsj_choices, "REPAIRS", REPAIRS[:1])
    lines = wsj_choices.errors(wsj_choices.play_errors(1, workers=1)).splitlines()
    assert [line.count("**") for line in lines] == [0, 0, 2, 2]


def by_hand():
    """Return two nodes from hour 0 to 100; one is down from 5 to 8 and from 20 to 21."""
    never = np.empty(0)
    return Period(
        0.0,
        100.0,
        (Node(1, np.array([5.0, 20.0]), np.array([8.0, 21.0])), Node(1, never, never)),
    )


def test_a_node_plays_what_was_recorded():
    broken, sound = by_hand().nodes
    # Segments of 2 + 0.2 h: 4.4 h hold two; 0.6 h are lost, 3 h of repair, then the third.
    assert broken.makespan(0.0, 6.0) == pytest.approx(4.4 + 0.6 + 3.0 + 2.2)
    assert broken.makespan(9.0, 6.0) == pytest.approx(6.6)
    assert sound.makespan(0.0, 6.0) == pytest.approx(6.6)
    assert not broken.is_up(6.0)
    assert broken.is_up(8.0)


def test_a_system_is_seen_with_all_its_nodes():
    ((mtbf, repairs),) = by_hand().observed(0.0, 100.0).values()
    assert mtbf == pytest.approx((200.0 - 4.0) / 2)
    assert repairs.tolist() == [3.0, 1.0]


@pytest.fixture(scope="module")
def generated(tmp_path_factory):
    """Return 600 days of nodes with exponential uptimes, in the layout of LANL."""
    path = tmp_path_factory.mktemp("lanl") / "log.csv"
    rng = np.random.default_rng(3)
    frame = lanl_like(
        rng, nodes=200, days=600.0, node_mtbf=40 * 86_400.0, shape=1.0, start="2004-01-01"
    )
    write_lanl(frame, path)
    return read_lanl(path).frame


def test_overlapping_repairs_are_one(generated):
    doubled = generated.copy()
    doubled["time"] += 60.0
    import pandas as pd

    once = period(generated, repairs=(0.0, 1e9))
    twice = period(pd.concat([generated, doubled]), repairs=(0.0, 1e9))
    assert sum(n.down.size for n in twice.nodes) <= sum(n.down.size for n in once.nodes)
    assert len(once.nodes) == len(twice.nodes) == 200


def test_where_the_assumptions_hold_replay_and_prediction_agree(generated):
    log = period(generated)
    found = replay(log, 64, 128.0, windows=60)
    assert np.all(found.replayed >= 128.0 * 1.1 - 1e-9)
    assert abs(found.error) < 0.05 + found.half
    assert poisson_mean(log, 64, 128.0) == pytest.approx(float(found.replayed.mean()), rel=0.06)


def test_one_cv_for_all_systems_is_predicted_beside_their_own(generated):
    log = period(generated)
    found = replay(log, 64, 128.0, windows=20, cvs=(1.0, HEAVY_CV))
    assert {found.others[cv].size for cv in (1.0, HEAVY_CV)} == {4}
    light, heavy = (found.with_cv(cv)[0] for cv in (1.0, HEAVY_CV))
    assert light < heavy
    whole = log.tasks(128.0, since=log.begin, until=log.end, cv=HEAVY_CV)
    mean = slowest([whole[node.system] for node in log.nodes[:64]]).mean
    assert 1.0 + heavy == pytest.approx(mean / found.replayed.mean(), rel=1e-6)


def test_the_last_point_of_figure_10_has_a_bound_of_its_own(generated):
    log = period(generated)
    played = [replay(log, nodes, 32.0, windows=10, cvs=wsj_windows.CVS) for nodes in (4, 8)]
    rows = list(wsj_windows.judged("Fig. 10, 32 h, nodes 4, 8", played))
    assert [row.printed for row in rows] == ["< 10", "< 1", "falling"]
    assert len(wsj_windows.choices((played, played)).splitlines()) == 2 + 1 + len(wsj_windows.CVS)


def test_a_wrong_rate_is_seen_in_the_replay(generated):
    log = period(generated)
    hasty = Period(
        log.begin, log.end, tuple(Node(n.system, n.down[:0], n.up[:0]) for n in log.nodes)
    )
    found = replay(hasty, 64, 128.0, windows=20)
    assert np.all(found.replayed == pytest.approx(128.0 * 1.1))
    assert replay(log, 64, 128.0, windows=20).replayed.mean() > 1.03 * found.replayed.mean()


def test_without_the_log_its_row_names_the_file(monkeypatch):
    monkeypatch.setattr(wsj_windows, "recorded", lambda: None)
    (row,), played = wsj_windows.rows(10)
    assert LOG in row.ours
    assert row.verdict == "reported"
    assert played is None


@pytest.mark.slow
def test_windows_of_the_real_log_are_predicted_within_the_band():
    log = period(read_lanl(require(LOG)).frame)
    assert {2, 18, 19, 20} <= {node.system for node in log.nodes}
    assert len(log.nodes) > 3000
    found = replay(log, 128, 128.0, windows=20)
    assert abs(found.error) - found.half < 0.10


def test_the_table_says_what_fails():
    row = Row("a", "1", "2", "", "B 1 %", "fails", "found out")
    assert wsj.table([row]).splitlines()[-1] == "| a | 1 | 2 | B 1 % | **fails**: found out |"


@pytest.mark.slow
def test_figures_are_written(tmp_path, generated):
    from validation.reproduction.wsj.figures import draw as draw_figures

    points = [
        measure(figure, 25, work, REPAIRS[0], systems=2, plays=20)
        for figure in (8, 9)
        for work in (16.0, 32.0)
    ]
    found = [replay(period(generated), m, 32.0, windows=5) for m in (4, 8, 16, 32, 64)]
    draw_figures(tmp_path, points, (found, found))
    names = {path.name for path in tmp_path.iterdir()}
    assert names == {f"wsj-fig{n}.svg" for n in (1, 2, 3, 4, 5, 8, 9, 10, 11)}
