#!/bin/bash
# samples.sh - the samples that ship are what their program makes. Within `make test` the build
# folder and the compiler are those of the test run.
cd "$(dirname "$0")/../.." && make -s check-samples
