# stream.sh - Figure 3.2: asset-on and asset*-on on a stream, mnist's training part in random order through a
# pipe: test error and seconds by the rows seen and the dimension n. A row is a model: head cuts the stream off there.
# shellcheck shell=bash disable=SC2034,SC2154
columns="error seconds"
. "$folder/split.sh"
sizes="3750 7500 15000 30000 60000"

rows() {
    local n count solver
    for n in 1024 4096; do
        for count in $sizes; do
            for solver in asset-on "asset*-on"; do
                printf 'mnist %s %s %s\t-s %s --limit-steps off --map fourier --dimension %s --gamma-kernel %s\n' $n $count \
                    "$solver" "$solver" $n "${of_set[mnist gamma]}"
            done
        done
    done
}

row() { # SET N ROWS SOLVER
    local lambda
    split mnist
    set -f # asset*
    lambda=$(awk -v c="${of_set[mnist C]}" 'END { printf "%.10g", 1 / (c * NR) }' "$out/mnist.train")
    shuffled_digits
    # shellcheck disable=SC2086 # options are words
    head -n "$3" "$file" | train ${options[$*]} -l "$lambda" - || return
    printf '%s %.1f\n' "$(test_error "$out/mnist.test")" "$(cpu_seconds train_seconds)"
}

show() {
    local n count solver
    echo "| rows | n | \`asset-on\`: test error, % | seconds | \`asset*-on\`: test error, % | seconds |"
    echo "| --- | --- | --- | --- | --- | --- |"
    for n in 1024 4096; do
        for count in $sizes; do
            [ -n "${value[mnist $n $count asset-on]:-}" ] || continue
            printf '| %s | %s |' "$count" $n
            for solver in asset-on "asset*-on"; do
                cells "mnist $n $count $solver" 2
                printf ' %s | %s |' "${cell[@]}"
            done
            echo
        done
    done
}
