"""A child that loops for ever is ended by its processor time, and has noticed its mutant."""

import signal

from .mutants import Mutant
from .runner import Verdict, _in_a_child, _limit_processor_time


def test_an_endless_loop_is_noticed():
    def work(send):
        send("test")
        _limit_processor_time(0.1)
        while True:
            pass

    done = _in_a_child(work)
    assert done.messages == ["test"]
    assert done.status == signal.SIGXCPU
    assert done.seconds < 3.0
    mutant = Mutant("a.py", "f", 1, 1, 1)
    assert not Verdict(mutant, "timeout", "test", 1, done.seconds).alive
    assert Verdict(mutant, "unfinished", "", 1, done.seconds).alive


def test_a_child_that_ends_in_time_says_so():
    done = _in_a_child(lambda send: send("survived"))
    assert (done.messages, done.status) == (["survived"], 0)
