"""Compiles the C library with the package: `make` makes librrm/_librrm.so from the sources above
this folder, or, in an sdist, from its folder `core`, into which the command sdist puts them."""

import os
import re
import shutil
import subprocess
from pathlib import Path

from setuptools import Distribution, setup
from setuptools.command.build_py import build_py
from setuptools.command.sdist import sdist

try:
    from setuptools.command.bdist_wheel import bdist_wheel
except ImportError:  # setuptools before 70
    from wheel.bdist_wheel import bdist_wheel

HERE = Path(__file__).resolve().parent
CORE = HERE / "core" if (HERE / "core").is_dir() else HERE.parent


def core_sources():
    """The files that make librrm.so.0, relative to CORE: the layers and the public library."""
    layers = re.search(r"^LAYERS = (.*)$", (CORE / "Makefile").read_text(), re.M).group(1).split()
    for folder in layers:
        yield from sorted((CORE / folder).rglob("*.[ch]"))
    makefiles = ("Makefile", "*/*.mk", "tests/fuzz/*.mk")
    for pattern in (*makefiles, "rrm*.[ch]", "version.h", "librrm.map", "LICENSE"):
        yield from sorted(CORE.glob(pattern))


def version():
    return re.search(r'RRM_VERSION "librrm (.*)"', (CORE / "version.h").read_text()).group(1)


def compile_library(build):
    """Makes librrm.so.0 in this folder and returns its path. The make variables of these names that
    the environment has hold."""
    flags = {"CC": "cc", "CFLAGS": "-O3", "CPPFLAGS": "", "LDFLAGS": "-s"}
    flags |= {name: os.environ[name] for name in ("OPENMP", "PORTABLE") if name in os.environ}
    words = [f"{name}={os.environ.get(name, default)}" for name, default in flags.items()]
    outer = ("MAKEFLAGS", "MFLAGS", "MAKELEVEL")  # of a make that runs this
    environment = {name: text for name, text in os.environ.items() if name not in outer}
    library = build / "librrm.so.0"
    words += [f"BUILD={build}", f"BIN={build}", str(library)]
    command = ["make", "-s", f"-j{os.cpu_count()}", *words]
    subprocess.run(command, cwd=CORE, env=environment, check=True)
    return library


class BuildWithCore(build_py):
    """The modules, and beside them the library: the file LIBRRM of the environment, or compiled."""

    def run(self):
        super().run()
        library = os.environ.get("LIBRRM")
        if library is None:
            build = self.get_finalized_command("build").build_temp
            library = compile_library(Path(build).resolve())
        place = Path(self.build_lib, "librrm")
        place.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(library, place / "_librrm.so")
        shutil.copyfile(CORE / "LICENSE", place / "LICENSE")


class SdistWithCore(sdist):
    """The modules, and the sources of the library in the folder `core`."""

    def make_release_tree(self, base_dir, files):
        super().make_release_tree(base_dir, files)
        for source in core_sources():
            target = Path(base_dir, "core", source.relative_to(CORE))
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(source, target)


class PlatformWheel(bdist_wheel):
    """For any Python 3 of this machine: the library knows nothing of Python's ABI."""

    def finalize_options(self):
        super().finalize_options()
        self.root_is_pure = False

    def get_tag(self):
        return "py3", "none", super().get_tag()[2]


class BinaryDistribution(Distribution):
    def has_ext_modules(self):
        return True


setup(
    version=version(),
    distclass=BinaryDistribution,
    cmdclass={"build_py": BuildWithCore, "sdist": SdistWithCore, "bdist_wheel": PlatformWheel},
)
