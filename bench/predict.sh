#!/bin/sh
# predict.sh TRAIN - prediction by kernel machines: rows and megabytes a second of predict (beside TRAIN)
# with 512 landmarks, 1024 random features, and the support vectors of an svm-train model, beside
# svm-predict with the same model. One thread, the whole process.
set -eu

train=$1
predict=$(dirname "$train")/predict
runs=${RUNS:-5}
limit=${LIMIT:-100}
# shellcheck source=bench/sets.sh
. "$(dirname "$0")/sets.sh"
need_sets bench-predict svm-train svm-predict hyperfine

# shellcheck source=bench/page.sh
. "$(dirname "$0")/page.sh"

# row NAME COMMAND WORD...: predicts the file $temporary/test.
row() {
    name=$1
    shift
    await_idle
    awk -v set="$test" -v name="$name" -v s="$(seconds_of "$@")" -v rows="$(wc -l <"$temporary/test")" \
        -v bytes="$(wc -c <"$temporary/test")" \
        'BEGIN { printf "| %s | %s | %.3f | %.0f | %.1f |\n", set, name, s, rows / s, bytes / s / 1e6 }'
}

echo '| data | model | seconds | rows/s | MB/s |
| --- | --- | --- | --- | --- |' >"$temporary/rows"
# A model of random features has the frequencies of its seed to draw before it predicts.
while read -r gamma cost name test rule; do
    two=$(two_classes "$name" "$rule") || continue
    head -n 1500 "$two" >"$temporary/part"
    two=$(two_classes "$test" "$rule") || continue
    cp "$two" "$temporary/test"
    for map in nystrom fourier; do
        "$train" -q -s ocas --map $map --gamma-kernel "$gamma" -c "$cost" -e 0.01 -p 1000 \
            "$temporary/part" "$temporary/$map" 2>/dev/null
    done
    svm-train -q -g "$gamma" -c "$cost" "$temporary/part" "$temporary/svm"
    vectors=$(sed -n 's/^total_sv //p' "$temporary/svm")
    {
        row '512 landmarks' "$predict" -q -j 1 "$temporary/test" "$temporary/nystrom" "$temporary/out"
        row '1024 random features' "$predict" -q -j 1 "$temporary/test" "$temporary/fourier" "$temporary/out"
        row "$vectors support vectors" "$predict" -q -j 1 "$temporary/test" "$temporary/svm" "$temporary/out"
        row "$vectors support vectors, svm-predict" svm-predict -q "$temporary/test" "$temporary/svm" "$temporary/out"
    } >>"$temporary/rows"
done <<END
0.001 1000 a9a a9a.t binary
0.01 100 mnist.scale mnist.scale.t le:4
1 100 ijcnn1.tr ijcnn1.val binary
END
write_table predict libsvm-tools <"$temporary/rows"
