#!/bin/bash
# multivariate.sh OUT - F1 and the breakeven point of precision and recall: those of models trained for them
# beside the hinge's, lambda chosen for each on a third of the training rows; and the passes and seconds that
# bundle and agm take to a certified gap of 1e-2.
set -euo pipefail
here=$(dirname "$0")
out=$1
train=$here/../../train predict=$here/../../predict
sets="w8a:w8a:w8a.t ijcnn1:ijcnn1.tr.gz:ijcnn1.val.gz" # name, training, test

# "F1 breakeven" of a model on a file, from its decision values.
score() { # MODEL DATA
    "$predict" -q -d "$2" "$1" "$out/scores"
    paste -d ' ' <({ case $2 in *.gz) zcat "$2" ;; *) cat "$2" ;; esac } | cut -d ' ' -f 1) \
        <(tail -n +2 "$out/scores" | cut -d ' ' -f 2) | LC_ALL=C sort -k 2,2gr |
        awk '{ y = $1 > 0; u = $2 > 0; p += y; a += y && u; n += u; rank[NR] = y }
             END { for (k = 1; k <= p; k++) hit += rank[k]
                   printf "%.4f %.4f\n", p + n ? 2 * a / (p + n) : 0, hit / p }'
}

fit() { # NAME LOSS LAMBDA DATA MODEL
    [ -f "$5" ] || "$train" -q --threads 1 -s bundle -B 1 -L "$2" -l "$3" -e 1e-2 -t "${LIMIT:-60}" \
        "$4" "$5" 2>>"$out/multivariate.log"
}

# The lambda whose model of two thirds is best on the other third, by column 1 or 2 of score, and the score.
choose() { # NAME LOSS COLUMN
    local lambda best=-1 chosen='' value
    for lambda in 1e-3 1e-4 1e-5 1e-6 1e-7 1e-8; do
        fit "$1" "$2" "$lambda" "$out/$1.part" "$out/$1.$2.$lambda.part.model"
        value=$(score "$out/$1.$2.$lambda.part.model" "$out/$1.held" | cut -d ' ' -f "$3")
        if awk -v a="$value" -v b="$best" 'BEGIN { exit !(a > b) }'; then
            best=$value chosen=$lambda
        fi
    done
    echo "$chosen $best"
}

split() { # NAME FILE: every third row is held out
    { case $2 in *.gz) zcat "$2" ;; *) cat "$2" ;; esac } |
        awk -v part="$out/$1.part" -v held="$out/$1.held" '{ print > (NR % 3 ? part : held) }'
}

scores() {
    printf 'data\tmodel\tlambda\tF1 held out\tF1\tlambda\tbreakeven held out\tbreakeven\n'
    for set in $sets; do
        IFS=: read -r name data test <<<"$set"
        [ -f "$RRM_DATASETS/$data" ] || continue
        [ -f "$out/$name.held" ] || split "$name" "$RRM_DATASETS/$data"
        for loss in hinge f1 prbep; do
            line="$name\t$loss"
            for column in 1 2; do
                read -r lambda held < <(choose "$name" "$loss" $column)
                model=$out/$name.$loss.$lambda.model
                fit "$name" "$loss" "$lambda" "$RRM_DATASETS/$data" "$model"
                line+="\t$lambda\t$held\t$(score "$model" "$RRM_DATASETS/$test" | cut -d ' ' -f $column)"
            done
            printf '%b\n' "$line"
        done
    done
}
echo 'F1, and precision where it equals recall, on the third held out, by which lambda is chosen, and on the test' \
    'set'
scores | column -t -s $'\t'

# "PASSES/SECONDS" of a run to a gap of 1e-2; ">" before those of one that LIMIT ended.
race() { # NAME DATA SOLVER LOSS LAMBDA
    local report=$out/$1.$3.$4.$5.report
    [ -f "$report" ] || "$train" -q --threads 1 -s "$3" -L "$4" -l "$5" -e 1e-2 -t "${LIMIT:-60}" \
        --report "$report" "$2" "$out/race.model" 2>>"$out/multivariate.log"
    awk -F '[:,]' '{ gsub(/[ "]/, "") }
        $1 == "status" || $1 == "passes" || $1 == "train_seconds" { value[$1] = $2 }
        END { printf "%s%g/%.1f\n", value["status"] == "converged" ? "" : ">", value["passes"],
                  value["train_seconds"] }' "$report"
}

races() {
    printf 'data\trisk\tlambda\tbundle\tbundle-ls\tproximal-bundle\tagm\tagm1\n'
    for set in $sets; do
        IFS=: read -r name data _ <<<"$set"
        [ -f "$RRM_DATASETS/$data" ] || continue
        for loss in f1 prbep; do
            for lambda in 1e-3 1e-4 1e-5 1e-6 1e-7; do
                line="$name\t$loss\t$lambda"
                for solver in bundle bundle-ls proximal-bundle agm agm1; do
                    line+="\t$(race "$name" "$RRM_DATASETS/$data" "$solver" "$loss" "$lambda")"
                done
                printf '%b\n' "$line"
            done
        done
    done
}
printf '\nPasses/seconds to a certified gap of 1e-2, one thread\n'
races | column -t -s $'\t'
