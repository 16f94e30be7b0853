"""What the tests share: the samples, and the programs to compare with."""

import multiprocessing
import os
import subprocess
import tempfile
import unittest
import warnings
from pathlib import Path

import librrm

SAMPLES = Path(os.environ.get("SAMPLES", Path(__file__).parents[2] / "data"))
BIN = os.environ.get("BIN")


def sample(name):
    return librrm.load_svmlight(SAMPLES / name)


def command(program, *arguments):
    """Runs a program of the command line; the test is skipped without BIN."""
    if BIN is None:
        raise unittest.SkipTest("BIN does not say where train and predict are")
    return subprocess.run(
        [Path(BIN, program), *map(str, arguments)], check=True, capture_output=True, text=True
    )


class Test(unittest.TestCase):
    """Each test has a folder of its own, and warnings of trainings are not shown."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        quiet = warnings.catch_warnings()
        quiet.__enter__()
        self.addCleanup(quiet.__exit__, None, None, None)
        warnings.simplefilter("ignore")

    def in_a_fork(self, work):
        """What work() returns in a forked process; the test fails if it hangs there."""
        context = multiprocessing.get_context("fork")
        ours, theirs = context.Pipe()
        child = context.Process(target=lambda: theirs.send(work()))
        child.start()
        if not ours.poll(60):
            child.kill()
            self.fail("the child does not end")
        answer = ours.recv()
        child.join()
        return answer
