#!/bin/bash
# rna.sh BIN - structures of RNA from the outside: bpseq and back, pairs that cross, errors, sequences
# with planted helices, and with RRM_DATASETS those of S-151.
set -u
# shellcheck source=tests/outside.sh
. "$(dirname "$0")/../outside.sh"
bpseq=$bin/bpseq

same() { cmp -s "$1" "$2" || { fail "$1 and $2 differ"; diff "$1" "$2" | head -n 10 >&2; }; }

# ---- bpseq

cat >two.bpseq <<'END'
# a header
Organism: another, 3 lines
1 g 9
2 C 8
3 a 0
4 N 0
5 T 0
6 U 0
7 c 0
8 G 2
9 C 1
10 A 0
1 A 2
2 U 1
END
cat >one.bpseq <<'END'
1 A 0
END
run 0 bpseq encode two.bpseq one.bpseq
has '^3 sequences, 13 bases, 3 pairs; 0 that cross' err
cat >expected <<'END'
9 qid:1 3:1
8 qid:1 2:1
0 qid:1 1:1
0 qid:1
0 qid:1 4:1
0 qid:1 4:1
0 qid:1 2:1
2 qid:1 3:1
1 qid:1 2:1
0 qid:1 1:1
2 qid:2 1:1
1 qid:2 4:1
0 qid:3 1:1
END
same out expected
cp out three.svm
printf '%s\n' '((.....)).' '()' . >brackets
run 0 bpseq decode three.svm brackets
cp out again.bpseq
run 0 bpseq encode again.bpseq
same out three.svm

bad() { # WORDS LINES: bpseq that is refused
    printf '%s\n' "${@:2}" >bad.bpseq
    sorry 1 "^bad.bpseq:$1" bpseq encode bad.bpseq
}
bad '2: the partner 3 of position 2 is outside' '1 A 0' '2 C 3'
bad '1: the partner 2 of position 1 has another' '1 A 2' '2 U 0'
bad '2: the partner 2 of position 2 is the position itself' '1 A 0' '2 C 2'
bad '2: position 2 expected, not 3' '1 A 0' '3 C 0'
bad '1: position, base and partner' '1 AC 0'
bad '1: position, base and partner' '1 A 0 0'
bad '1: position, base and partner' '1 A x'
bad ' no sequence' '# nothing'
for line in '(.).' '(..))' '((..' '[..]'; do
    printf '0 qid:7 1:1\n0 qid:7\n0 qid:7\n0 qid:7\n' >four.svm
    echo "$line" >brackets
    [ "$line" = '(.).' ] && run 0 bpseq decode four.svm brackets && continue
    sorry 1 '^brackets:1: ' bpseq decode four.svm brackets
done
printf '....\n....\n' >brackets
sorry 1 '^brackets:2: more structures' bpseq decode four.svm brackets
: >brackets
sorry 1 'no structure for qid 7' bpseq decode four.svm brackets

# Crossing pairs: the smallest possible number of pairs is removed; the other pairs are kept.
crossing() {
    /usr/bin/python3 - <<'END'
import itertools, random, subprocess, sys
def crosses(pairs):
    return any(a < c < b < d for (a, b) in pairs for (c, d) in pairs)
random.seed(5)
for trial in range(40):
    n = random.randint(2, 18)
    places = random.sample(range(1, n + 1), 2 * random.randint(1, n // 2))
    pairs = sorted(tuple(sorted(places[k:k + 2])) for k in range(0, len(places), 2))
    mate = dict(pairs) | {b: a for a, b in pairs}
    text = "".join("%d A %d\n" % (i, mate.get(i, 0)) for i in range(1, n + 1))
    result = subprocess.run([sys.argv[1] if len(sys.argv) > 1 else "bpseq", "encode", "-"], input=text,
                            capture_output=True, text=True)
    kept = [int(line.split()[0]) for line in result.stdout.splitlines()]
    kept = [(i + 1, k) for i, k in enumerate(kept) if k > i + 1]
    most = max(k for k in range(len(pairs) + 1) for s in itertools.combinations(pairs, k) if not crosses(s))
    assert not crosses(kept) and set(kept) <= set(pairs), (pairs, kept)
    assert len(kept) == most, (pairs, kept, most)
    assert " %d that cross" % (len(pairs) - most) in result.stderr, result.stderr
END
}
if has_tools 'pairs that cross' python3; then
    PATH=$bin:$PATH crossing || fail "crossing pairs are not left out as they should be"
fi

# ---- bases that training did not meet are known

printf '0 qid:1 1:1\n0 qid:1 3:1\n' >few.svm
"$bin/train" -q -L rna few.svm few.model || fail "training on two bases"
printf '0 qid:1 1:1\n0 qid:1 4:1\n' | "$bin/predict" -q - few.model out 2>err || fail "predicting other bases"
[ -s err ] && fail "a base is unknown: $(cat err)"

# ---- data that are refused

bad_data() { # WORDS LINES
    printf '%s\n' "${@:2}" >bad.svm
    sorry 1 "^bad.svm:$1" train -L rna -s bundle bad.svm m
    [ ! -e m ] || fail "a model of bad data"
}
bad_data '3: .*partner 4 is not from 1 to 2' '0 qid:1 1:1' '0 qid:2 1:1' '4 qid:2 2:1'
bad_data '1: .*partner -1 is not' '-1 qid:1 1:1' '0 qid:1 1:1'
bad_data '1: .*partner 1.5 is not' '1.5 qid:1 1:1' '0 qid:1 1:1'
bad_data '2: .*position 2 is its own partner' '0 qid:1 1:1' '2 qid:1 1:1'
bad_data '1: .*position 1 has the partner 2, which has 3' '2 qid:1 1:1' '3 qid:1 4:1' '2 qid:1 4:1'
bad_data '3: .*the pairs 1-3 and 2-4 cross' \
    '3 qid:1 1:1' '4 qid:1 1:1' '1 qid:1 4:1' '2 qid:1 4:1'
bad_data '2: .*a base is one of the features' '0 qid:1 1:1' '0 qid:1 1:1 2:1'
bad_data '1: .*a base is one of the features' '0 qid:1 1:2'
bad_data '1: .*a base is one of the features' '0 qid:1 5:1'
bad_data ' .*"qid:" on each line' '0 1:1' '0 2:1'
awk 'BEGIN { for (i = 0; i < 10001; i++) print "0 qid:1 1:1" }' >bad.svm
sorry 1 '^bad.svm:1: .*a sequence of 10001 bases' train -L rna -s bundle bad.svm m
operands=(three.svm m)
refused 'no -B, no --intercept' -L rna -B 1
refused 'without --map' -L rna --map nystrom

# ---- planted helices: they are found in sequences that training did not see

families() { # SEED COUNT
    awk -v seed="$1" -v count="$2" 'function base(letters) {
        return substr(letters, 1 + int(rand() * length(letters)), 1)
    }
    BEGIN {
        srand(seed)
        other["A"] = "U"; other["U"] = "A"; other["C"] = "G"; other["G"] = "C"
        for (g = 1; g <= count; g++) {
            word = ""; n = 0; split("", mate)
            for (helix = 1 + int(rand() * 2); helix > 0; helix--) {
                for (k = int(rand() * 6); k > 0; k--) { word = word base("AAAU"); n++ }
                length_of = 5 + int(rand() * 3); left = ""; loop = 3 + int(rand() * 4)
                for (k = 0; k < length_of; k++) left = left base("CCGGA")
                word = word left
                for (k = 0; k < loop; k++) word = word base("AAAU")
                for (k = length_of; k > 0; k--) {
                    word = word other[substr(left, k, 1)]
                    mate[n + k] = n + 2 * length_of + loop - k + 1
                    mate[mate[n + k]] = n + k
                }
                n += 2 * length_of + loop
            }
            for (k = 1; k <= n; k++) print k, substr(word, k, 1), mate[k] + 0
        }
    }'
}
families 1 60 | "$bpseq" encode - >train.svm 2>err || fail "bpseq refuses families"
families 2 40 | "$bpseq" encode - >test.svm 2>err || fail "bpseq refuses families"
value() { sed -n "s/^$1 = \([0-9.]*\).*/\1/p" out; }
for solver in proximal-bundle proximal; do
    status 0 -L rna -l 0.1 -s $solver -p 15 train.svm planted
    run 0 predict test.svm planted predictions
    awk -v f="$(value F)" 'BEGIN { exit !(f > 0.9) }' || fail "$solver: F is $(value F)"
done
[ "$(wc -l <predictions)" -eq 40 ] || fail "not a line a sequence"
run 0 bpseq decode test.svm predictions
run 0 predict -j 1 test.svm planted alone
same alone predictions

# The time limit within a sequence of an online step ends the run without this step.
status 0 -L rna -s pegasos -p 5 -t 1e-9 train.svm m
has '^train: warning: the limit of 1e-09 s (-t) came after 0 of 5 passes; raise -t$' err

# Labels that are not known, bases that are not known, a single base.
sed 's/^[0-9]*/?/' test.svm >unlabeled.svm
run 0 predict unlabeled.svm planted alone
same alone predictions
has_not 'F =' out
run 0 predict three.svm planted few
sed -n 3p few | grep -qx '\.' || fail "one base is not unpaired"

# The same model by any number of threads; folds.
for threads in 1 2; do
    status 0 -L rna -l 0.1 -s bundle -p 8 -j $threads train.svm model$threads
done
same model1 model2
awk '{ split($2, qid, ":") } qid[2] <= 20' train.svm >fewer.svm
status 0 -L rna -l 0.1 -s agm -e 0.2 -p 500 -v 2 fewer.svm
has '^Cross Validation F = ' out

# ---- S-151

if has_sets 'S-151' rna.s151.tar.gz; then
    tar xzf "$RRM_DATASETS/rna.s151.tar.gz"
    run 0 bpseq encode s151/*.bpseq
    has '^151 sequences, 20581 bases, 4928 pairs; 0 that cross' err
    cp out s151.svm
    # The short ones among the first: time goes with the third power of the length.
    awk 'NR == FNR { length_of[$2]++; next } { split($2, qid, ":") } qid[2] <= 40 && length_of[$2] <= 160' \
        s151.svm s151.svm >some.svm
    status 0 -L rna -l 0.1 -s bundle -p 20 some.svm s151.model
    run 0 predict s151.svm s151.model s151.predictions
    awk -v f="$(value F)" 'BEGIN { exit !(f > 0.4) }' || fail "S-151: F is $(value F)"
    run 0 bpseq decode s151.svm s151.predictions
fi

[ $failures -eq 0 ] || { echo "$name: $failures failures" >&2; exit 1; }
echo "$name: all well"
