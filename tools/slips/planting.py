"""The slips that a source text may have, one change each."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass

__all__ = ["Slip", "planted", "slips_of"]


@dataclass(frozen=True, order=True)
class Slip:
    """One change in a source file. It is named by what stands there, not by where, and so outlives moves of lines.

    Args:
        file: the path within the project.
        function: the function or class that holds it, with those around it; empty for the module itself.
        line: the source line, without the spaces around it.
        change: what becomes of what, as in ``== to !=``.
        number: counts slips with the same name, from 1.
    """

    file: str
    function: str
    line: str
    change: str
    number: int = 1

    def __str__(self) -> str:
        which = f" (no. {self.number})" if self.number > 1 else ""
        return f"{self.file}, {self.function or 'module'}: {self.change}{which} in `{self.line}`"


def slips_of(file: str, text: str) -> list[Slip]:
    """Return every slip that a source may have, in the order of the text.

    Args:
        file: the path within the project.
        text: the source.
    """
    return [slip for slip, _ in _found(file, text, ast.parse(text))]


def planted(slip: Slip, text: str) -> str:
    """Return the source with a slip in it; it is written anew from its syntax tree, so comments are gone.

    Raises:
        LookupError: the text has no such slip.
    """
    tree = ast.parse(text)
    for found, plant in _found(slip.file, text, tree):
        if found == slip:
            plant()
            return ast.unparse(tree) + "\n"
    raise LookupError(f"there is no such slip: {slip}")


# ---------------------------------------------------------------------- finding them

Plant = Callable[[], None]
Change = tuple[ast.AST, str, Plant]
"""Where, what becomes of what, and what does it."""

COMPARED: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
}
CALCULATED: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Add,
    ast.FloorDiv: ast.Mult,
    ast.Mod: ast.Add,
    ast.BitOr: ast.BitAnd,
    ast.BitAnd: ast.BitOr,
}
SIGNS: dict[type[ast.AST], str] = {
    ast.Eq: "==",
    ast.NotEq: "!=",
    ast.Lt: "<",
    ast.LtE: "<=",
    ast.Gt: ">",
    ast.GtE: ">=",
    ast.Is: "is",
    ast.IsNot: "is not",
    ast.In: "in",
    ast.NotIn: "not in",
    ast.Add: "+",
    ast.Sub: "-",
    ast.Mult: "*",
    ast.FloorDiv: "//",
    ast.Mod: "%",
    ast.BitOr: "|",
    ast.BitAnd: "&",
    ast.And: "and",
    ast.Or: "or",
}
NAMES = {
    "all": "any",
    "any": "all",
    "min": "max",
    "max": "min",
    "all_of": "any_of",
    "any_of": "all_of",
    "TRUE": "FALSE",
    "FALSE": "TRUE",
}
"""Names that stand for an operator or a constant."""


def _found(file: str, text: str, tree: ast.Module) -> Iterator[tuple[Slip, Plant]]:
    lines, seen = text.split("\n"), Counter[tuple[str, str, str]]()
    for function, (node, change, plant) in _walk(tree, ""):
        line = lines[getattr(node, "lineno", 1) - 1].strip()
        key = function, line, change
        seen[key] += 1
        yield Slip(file, function, line, change, seen[key]), plant


def _walk(node: ast.AST, function: str) -> Iterator[tuple[str, Change]]:
    """Yield the changes below a node, with the function that holds each."""
    if isinstance(node, ast.FunctionDef | ast.ClassDef):
        function = f"{function}.{node.name}" if function else node.name
    for change in _changes(node):
        yield function, change
    for name, value in ast.iter_fields(node):
        if name in ("annotation", "returns", "decorator_list", "type_comment", "bases"):
            continue
        for child in value if isinstance(value, list) else [value]:
            if isinstance(child, ast.AST) and not _means_nothing(child):
                yield from _walk(child, function)


def _means_nothing(node: ast.AST) -> bool:
    """Return whether something means nothing in a run that goes well: docstrings, imports, types, ``strict=``."""
    match node:
        case ast.keyword(arg="strict"):
            return True
        case ast.Expr(value=ast.Constant()) | ast.Import() | ast.ImportFrom() | ast.AnnAssign(value=None):
            return True
        case ast.If(test=ast.Name(id="TYPE_CHECKING")):
            return True
        case ast.Assign(targets=[ast.Name(id="__all__")]):
            return True
        case ast.Assign(value=ast.Subscript() | ast.BinOp() as value):
            return _is_type(value)
    return False


def _is_type(value: ast.expr) -> bool:
    """Return whether an expression can be nothing but a type: names of classes, joined by ``|`` or in brackets."""
    match value:
        case ast.BinOp(op=ast.BitOr()):
            return _is_type(value.left) and _is_type(value.right)
        case ast.Subscript(value=ast.Name(id=name)):
            return name in ("Callable", "Mapping", "tuple", "dict", "list", "frozenset", "set", "Sequence", "Iterable")
        case ast.Name(id=name):
            return (name[:1].isupper() and not name.isupper()) or name in ("int", "str", "bool")
        case ast.Constant(value=None):
            return True
    return False


def _changes(node: ast.AST) -> Iterator[Change]:
    """Yield the changes that a node itself allows."""
    yield from _of_operators(node)
    yield from _of_conditions(node)
    match node:
        case ast.Constant(value=bool() as value):
            yield node, f"{value} to {not value}", _set(node, "value", not value)
        case ast.Constant(value=int() as value):
            yield node, f"{value} to {value + 1}", _set(node, "value", value + 1)
        case ast.Name(id=name, ctx=ast.Load()) if name in NAMES:
            yield node, f"{name} to {NAMES[name]}", _set(node, "id", NAMES[name])
        case ast.Attribute(attr=name, ctx=ast.Load()) if name in NAMES:
            yield node, f"{name} to {NAMES[name]}", _set(node, "attr", NAMES[name])


def _of_operators(node: ast.AST) -> Iterator[Change]:
    match node:
        case ast.Compare():
            yield from (_compared(node, index) for index in range(len(node.ops)))
        case ast.BoolOp():
            other = ast.Or() if isinstance(node.op, ast.And) else ast.And()
            yield node, f"{SIGNS[type(node.op)]} to {SIGNS[type(other)]}", _set(node, "op", other)
        case ast.BinOp() | ast.AugAssign():
            if replacement := CALCULATED.get(type(node.op)):
                change = f"{SIGNS[type(node.op)]} to {SIGNS[replacement]}"
                yield node, change, _set(node, "op", replacement())
        case ast.UnaryOp(op=ast.USub(), operand=ast.Constant()):
            pass  # a number, changed as such
        case ast.UnaryOp(op=ast.USub()):
            yield node, "- left out", _set(node, "op", ast.UAdd())
        case ast.UnaryOp(op=ast.Not()):
            yield node, "not left out", _set(node, "operand", _negated(node.operand))


def _of_conditions(node: ast.AST) -> Iterator[Change]:
    """Yield negations of conditions that have no operator of their own to change."""
    match node:
        case ast.If() | ast.While() | ast.IfExp() if not isinstance(node.test, HAVE_OPERATORS):
            yield node.test, "not put in", _set(node, "test", _negated(node.test))
        case ast.comprehension():
            for index, test in enumerate(node.ifs):
                if not isinstance(test, HAVE_OPERATORS):
                    yield test, "not put in", _set_item(node.ifs, index, _negated(test))


HAVE_OPERATORS = (ast.Compare, ast.BoolOp, ast.UnaryOp)


def _compared(node: ast.Compare, index: int) -> Change:
    was = node.ops[index]
    becomes = COMPARED[type(was)]
    return node, f"{SIGNS[type(was)]} to {SIGNS[becomes]}", _set_item(node.ops, index, becomes())


def _negated(test: ast.expr) -> ast.expr:
    return ast.UnaryOp(ast.Not(), test)


def _set(node: ast.AST, name: str, value: object) -> Plant:
    def plant() -> None:
        setattr(node, name, value)

    return plant


def _set_item(items: list[object] | list[ast.cmpop] | list[ast.expr], index: int, value: object) -> Plant:
    def plant() -> None:
        items[index] = value  # type: ignore[call-overload]

    return plant
