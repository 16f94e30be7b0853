"""walk.py PAGE: runs the commands of a page of documentation, and compares what they print."""

import doctest
import re
import sys
from pathlib import Path

text = "\n".join(re.findall(r"^```python\n(.*?)^```", Path(sys.argv[1]).read_text(), re.M | re.S))
test = doctest.DocTestParser().get_doctest(text, {}, sys.argv[1], sys.argv[1], 0)
result = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS).run(test)
sys.exit(result.failed > 0 or result.attempted < 20)
