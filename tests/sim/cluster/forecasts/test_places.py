import numpy as np

from sim.cluster.failures import Failures
from sim.cluster.forecasts import QsimForecaster
from sim.cluster.forecasts.places import AlarmForecaster

NODES = np.eye(3, dtype=bool)


def test_qsim_says_one_of_two_numbers_by_what_will_happen():
    failures = Failures(time=[10.0, 20.0, 30.0], node=[0, 1, 0], repair=[1.0, 1.0, 1.0])
    forecast = QsimForecaster(0.7, 0.9).begin(failures, NODES)
    expected = {(0, 9): [0, 0, 0], (0, 10): [1, 0, 0], (5, 25): [1, 1, 0], (10, 25): [0, 1, 0]}
    for (start, end), struck in expected.items():
        said = forecast.probabilities(float(start), float(end))
        np.testing.assert_allclose(said, np.where(np.array(struck) == 1, 0.7, 0.1))
    np.testing.assert_allclose(forecast.probabilities(10.0, 40.0), [0.7, 0.7, 0.1])


def test_a_place_is_at_risk_through_any_of_its_nodes():
    failures = Failures(time=[10.0], node=[2], repair=[1.0])
    uses = np.array([[True, True, False], [False, True, True]])
    said = QsimForecaster(0.6, 0.6).begin(failures, uses).probabilities(0.0, 20.0)
    np.testing.assert_allclose(said, [0.4, 0.6])


def test_without_failures_only_false_alarms_remain():
    said = QsimForecaster(0.6, 0.8).begin(None, NODES).probabilities(0.0, 1e9)
    np.testing.assert_allclose(said, 0.2)


def test_alarms_come_at_the_stated_rates():
    """20,000 node-hours each way: four standard errors are 0.014, false-alarm rate 1e-4."""
    rng = np.random.default_rng(5)
    hours, nodes = 1000, 40
    time = np.concatenate([h * 3600.0 + 1800.0 + np.zeros(nodes // 2) for h in range(hours)])
    node = np.concatenate([rng.permutation(nodes)[: nodes // 2] for _ in range(hours)])
    failures = Failures(time=time, node=node, repair=np.ones(time.size))
    forecast = AlarmForecaster(0.7, 0.85, seed=3).begin(failures, np.eye(nodes, dtype=bool))
    alarms = np.zeros((hours, nodes), dtype=bool)
    struck = np.zeros((hours, nodes), dtype=bool)
    for hour in range(hours):
        alarms[hour] = forecast.probabilities(hour * 3600.0, hour * 3600.0 + 3599.0) > 0.0
        struck[hour, node[hour * nodes // 2 : (hour + 1) * nodes // 2]] = True
    assert abs(alarms[struck].mean() - 0.7) < 0.014
    assert abs((~alarms)[~struck].mean() - 0.85) < 0.014


def test_alarms_depend_on_the_seed_alone():
    failures = Failures(time=[10.0, 20.0], node=[0, 1], repair=[1.0, 1.0])

    def said(seed):
        forecast = AlarmForecaster(0.5, 0.5, seed).begin(failures, NODES)
        return [forecast.probabilities(t * 3600.0, 1e9).tolist() for t in range(20)]

    assert said(1) == said(1)
    assert said(1) != said(2)
