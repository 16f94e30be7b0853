# figure3.sh - [DLF] Figure 3: the best objective of bundle, of proximal-bundle and of the paper's Algorithm 4 (--tau
# balance) after so many passes, on rankings (MQ2008) and on structures of RNA (S-151).
# shellcheck shell=bash disable=SC2034,SC2154
columns="5 10 20 50 100 bound"
. "$folder/structures.sh"
losses="pairwise ndcg rna"
declare -A lambdas=([pairwise]="1 1e-1 1e-2 1e-3 1e-4 1e-5 1e-6" [ndcg]="1 1e-1 1e-2 1e-3 1e-4 1e-5 1e-6"
    [rna]="1 1e-1 1e-2 1e-3 1e-4")
declare -A solver=([bundle]="-s bundle" [level]="-s proximal-bundle" [balance]="-s proximal-bundle --tau balance")

rows() {
    local loss lambda method
    for loss in $losses; do
        for lambda in ${lambdas[$loss]}; do
            for method in bundle level balance; do
                printf '%s %s %s\t%s -L %s -l %s -e 1e-6 -p 100\n' $loss "$lambda" $method "${solver[$method]}" $loss \
                    "$lambda"
            done
        done
    done
}

row() { # LOSS LAMBDA METHOD
    local file
    if [ "$1" = rna ]; then structures; else data_file mq2008.fold1.train; fi
    # shellcheck disable=SC2086 # options are words
    train ${options[$1 $2 $3]} "$file" && awk '
        BEGIN { n = split("5 10 20 50 100", at, " ") }
        NR > 1 {
            for (; i < n && $2 > at[i + 1]; i++) at_best[i + 1] = best
            if (NR == 2 || $4 < best) best = $4
            if (bound == "" || $5 + 0 > bound) bound = $5 + 0
        }
        END {
            for (; i < n; i++) at_best[i + 1] = best
            for (i = 1; i <= n; i++) printf "%.8g ", at_best[i]
            printf "%.8g\n", bound
        }' "$temporary/trace"
}

# The cells of bundle, level and balance, a line each, less the best lower bound that one of them has: "-" and "." stay.
above() { # LOSS LAMBDA
    local method
    for method in bundle level balance; do
        cells "$1 $2 $method" 6
        echo "${cell[*]}"
    done | awk '
        { line[NR] = $0 }
        $6 ~ /[0-9]/ && (best == "" || $6 + 0 > best) { best = $6 }
        END {
            for (k = 1; k <= NR; k++) {
                split(line[k], x, " ")
                for (i = 1; i <= 5; i++) printf "%s%s", x[i] ~ /[0-9]/ ? sprintf("%.12g", x[i] - best) : x[i], i < 5 ? " " : "\n"
            }
        }'
}

show() {
    local loss lambda
    echo "Best objective less the best lower bound after so many passes: \`bundle\`, \`proximal-bundle\` (level),"
    echo "\`proximal-bundle --tau balance\`"
    echo
    echo "| loss | lambda |$(for p in 5 10 20 50 100; do printf ' %s: bundle | level | balance |' $p; done)"
    echo "| --- | --- |$(printf ' --- |%.0s' {1..15})"
    for loss in $losses; do
        for lambda in ${lambdas[$loss]}; do
            [ -n "${value[$loss $lambda bundle]:-}" ] || continue
            above "$loss" "$lambda" | awk -v head="| $loss | $lambda |" '
                { for (i = 1; i <= 5; i++) cell[NR, i] = $i ~ /[0-9]/ ? sprintf("%.2g", $i) : $i }
                END {
                    printf "%s", head
                    for (i = 1; i <= 5; i++) printf " %s | %s | %s |", cell[1, i], cell[2, i], cell[3, i]
                    print ""
                }'
        done
    done
}

figure() {
    local loss lambda
    echo "set terminal svg size 760,640 dynamic background 'white'; set multiplot layout 3,3"
    echo "set logscale y; set format y '1e%T'; set xlabel 'passes'; set ylabel 'J less the bound'; set xtics 50; set ytics 100"
    for loss in $losses; do
        for lambda in 1 1e-2 1e-4; do
            [ -n "${value[$loss $lambda balance]:-}" ] || continue
            echo "set title '$loss, lambda = $lambda'; plot '-' with lines title 'bundle', '-' with" \
                "lines title 'level', '-' with lines title 'balance'"
            above "$loss" "$lambda" | awk '
                { split("5 10 20 50 100", at, " ")
                  for (i = 1; i <= 5; i++) if ($i ~ /[0-9]/ && $i > 0) print at[i], $i; print "e" }'
            echo "unset key"
        done
    done
}
