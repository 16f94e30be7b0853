# seeding.sh - landmarks drawn uniformly, by k-means++ and by randomly pivoted Cholesky, and random Fourier features, at the
# same dimension s: test error, objective (ocas, to a gap of 0.1 %) and its least and largest of 5 seeds, seconds.
# shellcheck shell=bash disable=SC1091,SC2034,SC2154
columns="error J least largest seconds"
. "$folder/split.sh"
kinds="uniform kmeans++ rpcholesky fourier"

rows() {
    local s name kind
    for s in 64 256 1024; do
        for name in adult ijcnn mnist; do
            for kind in $kinds; do
                case $kind in
                fourier) kind="fourier\t-s ocas --map fourier --dimension $s" ;;
                *) kind="$kind\t-s ocas --map nystrom --landmarks $s --seeding $kind" ;;
                esac
                printf "%s %s $kind %s\n" $name $s "${machine_of[$name]}"
            done
        done
    done
}

row() { # NAME S KIND
    local seed
    split "$1"
    for seed in 1 2 3 4 5; do
        # shellcheck disable=SC2086 # options are words
        train ${options[$*]} -S $seed "$out/$1.train" || return
        echo "$(test_error "$out/$1.test") $(reported objective) $(cpu_share) $(cut -d ' ' -f 1 "$temporary/times")"
    done | awk '
        { e += $1; j += $2; s += $3 * $4 }
        NR == 1 || $2 < least { least = $2 }
        $2 > largest { largest = $2 }
        END { printf "%.2f %.5f %.5f %.5f %.1f\n", e / NR, j / NR, least, largest, s / NR }'
}

show() {
    local s name kind
    echo "Means of 5 seeds (least to largest J)"
    echo
    echo "| data | s | features | test error, % | J | seconds |"
    echo "| --- | --- | --- | --- | --- | --- |"
    for name in adult ijcnn mnist; do
        for s in 64 256 1024; do
            for kind in $kinds; do
                # shellcheck disable=SC2086 # words
                [ -z "${value[$name $s $kind]:-}" ] ||
                    printf '| %s | %s | `%s` | %s | %s (%s to %s) | %s |\n' $name $s $kind ${value[$name $s $kind]}
            done
        done
    done
}
