# rate.sh - [SVL] Figure 2: iterations of bundle until the certified gap is at most 1e-1, ..., 1e-6.
# shellcheck shell=bash disable=SC2034,SC2154
columns="1e-1 1e-2 1e-3 1e-4 1e-5 1e-6"

rows() {
    local name lambda
    for name in reuters ccat astro-ph news20; do
        for lambda in ${of_set[$name rate]:-}; do
            printf '%s %s\t-s bundle -l %s -e 1e-6 -p 500\n' $name "$lambda" "$lambda"
        done
    done
}

row() { # NAME LAMBDA
    data "$1"
    # shellcheck disable=SC2086 # options are words
    train ${options[$1 $2]} "$out/$1.train" && awk -f "$folder/decades.awk" "$temporary/trace"
}

show() {
    local key
    echo "Hinge, \`bundle\`: iterations until the certified gap is at most ... (\"-\": not in 500)"
    echo
    echo "| data | lambda |$(printf ' %s |' $columns)"
    echo "| --- | --- |$(printf ' --- |%.0s' $columns)"
    for key in "${keys[@]}"; do
        # shellcheck disable=SC2086 # words
        [ -z "${value[$key]:-}" ] || { printf '| %s ' $key && printf '| %s ' ${value[$key]} && echo '|'; }
    done
}

figure() {
    local name lambda i
    echo "set terminal svg size 640,320 dynamic background 'white'; set multiplot layout 1,2"
    echo "set logscale xy; set format y '10^{%L}'; set xlabel 'iterations'; set ylabel 'certified gap'"
    for name in reuters news20; do
        [ -n "${value[$name 1e-2]:-}" ] || continue
        echo "set title '$name'; plot \\"
        for lambda in ${of_set[$name rate]:-}; do
            echo "  '-' with lines title '$lambda', \\"
        done
        echo "  0 notitle"
        for lambda in ${of_set[$name rate]:-}; do
            cells "$name $lambda" 6
            for i in 1 2 3 4 5 6; do ! is_number "${cell[i - 1]}" || echo "${cell[i - 1]} 1e-$i"; done
            echo e
        done
    done
}
