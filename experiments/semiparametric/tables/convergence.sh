# convergence.sh - Figure 4.2: pdsg and mpd stand-alone and without Newton steps on 1000 examples of the Mexican hat
# function, C = 1: the largest violation and the certified gap by passes, from the trace, and beta after as many passes,
# from runs that end there; rows of the trace are left out that are less than 1.4 times as far as the last.
# shellcheck shell=bash disable=SC2034,SC2154
columns="passes violation gap beta1 beta2"

rows() {
    local solver
    for solver in pdsg mpd; do
        printf '%s\t-s %s --alone --newton off -L epsilon --tube 0.05 --kernel gaussian --gamma-kernel 0.25 --basis-only 2,3 -c 1\n' \
            $solver $solver
    done
}

row() { # SOLVER
    local file=$out/hat-1000-sinc.train passes objective bound violation
    [ -f "$file" ] || awk -v m=1000 -v seed=1 -f "$folder/hat.awk" >"$file"
    # shellcheck disable=SC2086 # options are words
    train ${options[$1]} "$file" || return
    awk 'NR > 1 && $2 >= 0.5 && $2 >= 1.4 * last { print; last = $2 }' "$temporary/trace" >"$temporary/whole"
    while read -r _ passes _ objective bound _ _ violation; do
        # shellcheck disable=SC2086
        train ${options[$1]} -p "$(awk -v p="$passes" 'BEGIN { printf "%d", p + 0.5 }')" "$file" || return
        awk -v p="$passes" -v v="$violation" -v j="$objective" -v b="$bound" \
            -v beta="$("$folder/beta.sh" "$temporary/model" 2)" 'BEGIN {
            split(beta, c, " ")
            printf "%.2f %.2g %.2g %.3f %.3f\n", p, v, 1 - b / j, c[1], c[2] }'
    done <"$temporary/whole"
}

show() {
    local solver
    echo "| solver | passes | largest violation | certified gap | beta 1 | beta 2 |"
    echo "| --- | --- | --- | --- | --- | --- |"
    for solver in pdsg mpd; do
        # shellcheck disable=SC2086 # words
        [ -z "${value[$solver]:-}" ] || printf "| \`$solver\` | %s | %s | %s | %s | %s |\n" ${value[$solver]}
    done
}

figure() {
    local column i
    echo "set terminal svg size 560,640 dynamic background 'white'; set multiplot layout 3,1; set xlabel 'passes'"
    for column in "2:largest violation" "3:certified gap" "4:beta 1"; do
        [ "${column%%:*}" = 4 ] && echo "unset logscale y; set key bottom right" || echo "set logscale y"
        echo "set ylabel '${column#*:}'; plot '-' with lines title 'PDSG', '-' with lines" \
            "title 'MPD'"
        for solver in pdsg mpd; do
            cells $solver 0
            for ((i = 0; i < ${#cell[@]}; i += 5)); do echo "${cell[i]} ${cell[i + ${column%%:*} - 1]}"; done
            echo e
        done
    done
}
