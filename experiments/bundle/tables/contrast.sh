# contrast.sh - [SVL] Figure 3: passes and seconds until J is within 0.001 of the optimum, and how far above it a run of
# 1000 passes ends: bundle and bundle-ls beside pegasos, with batches of all rows as in the paper, with random subsets of
# a tenth and a hundredth of them, and of one row, and proximal.
# shellcheck shell=bash disable=SC2034,SC2154
columns="passes above seconds"
declare -A contrast=(
    [bundle]="-s bundle -e 1e-6"
    [bundle-ls]="-s bundle-ls -e 1e-6"
    [pegasos-batch]="-s pegasos --limit-steps off -k ROWS"
    [pegasos-tenth]="-s pegasos --limit-steps off -k ROWS/10"
    [pegasos-hundredth]="-s pegasos --limit-steps off -k ROWS/100"
    [pegasos]="-s pegasos --limit-steps off"
    [proximal]="-s proximal"
)
runs="pegasos proximal pegasos-hundredth pegasos-tenth pegasos-batch bundle-ls bundle"

rows() {
    local name run
    for name in reuters ccat news20 astro-ph; do
        for run in $runs; do
            printf '%s %s\t%s -l %s -p 1000\n' $name "$run" "${contrast[$run]}" "${of_set[$name contrast]}"
        done
    done
}

row() { # NAME RUN
    local m words optimum
    data "$1"
    m=$(wc -l <"$out/$1.train")
    words=${options[$1 $2]}
    case $2 in
    *-batch) words=${words/ROWS/$m} ;;
    *-tenth) words=${words/ROWS\/10/$((m / 10))} ;;
    *-hundredth) words=${words/ROWS\/100/$((m / 100))} ;;
    esac
    optimum=$(optimum "$1")
    # shellcheck disable=SC2086 # options are words
    train $words "$out/$1.train" && awk -v optimum="$optimum" -v share="$(cpu_share)" '
        NR == 1 || $4 == "nan" { next }
        best == "" || $4 < best { best = $4 }
        passes == "" && best <= optimum + 0.001 { passes = $2; seconds = sprintf("%.3f", share * $1) }
        END {
            if (passes == "") passes = seconds = "-"
            printf "%s %.1e %s\n", passes, best - optimum, seconds
        }' "$temporary/trace"
}

# A certified lower bound of the least J, to 1e-4 of it.
optimum() { # NAME
    local file=$out/$1.contrast-optimum
    if [ ! -f "$file" ]; then
        train -l "${of_set[$1 contrast]}" -e 1e-4 "$out/$1.train" && reported bound >"$file"
    fi
    cat "$file"
}

show() {
    local key
    echo "| data, lambda | solver | passes to + 0.001 | seconds | above after 1000 passes |"
    echo "| --- | --- | --- | --- | --- |"
    for key in "${keys[@]}"; do
        [ -n "${value[$key]:-}" ] || continue
        read -r passes above seconds <<<"${value[$key]}"
        echo "| ${key% *}, ${of_set[${key% *} contrast]} | ${key#* } | $passes | $seconds | $above |"
    done
}
