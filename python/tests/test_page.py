"""The commands of docs/python.md print what they are said to print."""

import contextlib
import doctest
import io
import os
import re
import unittest
from pathlib import Path

from common import Test

PAGE = Path(__file__).parents[2] / "docs" / "python.md"


class Page(Test):
    @unittest.skipUnless(PAGE.exists(), "the page is not there")
    def test_the_commands_of_the_documentation(self):
        self.addCleanup(os.chdir, os.getcwd())
        os.chdir(PAGE.parents[1])
        text = "\n".join(re.findall(r"^```python\n(.*?)^```", PAGE.read_text(), re.M | re.S))
        test = doctest.DocTestParser().get_doctest(text, {}, PAGE.name, str(PAGE), 0)
        with contextlib.redirect_stdout(io.StringIO()) as said:
            result = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS).run(test)
        self.assertEqual(result.failed, 0, said.getvalue())
        self.assertGreaterEqual(result.attempted, 20)


if __name__ == "__main__":
    unittest.main()
