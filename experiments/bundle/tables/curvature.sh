# curvature.sh - the effect of [DLF] Figure 3, on the hinge: the best objective of bundle and proximal-bundle after 1,
# 10, 30 and 100 iterations, and at how many of the first 100 it is below that of bundle.
# shellcheck shell=bash disable=SC2034,SC2154
columns="1 10 30 100 1 10 30 100 below 1 10 30 100 below"
methods="bundle level balance"

rows() {
    local name lambda
    for name in reuters w8a ijcnn1 connect-4 covtype; do
        for lambda in ${of_set[$name curvature]:-}; do
            printf '%s %s\t-s proximal-bundle -l %s -e 1e-9 -p 100\n' $name "$lambda" "$lambda"
        done
    done
}

row() { # NAME LAMBDA
    local method traces=()
    declare -A solver=([bundle]="-s bundle" [level]="-s proximal-bundle" [balance]="-s proximal-bundle --tau balance")
    data "$1"
    for method in $methods; do
        # shellcheck disable=SC2086 # words
        train ${solver[$method]} -l "$2" -e 1e-9 -p 100 "$out/$1.train" || return
        mv "$temporary/trace" "$temporary/$method"
        traces+=("$temporary/$method")
    done
    awk -f "$folder/below.awk" "${traces[@]}"
}

show() {
    local key c
    echo "Hinge: best objective after 10, 30 and 100 iterations, and at how many of the first 100 it is below that of"
    echo "\`bundle\`"
    echo
    echo "| data | lambda | bundle: 10 | 30 | 100 | proximal-bundle: 10 | 30 | 100 | below | --tau balance: 10 | 30 | 100 |" \
        "below |"
    echo "| --- | --- |$(printf ' --- |%.0s' {1..11})"
    for key in "${keys[@]}"; do
        [ -n "${value[$key]:-}" ] || continue
        read -ra c <<<"${value[$key]}"
        # shellcheck disable=SC2086 # words
        printf '| %s ' $key
        printf '| %s ' "${c[@]:1:3}" "${c[@]:5:4}" "${c[@]:10:4}"
        echo '|'
    done
}
