#!/usr/bin/env python3
"""Writes the types of the interface, src/assam_client/interface.py, from openapi/openapi.json.

    types_from_document.py            write the file
    types_from_document.py --check    exit status 1 if the file is not what would be written
"""

from __future__ import annotations

import json
import sys
import textwrap
from pathlib import Path
from typing import Any

PACKAGE = Path(__file__).resolve().parents[1]
DOCUMENT = PACKAGE.parents[1] / "openapi/openapi.json"
TYPES = PACKAGE / "src/assam_client/interface.py"
HEAD = '''"""What the service answers and takes, as types. Written by scripts/types_from_document.py: do not edit."""

from __future__ import annotations

from typing import Literal, TypeAlias, TypedDict
'''
SCALARS = {"string": "str", "integer": "int", "number": "float", "boolean": "bool", "null": "None"}

Schema = dict[str, Any]


def main(arguments: list[str]) -> int:
    schemas: dict[str, Schema] = json.loads(DOCUMENT.read_text("utf-8"))["components"]["schemas"]
    text = HEAD
    for name in in_order(schemas):
        text += "\n\n" + definition(name, schemas[name])
    if arguments != ["--check"]:
        TYPES.write_text(text, "utf-8")
        return 0
    if TYPES.read_text("utf-8") == text:
        return 0
    print(f"{TYPES.name} is stale: run clients/python/scripts/{Path(__file__).name}", file=sys.stderr)
    return 1


def in_order(schemas: dict[str, Schema]) -> list[str]:
    """The names, each behind those that it extends."""
    extending = [name for name, schema in schemas.items() if "allOf" in schema]
    return [name for name in schemas if name not in extending] + extending


def definition(name: str, schema: Schema) -> str:
    """A class for an object with members, an alias for all else."""
    base, own = "TypedDict", schema
    if "allOf" in schema:
        reference, own = schema["allOf"]
        base = reference["$ref"].rsplit("/", 1)[1]
    if "properties" not in own:
        told = "".join(f"# {line}\n" for line in schema.get("description", "").splitlines())
        alias = expression(own)
        if len(alias) > 100:  # a value a line
            alias = alias.replace("[", "[\n    ").replace(", ", ",\n    ").replace("]", ",\n]")
        # What stands further down can be named in quotes only.
        return f"{told}{name}: TypeAlias = {json.dumps(alias) if '|' in alias else alias}\n"
    members = own["properties"].items()
    always = [(member, value) for member, value in members if member in own.get("required", [])]
    perhaps = [(member, value) for member, value in members if member not in own.get("required", [])]
    text = ""
    if perhaps and always:  # Python 3.10 has no NotRequired
        text = f"class _{name}({base}):\n{body('What is always there.', always)}\n\n"
        base, always = f"_{name}", []
    total = ", total=False" if perhaps else ""
    return f"{text}class {name}({base}{total}):\n{body(schema['description'], always or perhaps)}"


def body(told: str, members: list[tuple[str, Schema]]) -> str:
    """The docstring, and each member with what the document says of it."""
    text = textwrap.indent(f'"""{told}"""\n', "    ")
    for member, value in members:
        text += f"\n    {member}: {expression(value)}\n"
        if said := described(value):
            text += textwrap.indent(f'"""{said}"""\n', "    ")
    return text


def described(schema: Schema) -> str:
    """The description, which may stand with one of the alternatives."""
    inner = [part["description"] for part in schema.get("oneOf", []) if "description" in part]
    said: str = schema.get("description", inner[0] if inner else "")
    return said.replace("\\", "\\\\")


def expression(schema: Schema) -> str:
    """The type that a schema stands for."""
    if "$ref" in schema:
        return str(schema["$ref"].rsplit("/", 1)[1])
    if "oneOf" in schema:
        return " | ".join(map(expression, schema["oneOf"]))
    values = [schema["const"]] if "const" in schema else schema.get("enum")
    if values is not None:
        return "Literal[" + ", ".join(json.dumps(value) for value in values) + "]"
    kinds = schema["type"] if isinstance(schema["type"], list) else [schema["type"]]
    return " | ".join(of_kind(kind, schema) for kind in kinds)


def of_kind(kind: str, schema: Schema) -> str:
    if kind == "array":
        return f"list[{expression(schema['items'])}]"
    if kind == "object":
        return f"dict[str, {expression(schema['additionalProperties'])}]"
    return SCALARS[kind]


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
