#!/bin/bash
# scale.sh BIN - scale from the outside: the same bytes as svm-scale, the other methods, pipes, groups and weights,
# what is refused, and what is said.
set -u
# shellcheck source=tests/outside.sh
. "$(dirname "$0")/../outside.sh"

same() { cmp -s "$1" "$2" || { fail "$1 and $2 differ"; diff "$1" "$2" | head -n 10 >&2; }; }
prints() { printf "$1" >expected; same out expected; }

# ---- as svm-scale

cat >mixed <<'END'
1.5 1:-3 2:5 4:1e-7 7:2
-2 2:5 3:0.123456789 7:3
0 1:2.5 2:5 3:-7e5 9:1
7 2:5
END
# as_svm_scale FILE TEST OPTIONS...: with each combination of its options, the ranges restored for TEST.
all_options=('' '-l 0' '-l 0 -u 2.5' '-y -1 2' '-l -3 -u -1 -y 0 1')
as_svm_scale() {
    local options
    for options in "${@:3}"; do
        # shellcheck disable=SC2086
        svm-scale $options -s ranges.theirs "$1" >theirs 2>notes
        # shellcheck disable=SC2086
        run 0 scale -q $options -s ranges "$1"
        same out theirs
        same ranges ranges.theirs
        svm-scale -r ranges "$2" >theirs 2>notes
        run 0 scale -q -r ranges "$2"
        same out theirs
    done
}

if has_tools 'the same bytes as svm-scale' svm-scale; then
    as_svm_scale mixed mixed "${all_options[@]}"
    for set in blobs line three; do
        as_svm_scale "$data/$set.train" "$data/$set.test" "${all_options[@]}"
    done
    sets='heart_scale housing_scale abalone mpg dna.scale a9a w8a german.numer_scale cpusmall usps.gz spambase'
    # shellcheck disable=SC2086
    if has_sets 'the same bytes as svm-scale on real data' $sets; then
        turn=0 # the defaults, and by turns another combination
        for set in $sets; do
            gzip -cdf "$RRM_DATASETS/$set" 2>notes | head -n 700 >rows
            head -n 400 rows >some # the rest has values and features beyond its ranges
            as_svm_scale some rows '' "${all_options[1 + turn % 4]}"
            turn=$((turn + 1))
        done
    fi
fi

# ---- methods, digits

run 0 scale --method max mixed
prints '1.5 1:-1 2:1 4:1 7:0.666667 \n-2 2:1 3:1.76367e-07 7:1 \n0 1:0.833333 2:1 3:-1 9:1 \n7 2:1 \n'
run 0 scale --method norm --digits 3 mixed
has '^1.5 1:-0.487 2:0.811 4:1.62e-08 7:0.324 $' out
has '^-2 2:0.857 3:0.0212 7:0.514 $' out
has '^0 1:3.57e-06 2:7.14e-06 3:-1 9:1.43e-06 $' out
printf '0 1:1\n0\n0 1:1\n0\n' >halves
run 0 scale --method standard halves
prints '0 1:1 \n0 1:-1 \n0 1:1 \n0 1:-1 \n'
[ ! -s err ] || fail "a line about twice as many values: $(cat err)"
run 0 scale --method deviation halves
prints '0 1:2 \n0 \n0 1:2 \n0 \n'
for method in max standard deviation; do
    run 0 scale -q --method $method -s ranges --digits 17 "$data/three.train"
    cp out whole
    run 0 scale -q -r ranges --digits 17 "$data/three.train"
    same out whole
done

# Values whose squares are no doubles.
printf '1 1:1e-320 2:1e-200 3:1e200\n-1 1:3e-320 2:3e-200 3:3e200\n' >ends
run 0 scale -q --method standard ends
prints '1 1:-1 2:-1 3:-1 \n-1 1:1 2:1 3:1 \n'
run 0 scale -q --method range -s ranges ends
prints '1 1:-1 2:-1 3:-1 \n-1 1:1 2:1 3:1 \n'
run 0 scale -q -r ranges ends
prints '1 1:-1 2:-1 3:-1 \n-1 1:1 2:1 3:1 \n'
printf '3 1:1\n3 1:2\n' >equal
run 0 scale -y 0 5 equal
prints '0 1:-1 \n0 1:1 \n'
has '^scale: all labels are 3; they become 0$' err

run 0 scale -q -y 0 5 -s point equal
printf '4 1:1\n' >other
sorry 1 'other:1: the label cannot be scaled: the ranges (-y) are of data whose labels are all equal' scale -r point other

# ---- files

gzip -c mixed >mixed.gz
run 0 scale -s ranges mixed scaled.gz
[ ! -s out ] || fail 'something is printed beside the file'
gzip -dc scaled.gz >whole
run 0 scale -q mixed.gz
same out whole
timeout 120 "$bin/scale" -q -r ranges - <mixed >out 2>err || fail "a pipe with -r: $(cat err)"
same out whole
printf '? cost:2.5 qid:1 1:1 2:3 # first\n1 qid:1 1:2\n\n# nothing\n3 cost:0 qid:7 2:4\n' >groups
run 0 scale --method max groups
prints '? cost:2.5 qid:1 1:0.5 2:0.75 \n1 cost:1 qid:1 1:1 \n3 cost:0 qid:7 2:1 \n'
printf '1 0:4\n2 0:2\n' >zero
run 0 scale --zero-based zero
prints '1 0:1 \n2 0:-1 \n'

# ---- what is said

printf '1 1:9 12:1\n' >later
run 0 scale -r ranges later
has '^scale: features after 9, the last one of the ranges, are left out$' err
run 0 scale -l 0 -r ranges mixed
has '^scale: --lower is not used: the file of -r says how to scale$' err
printf '1 1:1\n1 2:1\n1 3:1\n1 4:1\n' >unit
run 0 scale unit
has '^scale: 4 values became 16, because zeros are scaled, too; -l 0 or --method max keeps them$' err
run 0 scale -l 0 unit
[ ! -s err ] || fail "a line about -l 0: $(cat err)"

# ---- what is refused

sorry 2 'DATA is missing' scale -q
run 2 scale
has '^usage: scale' out
sorry 2 'too many files' scale a b c
sorry 2 'standard input cannot be read twice' scale -
sorry 2 'is a pipe and cannot be read twice: give a file, -r or --method norm' scale <(cat mixed)
sorry 2 '-l must be below -u' scale -l 1 mixed
sorry 2 'only one can be given' scale -s a -r b mixed
sorry 2 '-l is for --method range, not standard' scale --method standard -l 0 mixed
sorry 2 '-u is for --method range, not norm' scale --method norm -u 2 mixed
sorry 2 'leave out -y' scale --method norm -y 0 1 mixed
sorry 2 'takes two numbers LOW,HIGH' scale -y 1,0 mixed
sorry 2 'takes LOW,HIGH' scale -y 1 mixed
sorry 2 'would be read and overwritten' scale mixed mixed
sorry 2 'middle' scale --method middle mixed
sorry 1 'missing: No such file' scale missing
printf '1 1;2\n' >mixed.bad
sorry 1 'mixed.bad:1:3: ' scale mixed.bad
sorry 1 'mixed:1: no file of ranges' scale -r mixed mixed
printf '? 1:1\n? 1:2\n' >unlabelled
sorry 1 'no line has a label' scale -y 0,1 unlabelled
printf 'method max\n1 0 1e-300\n' >tiny
printf '1 1:1\n2 1:1e300\n' >huge
sorry 1 'huge:2: a scaled value is too large' scale -r tiny huge
printf 'x\n-1 1\n1 0 1\n2147483646 0 1\n' >wide
(ulimit -v 1000000 && exec "$bin/scale" -r wide mixed) >out 2>err && fail 'ranges of 2147483646 features'
has 'out of memory' err
echo before >kept
sorry 1 'huge:2:' scale -r tiny huge kept
has '^before$' kept
(ulimit -f 8 && exec "$bin/scale" -q --digits 17 "$data/blobs.train" kept) 2>err && fail 'a file beyond the limit'
has '^kept: ' err
has '^before$' kept
"$bin/scale" mixed >/dev/full 2>err && fail 'a full disk is no error'
has 'standard output' err

[ $failures -eq 0 ] || { echo "$name: $failures failures" >&2; exit 1; }
echo "$name: all well"
