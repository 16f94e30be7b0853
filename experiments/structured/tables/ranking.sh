# ranking.sh - MQ2008 (LETOR 4.0, fold 1): NDCG@10 on the validation part and measures on the test part of models
# trained for pairs and for NDCG@10, to a certified gap of 1e-3.
# shellcheck shell=bash disable=SC2034,SC2154
columns="validation NDCG@1 NDCG@3 NDCG@5 NDCG@10 MAP pairs"
set=mq2008.fold1
lambdas="1 1e-1 1e-2 1e-3 1e-4 1e-5 1e-6"

rows() {
    local loss lambda
    for loss in pairwise ndcg; do
        for lambda in $lambdas; do
            printf '%s %s\t-s proximal-bundle -e 1e-3 -p 2000 -L %s -l %s\n' $loss "$lambda" $loss "$lambda"
        done
    done
}

measures() { # PART, NAME OF A MEASURE...
    local name
    data_file $set.$1
    "$bin/predict" -j 1 "$file" "$temporary/model" /dev/null >"$temporary/measures" 2>"$temporary/log"
    for name in "${@:2}"; do
        awk -v name="$name" -F ' = ' '$1 == name { printf "%.4f ", $2 }' "$temporary/measures"
    done
}

row() { # LOSS LAMBDA
    data_file $set.train
    # shellcheck disable=SC2086 # options are words
    train ${options[$1 $2]} "$file" || return
    measures vali NDCG@10
    measures test NDCG@1 NDCG@3 NDCG@5 NDCG@10 MAP 'Pairwise error'
}

show() {
    local key
    echo "| loss | lambda | NDCG@10, validation | NDCG@1, test | NDCG@3 | NDCG@5 | NDCG@10 | MAP | pairs wrong |"
    echo "| --- | --- |$(printf ' --- |%.0s' {1..7})"
    for key in "${keys[@]}"; do
        # shellcheck disable=SC2086,SC2046 # words
        [ -z "${value[$key]:-}" ] || printf '| %s | %s | %s | %s | %s | %s | %s | %s | %s |\n' $key ${value[$key]}
    done
}
