# scaling.sh - Figure 4.1: seconds by the number of examples of the Mexican hat function, decomposed (D:) and stand-alone
# (to 10,000 examples), without Newton steps (the thesis's methods) and with them (+N), and smo, which train chooses, for
# three values of C. "sine" has the thesis's second basis function, sin 2 pi (x - 5), in the place of sinc 2 pi (x - 5).
# shellcheck shell=bash disable=SC2034,SC2154
columns="seconds passes beta1 beta2"
sizes="500 1000 2000 5000 10000 20000 50000 100000"
declare -A series=([D:PDSG]="-s pdsg --newton off" [D:MPD]="-s mpd --newton off" [PDSG]="-s pdsg --newton off --alone"
    [MPD]="-s mpd --newton off --alone" [D:PDSG+N]="-s pdsg" [D:MPD+N]="-s mpd"
    [smo]="-s smo")
hat="-L epsilon --tube 0.05 --kernel gaussian --gamma-kernel 0.25 --basis-only 2,3"
limit=${LIMIT:-120} # seconds of a processor

names_for() { # C BASIS
    case "$1 $2" in
    "1 sinc") echo "D:PDSG D:MPD PDSG MPD D:PDSG+N D:MPD+N smo" ;;
    *) echo "D:PDSG D:PDSG+N MPD smo" ;;
    esac
}

problems="1:sinc 0.1:sinc 10:sinc 1:sine"

rows() {
    local problem m name
    for m in $sizes; do
        for problem in $problems; do
            for name in $(names_for ${problem/:/ }); do
                [ "$m" -gt 10000 ] && [[ $name == *PD* && $name != D:* ]] ||
                    printf '%s %s %s\t%s %s -c %s\n' "$m" "$problem" "$name" "${series[$name]}" "$hat" "${problem%:*}"
            done
        done
    done
}

row() { # M C:BASIS SERIES
    local file=$out/hat-$1-${2#*:}.train
    [ -f "$file" ] || awk -v m="$1" -v seed=1 -v second="${2#*:}" -f "$folder/hat.awk" >"$file"
    # shellcheck disable=SC2086 # options are words
    train_within "$limit" ${options[$*]} "$file" || return
    if [ "$(reported status)" = converged ]; then
        printf '%.3f %.4g %s\n' "$(cpu_seconds train_seconds)" "$(reported passes)" \
            "$("$folder/beta.sh" "$temporary/model" 2 | awk '{ printf "%.3f %.3f", $1, $2 }')"
    else
        echo "- - - -"
    fi
}

show() {
    local problem m name
    for problem in $problems; do
        echo "C = ${problem%:*}, second basis function ${problem#*:} 2 pi (x - 5): seconds of training (\"-\": more than" \
            "$limit)"
        echo
        echo "| m |$(printf ' %s |' $(names_for ${problem/:/ })) beta |"
        echo "| --- |$(printf ' --- |%.0s' $(names_for ${problem/:/ })) --- |"
        for m in $sizes; do
            [ -n "${value[$m $problem smo]:-}" ] || continue
            printf '| %s |' "$m"
            for name in $(names_for ${problem/:/ }); do
                cells "$m $problem $name" 4
                printf ' %s |' "${cell[0]}"
            done
            cells "$m $problem smo" 4
            echo " ${cell[2]} ${cell[3]} |"
        done
        echo
    done
}

figure() {
    local name m
    echo "set terminal svg size 560,400 dynamic background 'white'"
    echo "set logscale xy; set xlabel 'm'; set ylabel 'seconds'; set key bottom right; set title 'C = 1'"
    echo "plot 0 notitle$(printf ", '-' with lines title '%s'" $(names_for 1 sinc))"
    for name in $(names_for 1 sinc); do
        for m in $sizes; do
            cells "$m 1:sinc $name" 4
            ! is_number "${cell[0]}" || echo "$m ${cell[0]}"
        done
        echo e
    done
}
