#!/bin/bash
# progress.sh OUT - Figures 2.2 and 2.3: distance from optimality and nonzeros by seconds, MNIST 6 against 7;
# seconds of rda+ and lps over RUNS runs. Pictures: OUT/67.progress-last.svg and -average.svg.
set -euo pipefail
here=$(dirname "$0")
out=$1
lambdas="10 1 0.1"
runs=${RUNS:-11}
thesis="--gradient-fraction 1 --newton-threshold 200"
[ -f "$out/67.train" ] || { echo "skipped: mnist is not there"; exit; }

go() { # RUN LAMBDA OPTION ...
    local run=$1 lambda=$2
    shift 2
    "$here/../run.sh" "$out" 67 "progress-$run-$lambda" -j 1 -L logistic -r l1 --intercept -l "$lambda" "$@"
}

# TRACE: steps of phase 1, nonzeros after it, nonzeros at the end, passes, seconds of the run.
phases() {
    awk 'NR > 1 { if ($5 != "-inf" && !switched++) { steps = $3 - 1; after = $6 } end = $6; p = $2; s = $1 }
        END { print steps, after, end, p, s }' "$1"
}

medians() { # VARIANT LAMBDA: of phases, and deviations
    for seed in $(seq "$runs"); do phases "$out/67.progress-$1-$seed-$2.trace"; done | awk -f "$here/medians.awk"
}

# Seeds outermost, so that a busy moment meets all.
for seed in $(seq "$runs"); do
    for lambda in $lambdas; do
        for gamma in 10000 5000; do
            go "rda+$gamma-$seed" "$lambda" -S "$seed" -s rda+ --give-up 1 --gamma $gamma --optimality 1e-4
            # shellcheck disable=SC2086 # words
            go "rda+$gamma-thesis-$seed" "$lambda" -S "$seed" -s rda+ --give-up 1 --gamma $gamma --optimality 1e-4 \
                $thesis
        done
        go "lps-$seed" "$lambda" -S "$seed" -s lps --optimality 1e-4
        # shellcheck disable=SC2086 # words
        go "lps-thesis-$seed" "$lambda" -S "$seed" -s lps --optimality 1e-4 $thesis
    done
done

echo "Medians of $runs runs to delta 1e-4: steps of phase 1, nonzeros after it and at the end, passes, seconds"
echo "(deviation), seconds of lps by those of rda+"
printf '%-7s %-29s %-18s %7s %6s %4s %7s  %-15s %s\n' lambda settings solver steps after end passes seconds ratio
for lambda in $lambdas; do
    for settings in "" -thesis; do
        read -ra lps < <(medians "lps$settings" "$lambda")
        title="defaults"
        [ -z "$settings" ] || title="full gradient, threshold 200"
        for gamma in 10000 5000; do
            read -ra m < <(medians "rda+$gamma$settings" "$lambda")
            printf '%-7s %-29s %-18s %7d %6d %4d %7.1f  %-15s %.2f\n' "$lambda" "$title" "rda+, gamma $gamma" \
                "${m[0]}" "${m[2]}" "${m[4]}" "${m[6]}" "$(printf '%.3f (%.3f)' "${m[8]}" "${m[9]}")" \
                "$(awk -v a="${lps[8]}" -v b="${m[8]}" 'BEGIN { print a / b }')"
        done
        printf '%-7s %-29s %-18s %7s %6s %4d %7.1f  %.3f (%.3f)\n' "$lambda" "$title" lps "" "" "${lps[4]}" \
            "${lps[6]}" "${lps[8]}" "${lps[9]}"
    done
done

# ---- the online solvers, a row a pass and some before the first is over

for lambda in $lambdas; do
    for solver in sgd tg fobos rda; do
        for gamma in 5000 10000; do
            for output in last average; do
                run=$solver$gamma-$output
                for p in 0.1 0.25 0.5 0.75 40; do
                    go "$run-p$p" "$lambda" -s $solver --gamma $gamma --output $output -p "$p"
                done
                for p in 0.1 0.25 0.5 0.75 40; do
                    awk '/^[0-9]/' "$out/67.progress-$run-p$p-$lambda.trace"
                done | sort -n >"$out/67.progress-$run-$lambda.rows"
            done
        done
    done
done

# ROWS SECONDS: the least delta so far, the nonzeros then, the passes.
at() {
    awk -v t="$2" '$1 <= t || !seen++ { if (NR == 1 || $8 < least) least = $8; n = $6; p = $2 }
        END { printf "%.2g %d %.3g\n", least, n, p }' "$1"
}

echo
echo "The online solvers when rda+ (gamma 10000, full gradient, threshold 200) is at 1e-4, and after 40 passes:"
echo "passes, least delta so far / nonzeros"
printf '%-7s %-8s %-6s | %-31s | %s\n' "" "" "" "gamma 5000" "gamma 10000"
printf '%-7s %-8s %-6s | %6s %-12s %-11s | %6s %-12s %s\n' lambda iterates solver passes "then" "40 passes" \
    passes "then" "40 passes"
for lambda in $lambdas; do
    read -ra m < <(medians rda+10000-thesis "$lambda")
    for output in last average; do
        for solver in sgd tg fobos rda; do
            printf '%-7s %-8s %-6s' "$lambda" $output $solver
            for gamma in 5000 10000; do
                rows=$out/67.progress-$solver$gamma-$output-$lambda.rows
                read -r delta nonzeros passes < <(at "$rows" "${m[8]}")
                read -r delta40 nonzeros40 _ < <(at "$rows" 1000)
                printf ' | %6s %-12s %-11s' "$passes" "$delta/$nonzeros" "$delta40/$nonzeros40"
            done
            echo
        done
    done
done | sed 's/ *$//'

# ---- the pictures: gamma 5000 of h = ||w||^2, lps and rda+ as in the thesis (and lps by its defaults)

# The rda+ run of the median time, as the time it takes is noisy.
middle() { # VARIANT LAMBDA: its trace
    for seed in $(seq "$runs"); do
        trace=$out/67.progress-$1-$seed-$2.trace
        echo "$(tail -n 1 "$trace" | cut -f 1) $trace"
    done | sort -n | awk '{ t[NR] = $2 } END { print t[int((NR + 1) / 2)] }'
}

draw() { # OUTPUT
    {
        echo "set terminal svg size 900,1000 dynamic background 'white'"
        echo "set output '$out/67.progress-$1.svg'"
        echo "set multiplot layout 3,2"
        echo "set xlabel 'seconds'"
        for lambda in $lambdas; do
            rdaplus=$(middle rda+10000-thesis "$lambda")
            batch=$(middle lps-thesis "$lambda")
            end=$(tail -n 1 "$rdaplus" | cut -f 1)
            switch=$(awk 'NR > 1 && $5 != "-inf" { print $1; exit }' "$rdaplus")
            plots=()
            for solver in sgd tg fobos rda; do
                gamma=5000
                [ $solver = rda ] && gamma=10000
                rows=$out/67.progress-$solver$gamma-$1-$lambda.rows
                plots+=("'$rows' using 1:COLUMN with linespoints ps 0.4 title '$solver'")
            done
            plots+=("'$rdaplus' using 1:COLUMN with linespoints lt rgb 'black' lw 2 ps 0.6 title 'rda+'")
            plots+=("'$batch' using 1:COLUMN with linespoints lt 7 lw 2 ps 0.4 title 'lps'")
            plots+=("'$(middle lps "$lambda")' using 1:COLUMN with lines lt 7 lw 2 dashtype 3 title 'lps, defaults'")
            plot=$(IFS=,; echo "${plots[*]}")
            echo "set xrange [0:1.02 * $end]; set title 'lambda = $lambda'"
            echo "set arrow 1 from $switch, graph 0 to $switch, graph 1 nohead dashtype 4"
            echo "set ylabel 'delta'; set logscale y; set format y '%g'; set key bottom left; plot ${plot//COLUMN/8}"
            echo "set ylabel 'nonzeros'; unset logscale y; unset key; plot ${plot//COLUMN/6}"
        done
    } >"$out/67.progress-$1.gnuplot"
    gnuplot "$out/67.progress-$1.gnuplot"
    echo "$out/67.progress-$1.svg"
}

echo
draw last
draw average
