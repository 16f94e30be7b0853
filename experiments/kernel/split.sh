# split.sh - sourced by the tables of this folder: the sets with the thesis's splits, and options of a set.
# shellcheck shell=bash disable=SC2154
split() { # NAME
    data "$1"
    "$folder/shuffle.sh" "$out" "$1"
}

machine_of() { # NAME: its C and gamma, as options
    echo "-c $(of_set "$1" C) --gamma-kernel $(of_set "$1" gamma)"
}

# mnist's training part in a random order that is always the same: $file.
shuffled_digits() {
    file=$temporary/stream
    awk 'BEGIN { srand(1) } { printf "%.9f\t%s\n", rand(), $0 }' "$out/mnist.train" | LC_ALL=C sort -n -S 300M |
        cut -f 2- >"$file"
}
