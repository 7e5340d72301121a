"""How compiled functions are put together: each piece of code is optimised once, in what calls it.

numba optimises a function together with all that it calls and makes machine code of both, then
does so again for each caller: what lies five calls deep is optimised five times. Here a function
that compiled code alone calls stays as it was lowered, until an entry takes up all that it needs.
"""

from __future__ import annotations

from typing import Any

from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import Compiler, Flags

__all__ = ["Entry", "Inner"]


class _Lowered(JITCodeLibrary):
    """Code of one function, neither optimised nor made into machine code."""

    def finalize(self) -> None:
        """Let callers have the code."""
        self._finalize_dynamic_globals()
        self._finalized = True


class _Whole(JITCodeLibrary):
    """Code of a function and of all that it calls, optimised together."""

    def finalize(self) -> None:
        """Take up what is called, and make machine code."""
        found: dict[Any, None] = {}
        left = self._linking_libraries[::-1]
        while left:
            library = left.pop()
            if library not in found:
                found[library] = None
                if isinstance(library, _Lowered):
                    left += library._linking_libraries[::-1]
        self._linking_libraries = list(found)
        super().finalize()


class _Flags(Flags):
    """Flags compared by those that were set: numba lists all of them thousands of times."""

    def __hash__(self) -> int:
        return hash(frozenset(self._values))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Flags) and self._values == other._values


class Inner(Compiler):
    """Compiles what compiled code alone calls."""

    def compile_extra(self, function: Any) -> Any:
        """Return the function as lowered."""
        state = self.state
        state.flags = _Flags(state.flags)
        state.library = _Lowered(state.targetctx.codegen(), function.__qualname__)
        state.flags.no_compile = True
        result = super().compile_extra(function)
        called = object()  # by which numba finds the code of a call
        state.targetctx.insert_user_function(called, result.fndesc, [result.library])
        return result._replace(entry_point=called)


class Entry(Compiler):
    """Compiles what Python calls, with all that this calls."""

    def compile_extra(self, function: Any) -> Any:
        """Return the function as machine code."""
        state = self.state
        state.flags = _Flags(state.flags)
        state.library = _Whole(state.targetctx.codegen(), function.__qualname__)
        state.library.enable_object_caching()
        result = super().compile_extra(function)
        for environment in result._find_referenced_environments():
            result.library.codegen.set_env(environment.env_name, environment)
        return result
