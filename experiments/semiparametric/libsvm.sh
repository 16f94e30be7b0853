#!/bin/bash
# libsvm.sh OUT - svm-train and pdsg with one basis function, the constant: tolerance 1e-3, 400 MB of cache, tube 0.01.
# Seconds, their ratio, the optima (LIBSVM's is the value of the dual, -obj/(C m), which comes to J from below; J of
# pdsg from above) and the largest difference of predictions, on the training data (regression, against svm-predict) or
# of decision values on the test data (classes; both by predict).
set -euo pipefail
here=$(dirname "$0")
out=$1

svm() { # NAME RUN OPTION ...: SECONDS OBJ VECTORS
    local data=$out/$1.train run=$out/$1.$2
    shift 2
    if [ ! -f "$run.result" ]; then
        if "$here/least.sh" "$run" svm-train -m 400 -e 0.001 "$@" "$data" "$run.model"; then
            read -r seconds <"$run.time"
            objective=$(sed -n 's/^obj = \([^,]*\),.*/\1/p' "$run.stdout")
            echo "$seconds $objective $(sed -n 's/^total_sv //p' "$run.model")" >"$run.part"
        elif [ -f "$run.time" ]; then
            exit 1
        else
            echo "- - -" >"$run.part"
        fi
        mv "$run.part" "$run.result"
        rm -f "$run.time" "$run.stdout"
    fi
    cat "$run.result"
}

# NAME TYPE RUN: the largest difference of predictions of OUT/NAME.svm-RUN.model and OUT/NAME.pdsg-RUN.model
difference() {
    local run=$out/$1.difference-$3 model
    if [ ! -f "$run" ]; then
        if [ "$2" = 3 ]; then
            svm-predict "$out/$1.train" "$out/$1.svm-$3.model" "$run.svm" >/dev/null
            "$here/../../predict" -q -j 1 "$out/$1.train" "$out/$1.pdsg-$3.model" "$run.pdsg"
            paste "$run.svm" "$run.pdsg"
        else
            for model in svm pdsg; do
                "$here/../../predict" -q -j 1 -d "$out/$1.test" "$out/$1.$model-$3.model" "$run.$model"
            done
            paste "$run.svm" "$run.pdsg" | awk 'NR > 1 { print $2, $4 }'
        fi | awk '{ d = $1 - $2; if (d < 0) d = -d; if (d > max) max = d } END { printf "%.1e\n", max }' >"$run.part"
        rm -f "$run.svm" "$run.pdsg"
        mv "$run.part" "$run"
    fi
    cat "$run"
}

printf '%-9s %5s %8s %9s %9s %6s %13s %13s %8s %8s %9s\n' \
    data C gamma svm-train pdsg ratio "svm-train" "J pdsg" vectors pdsg differ
while read -r name; do
    IFS=$'\t' read -r _ _ _ _ _ type costs gammas < <(grep -P "^$name\t" "$here/sets.tsv")
    rows=$(wc -l <"$out/$name.train")
    options=(-L hinge)
    [ "$type" = 0 ] || options=(-L epsilon --tube 0.01)
    for cost in $costs; do
        for gamma in $gammas; do
            run=$cost-$gamma
            read -r seconds objective vectors < <(svm "$name" "svm-$run" -s "$type" -p 0.01 -c "$cost" -g "$gamma")
            read -r ours ours_objective _ _ ours_vectors < <("$here/fit.sh" "$out" "$name" "pdsg-$run" -s pdsg \
                "${options[@]}" --kernel gaussian --gamma-kernel "$gamma" -c "$cost" --basis 1 --kernel-cache 400)
            differ=-
            [ "$seconds" = - ] || [ "$ours" = - ] || differ=$(difference "$name" "$type" "$run")
            awk -v name="$name" -v c="$cost" -v g="$gamma" -v s="$seconds" -v o="$objective" -v v="$vectors" \
                -v t="$ours" -v j="$ours_objective" -v w="$ours_vectors" -v d="$differ" -v m="$rows" 'BEGIN {
                    r = s == "-" || t == "-" ? "-" : sprintf("%.2f", t / (s + (s == 0) / 1000))
                    p = s == "-" ? "-" : sprintf("%.7g", -o / (c * m))
                    q = t == "-" ? "-" : sprintf("%.7g", j)
                    printf "%-9s %5s %8s %9s %9s %6s %13s %13s %8s %8s %9s\n", name, c, g, s, t, r, p, q, v, w, d
                }'
        done
    done
done <"$out/names"
echo "\"-\": not within ${LIMIT:-120} s"
