#!/bin/bash
# run.sh BIN TEST... - runs cmocka programs, tests/.../test_NAME of the program TOGETHER, and scripts (*.sh, given BIN), as
# many at a time as there are processors; what each has to say comes in one piece when it has ended.
#
# A program counts its own tests, a script counts as one; a script's line "skipped: ..." counts as
# one skipped, and a script that skips all exits with 77. A crash, a leak or ten minutes without an
# end is one more failure. The last lines are the ten that took longest, by the time of the processors, which
# other programs beside them change little, and the sum.
set -u

# The milliseconds of what `times` says, 1m2.345s.
milliseconds() {
    local seconds=${1#*m}
    ms=$((60000 * ${1%m*} + 10#${seconds//[.s]/}))
}

# run.sh --one LOGS BIN TEST: what is printed goes to a file of LOGS; one line tells how it ended.
if [ "$1" = --one ]; then
    log=$2/${4##*/}
    # Idle threads sleep: others want the processors. Train and predict see to that, too, as kernel.sh tests, but have
    # them spin for some microseconds, which beside other tests takes up to half of a run.
    export OMP_WAIT_POLICY="${OMP_WAIT_POLICY:-passive}"
    case $4 in
    *.sh) timeout 600 bash "$4" "$3" ;;
    *) # memory that was freed is used again: to touch new pages takes longer than many a test
        export MALLOC_TRIM_THRESHOLD_=1000000000 MALLOC_MMAP_THRESHOLD_=1000000000
        case $4 in
        tests/*) timeout 600 "$TOGETHER" "${4##*/}" ;;
        *) timeout 600 "$4" ;;
        esac
        ;;
    esac >"$log" 2>&1 </dev/null
    status=$?
    times >"$log.times" # its second line is that of the children
    { read -r && read -r user system; } <"$log.times"
    milliseconds "$user"
    busy=$ms
    milliseconds "$system"
    printf '%s %d %d %d.%03d\n' "$4" $status $SECONDS $(((busy + ms) / 1000)) $(((busy + ms) % 1000))
    exit 0
fi

bin=$1
shift
logs=$(mktemp -d) || exit 1
trap 'rm -rf "$logs"' EXIT
trap 'exit 130' INT TERM

# The sums of the numbers that cmocka prints behind [  PASSED  ] and the like.
count_program() {
    local line word
    local -A count=([PASSED]=0 [FAILED]=0 [SKIPPED]=0)
    for line in "${lines[@]}"; do
        [[ $line =~ ^\[\ *(PASSED|FAILED|SKIPPED)\ *\]\ ([0-9]+)\ test\(s\) ]] || continue
        word=${BASH_REMATCH[1]}
        count[$word]=$((count[$word] + BASH_REMATCH[2]))
    done
    good=${count[PASSED]} bad=${count[FAILED]} left=${count[SKIPPED]}
    [ $((good + bad + left)) -gt 0 ] || bad=1
    [ "$status" -eq 0 ] || [ "$bad" -gt 0 ] || bad=1
}

count_script() {
    local line
    good=1 bad=0 left=0
    for line in "${lines[@]}"; do
        [[ $line != 'skipped: '* ]] || left=$((left + 1))
    done
    case $status in
    0) ;;
    77) good=0 ;;
    *) good=0 bad=1 ;;
    esac
}

# One test by itself: its processes wait for each other, which takes long while other tests have the processors.
alone=/mpi.sh
{
    for test; do
        case $test in *$alone) bash "$0" --one "$logs" "$bin" "$test" ;; esac
    done
    printf '%s\n' "$@" | grep -v -e "$alone\$" | xargs -r -n 1 -P "$(nproc)" bash "$0" --one "$logs" "$bin"
} | {
    ended=0 passed=0 failed=0 skipped=0
    while read -r test status seconds busy; do
        log=$logs/${test##*/}
        mapfile -t lines <"$log"
        case $test in
        *.sh) count_script ;;
        *) count_program ;;
        esac
        ended=$((ended + 1))
        echo "$busy ${test##*/}" >>"$logs/seconds"
        passed=$((passed + good)) failed=$((failed + bad)) skipped=$((skipped + left))
        if [ "$bad" -gt 0 ]; then
            cat "$log"
            echo "FAILED $test: $bad failed, exit status $status"
        else
            [[ "${lines[*]}" != *'skipped: '* ]] || grep '^skipped: ' "$log"
            echo "ok $test: $good passed, $seconds s, $busy s of a processor"
        fi
    done
    if [ $ended -ne $# ]; then
        echo "FAILED: only $ended of $# tests came to an end"
        failed=$((failed + $# - ended))
    fi
    echo "slowest, in seconds of a processor: $(sort -rn "$logs/seconds" | head -n 10 | awk '{ print $2, $1 }' |
        paste -s -d , - | sed 's|,|, |g'); of all: $(awk '{ n += $1 } END { print n }' "$logs/seconds")"
    echo "tests: $passed passed, $failed failed, $skipped skipped"
    [ $failed -eq 0 ]
}
