#!/bin/bash
# samples.sh - the shipped samples equal the output of make_samples. Within `make test` the build
# folder and the compiler are those of the test run.
cd "$(dirname "$0")/../.." && make -s check-samples
