"""The policies of a replay: by name, by utility, or of users' own."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, fields, is_dataclass, replace
from importlib import import_module
from pathlib import Path
from traceback import extract_tb
from typing import TYPE_CHECKING, Any

import click

from ...requests.replay import Allocation, SiteRequest, names_code

if TYPE_CHECKING:
    from sim.cluster import BlueGene, Flat, Policy, Utility
    from sim.cluster.loop import Order, Pass

__all__ = ["allocation_name", "order_of", "own_policy", "policies_of"]


def policies_of(
    request: SiteRequest, machine: Flat | BlueGene, notes: list[str]
) -> dict[str, str | Policy]:
    """Return what to run by name: one policy, or all those to compare."""
    from sim.cluster import BlueGene

    compared = request.compare
    if not isinstance(machine, BlueGene):
        of_bluegene = {
            "--utility": request.utility,
            "--utility-expr": request.utility_expr,
            "--threshold": request.threshold,
            "--scheduler": request.scheduler,
            "--reboots": request.reboots,
            "--fault-aware": request.fault_aware or None,
            "--allocation": request.allocation,
            "--alpha": request.alpha,
            "--beta": request.beta,
        }
        for flag, value in of_bluegene.items():
            if value is not None:
                raise click.UsageError(f"{flag} must be left out unless --machine is a Blue Gene")
        return _of_plain(request, notes)
    if request.order is not None:
        raise click.UsageError("--order must be left out on a Blue Gene; give --utility-expr")
    if request.dialect is not None:
        raise click.UsageError("--dialect must be left out on a Blue Gene: none of them has one")
    own = _own(request)
    if own is not None:
        return own
    if request.policy is not None:
        raise click.UsageError(
            "--policy must be left out on a Blue Gene, or be package.module:Name; give --utility, "
            f"got {request.policy!r}"
        )
    from sim.cluster import Cobalt
    from sim.cluster.bluegene import SCHEDULERS

    utilities = _utilities(request, compared)
    allocation = _allocation(request, machine, notes)
    scheduler = SCHEDULERS[request.scheduler or "separate-drains"]
    if scheduler.name == "head" and request.threshold:
        raise click.UsageError(
            "--threshold must be left out with --scheduler head, which tries all jobs"
        )
    return {utility.name: Cobalt(utility, allocation, scheduler=scheduler) for utility in utilities}


def _of_plain(request: SiteRequest, notes: list[str]) -> dict[str, str | Policy]:
    """Return what to run on a plain machine, by the names that were typed."""
    from sim.cluster import POLICIES
    from sim.cluster.dialects import DIALECTS

    if request.policy is not None and request.compare is not None:
        raise click.UsageError("--policy must be left out with --compare")
    flag = "--policy" if request.compare is None else "--compare"
    known: Mapping[str, Policy] = POLICIES
    usual = "easy"
    if request.dialect is not None:
        known = DIALECTS[request.dialect].policies
        usual = next(iter(known))
    names = [request.policy or usual] if request.compare is None else request.compare.split(",")
    order = None if request.order is None else order_of(request.order)
    if order is not None:
        notes.append(f"the queue is ordered by {request.order}, highest first")
    found: dict[str, str | Policy] = {}
    for name in names:
        if names_code(name):
            found[name] = own_policy(name, flag)
        elif name in known:
            found[name] = name if request.dialect is None else known[name]
        else:
            raise click.UsageError(
                f"{flag} must be one of {', '.join(known)} or package.module:Name, got {name!r}"
            )
        if order is not None:
            found[name] = _ordered(known.get(name, found[name]), order, name)
    return {name: _named_in_errors(policy, name) for name, policy in found.items()}


def _ordered(policy: Any, order: Order, name: str) -> Policy:
    """Return the policy with this order of the queue, if it has one."""
    has_order = is_dataclass(policy) and "order" in {field.name for field in fields(policy)}
    if not has_order:
        raise click.UsageError(
            f"--order must be left out with {name}, which is not a dataclass with a field order"
        )
    ordered: Policy = replace(policy, order=order)
    return ordered


def _own(request: SiteRequest) -> dict[str, str | Policy] | None:
    """Return the policies of users to run on a Blue Gene, or None where none is named."""
    text = request.policy or request.compare or ""
    if not names_code(text):
        return None
    of_utilities = {
        "--utility": request.utility,
        "--utility-expr": request.utility_expr,
        "--threshold": request.threshold,
        "--scheduler": request.scheduler,
        "--fault-aware": request.fault_aware or None,
        "--allocation": request.allocation,
    }
    flag = "--compare" if request.policy is None else "--policy"
    for other, value in of_utilities.items():
        if value is not None:
            raise click.UsageError(f"{other} must be left out with {flag} {text}")
    if request.policy is not None and request.compare is not None:
        raise click.UsageError("--policy must be left out with --compare")
    from sim.cluster import UTILITIES, Cobalt

    names = text.split(",") if request.policy is None else [text]
    for name in names:
        if not names_code(name) and name not in UTILITIES:
            known = ", ".join(UTILITIES)
            raise click.UsageError(
                f"{flag} must be one of {known} or package.module:Name, got {name!r}"
            )
    return {
        name: _named_in_errors(own_policy(name, flag), name)
        if names_code(name)
        else Cobalt(UTILITIES[name])
        for name in names
    }


def order_of(text: str) -> Order:
    """Return the order of the queue that ``--order`` asks for, of any machine."""
    from sim.cluster import order_from_expression

    try:
        return order_from_expression(text)
    except ValueError as error:
        raise click.UsageError(f"--order: {error}") from None


def own_policy(text: str, flag: str) -> Policy:
    """Return the policy ``package.module:Name``: an object, or what a class or function gives.

    The folder in which the command runs is looked into last.
    """
    from sim.cluster.loop import Policy

    module_name, _, name = text.partition(":")
    rule = f"{flag} must name a policy as package.module:Name"
    with _current_folder_importable():
        try:
            found: Any = import_module(module_name)
            for part in name.split("."):
                found = getattr(found, part)
            if not isinstance(found, Policy) or isinstance(found, type):
                found = found()
        except Exception as error:  # whatever code of users raises
            raise click.UsageError(
                f"{rule}, got {text!r} ({type(error).__name__}: {error})"
            ) from error
    if isinstance(found, type) or not isinstance(found, Policy):
        raise click.UsageError(
            f"{rule} that has name, runs_on and begin, or a class of such, got {text!r} of kind "
            f"{type(found).__name__}"
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


def _utilities(request: SiteRequest, compared: str | None) -> list[Utility]:
    from sim.cluster import UTILITIES, utility_from_expression

    threshold = request.threshold or 0.0
    given = [request.utility, request.utility_expr, compared]
    if sum(item is not None for item in given) > 1:
        raise click.UsageError("only one must be given of --utility, --utility-expr and --compare")
    if request.utility_expr is not None:
        return [utility_from_expression(request.utility_expr, threshold=threshold)]
    names = compared.split(",") if compared is not None else [request.utility or "wfp3"]
    flag = "--utility" if compared is None else "--compare"
    for name in names:
        if name not in UTILITIES:
            raise click.UsageError(f"{flag} must be one of {', '.join(UTILITIES)}, got {name!r}")
    return [UTILITIES[name].with_threshold(threshold) for name in names]


def allocation_name(request: SiteRequest) -> Allocation:
    """Return how a Blue Gene chooses partitions; refuse options that do not go together."""
    name, aware = request.allocation, request.fault_aware
    if aware and name == "least-blocking":
        raise click.UsageError("--allocation must be printed or released with --fault-aware")
    chosen = name or ("released" if aware else "least-blocking")
    for flag, weight in (("--alpha", request.alpha), ("--beta", request.beta)):
        if weight is not None and chosen != "printed":
            raise click.UsageError(
                f"{flag} must be left out unless --allocation is printed; it is {chosen}"
            )
    return chosen


def _allocation(request: SiteRequest, machine: BlueGene, notes: list[str]) -> Any:
    from sim.cluster import QsimForecaster
    from sim.cluster.bluegene import FaultAware, LeastBlocking, ReleasedFaultAware, most_blocked

    name = allocation_name(request)
    if name == "least-blocking":
        return LeastBlocking()
    forecaster = QsimForecaster(request.sensitivity, request.specificity)
    if name == "released":
        notes.append("partitions chosen by the risk of failures, once for every parent (released)")
        return ReleasedFaultAware(forecaster)
    alpha, beta = (1.0 if weight is None else weight for weight in (request.alpha, request.beta))
    notes.append(f"partitions chosen with alpha {alpha:g} and beta {beta:g} as printed")
    least = alpha * most_blocked(machine.table)
    if beta < least:
        notes.append(
            f"warning: --beta {beta:g} is below the {least:g} that blocking partitions can cost: "
            "one about to fail may be preferred, because it blocks others that fail with it; "
            f"--beta {least:g} or --allocation released prevents that"
        )
    return FaultAware(forecaster, alpha=alpha, beta=beta)
