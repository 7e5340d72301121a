"""Sixty-four bytes looked at together, in compiled code alone: each has a bit of a number."""

from __future__ import annotations

from typing import Any

from llvmlite import ir

from ..._compiled import in_llvm, types

LANES = 64
_BYTES = ir.VectorType(ir.IntType(8), LANES)


def _loaded(context: Any, builder: Any, signature: Any, data: Any, place: Any) -> Any:
    array = context.make_array(signature.args[0])(context, builder, data)
    at = builder.bitcast(builder.gep(array.data, [place]), _BYTES.as_pointer())
    return builder.load(at, align=1)


@in_llvm
def equal_lanes(typing: Any, data: Any, place: Any, sign: Any) -> Any:
    """Return which of the bytes from `place` on are `sign`, the first as the lowest bit."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        text = _loaded(context, builder, signature, *arguments[:2])
        none, first = ir.Constant(_BYTES, ir.Undefined), ir.Constant(ir.IntType(32), 0)
        alone = builder.insert_element(none, arguments[2], first)
        everywhere = ir.Constant(ir.VectorType(ir.IntType(32), LANES), [0] * LANES)
        signs = builder.shuffle_vector(alone, none, everywhere)
        return builder.bitcast(builder.icmp_unsigned("==", text, signs), ir.IntType(64))

    return types.uint64(data, types.int64, types.uint8), generate


@in_llvm
def high_lanes(typing: Any, data: Any, place: Any) -> Any:
    """Return which of the bytes from `place` on are not ASCII."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        text = _loaded(context, builder, signature, *arguments)
        none = ir.Constant(_BYTES, [0] * LANES)
        return builder.bitcast(builder.icmp_signed("<", text, none), ir.IntType(64))

    return types.uint64(data, types.int64), generate


@in_llvm
def lowest(typing: Any, bits: Any) -> Any:
    """Return the place of the lowest bit that is set, 64 if none is."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.cttz(arguments[0], ir.Constant(ir.IntType(1), 0))

    return types.int64(types.uint64), generate


@in_llvm
def ones(typing: Any, bits: Any) -> Any:
    """Return how many bits are set."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.ctpop(arguments[0])

    return types.int64(types.uint64), generate
