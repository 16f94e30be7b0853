# last.sh - Table 3.3: mean and deviation of the test errors of ten models in the last sixth of a stream of mnist's
# training part, a model each 1000 rows, by the dimension n. The average is that of --average-from: the last 100 steps.
# shellcheck shell=bash disable=SC2034,SC2154
columns="mean deviation"
. "$folder/split.sh"

rows() {
    local n solver
    for n in 1024 2048 4096 8192 16384; do
        for solver in asset-on "asset*-on"; do
            printf 'mnist %s %s\t-s %s --limit-steps off --map fourier --dimension %s --gamma-kernel %s\n' $n "$solver" \
                "$solver" $n "${of_set[mnist gamma]}"
        done
    done
}

row() { # SET N SOLVER
    local lambda count
    split mnist
    set -f # asset*
    lambda=$(awk -v c="${of_set[mnist C]}" 'END { printf "%.10g", 1 / (c * NR) }' "$out/mnist.train")
    shuffled_digits
    for count in $(seq 51000 1000 60000); do
        # shellcheck disable=SC2086 # options are words
        head -n "$count" "$file" | train ${options[$*]} -l "$lambda" --average-from $((count - 99)) - || return
        test_error "$out/mnist.test"
    done | awk '{ s += $1; q += $1 * $1 } END { v = q / NR - s * s / NR / NR
        printf "%.2f %.2f\n", s / NR, sqrt(v > 0 ? v : 0) }'
}

show() {
    local n
    declare -A thesis=([1024]="11.5+-0.56 11.8+-0.57" [2048]="7.2+-0.47 8.1+-0.45" [4096]="4.8+-0.33 5.8+-0.54"
        [8192]="3.6+-0.30 4.3+-1.06" [16384]="3.0+-0.63 3.5+-0.29")
    echo "| n | \`asset-on\`: mean, % | deviation | thesis | \`asset*-on\`: mean, % | deviation | thesis |"
    echo "| --- | --- | --- | --- | --- | --- | --- |"
    for n in 1024 2048 4096 8192 16384; do
        [ -n "${value[mnist $n asset-on]:-}" ] || continue
        cells "mnist $n asset-on" 2
        printf '| %s | %s | %s | %s' $n "${cell[@]}" "${thesis[$n]% *}"
        cells "mnist $n asset*-on" 2
        printf ' | %s | %s | %s |\n' "${cell[@]}" "${thesis[$n]#* }"
    done
}
