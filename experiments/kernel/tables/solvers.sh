# solvers.sh - the linear solvers on Nystrom features, s = 512: passes and CPU seconds of training, without the mapping, to
# within 1 % of the optimum, which is the bound of the row optimum (mcpa to a gap of 1e-4). "-": not in 60 seconds, or
# not in the passes of an online solver.
# shellcheck shell=bash disable=SC1091,SC2034,SC2154
columns="passes seconds"
. "$folder/split.sh"
solvers="mcpa ocas cpa ipm proximal-bundle bundle agm dcd proximal asset asset*"

rows() {
    local name solver most
    for name in adult ijcnn mnist; do
        printf '%s optimum\t-s mcpa -e 1e-4 --map nystrom --landmarks 512 %s\n' $name "${machine_of[$name]}"
        set -f # asset*
        for solver in $solvers; do
            most="-t 60"
            [ "${solver#asset}" = "$solver" ] || most="--limit-steps off -p 100"
            [ "$solver" != lbfgs ] || continue # the hinge is not smooth
            printf '%s %s\t-s %s --map nystrom --landmarks 512 %s %s\n' $name "$solver" "$solver" "$most" \
                "${machine_of[$name]}"
        done
        set +f
    done
}

row() { # NAME SOLVER
    split "$1"
    set -f # asset*
    # shellcheck disable=SC2086 # options are words
    train ${options[$1 $2]} "$out/$1.train" || return
    if [ "$2" = optimum ]; then
        echo "$(reported bound) $(cpu_seconds train_seconds)"
        return
    fi
    [ -n "${value[$1 optimum]:-}" ] || exit 77
    awk -F '\t' -v best="${value[$1 optimum]%% *}" -v share="$(cpu_share)" '
        NR > 1 && passes == "" && $4 <= 1.01 * best { passes = $2; seconds = $1 * share }
        END { if (passes == "") print "- -"; else printf "%.4g %.2f\n", passes, seconds }' "$temporary/trace"
}

show() {
    local name solver
    echo "| solver |$(printf ' %s: passes | seconds |' adult ijcnn mnist)"
    echo "| --- |$(printf ' --- |%.0s' {1..6})"
    set -f
    for solver in $solvers; do
        [[ " ${!value[*]} " == *" $solver "* ]] || continue
        printf '| `%s` |' "$solver"
        for name in adult ijcnn mnist; do
            cells "$name $solver" 2
            printf ' %s | %s |' "${cell[@]}"
        done
        echo
    done
    set +f
}
