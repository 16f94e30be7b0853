"""The tests import each other by name, also where one runs alone (unittest tests.test_models)."""

import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
