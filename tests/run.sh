#!/bin/sh
# run.sh BIN TEST... - runs cmocka programs, and scripts (*.sh, given BIN), one after another.
#
# A program counts its own tests, a script counts as one; a script's line "skipped: ..." counts as
# one skipped, and a script that skips all exits with 77. A crash, a leak or ten minutes without an
# end is one more failure. The last line is the sum.
set -u
bin=$1
shift
passed=0 failed=0 skipped=0
log=$(mktemp) || exit 1
trap 'rm -f "$log"' EXIT
trap 'exit 130' INT TERM

# The sum of the numbers that cmocka prints behind [  WORD  ].
cmocka_count() {
    sed -n "s/^\[ *$1 *\] \([0-9][0-9]*\) test(s).*/\1/p" "$log" | awk '{ n += $1 } END { print n + 0 }'
}

run_program() {
    timeout 600 "$1" >"$log" 2>&1
    status=$?
    good=$(cmocka_count PASSED) bad=$(cmocka_count FAILED) left=$(cmocka_count SKIPPED)
    [ $((good + bad + left)) -gt 0 ] || bad=1
    [ $status -eq 0 ] || [ "$bad" -gt 0 ] || bad=1
}

run_script() {
    timeout 600 bash "$1" "$bin" >"$log" 2>&1 </dev/null
    status=$?
    good=1 bad=0 left=$(grep -c '^skipped: ' "$log")
    case $status in
    0) ;;
    77) good=0 ;;
    *) good=0 bad=1 ;;
    esac
}

for test; do
    start=$(date +%s)
    case $test in
    *.sh) run_script "$test" ;;
    *) run_program "$test" ;;
    esac
    passed=$((passed + good)) failed=$((failed + bad)) skipped=$((skipped + left))
    if [ "$bad" -gt 0 ]; then
        cat "$log"
        echo "FAILED $test: $bad failed, exit status $status"
    else
        grep '^skipped: ' "$log"
        echo "ok $test: $good passed, $(($(date +%s) - start)) s"
    fi
done
echo "tests: $passed passed, $failed failed, $skipped skipped"
[ $failed -eq 0 ]
