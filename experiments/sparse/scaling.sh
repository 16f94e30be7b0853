#!/bin/bash
# scaling.sh OUT - Figure 2.6: seconds of lps and rda+ to delta 1e-4 on MNIST, even against odd, by the number of
# examples, the gradient fraction and the examples of a Hessian: a table of medians over SAMPLES random samples a
# size, and OUT/parity.scaling.svg. The thesis does not tell lambda; here it is LAMBDA.
set -euo pipefail
here=$(dirname "$0")
out=$1
samples=${SAMPLES:-3}
lambda=${LAMBDA:-1}
sizes="10000 20000 30000 40000 50000"
[ -f "$out/parity.train" ] || { echo "skipped: mnist is not there"; exit; }

# SEED CLASS: the rows of that label in random order.
shuffled() {
    awk -v label="$2" -v seed="$1" 'BEGIN { srand(seed) } $1 == label { printf "%.9f\t%s\n", rand(), $0 }' \
        "$out/parity.train" | sort -n -S 300M | cut -f 2-
}

go() { # SIZE SAMPLE RUN OPTION ...
    local name=parity-$1-$2 run=$3-$lambda seed=$2
    shift 3
    "$here/../run.sh" "$out" "$name" "$run" -j 1 -L logistic -r l1 --intercept -l "$lambda" -S "$seed" \
        --optimality 1e-4 "$@"
    rm -f "$out/$name.$run.model"
}

grid() { # SIZE SAMPLE
    for solver in lps rda+; do
        gamma=()
        [ $solver = lps ] || gamma=(--give-up 1 --gamma 10000)
        for gf in 0.2 0.6 1; do
            for hs in 500 1000 5000 10000; do
                go "$1" "$2" "$solver-$gf-$hs" -s $solver "${gamma[@]}" --newton-threshold 200 \
                    --gradient-fraction $gf --hessian-sample $hs
            done
        done
        go "$1" "$2" "$solver-defaults" -s $solver "${gamma[@]}"
    done
}

# The whole set's share of even digits in each sample; a smaller sample is a part of the larger ones.
rows=$(wc -l <"$out/parity.train")
even=$(grep -c '^1 ' "$out/parity.train")
for sample in $(seq "$samples"); do
    done=$out/parity-$sample-$lambda.done
    [ -f "$done" ] && continue
    shuffled "$sample" 1 >"$out/parity.even"
    shuffled "$sample" -1 >"$out/parity.odd"
    for size in $sizes; do
        part=$((size * even / rows))
        cat <(head -n "$part" "$out/parity.even") <(head -n $((size - part)) "$out/parity.odd") \
            >"$out/parity-$size-$sample.train"
        grid "$size" "$sample"
        rm "$out/parity-$size-$sample.train"
    done
    touch "$done"
done
rm -f "$out/parity.even" "$out/parity.odd"

median() { # SIZE RUN: of the seconds
    tail -q -n 1 "$out/parity-$1-"*".$2-$lambda.trace" | cut -f 1 | awk -f "$here/medians.awk" | cut -d ' ' -f 1
}
row() { # TITLE RUN
    printf '%-22s |' "$1"
    for solver in lps rda+; do
        for size in $sizes; do printf ' %6.2f' "$(median "$size" "$solver-$2")"; done
        printf ' |'
    done
    for size in $sizes; do
        printf ' %5.2f' "$(awk -v a="$(median "$size" "lps-$2")" -v b="$(median "$size" "rda+-$2")" \
            'BEGIN { print a / b }')"
    done
    echo
}

echo "Even against odd, lambda $lambda: seconds to delta 1e-4, medians of $samples samples, by the thousands of"
echo "examples; Newton threshold 200, and the defaults (no threshold, no sampling)"
printf '%-22s | %-34s | %-34s | %s\n' "" lps rda+ "lps by rda+"
printf '%-22s |' "gradient, Hessian"
for width in 6 6 5; do
    for size in $sizes; do printf ' %*s' $width "$((size / 1000))"; done
    [ $width = 5 ] || printf ' |'
done
echo
for gf in 0.2 0.6 1; do
    for hs in 500 1000 5000 10000; do row "$gf $hs" "$gf-$hs"; done
done
row "defaults" defaults

# ---- the picture

{
    echo "set terminal svg size 1200,900 dynamic background 'white'"
    echo "set output '$out/parity.scaling.svg'"
    echo "set multiplot layout 3,4"
    echo "set logscale y; set format y '%g'; set xlabel 'thousand examples'; set ylabel 'seconds'; set key top left"
    for gf in 1 0.6 0.2; do
        for hs in 10000 5000 1000 500; do
            plots=()
            for solver in lps rda+; do
                file=$out/parity.scaling-$solver-$gf-$hs.rows
                for size in $sizes; do echo "$((size / 1000)) $(median "$size" "$solver-$gf-$hs")"; done >"$file"
                plots+=("'$file' with linespoints lw 2 title '$solver'")
            done
            echo "set title 'gradient $gf, Hessian $hs'; plot $(IFS=,; echo "${plots[*]}")"
        done
    done
} >"$out/parity.scaling.gnuplot"
gnuplot "$out/parity.scaling.gnuplot"
echo
echo "$out/parity.scaling.svg"
