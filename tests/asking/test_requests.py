"""What a field needs, or is not to stand beside, are fields of the request that it is in."""

import pickle

import pytest

import perfmodel.answers
import sim.answers
from asking.refusals import Field, Said, joined
from asking.requests import Asked, Lead, any_of, options_for

REQUESTS = [
    request
    for answers in (perfmodel.answers, sim.answers)
    for name in answers.__all__
    if isinstance(request := getattr(answers, name), type) and issubclass(request, Asked)
]


@pytest.mark.parametrize("request_", REQUESTS, ids=lambda request: request.__name__)
def test_leads_name_fields(request_):
    named = []
    for _, option in options_for(request_):
        needs = () if option.needs is None else (option.needs,)
        for lead in (*needs, *option.without):
            words = lead.words if isinstance(lead, Lead) else any_of(lead).words
            words.by(lambda name: named.append(name) or name)

    assert set(named) <= {field.name for field, _ in options_for(request_)}


def test_words_are_a_text_that_each_speaker_says_in_other_names():
    words = Said("give {} > {:g}, {{not}} {}", Field("node_mtbf"), 3.0, joined(", ", ["{", "}"]))
    assert words == "give node_mtbf > 3, {not} {, }"
    said = "give --node-mtbf > 3, {not} {, }"
    for each in (words, pickle.loads(pickle.dumps(words)), Said("{}", words)):
        assert each.by(lambda name: f"--{name.replace('_', '-')}") == said
