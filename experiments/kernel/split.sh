# split.sh - sourced by the tables of this folder: the sets with the thesis's splits, and options of a set.
# shellcheck shell=bash disable=SC2154
split() { # NAME
    data "$1"
    "$folder/shuffle.sh" "$out" "$1"
}

declare -A machine_of # C and gamma of a set, as options
for name in "${set_names[@]}"; do machine_of[$name]="-c ${of_set[$name C]} --gamma-kernel ${of_set[$name gamma]}"; done

# mnist's training part in a random order that is always the same: $file.
shuffled_digits() {
    file=$temporary/stream
    awk 'BEGIN { srand(1) } { printf "%.9f\t%s\n", rand(), $0 }' "$out/mnist.train" | LC_ALL=C sort -n -S 300M |
        cut -f 2- >"$file"
}
