#!/bin/bash
# weights.sh BIN - weights from the outside: the decision values of predict follow from all weights, of our models and of
# LIBLINEAR's and LIBSVM's; names, labels, order; models without weights of features.
set -u
# shellcheck source=tests/outside.sh
. "$(dirname "$0")/../outside.sh"

prints() { printf -- "$1" >expected; cmp -s out expected || { fail "not printed: $1"; cat out >&2; }; }

# decides DATA MODEL OPTIONS...: with the weights of each label, or pair, the decision values that predict writes.
decides() {
    local file=$1 model=$2
    shift 2
    run 0 predict -q -d "$file" "$model" decisions
    run 0 weights -q -n 0 --digits 17 "$@" "$model"
    awk -v bias="${bias:-1}" '
        FNR == 1 { part++ }
        part == 1 && FNR == 1 { single = NF == 2; next }
        part == 1 { w[single ? 0 : $1, $(NF - 1)] = $NF; next }
        part == 2 && FNR == 1 { for (k = 2; k <= NF; k++) label[k] = $k; next }
        part == 2 { for (k = 2; k <= NF; k++) wanted[FNR - 1, k] = $k; count = NF; next }
        {
            for (k = 2; k <= count; k++) {
                v = single ? 0 : label[k]
                u = w[v, "(bias)"] * bias + w[v, "(offset)"]
                for (j = 2; j <= NF; j++) { split($j, part_of, ":"); u += w[v, part_of[1]] * part_of[2] }
                d = u - wanted[FNR, k]
                if (d * d > 1e-16 * (1 + u * u)) { print FNR, k, u, wanted[FNR, k]; exit 1 }
            }
        }' out decisions "$file" >notes || { fail "$model: not the decision values of predict"; cat notes >&2; }
}

blobs=$data/blobs.train three=$data/three.train
status 0 -q "$blobs" model
decides "$data/blobs.test" model
status 0 -q -L softmax -B 1 "$three" model
decides "$data/three.test" model
status 0 -q --multiclass ovo --intercept -s ipm "$three" model
decides "$data/three.test" model
for method in range max standard deviation; do
    status 0 -q --scale $method "$blobs" model
    decides "$data/blobs.test" model --unscaled
done
status 0 -q --scale standard --multiclass ovo --kernel linear --expand -c 1 "$three" model
decides "$data/three.test" model --unscaled
if has_tools "weights of LIBSVM's models" svm-train; then
    svm-train -q -t 0 "$three" model
    decides "$data/three.test" model
    svm-train -q "$three" model
    sorry 1 'model: a kernel machine (gaussian): its weights are those of [0-9]* support vectors' weights model
fi
if has_tools "weights of LIBLINEAR's models" liblinear-train; then
    liblinear-train -q -s 1 -B 2 "$three" model
    bias=2 decides "$data/three.test" model
    liblinear-train -q -s 6 "$blobs" model
    decides "$data/blobs.test" model
fi

# ---- names, order, labels

cat >table.csv <<'END'
size,color,answer
1,red,yes
-2,blue,no
3,red,yes
-1,blue,maybe
END
run 0 convert encode -q --names names table.csv
cp out data
status 0 -q -L softmax -l 0.01 data model
run 0 weights --names names --label yes -n 2 model
has "$(printf '^yes\tsize\t')" out
[ "$(wc -l <out)" -eq 3 ] || fail 'not two weights'
run 0 weights --names names --by-index -n 0 model
[ "$(cut -f 2 out | paste -sd ' ')" = 'feature size color=red color=blue size color=red color=blue size color=red color=blue' ] ||
    { fail 'not by index'; cat out >&2; }
run 0 weights --names names -n 0 model table.tsv
awk -F '\t' 'NR > 1 { w = $3 < 0 ? -$3 : $3; if ($1 == label && w > last) exit 1; label = $1; last = w }' table.tsv ||
    fail 'not the largest first'
sorry 2 '--label never: the model has no weights of it$' weights --label never model
printf 'label 1 b\n' >few
sorry 1 'few: no name for label 2' weights --names few model
status 0 -q "$blobs" model
run 0 weights -n 1 model
has '^positive weights speak for label 1, negative ones for -1$' err
status 0 -q -L crf --zero-based <(printf '1 qid:1 0:1\n2 qid:1 3:1\n1 qid:2 0:1\n2 qid:2 3:1\n') sequences
run 0 weights -n 0 sequences
has "$(printf '^1\t0\t')" out
has "$(printf '^2\t(after 1)\t')" out
grep after out >after
status 0 -q -L crf --scale max --zero-based <(printf '1 qid:1 0:1\n2 qid:1 3:1\n1 qid:2 0:1\n2 qid:2 3:1\n') sequences
run 0 weights -n 0 --unscaled sequences
grep after out | cmp -s - after || { fail 'other weights of transitions'; cat out >&2; }
status 0 -q -r l1 -l 10 "$blobs" zeros
run 0 weights zeros
prints 'feature\tweight\n'

# ---- what is refused

status 0 -q --map nystrom --landmarks 7 "$blobs" model
sorry 1 'a kernel machine (gaussian): its weights are those of 7 landmarks, and it has none of features' weights model
status 0 -q --kernel linear --expand --basis 1,2 "$blobs" model
sorry 1 'a kernel machine with basis functions' weights model
sorry 1 '--unscaled: a model without --scale' weights --unscaled zeros
status 0 -q --scale norm "$blobs" model
sorry 1 'each example has its own scale' weights --unscaled model
sorry 2 'MODEL is missing' weights -q
sorry 2 'would be read and overwritten' weights model model
sorry 1 'missing: No such file' weights missing

[ $failures -eq 0 ] || { echo "$name: $failures failures" >&2; exit 1; }
echo "$name: all well"
