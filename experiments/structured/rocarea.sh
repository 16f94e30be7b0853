#!/bin/bash
# rocarea.sh OUT - the area under the ROC curve: that of models trained for it beside the hinge's, lambda chosen by
# it on a third of the training rows; and the passes and seconds that bundle and agm take to a certified gap of 1e-2.
set -euo pipefail
here=$(dirname "$0")
out=$1
train=$here/../../train predict=$here/../../predict
sets="w8a:w8a:w8a.t ijcnn1:ijcnn1.tr.gz:ijcnn1.val.gz" # name, training, test
lambdas="1e-1 1e-2 1e-3 1e-4 1e-5 1e-6 1e-7"

contents() {
    case $1 in *.gz) zcat "$1" ;; *) cat "$1" ;; esac
}

area() { # MODEL DATA
    "$predict" "$2" "$1" /dev/null | awk '$1 == "AUC" { print $3 }'
}

fit() { # LOSS LAMBDA DATA MODEL
    local constant=()
    [ "$1" = rocarea ] || constant=(-B 1)
    [ -f "$4" ] || "$train" -q -j 1 -s proximal-bundle "${constant[@]}" -L "$1" -l "$2" -e 1e-2 -t "$LIMIT" \
        "$3" "$4" 2>>"$out/rocarea.log"
}

echo 'AUC; lambda with the best on a held-out third'
printf '%-8s %-8s %7s %9s %9s\n' data loss lambda held-out test
for set in $sets; do
    IFS=: read -r name data test <<<"$set"
    [ -f "$RRM_DATASETS/$data" ] || continue
    part=$out/rocarea.$name.part held=$out/rocarea.$name.held
    [ -f "$held" ] || contents "$RRM_DATASETS/$data" |
        awk -v part="$part" -v held="$held" '{ print > (NR % 3 ? part : held) }'
    for loss in hinge rocarea; do
        best=0
        for lambda in $lambdas; do
            fit "$loss" "$lambda" "$part" "$out/rocarea.$name.$loss.$lambda.part.model"
            value=$(area "$out/rocarea.$name.$loss.$lambda.part.model" "$held")
            if awk -v a="$value" -v b="$best" 'BEGIN { exit !(a > b) }'; then
                best=$value chosen=$lambda
            fi
        done
        model=$out/rocarea.$name.$loss.$chosen.model
        fit "$loss" "$chosen" "$RRM_DATASETS/$data" "$model"
        printf '%-8s %-8s %7s %9.5f %9.5f\n' "$name" "$loss" "$chosen" "$best" "$(area "$model" "$RRM_DATASETS/$test")"
    done
done

# "PASSES/SECONDS" of a run to a gap of 1e-2; ">" before those of one that LIMIT ended.
race() { # NAME DATA SOLVER LAMBDA
    local report=$out/rocarea.$1.$3.$4.report
    [ -f "$report" ] || "$train" -q -j 1 -s "$3" -L rocarea -l "$4" -e 1e-2 -t "$LIMIT" --report "$report" \
        "$2" "$out/rocarea.race.model" 2>>"$out/rocarea.log"
    awk -F '[:,]' '{ gsub(/[ "]/, "") }
        $1 == "status" || $1 == "passes" || $1 == "train_seconds" { value[$1] = $2 }
        END { printf "%s%g/%.2f\n", value["status"] == "converged" ? "" : ">", value["passes"],
                  value["train_seconds"] }' "$report"
}

printf '\nPasses/seconds to a certified gap of 1e-2, one thread\n'
printf '%-8s %7s %14s %16s %14s %14s\n' data lambda bundle proximal-bundle agm agm1
for set in $sets; do
    IFS=: read -r name data _ <<<"$set"
    [ -f "$RRM_DATASETS/$data" ] || continue
    for lambda in 1e-2 1e-3 1e-4 1e-5 1e-6; do
        printf '%-8s %7s %14s %16s %14s %14s\n' "$name" "$lambda" \
            "$(race "$name" "$RRM_DATASETS/$data" bundle $lambda)" \
            "$(race "$name" "$RRM_DATASETS/$data" proximal-bundle $lambda)" \
            "$(race "$name" "$RRM_DATASETS/$data" agm $lambda)" \
            "$(race "$name" "$RRM_DATASETS/$data" agm1 $lambda)"
    done
done
