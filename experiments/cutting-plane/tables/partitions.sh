# partitions.sh - Table 5.2, Figures 5.1 and 5.2: iterations and seconds to a relative gap of 1e-2 of ocas and of mcpa by
# the number of partitions, without and with shrinking, with aggressive shrinking, and without the cache.
# shellcheck shell=bash disable=SC2034,SC2154
columns="iterations seconds"
partitions="1 2 5 10 20 50 100"
variants="off normal aggressive uncached"
declare -A mcpa=([off]="--shrink off" [normal]="--shrink normal" [aggressive]="--shrink aggressive"
    [uncached]="--shrink off --gram-cache 1e-6") # makes every row of the Gram matrix anew at each use

rows() {
    local name p variant offset cost
    for name in reuters reuters-l news20 ccat covtype mnist; do
        cost=${of_set[$name C]}
        for offset in "" " --intercept"; do
            printf '%s ocas%s\t-s ocas --safeguard always --shrink off -c %s%s\n' $name "$offset" "$cost" "$offset"
            for variant in off normal; do
                printf '%s 1 %s%s\t-s mcpa --partitions 1 %s -c %s%s\n' $name $variant "$offset" "${mcpa[$variant]}" \
                    "$cost" "$offset"
            done
        done
        for variant in $variants; do
            for p in $partitions; do
                [ $p = 1 ] && [[ $variant =~ off|normal ]] ||
                    printf '%s %s %s\t-s mcpa --partitions %s %s -c %s\n' $name $p $variant $p "${mcpa[$variant]}" \
                        "$cost"
            done
        done
    done
}

row() { # NAME WORD...
    data "$1"
    # shellcheck disable=SC2086 # options are words
    train_within "${LIMIT:-60}" ${options[$*]} -e 1e-2 "$out/$1.train" || return
    if [ "$(reported status)" = converged ]; then
        printf '%d %.3f\n' "$(reported iterations)" "$(cpu_seconds train_seconds)"
    else
        echo "- -"
    fi
}

show() {
    local name p variant offset column line
    echo "Table 5.2, iterations and seconds of training to a certified relative gap of 1e-2 (the thesis's); +b: with an"
    echo "offset, which the thesis's problem has"
    echo
    echo "| data | C | \`ocas\` | \`mcpa\`, P = 1 | \`mcpa\`, P = 1, shrinking |"
    echo "| --- | --- | --- | --- | --- |"
    for name in "${set_names[@]}"; do
        for offset in "" " --intercept"; do
            [ -n "${value[$name ocas$offset]:-}" ] || continue
            column=7 # of the thesis's
            line="| $name${offset:+ +b} | ${of_set[$name C]} |"
            for variant in ocas "1 off" "1 normal"; do
                cells "$name $variant$offset" 2
                line+=" ${cell[0]}, ${cell[1]} s (${of_set[$name $column]}, ${of_set[$name $((column + 1))]} s) |"
                column=$((column + 2))
            done
            echo "$line"
        done
    done
    echo
    echo "Figures 5.1 and 5.2, iterations / seconds by the number of partitions P (\"-\": not in ${LIMIT:-60} s)"
    echo
    echo "| data | P | no shrinking | shrinking | aggressive | no cache |"
    echo "| --- | --- | --- | --- | --- | --- |"
    for name in "${set_names[@]}"; do
        [ -n "${value[$name 2 off]:-}" ] || continue
        for p in $partitions; do
            printf '| %s | %s |' "$name" "$p"
            for variant in $variants; do
                cells "$name $p $variant" 2
                printf ' %s / %s |' "${cell[@]}"
            done
            echo
        done
    done
}

figure() {
    local name variant column plots
    # shellcheck disable=SC2086 # words
    plots=$(printf "'-' with lines title '%s', " $variants)
    echo "set terminal svg size 900,560 dynamic background 'white'; set multiplot layout 2,3"
    echo "set logscale xy; set xtics (1, 2, 5, 10, 20, 50, 100); set xlabel 'partitions'; set key bottom left"
    for column in 1 2; do
        [ $column = 1 ] && echo "set ylabel 'iterations'; set yrange [1:*]" || echo "set ylabel 'seconds'; set yrange [*:*]"
        for name in reuters-l covtype mnist; do
            [ -n "${value[$name 2 off]:-}" ] || continue
            echo "set title '$name'; plot ${plots%, }"
            for variant in $variants; do
                for p in $partitions; do
                    cells "$name $p $variant" 2
                    ! is_number "${cell[0]}" || echo "$p ${cell[column - 1]}"
                done
                echo e
            done
        done
    done
}
