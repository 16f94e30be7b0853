# figure.sh - Figure 3.1: test error by the dimension s of asset on Nystrom features and on random Fourier features, and
# of asset-on, which maps each row anew in each pass, on the latter; one seed.
# shellcheck shell=bash disable=SC2034,SC2154
columns="error"
. "$folder/split.sh"
dimensions="2 4 8 16 32 64 128 256 512 1024"
kinds="nystrom fourier on"
online_passes=5

rows() {
    local name s
    for name in adult ijcnn mnist covtype; do
        for s in $dimensions; do
            printf '%s %s nystrom\t-s asset --limit-steps off -p %s --map nystrom --landmarks %s %s\n' $name $s \
                "${of_set[$name passes]}" $s "${machine_of[$name]}"
            printf '%s %s fourier\t-s asset --limit-steps off -p %s --map fourier --dimension %s %s\n' $name $s \
                "${of_set[$name passes]}" $s "${machine_of[$name]}"
            printf '%s %s on\t-s asset-on --limit-steps off -p %s --map fourier --dimension %s --gamma-kernel %s\n' \
                $name $s $online_passes $s "${of_set[$name gamma]}"
        done
    done
}

row() { # NAME S KIND
    local lambda=()
    split "$1"
    if [ "$3" = on ]; then # it does not know the number of rows
        lambda=(-l "$(awk -v c="${of_set[$1 C]}" 'END { printf "%.10g", 1 / (c * NR) }' "$out/$1.train")")
    fi
    # shellcheck disable=SC2086 # options are words
    train ${options[$1 $2 $3]} "${lambda[@]}" "$out/$1.train" && test_error "$out/$1.test"
}

show() {
    local name s kind line
    echo "Test error in percent by the dimension s: \`asset\` on Nystrom features / on random Fourier features /"
    echo "\`asset-on\` ($online_passes passes)"
    echo
    echo "| s |$(printf ' %s |' adult ijcnn mnist covtype)"
    echo "| --- | --- | --- | --- | --- |"
    for s in $dimensions; do
        [[ "${!value[*]}" == *" $s "* ]] || continue
        printf '| %s |' "$s"
        for name in adult ijcnn mnist covtype; do
            line=''
            for kind in $kinds; do
                cells "$name $s $kind" 1
                line+=" / ${cell[0]}"
            done
            printf '%s |' "${line#" /"}"
        done
        echo
    done
}

figure() {
    local name s kind
    echo "set terminal svg size 760,560 dynamic background 'white'; set multiplot layout 2,2"
    echo "set logscale x 2; set xlabel 's'; set ylabel 'test error, %'; set key top right"
    for name in adult ijcnn mnist covtype; do
        [ -n "${value[$name 8 on]:-}" ] || continue
        echo "set title '$name'; plot '-' with lines title 'asset, Nystrom', '-' with lines" \
            "title 'asset, Fourier', '-' with lines title 'asset-on'"
        for kind in $kinds; do
            for s in $dimensions; do
                cells "$name $s $kind" 1
                ! is_number "${cell[0]}" || echo "$s ${cell[0]}"
            done
            echo e
        done
    done
}
