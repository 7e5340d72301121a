"""The policies of a replay: by name, by utility, or of users' own."""

from __future__ import annotations

import sys
from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, fields, is_dataclass, replace
from importlib import import_module
from pathlib import Path
from traceback import extract_tb
from typing import TYPE_CHECKING, Any

from asking.refusals import Field, Refused, Said

from .requests import Allocation, SiteRequest, names_code

if TYPE_CHECKING:
    from ...cluster import BlueGene, Policy, Utility
    from ...cluster.bluegene.allocation import Parents
    from ...cluster.loop import Order, Pass

_OF_BLUEGENE = (
    *("utility", "utility_expr", "utility_at", "threshold", "scheduler", "reboots"),
    *("fault_aware", "allocation", "alpha", "beta"),
)
_OF_UTILITIES = (
    *("utility", "utility_expr", "utility_at", "threshold", "scheduler"),
    *("fault_aware", "allocation"),
)
_RULE = "{} must name a policy as package.module:Name"
_WEIGHTED: Mapping[str, Parents] = {
    "printed": "survive",
    "neighbours": "neighbours",
    "june-2009": "all",
}


def bluegene_policies(
    request: SiteRequest, machine: BlueGene, notes: list[str]
) -> dict[str, str | Policy]:
    """Return what to run on a Blue Gene by name: one policy or utility, or all to compare."""
    if request.order is not None:
        raise Refused(
            "{} must be left out on a Blue Gene; give {}", Field("order"), Field("utility_expr")
        )
    if request.dialect is not None:
        raise Refused("{} must be left out on a Blue Gene: none of them has one", Field("dialect"))
    own = _own(request)
    if own is not None:
        return own
    if request.policy is not None:
        raise Refused(
            "{} must be left out on a Blue Gene, or be package.module:Name; give {}, got {!r}",
            *(Field("policy"), Field("utility"), request.policy),
        )
    from ...cluster import Cobalt
    from ...cluster.bluegene import SCHEDULERS

    utilities = _utilities(request)
    allocation = _allocation(request, machine, notes)
    scheduler = SCHEDULERS[request.scheduler or "separate-drains"]
    if scheduler.name == "head" and request.threshold:
        raise Refused(
            "{} must be left out with {} head, which tries all jobs",
            *(Field("threshold"), Field("scheduler")),
        )
    return {utility.name: Cobalt(utility, allocation, scheduler=scheduler) for utility in utilities}


def plain_policies(request: SiteRequest, notes: list[str]) -> dict[str, str | Policy]:
    """Return what to run on a plain machine: one policy, or all to compare."""
    from ...cluster import POLICIES
    from ...cluster.dialects import DIALECTS

    for name in _OF_BLUEGENE:
        if _given(getattr(request, name)):
            raise Refused(
                "{} must be left out unless {} is a Blue Gene", Field(name), Field("machine")
            )
    lead = Field("compare" if request.compare else "policy")
    known: Mapping[str, Policy] = POLICIES
    usual = "easy"
    if request.dialect is not None:
        known = DIALECTS[request.dialect].policies
        usual = next(iter(known))
    names = request.compare or (request.policy or usual,)
    order = None if request.order is None else order_of(request.order)
    if order is not None:
        notes.append(f"the queue is ordered by {request.order}, highest first")
    found: dict[str, str | Policy] = {}
    for name in names:
        if name in known:
            found[name] = name if request.dialect is None else known[name]
        else:
            found[name] = _other(name, known, lead)
        if order is not None:
            found[name] = _ordered(known.get(name, found[name]), order, name)
    return {name: _named_in_errors(policy, name) for name, policy in found.items()}


def _given(value: object) -> bool:
    """Whether a field holds more than its absence; a threshold may be 0."""
    return value is not None and value is not False and value != ()


def _ordered(policy: Any, order: Order, name: str) -> Policy:
    """Return the policy with this order of the queue, if it has one."""
    has_order = is_dataclass(policy) and "order" in {field.name for field in fields(policy)}
    if not has_order:
        raise Refused(
            "{} must be left out with {}, which is not a dataclass with a field order",
            *(Field("order"), name),
        )
    ordered: Policy = replace(policy, order=order)
    return ordered


def _own(request: SiteRequest) -> dict[str, str | Policy] | None:
    """Return the policies of users to run on a Blue Gene, or None where none is named."""
    names = request.compare if request.policy is None else (request.policy,)
    text = ",".join(names)
    if not names_code(text):
        return None
    lead = Field("compare" if request.policy is None else "policy")
    for other in _OF_UTILITIES:
        if _given(getattr(request, other)):
            raise Refused("{} must be left out with {} {}", Field(other), lead, text)
    from ...cluster import UTILITIES, Cobalt

    return {
        name: Cobalt(UTILITIES[name])
        if name in UTILITIES
        else _named_in_errors(_other(name, UTILITIES, lead), name)
        for name in names
    }


def order_of(text: str) -> Order:
    """Return the order of the queue that a request asks for, of any machine."""
    from ...cluster import order_from_expression

    try:
        return order_from_expression(text)
    except ValueError as error:
        raise Refused("{}: {}", Field("order"), error) from None


def _other(name: str, known: Collection[str], lead: Field) -> Policy:
    """Return a policy that is not one of those known: a user's own, or that of a package."""
    if names_code(name):
        return own_policy(name, lead)
    from asking.plugins import added, loaded

    if name not in added("policy", known):
        raise Refused(
            "{} must be one of {} or package.module:Name, got {!r}",
            *(lead, ", ".join(known), name),
        )
    return _made(loaded("policy", name, known), name, lead)


def own_policy(text: str, lead: Field) -> Policy:
    """Return the policy ``package.module:Name``: an object, or what a class or function gives.

    The folder in which the command runs is looked into last.
    """
    module_name, _, name = text.partition(":")
    with _current_folder_importable():
        try:
            found: Any = import_module(module_name)
            for part in name.split("."):
                found = getattr(found, part)
        except Exception as error:  # whatever code of users raises
            raise _not_named(lead, text, error) from error
        return _made(found, text, lead)


def _not_named(lead: Field, text: str, error: Exception) -> Refused:
    return Refused(_RULE + ", got {!r} ({}: {})", lead, text, type(error).__name__, error)


def _made(found: Any, text: str, lead: Field) -> Policy:
    """Return a policy: what was found, or what a class or function gives."""
    from ...cluster.loop import Policy

    if not isinstance(found, Policy) or isinstance(found, type):
        try:
            found = found()
        except Exception as error:  # whatever code of users raises
            raise _not_named(lead, text, error) from error
    if isinstance(found, type) or not isinstance(found, Policy):
        raise Refused(
            _RULE + " that has name, runs_on and begin, or a class of such, got {!r} of kind {}",
            *(lead, text, type(found).__name__),
        )
    return found


def _named_in_errors(policy: str | Policy, text: str) -> str | Policy:
    """Return a policy of a user's own code so that what it raises names it, with its line."""
    if isinstance(policy, str) or type(policy).__module__.partition(".")[0] == "sim":
        return policy
    return _OfUser(policy, text)


@dataclass(frozen=True)
class _OfUser:
    """A policy of a user's own code: what it raises becomes one line.

    Parameters
    ----------
    policy : Policy
        What decides.
    text : str
        How it was asked for.
    """

    policy: Policy
    text: str

    @property
    def name(self) -> str:
        """Its own."""
        return self.policy.name

    @property
    def runs_on(self) -> Any:
        """Its own."""
        return self.policy.runs_on

    def begin(self, cluster: Any) -> Pass:
        """Return its schedule, with its errors named."""
        with self._named():
            schedule = self.policy.begin(cluster)

        def named(news: Any) -> Any:
            with self._named():
                return schedule(news)

        return named

    @contextmanager
    def _named(self) -> Iterator[None]:
        try:
            yield
        except Exception as error:  # whatever code of users raises
            own = sys.modules[type(self.policy).__module__].__file__
            lines = [
                frame.lineno for frame in extract_tb(error.__traceback__) if frame.filename == own
            ]
            where = f" at line {lines[-1]} of {own}" if lines else ""
            raise ValueError(
                f"policy {self.text} must not raise, got {type(error).__name__} ({error}){where}"
            ) from error


@contextmanager
def _current_folder_importable() -> Iterator[None]:
    folder = str(Path.cwd())
    added = folder not in sys.path
    if added:
        sys.path.append(folder)
    try:
        yield
    finally:
        if added:
            sys.path.remove(folder)


def _utilities(request: SiteRequest) -> list[Utility]:
    from ...cluster import UTILITIES, utility_by_time, utility_from_expression

    threshold = request.threshold or 0.0
    given = [request.utility, request.utility_expr, request.compare or None]
    if sum(item is not None for item in given) > 1:
        raise Refused(
            "only one must be given of {}, {} and {}",
            *map(Field, ("utility", "utility_expr", "compare")),
        )
    if request.utility_at:
        if request.compare:
            raise Refused("{} must be left out with {}", Field("utility_at"), Field("compare"))
        first = request.utility_expr or request.utility or "wfp3"
        if request.utility_expr is None and first not in UTILITIES:
            raise Refused(
                "{} must be one of {}, got {!r}", Field("utility"), ", ".join(UTILITIES), first
            )
        try:
            return [utility_by_time(first, request.utility_at, threshold=threshold)]
        except ValueError as error:
            raise Refused("{}: {}", Field("utility_at"), error) from None
    if request.utility_expr is not None:
        return [utility_from_expression(request.utility_expr, threshold=threshold)]
    names = request.compare or (request.utility or "wfp3",)
    lead = Field("compare" if request.compare else "utility")
    for name in names:
        if name not in UTILITIES:
            raise Refused("{} must be one of {}, got {!r}", lead, ", ".join(UTILITIES), name)
    return [UTILITIES[name].with_threshold(threshold) for name in names]


def allocation_name(request: SiteRequest) -> Allocation:
    """Return how a Blue Gene chooses partitions; refuse options that do not go together."""
    name, aware = request.allocation, request.fault_aware
    if aware and name == "least-blocking":
        raise Refused(
            "{} must be one of {} or released with {}",
            *(Field("allocation"), ", ".join(_WEIGHTED), Field("fault_aware")),
        )
    chosen = name or ("released" if aware else "least-blocking")
    for weight in ("alpha", "beta"):
        if getattr(request, weight) is not None and chosen not in _WEIGHTED:
            raise Refused(
                "{} must be left out unless {} is one of {}; it is {}",
                *(Field(weight), Field("allocation"), ", ".join(_WEIGHTED), chosen),
            )
    return chosen


def _allocation(request: SiteRequest, machine: BlueGene, notes: list[str]) -> Any:
    from ...cluster import QsimForecaster
    from ...cluster.bluegene import FaultAware, LeastBlocking, ReleasedFaultAware, most_blocked

    name = allocation_name(request)
    if name == "least-blocking":
        return LeastBlocking()
    forecaster = QsimForecaster(request.sensitivity, request.specificity)
    if name == "released":
        notes.append("partitions chosen by the risk of failures, once for every parent (released)")
        return ReleasedFaultAware(forecaster)
    alpha, beta = (1.0 if weight is None else weight for weight in (request.alpha, request.beta))
    words = "as printed" if name == "printed" else f"by the cost {name}"
    notes.append(f"partitions chosen with alpha {alpha:g} and beta {beta:g} {words}")
    least = alpha * most_blocked(machine.table)
    if name == "printed" and beta < least:
        notes.append(
            Said(
                "warning: {} {:g} is below the {:g} that blocking partitions can cost: one about "
                "to fail may be preferred, because it blocks others that fail with it; {} {:g} or "
                "{} released prevents that",
                *(Field("beta"), beta, least, Field("beta"), least, Field("allocation")),
            )
        )
    return FaultAware(forecaster, alpha=alpha, beta=beta, parents=_WEIGHTED[name])
