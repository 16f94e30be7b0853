#!/bin/sh
# train.sh TRAIN - the online solvers' passes beside LIBLINEAR's outer iterations, and seconds to 1 %
# of the optimum by the default stop of each.
#
# A pass, or iteration, is timed by difference: a long run less a short one, over the passes between
# them, so that loading does not count. LIBLINEAR's dual coordinate descent (-s 3) shrinks, so that its
# iterations go through ever fewer rows: its first few are taken. Whole processes, one thread, the
# fastest of RUNS runs.
set -eu

train=$1
runs=${RUNS:-5}
limit=${LIMIT:-30}
# shellcheck source=bench/sets.sh
. "$(dirname "$0")/sets.sh"
need_sets bench-train liblinear-train hyperfine

# Milliseconds an iteration, and nanoseconds a nonzero.
print_iteration() { # SHORT LONG ITERATIONS
    awk -v short="$1" -v long="$2" -v iterations="$3" -v nonzeros="$nonzeros" 'BEGIN {
        seconds = (long - short) / iterations
        printf " %9.2f %6.2f", 1e3 * seconds, 1e9 * seconds / nonzeros }'
}

pass_of() { # SOLVER OPTION...
    short=$(seconds_of "$train" -q -j 1 -p 1 -s "$@" "$file" "$temporary/model")
    long=$(seconds_of "$train" -q -j 1 -p 41 -s "$@" "$file" "$temporary/model")
    print_iteration "$short" "$long" 40
}

iteration_of_liblinear() { # over the first 5 or more
    for epsilon in 50 30 20 10 7 5 4 3 2 1; do
        iterations=$(liblinear-train -s 3 -e "$epsilon" "$file" "$temporary/model" | sed -n 's/.*#iter = //p')
        [ "$iterations" -lt 6 ] || break
    done
    short=$(seconds_of liblinear-train -q -s 3 -e 1e9 "$file" "$temporary/model")
    long=$(seconds_of liblinear-train -q -s 3 -e "$epsilon" "$file" "$temporary/model")
    print_iteration "$short" "$long" $((iterations - 1))
}

echo 'A pass over the data, lambda 1e-4, in ms and ns a nonzero'
printf '%-28s %16s %16s %16s %16s\n' data pegasos adaptive proximal 'liblinear -s 3'
paper_sets | grep -v mnist | while read -r name rule lambda; do
    file=$(two_classes "$name" "$rule") || continue
    nonzeros=$(tr -cd : <"$file" | wc -c)
    printf '%-28s' "$name"
    pass_of pegasos
    pass_of adaptive
    pass_of proximal --settle 0
    iteration_of_liblinear
    echo
done

cat <<END

Hinge loss, seconds to within 1 % of the optimum: solver proximal as it stops by itself (loading, training,
above the optimum), LIBLINEAR -s 3 at the largest tolerance 10, 1, 0.1, 0.01 that gets there in $limit s
END
printf '%-28s %-13s %-6s %8s %8s %8s %8s %9s %8s\n' data rule lambda load train above process liblinear above
paper_sets | while read -r name rule lambda; do
    file=$(two_classes "$name" "$rule") || continue
    optimum=$(optimum "$name" "$rule" "$lambda" "$file")
    theirs=$(loosest 1 liblinear 10 1 0.1 0.01)
    ours=$(seconds_of "$train" -q -j 1 -s proximal -l "$lambda" --report "$temporary/report" "$file" \
        "$temporary/model")
    printf '%-28s %-13s %-6s %8.3f %8.3f %7.2f%% %8.3f %9s %8s\n' "$name" "$rule" "$lambda" \
        "$(reported load_seconds)" "$(reported train_seconds)" "$(above "$(reported objective)" "$optimum")" \
        "$ours" "${theirs%% *}" "${theirs##* }"
done
