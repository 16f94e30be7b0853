# smooth.sh - linear convergence on the logistic loss: the iterations until the certified gap, and the distance from the
# optimum, are at most 1e-1, ..., 1e-6.
# shellcheck shell=bash disable=SC2034,SC2154
columns="gap gap gap gap gap gap distance"
declare -A solver=([bundle]="-s bundle" [level]="-s proximal-bundle" [balance]="-s proximal-bundle --tau balance")

rows() {
    local name lambda method
    for name in reuters w8a ijcnn1; do
        for lambda in ${of_set[$name smooth]:-}; do
            for method in bundle level balance; do
                printf '%s %s %s\t%s -L logistic -l %s -e 1e-8 -p 500\n' $name "$lambda" $method "${solver[$method]}" \
                    "$lambda"
            done
        done
    done
}

row() { # NAME LAMBDA METHOD
    local optimum
    data "$1"
    optimum=$(optimum "$1" "$2")
    # shellcheck disable=SC2086 # options are words
    train ${options[$1 $2 $3]} "$out/$1.train" && awk -f "$folder/decades.awk" "$temporary/trace" &&
        awk -v optimum="$optimum" -f "$folder/decades.awk" "$temporary/trace"
}

# The least J, to 1e-8 of it.
optimum() { # NAME LAMBDA
    local file=$out/$1.smooth-optimum-$2
    if [ ! -f "$file" ]; then
        train -L logistic -l "$2" -e 1e-8 "$out/$1.train" && reported objective >"$file"
    fi
    cat "$file"
}

show() {
    local key
    echo "Logistic: iterations until the certified gap, and until the distance from the optimum, is at most 1e-1, ...,"
    echo "1e-6 (\"-\": not in 500); level is \`proximal-bundle\` by default, balance with \`--tau balance\`"
    echo
    echo "| data | lambda | solver | gap: 1e-1 | 1e-2 | 1e-3 | 1e-4 | 1e-5 | 1e-6 | distance: 1e-1 | 1e-2 | 1e-3 | 1e-4 |" \
        "1e-5 | 1e-6 |"
    echo "| --- | --- | --- |$(printf ' --- |%.0s' {1..12})"
    for key in "${keys[@]}"; do
        # shellcheck disable=SC2086 # words
        [ -z "${value[$key]:-}" ] || { printf '| %s ' $key && printf '| %s ' ${value[$key]} && echo '|'; }
    done
}
