"""Build hook: with ``SATDIP_COMPILE=1`` the hot modules go into the wheel as C extensions, made by mypyc.

The Python files are shipped all the same and are the reference: the extensions are made of them and of nothing else.
"""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

SWITCH = "SATDIP_COMPILE"
"""The environment variable that asks for extensions."""


class CompileHook(BuildHookInterface[Any]):
    """Compiles the modules that pyproject.toml lists, when asked to."""

    PLUGIN_NAME = "custom"

    @property
    def wanted(self) -> bool:
        """Whether this is a wheel for which extensions were asked."""
        return self.target_name == "wheel" and os.environ.get(SWITCH, "") not in ("", "0")

    def dependencies(self) -> list[str]:
        """Return what compiling needs beside hatchling and a C compiler."""
        return list(self.config["requires"]) if self.wanted else []

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Compile, and put the extensions into the wheel; an editable install keeps to Python."""
        if not self.wanted or version == "editable":
            return
        scratch = Path(tempfile.mkdtemp(prefix="satdip-"))
        self._scratch = scratch
        root = Path(self.root)
        shutil.copytree(root / "satdip", scratch / "satdip", ignore=shutil.ignore_patterns("encodings", "maps"))
        shutil.copytree(root / "encodings", scratch / "satdip" / "encodings")
        modules = compiled_modules(scratch, self.config)
        build_data["force_include"] |= _extensions(scratch, modules, str(self.config["optimise"]))
        build_data["pure_python"] = False
        build_data["infer_tag"] = True

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:  # noqa: ARG002
        """Remove what was made on the way."""
        shutil.rmtree(getattr(self, "_scratch", ""), ignore_errors=True)


def compiled_modules(root: Path, config: Mapping[str, Any]) -> list[str]:
    """Return the files that the patterns of pyproject.toml name, relative to a folder that holds the package.

    Args:
        root: the folder.
        config: ``modules``, the patterns, and ``but``, the files among them that stay Python.
    """
    found = {str(file.relative_to(root)) for pattern in config["modules"] for file in root.glob(pattern)}
    return sorted(name for name in found - set(config["but"]) if not name.endswith("__init__.py"))


def _extensions(where: Path, modules: list[str], optimise: str) -> dict[str, str]:
    """Compile modules of a copy of the package.

    Args:
        where: the folder that holds the copy.
        modules: the modules' files, relative to it.
        optimise: the C compiler's level of optimisation.

    Returns:
        File of an extension -> where it belongs in the wheel.
    """
    from mypyc.build import mypycify
    from setuptools import Distribution
    from setuptools.command.build_ext import build_ext

    before = Path.cwd()
    os.chdir(where)
    try:
        extensions = mypycify(["--ignore-missing-imports", *modules], opt_level=optimise)
        for extension in extensions if os.name == "posix" else ():
            # Nobody outside calls these functions, so the compiler may put one into another.
            extension.extra_compile_args.append("-fvisibility=hidden")
        command = build_ext(Distribution({"name": "satdip", "ext_modules": extensions}))
        command.build_lib, command.build_temp = "lib", "temp"
        command.parallel = os.cpu_count()
        command.ensure_finalized()
        command.run()
        return {str(where / at): str(Path(at).relative_to("lib")) for at in command.get_outputs()}
    finally:
        os.chdir(before)
