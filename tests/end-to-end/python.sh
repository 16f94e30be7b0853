#!/bin/bash
# python.sh BIN - the Python package: built and installed as users do, over the library of BIN; its tests; the commands
# of docs/python.md.
set -u
# shellcheck source=tests/outside.sh
. "$(dirname "$0")/../outside.sh"
root=$(dirname "$data")
has_tools 'the Python package' python3 python3-numpy python3-scipy || exit 77
if nm "$bin/librrm.so.0" | grep -q __asan_init; then
    echo 'skipped: the Python package (a library with sanitizers)'
    exit 77
fi
export PYTHONDONTWRITEBYTECODE=1 OMP_WAIT_POLICY=passive

# As in the checkout, but for what a build leaves behind. The library is not compiled again.
mkdir checkout && cp -r "$root/python" checkout && ln -s "$root" checkout/python/core || exit 1
rm -rf checkout/python/build checkout/python/dist checkout/python/*.egg-info
export LIBRRM=$bin/librrm.so.0
if has_tools 'wheels' python3-pip python3-setuptools python3-wheel; then
    pip() { /usr/bin/python3 -m pip --disable-pip-version-check -q "$@" >log 2>&1 || fail "pip $1: $(cat log)"; }
    pip wheel --no-build-isolation --no-deps --no-index -w wheels checkout/python
    pip install --no-deps --no-index --target site wheels/librrm-*-py3-none-*.whl
    [ "$(stat -c %s wheels/*.whl)" -lt 3000000 ] || [ "$(stat -c %s "$LIBRRM")" -gt 3000000 ] || fail 'a large wheel'
    # The sources go along: the same commands compile them.
    (cd checkout/python && /usr/bin/python3 setup.py -q sdist) >log 2>&1 || fail "sdist: $(cat log)"
    tar xzf checkout/python/dist/librrm-*.tar.gz || fail 'no sdist'
    commands() { make -n -C "$1" BUILD=new BIN=new new/librrm.so.0 2>/dev/null | grep -e ' -c -o ' | sort; }
    core=$(echo librrm-*/core)
    commands "$root" >expected
    commands "$core" >found
    { [ -s expected ] && diff expected found; } >log || fail "the sdist compiles something else: $(head -n 5 log)"
    for header in $(cd "$root" && find io math kernel matrix risk prediction solvers training rrm*.h -name '*.h'); do
        [ -f "$core/$header" ] || fail "the sdist lacks $header"
    done
else
    mkdir site && cp -r checkout/python/librrm site && cp "$LIBRRM" site/librrm/_librrm.so || exit 1
fi

export PYTHONPATH=$work/site SAMPLES=$data BIN=$bin
tests=$root/python/tests
(cd "$tests" && /usr/bin/python3 -m unittest discover -q) >log 2>&1 || fail "$(cat log)"
grep -q '^Ran [0-9][0-9]* tests' log || fail "no tests: $(cat log)"

# Without scikit-learn the estimators are there as well; here by a test alone, in a checkout where `make` was run.
cp "$LIBRRM" checkout/librrm.so.0
mkdir -p without/sklearn && echo 'raise ImportError' >without/sklearn/__init__.py
(cd checkout/python && PYTHONPATH=$work/without /usr/bin/python3 -m unittest -q tests.test_models) >log 2>&1 ||
    fail "a test alone, without scikit-learn: $(cat log)"
grep -q '^Ran [0-9][0-9]* tests' log || fail "no tests: $(cat log)"

! awk 'length > 100 { print FILENAME ":" FNR }' "$root"/python/*.py "$root"/python/*/*.py |
    grep . || fail 'lines of more than 100 columns'
exit $failures
