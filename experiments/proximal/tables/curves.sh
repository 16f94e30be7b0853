# curves.sh - Figures 1 and 2: the objective and the test error of one run (errors.c) after 1, 2, ..., 100 passes, at
# 100, 10 and 1 times the set's lambda. ijcnn1 stands in for combined where that is not there.
# shellcheck shell=bash disable=SC2034,SC2154
columns="J J J J J J J J J J error"
sources="errors.c"
passes="1 2 3 5 8 12 20 35 60 100"
solvers=("pegasos --limit-steps off" "adaptive --limit-steps off" "proximal --metric none")

rows() {
    local name lambda solver
    for name in ijcnn1 combined covtype; do
        for lambda in $(awk '{ print 100 * $1, 10 * $1, $1 }' <<<"${of_set[$name lambda]}"); do
            for solver in "${solvers[@]}"; do
                printf '%s %s %s\t-s %s -l %s -p 100\n' $name "$lambda" "${solver%% *}" "$solver" "$lambda"
            done
        done
    done
}

row() { # NAME LAMBDA SOLVER
    data "$1"
    linked errors train.o -Wl,--wrap=scalar_risk_new # train that writes what errors.c says
    # shellcheck disable=SC2086 # options are words
    ERRORS_TEST=$out/$1.test ERRORS_OUT=$temporary/errors "$out/errors" -q -j 1 ${options[$1 $2 $3]} \
        -T "$temporary/trace" "$out/$1.train" "$temporary/model" 2>"$temporary/log" || return
    # The point of a row of the trace is the next one that has its J.
    awk -v lambda="$2" -v passes="$passes" -v points="$temporary/errors" '
        BEGIN { n = split(passes, at, " ") }
        $1 ~ /^[0-9]/ {
            do {
                if ((getline line < points) <= 0) exit 1
                split(line, point, "\t")
                j = point[1] + lambda * point[2]
            } while (j - $4 > 1e-6 * $4 || $4 - j > 1e-6 * $4)
            while (i < n && at[i + 1] <= $2) { i++; J[i] = $4; error[i] = 100 * point[3] }
        }
        END {
            for (k = 1; k <= n; k++) printf "%s ", k <= i ? sprintf("%.5f", J[k]) : "-"
            for (k = 1; k <= n; k++) printf "%s ", k <= i ? sprintf("%.2f", error[k]) : "-"
        }' "$temporary/trace"
}

show() {
    local key
    echo "Test error in percent after so many passes of one run."
    echo
    echo "| data | lambda | solver |$(printf ' %s |' $passes)"
    echo "| --- | --- | --- |$(printf ' --- |%.0s' $passes)"
    for key in "${keys[@]}"; do
        # shellcheck disable=SC2086 # words
        [ -n "${value[$key]:-}" ] || continue
        cells "$key" 20
        printf '| %s ' $key "${cell[@]:10}"
        echo '|'
    done
}

figure() {
    local name lambda solver from at
    echo "set terminal svg size 760,900 dynamic background 'white'; set multiplot layout 3,2"
    echo "set logscale x; set xlabel 'passes'; set xtics (1, 2, 5, 10, 20, 50, 100); set key top right"
    name=covtype
    [ -n "${value[covtype 1e-8 pegasos]:-}" ] || name=ijcnn1
    for lambda in $(awk '{ print 100 * $1, 10 * $1, $1 }' <<<"${of_set[$name lambda]}"); do
        for from in 0 10; do
            [ $from = 0 ] && echo "set logscale y; set ytics autofreq; set ylabel 'J'" || echo "unset logscale y; set ytics 5; set ylabel 'test error, %'"
            echo "set title '$name, lambda = $lambda'"
            echo "plot '-' with lines title 'pegasos', '-' with lines title" \
                "'adaptive', '-' with lines title 'proximal'"
            for solver in pegasos adaptive proximal; do
                cells "$name $lambda $solver" 20
                cell=("${cell[@]:from}")
                for at in $passes; do
                    ! is_number "${cell[0]}" || echo "$at ${cell[0]}"
                    cell=("${cell[@]:1}")
                done
                echo e
            done
            echo "unset key"
        done
    done
}
