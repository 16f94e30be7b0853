# progress.sh - Figures 2.2 and 2.3: MNIST, 6 against 7. rda+ and lps to delta 1e-4, medians of 100 orders of the examples:
# steps of phase 1, nonzeros after it and at the end, passes, seconds; "thesis": its whole gradient and Newton threshold.
# The online solvers: the least delta and the nonzeros there, in as many passes as rda+ takes (gamma 10000, thesis) and
# in 40.
# shellcheck shell=bash disable=SC1091,SC2034,SC2154
columns="steps after end passes seconds"
sources="lambdas.sh medians.awk digits.awk"
. "$folder/lambdas.sh"
settings="defaults thesis"
gammas="10000 5000"

rows() {
    local lambda setting gamma solver output words
    for lambda in 10 1 0.1; do
        for setting in $settings; do
            words="-L logistic -r l1 --intercept --optimality 1e-4 -l $lambda"
            [ $setting = defaults ] || words+=" --gradient-fraction 1 --newton-threshold 200"
            printf 'mnist %s %s lps\t-s lps %s\n' $lambda $setting "$words"
            for gamma in $gammas; do
                printf 'mnist %s %s rda+%s\t-s rda+ --give-up 1 --gamma %s %s\n' $lambda $setting $gamma $gamma "$words"
            done
        done
        for solver in $online; do
            for gamma in $gammas; do
                for output in last average; do
                    printf 'mnist %s %s %s%s\t-s %s --gamma %s --output %s -L logistic -r l1 --intercept -l %s -p 40%s\n' \
                        $lambda $output "$solver" $gamma "$solver" $gamma $output $lambda \
                        "$([ "$solver" = rda ] || echo " --step sqrt")"
                done
            done
        done
    done
}

row() { # mnist LAMBDA SETTING RUN
    local seed seeds=${SEEDS:-100}
    sixes_and_sevens
    if [[ $3 =~ last|average ]]; then
        [ -n "${value[mnist $2 thesis rda+10000]:-}" ] || exit 77
        # shellcheck disable=SC2086 # options are words
        train ${options[$*]} "$out/67.train" || return
        awk -v most="$(cut -d ' ' -f 4 <<<"${value[mnist $2 thesis rda+10000]}")" '
            NR > 1 && $8 != "nan" {
                if (least == "" || $8 < least) { least = $8; nonzeros = $6 }
                if ($2 <= most + 0.5) then = sprintf("%.2g %d", least, nonzeros)
            }
            END { printf "%s %.2g %d -\n", then, least, nonzeros }' "$temporary/trace"
        return
    fi
    [ "$4" != lps ] || seeds=1 # it has no random order
    for seed in $(seq "$seeds"); do
        # shellcheck disable=SC2086
        train ${options[$*]} -S "$seed" "$out/67.train" || return
        awk -v seconds="$(cpu_seconds train_seconds)" '
            NR > 1 { if ($5 != "-inf" && !switched++) { steps = $3 - 1; after = $6 } end = $6; p = $2 }
            END { print steps, after, end, p, seconds }' "$temporary/trace"
    done | awk -f "$folder/medians.awk" | awk '{ printf "%d %d %d %.1f %.3f\n", $1, $3, $5, $7, $9 }'
}

show() {
    local lambda setting run gamma
    echo "To delta 1e-4, medians of 100 orders: \`rda+\` by gamma, \`lps\`"
    echo
    echo "| lambda | settings | solver | steps of phase 1 | nonzeros after it | at the end | passes | seconds |"
    echo "| --- | --- | --- | --- | --- | --- | --- | --- |"
    for lambda in 10 1 0.1; do
        for setting in $settings; do
            for run in rda+10000 rda+5000 lps; do
                [ -n "${value[mnist $lambda $setting $run]:-}" ] || continue
                cells "mnist $lambda $setting $run" 5
                printf '| %s | %s | %s | %s | %s | %s | %s | %s |\n' $lambda $setting $run "${cell[@]}"
            done
        done
    done
    echo
    echo "Least delta / nonzeros there in the passes of \`rda+\` (gamma 10000, thesis), and in 40 passes, by gamma"
    echo
    echo "| lambda | iterates | solver | 10000: as many passes | 40 | 5000: as many passes | 40 |"
    echo "| --- | --- | --- | --- | --- | --- | --- |"
    for lambda in 10 1 0.1; do
        for setting in last average; do
            for run in $online; do
                [ -n "${value[mnist $lambda $setting ${run}5000]:-}" ] || continue
                printf '| %s | %s | %s |' $lambda $setting "$run"
                for gamma in $gammas; do
                    cells "mnist $lambda $setting $run$gamma" 4
                    printf ' %s / %s | %s / %s |' "${cell[@]:0:4}"
                done
                echo
            done
        done
    done
}
