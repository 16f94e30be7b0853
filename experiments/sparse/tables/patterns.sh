# patterns.sh - Figure 2.5: MNIST, 6 against 7, the weights by solver and lambda as a picture of 28 x 28 pixels each. A cell
# has a letter a pixel: the sign and size of its weight by the square root of its share of the largest, a to d below zero,
# A to D above, 0 near it.
# shellcheck shell=bash disable=SC1091,SC2034,SC2154
columns="weights"
sources="lambdas.sh digits.awk"
. "$folder/lambdas.sh"
runs="sgd-last tg-last rda-last rda+ lps sgd-average rda-average"
shown="0.01 0.1 1 10"

rows() {
    local lambda run
    for lambda in $(printf '%s\n' $shown | sort -gr); do
        for run in $runs; do
            printf 'mnist %s %s\t-L logistic -r l1 --intercept -l %s %s%s\n' "$lambda" "$run" "$lambda" \
                "$(options_of "$run")" "$([[ $run != *-* ]] || echo " -p 10")"
        done
    done
}

row() { # mnist LAMBDA RUN
    sixes_and_sevens
    # shellcheck disable=SC2086 # options are words
    train ${options[$*]} "$out/67.train" || return
    awk '/^features/ { n = $2 } /^w dense/ { kind = 1; next } /^w sparse/ { kind = 2; next } /^end/ { kind = 0 }
        kind {
            i = ++k; x = $1
            if (kind == 2) { split($1, p, ":"); i = p[1] + 0; x = p[2] }
            if (i <= n) { w[i] = x + 0; a = x < 0 ? -x : x; if (a > most) most = a }
        }
        END {
            for (i = 1; i <= 784; i++) {
                a = most > 0 ? w[i] / most : 0
                printf "%s", substr("dcba0ABCD", 5 + (a < 0 ? -1 : 1) * int(4 * sqrt(a < 0 ? -a : a) + 0.5), 1)
            }
            print ""
        }' "$temporary/model"
}

show() {
    echo "Drawn: ${#value[@]} of $(wc -w <<<"$runs $runs $runs $runs") sets of weights."
}

# In the place of gnuplot's commands: the picture itself. Pixels of a level are one path, neighbours in a row one part.
figure() {
    local run lambda x y=20
    echo '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 330 444" font-family="Arial" font-size="10">'
    echo '<rect width="330" height="444" fill="white"/>'
    x=90
    for lambda in $shown; do
        echo "<text x=\"$x\" y=\"14\">lambda $lambda</text>"
        x=$((x + 60))
    done
    for run in $runs; do
        echo "<text x=\"4\" y=\"$((y + 32))\">$run</text>"
        x=90
        for lambda in $shown; do
            echo "<rect x=\"$x\" y=\"$y\" width=\"56\" height=\"56\" fill=\"#888\"/>"
            cells "mnist $lambda $run" 1
            awk -v weights="${cell[0]}" -v x=$x -v y=$y -v levels="dcbaABCD" \
                -v shades="000 2b2b2b 484848 686868 a8a8a8 c6c6c6 e2e2e2 fff" 'BEGIN {
                split(shades, shade, " ")
                for (i = 0; i < 784; i += n) {
                    level = substr(weights, i + 1, 1)
                    for (n = 1; (i + n) % 28 && substr(weights, i + n + 1, 1) == level; n++) ;
                    path[level] = path[level] sprintf("M%d %dh%dv2h-%dz", x + 2 * (i % 28), y + 2 * int(i / 28), 2 * n, 2 * n)
                }
                for (i = 1; i <= 8; i++)
                    if (substr(levels, i, 1) in path)
                        printf "<path fill=\"#%s\" d=\"%s\"/>\n", shade[i], path[substr(levels, i, 1)]
            }'
            x=$((x + 60))
        done
        y=$((y + 60))
    done
    echo '</svg>'
}
