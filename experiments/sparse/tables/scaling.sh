# scaling.sh - Figure 2.6: MNIST, even against odd: passes and seconds of lps and of rda+ to delta 1e-4 by the number of
# examples, the fraction of the gradient and the examples of a Hessian (Newton threshold 200), and by our defaults (no
# threshold, no sampling); medians of 50 random samples of the rows, of which a smaller one is part of the larger.
# shellcheck shell=bash disable=SC1091,SC2034,SC2154
columns="passes deviation seconds deviation"
sources="medians.awk digits.awk"
sizes="10000 50000"
sampling="0.2:500 1:10000 defaults"
samples=${SAMPLES:-50}

rows() {
    local size part solver words
    for size in $sizes; do
        for part in $sampling; do
            for solver in lps rda+; do
                words="-L logistic -r l1 --intercept -l 1 --optimality 1e-4"
                [ $solver = lps ] || words+=" --give-up 1 --gamma 10000"
                [ $part = defaults ] ||
                    words+=" --newton-threshold 200 --gradient-fraction ${part%:*} --hessian-sample ${part#*:}"
                printf 'mnist %s %s %s\t-s %s %s\n' $size $part $solver $solver "$words"
            done
        done
    done
}

# SEED SIZE: that many rows of all; those of a smaller size are among them.
sample_of() {
    awk -v seed="$1" -v rows="$(wc -l <"$out/parity.train")" '
        BEGIN { srand(seed); for (i = 1; i <= rows; i++) printf "%.9f %d\n", rand(), i }' | LC_ALL=C sort |
        head -n "$2" | awk 'NR == FNR { taken[$2]; next } FNR in taken' - "$out/parity.train" >"$temporary/sample"
}

row() { # mnist SIZE SAMPLING SOLVER
    local seed
    data mnist
    [ -f "$out/parity.train" ] || {
        awk -v task=parity -f "$folder/digits.awk" "$out/mnist.train" >"$out/parity.part"
        mv "$out/parity.part" "$out/parity.train"
    }
    for seed in $(seq "$samples"); do
        sample_of "$seed" "$2"
        # shellcheck disable=SC2086 # options are words
        train ${options[$*]} -S "$seed" "$temporary/sample" || return
        echo "$(reported passes) $(cpu_seconds train_seconds)"
    done | awk -f "$folder/medians.awk"
}

show() {
    local size part solver
    echo "Medians of $samples samples, lambda 1: passes, seconds"
    echo
    echo "| gradient, Hessian | solver |$(printf ' %s examples |' $sizes)"
    echo "| --- | --- |$(printf ' --- |%.0s' $sizes)"
    for part in $sampling; do
        for solver in lps rda+; do
            [[ " ${!value[*]} " == *" $part $solver "* ]] || continue
            printf '| %s | `%s` |' "${part/:/, }" $solver
            for size in $sizes; do
                cells "mnist $size $part $solver" 4
                if is_number "${cell[0]}"; then printf ' %.1f, %.2f |' "${cell[0]}" "${cell[2]}"; else printf ' . |'; fi
            done
            echo
        done
    done
}
