# races.sh - [ZSV], example 3: passes and seconds to a certified gap of 1e-2 on F1, precision at the breakeven point and
# the area under the ROC curve.
# shellcheck shell=bash disable=SC2034,SC2154
columns="passes seconds"
solvers="bundle bundle-ls proximal-bundle agm agm1"
most=1000

rows() {
    local name loss lambda solver
    for name in ijcnn1 w8a; do
        for loss in rocarea prbep f1; do
            for lambda in 1e-3 1e-5 1e-7; do
                for solver in $solvers; do
                    printf '%s %s %s %s\t-s %s -L %s -l %s -e 1e-2 -p %s\n' $name $loss "$lambda" "$solver" "$solver" \
                        $loss "$lambda" $most
                done
            done
        done
    done
}

row() { # NAME LOSS LAMBDA SOLVER
    if [ "$1" = ijcnn1 ]; then data_file ijcnn1.tr; else data_file "$1"; fi
    # shellcheck disable=SC2086 # options are words
    train ${options[$*]} "$file" || return
    if [ "$(reported status)" = converged ]; then
        printf '%.4g %.2f\n' "$(reported passes)" "$(cpu_seconds train_seconds)"
    else
        echo "- -"
    fi
}

show() {
    local name loss lambda solver
    echo "Passes / seconds to a certified gap of 1e-2, one thread (\"-\": not in $most passes)"
    echo
    echo "| data | loss | lambda |$(printf ' `%s` |' $solvers)"
    echo "| --- | --- | --- |$(printf ' --- |%.0s' $solvers)"
    for name in ijcnn1 w8a; do
        for loss in rocarea prbep f1; do
            for lambda in 1e-3 1e-5 1e-7; do
                [ -n "${value[$name $loss $lambda bundle]:-}" ] || continue
                printf '| %s | %s | %s |' $name $loss "$lambda"
                for solver in $solvers; do
                    cells "$name $loss $lambda $solver" 2
                    printf ' %s / %s |' "${cell[@]}"
                done
                echo
            done
        done
    done
}
