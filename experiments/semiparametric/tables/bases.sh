# bases.sh - Figure 4.3: seconds by the number K of basis functions 1, sin pi x, cos 2 pi x, sin 3 pi x, ... on 1000
# examples of the Mexican hat function; ten data sets: smo, which train chooses; decomposed pdsg with Newton steps (+N) as
# it does by itself; pdsg and mpd without, as in the thesis.
# shellcheck shell=bash disable=SC2034,SC2154
columns="passes seconds-mean seconds-deviation"
sizes="1 2 5 10 20 50"
declare -A series=([smo]="-s smo" [D:PDSG+N]="-s pdsg" [D:PDSG]="-s pdsg --newton off" [D:MPD]="-s mpd --newton off")
names="smo D:PDSG+N D:PDSG D:MPD"
limit=${LIMIT:-30} # seconds of a processor

rows() {
    local k name
    for k in $sizes; do
        for name in $names; do
            printf '%s %s\t%s -L epsilon --tube 0.05 --kernel gaussian --gamma-kernel 0.25 --basis-only %s -c 1\n' \
                "$k" "$name" "${series[$name]}" "$(seq -s , 2 $((k + 1)))"
        done
    done
}

row() { # K SERIES
    local seed file
    for seed in $(seq 10); do
        file=$out/hat-1000-$seed-$1.train
        [ -f "$file" ] || awk -v m=1000 -v seed="$seed" -v k="$1" -f "$folder/hat.awk" >"$file"
        # shellcheck disable=SC2086 # options are words
        train_within "$limit" ${options[$*]} "$file" || return
        echo "$(reported passes) $(cpu_seconds train_seconds) $(reported status)"
        [ "$(reported status)" = converged ] || break # one such run, and there are no figures
    done | awk '
        { p += $1; s += $2; q += $2 * $2; bad += $3 != "converged" }
        END {
            v = q / NR - s * s / NR / NR
            if (bad) print "- - -"
            else printf "%.2f %.3f %.3f\n", p / NR, s / NR, sqrt(v > 0 ? v : 0)
        }'
}

show() {
    local k name
    echo "Mean seconds of training +- deviation over ten data sets, mean passes (\"-\": one needs more than $limit s)"
    echo
    echo "| K |$(printf ' %s |' $names)"
    echo "| --- |$(printf ' --- |%.0s' $names)"
    for k in $sizes; do
        [ -n "${value[$k D:PDSG+N]:-}" ] || continue
        printf '| %s |' "$k"
        for name in $names; do
            cells "$k $name" 3
            ! is_number "${cell[1]}" || cell[0]="${cell[1]} +- ${cell[2]}, ${cell[0]}"
            printf ' %s |' "${cell[0]}"
        done
        echo
    done
}

figure() {
    local k name
    echo "set terminal svg size 560,400 dynamic background 'white'"
    echo "set xlabel 'K'; set ylabel 'seconds'; set key top left; set logscale y"
    echo "plot 1 notitle lc 'white'$(printf ", '-' with yerrorlines pt 7 ps 0.4 title '%s'" $names)"
    for name in $names; do
        for k in $sizes; do
            cells "$k $name" 3
            ! is_number "${cell[1]}" || echo "$k ${cell[1]} ${cell[2]}"
        done
        echo e
    done
}
