"""The experiments of wsj: claims that can fail, and quick simulations of every part."""

from itertools import product

import numpy as np
import pytest

from perfmodel import slowest
from sim.traces import lanl_like, read_lanl, write_lanl
from tests.support.logs import require
from validation.reproduction.wsj import model as wsj_model
from validation.reproduction.wsj import prediction, section3, table_claims
from validation.reproduction.wsj import table as wsj_table
from validation.reproduction.wsj import windows as wsj_windows
from validation.reproduction.wsj.model import Model
from validation.reproduction.wsj.systems import HEAVY_CV, REPAIRS, USUAL, Choice, System, draw
from validation.reproduction.wsj.trace import LOG, Node, Period, period, replay


@pytest.fixture(scope="module")
def of_section_3():
    return list(section3.claims(every_period=False))


@pytest.mark.slow
def test_figures_1_and_4_are_met_by_the_same_formulas_and_cv(of_section_3):
    one, four = of_section_3[:2]
    assert one.verdict == "holds if formulas as printed, storage none, eq. (5), CV 4.05 (found)"
    met = [r.levels for r, word in zip(four.readings, four.words, strict=True) if word == "yes"]
    assert {**one.readings[7].levels, "downtime": "0.5 h (found)"} in met
    assert len(met) == 2


@pytest.mark.slow
def test_the_text_is_the_first_reading(of_section_3):
    for judged in of_section_3:
        levels = judged.readings[0].levels
        assert levels["formulas"] == "as printed"
        assert levels.get("storage", "0.2 h, eq. (12)") == "0.2 h, eq. (12)"


@pytest.mark.slow
def test_the_order_of_replica_and_spare_contradicts_its_own_formula(of_section_3):
    # The spare saves at most the share P_1 of the delay of ten plain nodes, which is at least that
    # of a replica; the printed delays are those above 128 h of work and 64 checkpoints of 0.2 h.
    share = wsj_model.only_one_down(10, 0.5)
    assert share == pytest.approx(0.00967, rel=0.01)
    free = 128.0 + 64 * 0.2
    _, replica, spare = section3.EXAMPLES[10, 1280.0, 0.5]
    assert spare - free < 0.1 < (1.0 - share) * (replica - free)
    for _, model in section3.models():
        _, replica, spare = model.uses(10, 1280.0, 0.5)
        assert spare > replica
    (judged,) = [each for each in of_section_3 if each.claim.ruled]
    assert judged.verdict == "printed error"


def test_the_random_row_of_table_1_is_work_over_p_and_hours_that_do_not_shrink():
    times, processes = wsj_table.PRINTED["random"][:3], np.array([10.0, 20.0, 40.0])
    work, rest = np.polyfit(1.0 / processes, times, 1)
    assert np.abs(work / processes + rest - times).max() < 0.1
    # All delays of ten machines of the printed ranges, in the mean and at the worst corner.
    mean, most = 10 * 612.0 * 3600.0 * np.array([3.0e-7 * (3.0 + 1.0), 4.5e-7 * (4.0 + 2.2)])
    assert mean == pytest.approx(26.4, abs=0.1)
    assert most < 62.0 < rest


def test_the_storage_cost_shifts_the_formulas_as_printed():
    without, stored = (Model(True, storage).mean() for storage in (0.0, 0.2))
    assert stored - without == pytest.approx(128.0 / 2.0 * 0.2)


@pytest.mark.slow
def test_the_best_period_depends_on_the_nodes_but_for_one_task(of_section_3):
    (judged,) = [each for each in of_section_3 if "best period does not" in each.claim.says]
    assert judged.words.count("no") == 8
    assert judged.verdict == "holds if mean of one task, eq. (12)"


@pytest.mark.few(2)
@pytest.mark.parametrize("repair", REPAIRS[:3], ids=str)
def test_the_model_predicts_the_mean_of_played_jobs(repair):
    point = prediction.measure(prediction.Task(8, 100, 128.0, repair, 2))
    found = point.error("of the mean")
    assert found.mean < 3.0 + found.half
    assert point.error("of each measurement").mean > found.mean


def points(*errors, figure=8):
    """Return points with this error in every play, [%], half of them too long, in every reading."""
    readings = product((USUAL.interval, 20.0), REPAIRS, enumerate(errors))
    for interval, repair, (n, error) in readings:
        task = prediction.Task(figure, 100, 16.0 * 2**n, repair, 2, choice=Choice(interval))
        played = np.array([[1.0 / (1.0 - error / 100.0), 1.0 / (1.0 + error / 100.0)]] * 2)
        yield prediction.Point(task, np.ones(2), played)


def words(errors, says, figure=8):
    found = prediction.claims(list(points(*errors, figure=figure)))
    (judged,) = [each for each in found if says in each.claim.says]
    return judged.readings[0].word(judged.claim)


def test_an_error_must_fall_and_stay_below_its_bound():
    assert words((9.0, 5.0, 2.0), "falls") == "yes"
    assert words((2.0, 5.0, 9.0), "falls") == "no"
    assert words((40.0, 20.0, 9.0, 5.0, 3.0, 2.0), "most situations") == "yes"
    assert words((40.0, 20.0, 15.0, 5.0, 3.0, 2.0), "most situations") == "no"
    assert words((9.0, 9.0, 9.0, 5.0, 3.0, 2.0), "25 to 800", figure=9) == "yes"
    assert words((20.0, 9.0, 9.0, 5.0, 3.0, 2.0), "25 to 800", figure=9) == "no"


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
    share, whole, same = wsj_table.RELIABILITIES
    assert {rule: int(schedule.chosen[0]) for rule, schedule in found.items()} == {
        "fault-aware": 0,
        "random": 1,
        "speed-only": 0,
        wsj_table.rule_of("reliability-only", share): 2,
        wsj_table.rule_of("speed-reliability", share): 2,
        wsj_table.rule_of("reliability-only", whole): 2,
        wsj_table.rule_of("speed-reliability", whole): 2,
        wsj_table.rule_of("reliability-only", same): 1,
        wsj_table.rule_of("speed-reliability", same): 2,
    }


def test_reliability_during_the_whole_work_outweighs_speed():
    system = draw(np.random.default_rng(2), 60, speeds=5.0)
    found = wsj_table.schedules(9000.0, system, 15, np.arange(60))
    share, whole, _ = wsj_table.RELIABILITIES

    def alike(over):
        rules = (
            wsj_table.rule_of(f"{rule}", over) for rule in ("reliability-only", "speed-reliability")
        )
        one, other = (set(found[rule].chosen.tolist()) for rule in rules)
        return len(one & other)

    assert alike(whole) >= alike(share)
    survival = np.exp(-9000.0 / (15 * system.speed * system.mtbf))
    assert found[wsj_table.rule_of("reliability-only", share)].chosen.tolist() == (
        np.argsort(-survival)[:15].tolist()
    )


def test_the_work_is_that_of_the_printed_time():
    work = wsj_table.whole_work(100, systems=3)
    times = []
    for k in range(3):
        system = draw(np.random.default_rng((1, 100, k)), 100, speeds=5.0)
        found = wsj_table.schedules(work, system, 10, np.arange(100))
        times.append(found["fault-aware"].expected_time)
    assert np.mean(times) == pytest.approx(314.7, rel=1e-4)


def table_of(aware, random, other):
    rules = [
        wsj_table.rule_of(rule, over)
        for rule in wsj_table.PRINTED
        for over in wsj_table.RELIABILITIES
    ]
    times = {**dict.fromkeys(rules, other), "fault-aware": aware, "random": random}
    return wsj_table.Table(dict.fromkeys(wsj_table.SHARES, times), {100: 1.0, 1000: 1.0})


def test_table_1_is_judged_by_order():
    low, high = np.array([[10.0, 11.0, 12.0]] * 6), np.array([[20.0, 21.0, 23.0]] * 6)
    middle = (low + high) / 2.0
    for table, word in ((table_of(low, high, middle), "yes"), (table_of(high, low, middle), "no")):
        first, last, *_ = table_claims.claims({USUAL: table})
        assert set(first.words) == set(last.words) == {word}
    noisy, level = np.array([[10.0, 13.0, 10.0]] * 6), np.array([[11.0, 11.0, 11.5]] * 6)
    first, *_ = table_claims.claims({USUAL: table_of(noisy, 3.0 * level, level)})
    assert set(first.words) == {"open"}


def test_even_shares_cost_the_rivals_time_and_not_fault_aware(monkeypatch, tmp_path):
    monkeypatch.setattr(wsj_table, "COLUMNS", wsj_table.COLUMNS[:1])
    kept = tmp_path / "wsj.jsonl"
    (found,) = wsj_table.play_tables([USUAL], 2, workers=1, path=kept).values()
    even, equal = (found.times[shares] for shares in wsj_table.SHARES)
    assert (even["fault-aware"] == equal["fault-aware"]).all()
    assert (even["random"] > 1.1 * equal["random"]).all()
    # What was kept is taken as it stands in the file.
    whole = kept.read_text()
    assert whole.count("\n") == 2
    kept.write_text(whole.replace(f'"random": {even["random"][0, 1]}', '"random": 1.0'))
    (again,) = wsj_table.play_tables([USUAL], 2, workers=1, path=kept).values()
    random = again.times[wsj_table.SHARES[0]]["random"][0].tolist()
    assert random == [even["random"][0, 0], 1.0]
    assert kept.read_text().count("\n") == 2


def test_other_choices_change_the_machines_that_are_played():
    system = draw(np.random.default_rng(2), 3, speeds=5.0)
    choice = Choice(interval=20.0, storage=0.0)
    machine = system.machines(REPAIRS[0], choice=choice)[0]
    assert (machine.interval, machine.checkpoint_cost) == (20.0, 0.0)
    even = draw(np.random.default_rng(2), 501, speeds=5.0, even=True)
    assert np.median(even.speed) == pytest.approx(3.0, abs=0.3)


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
    found = replay(period(generated), 64, 128.0, windows=40)
    assert np.all(found.replayed >= 128.0 * 1.1 - 1e-9)
    error = found.error()
    assert abs(error.mean) < 5.0 + error.half
    assert found.each().mean() >= abs(error.mean)


def test_one_cv_for_all_systems_is_predicted_beside_their_own(generated):
    log = period(generated)
    found = replay(log, 64, 128.0, windows=10, cvs=(1.0, HEAVY_CV))
    light, heavy = (found.error(cv).mean for cv in (1.0, HEAVY_CV))
    assert light < heavy
    whole = log.tasks(128.0, since=log.begin, until=log.end, cv=HEAVY_CV)
    mean = slowest([whole[node.system] for node in log.nodes[:64]]).mean
    assert found.predicted[HEAVY_CV] == pytest.approx(mean, rel=1e-6)


def test_windows_are_read_by_error_systems_and_cv(generated):
    log = period(generated)
    played = [replay(log, nodes, 32.0, windows=6, cvs=wsj_windows.CVS) for nodes in (4, 8)]
    bare = [replay(log, nodes, 32.0, windows=6) for nodes in (4, 8)]
    found = list(wsj_windows.claims({10: {"usual": played, "all": bare}}))
    assert [judged.claim.place for judged in found] == ["Fig. 10", "Fig. 10"]
    assert len(found[0].readings) == 2 * (1 + len(wsj_windows.CVS) + 1)


def test_without_the_log_there_are_no_windows(monkeypatch):
    monkeypatch.setattr(wsj_windows, "recorded", lambda: None)
    assert wsj_windows.play_windows(10) == {}
    assert list(wsj_windows.claims({})) == []


@pytest.mark.slow
def test_windows_of_the_real_log_are_predicted_within_the_band():
    log = period(read_lanl(require(LOG)).frame)
    assert {2, 18, 19, 20} <= {node.system for node in log.nodes}
    assert len(log.nodes) > 3000
    error = replay(log, 128, 128.0, windows=20).error()
    assert abs(error.mean) - error.half < 10.0


@pytest.mark.slow
def test_figures_are_written(tmp_path, generated):
    from validation.reproduction.wsj.figures import draw as draw_figures

    played = [
        prediction.measure(prediction.Task(figure, 25, work, repair, 2, 20))
        for figure in (8, 9)
        for work in (16.0, 32.0)
        for repair in REPAIRS
    ]
    found = [replay(period(generated), m, 32.0, windows=5) for m in (4, 8, 16, 32, 64)]
    draw_figures(tmp_path, played, {10: {"usual": found}, 11: {"usual": found}})
    names = {path.name for path in tmp_path.iterdir()}
    assert names == {f"wsj-fig{n}.svg" for n in (1, 2, 3, 4, 5, 8, 9, 10, 11)}
