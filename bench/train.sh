#!/bin/sh
# train.sh TRAIN - the online solvers' passes beside LIBLINEAR's outer iterations, and seconds to 1 %
# of the optimum by the default stop of each.
#
# A pass, or iteration, is timed by difference: a long run less a short one, over the passes between
# them, so that loading does not count. LIBLINEAR's dual coordinate descent (-s 3) shrinks, so that its
# iterations go through ever fewer rows: its first few are taken. Whole processes, one thread, the
# fastest of RUNS runs. The table of passes goes to docs/speed.md (page.sh).
set -eu

train=$1
runs=${RUNS:-5}
limit=${LIMIT:-30}
# shellcheck source=bench/sets.sh
. "$(dirname "$0")/sets.sh"
need_sets bench-train liblinear-train hyperfine
# shellcheck source=bench/page.sh
. "$(dirname "$0")/page.sh"

# Nanoseconds a nonzero; "-" where the long run hardly takes longer, so that the difference is the clock's.
print_iteration() { # SHORT LONG ITERATIONS
    awk -v short="$1" -v long="$2" -v iterations="$3" -v nonzeros="$nonzeros" 'BEGIN {
        if (long < 1.1 * short) printf " - |"
        else printf " %.1f |", 1e9 * (long - short) / iterations / nonzeros }'
}

pass_of() { # SOLVER OPTION...
    short=$(seconds_of "$train" -q -j 1 -l 1e-4 -p 1 -s "$@" "$file" "$temporary/model")
    long=$(seconds_of "$train" -q -j 1 -l 1e-4 -p 41 -s "$@" "$file" "$temporary/model")
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

table() {
    # shellcheck disable=SC2016 # solvers are no commands
    echo '| data | `pegasos` | `asset` | `proximal --metric none` | `proximal --metric dual` | LIBLINEAR `-s 3` |'
    echo '| --- | --- | --- | --- | --- | --- |'
    paper_sets | sort -u -k 1,1 | while read -r name rule _; do
        file=$(two_classes "$name" "$rule") || continue
        nonzeros=$(tr -cd : <"$file" | wc -c)
        await_idle
        printf '| %s |' "$name"
        pass_of pegasos
        pass_of asset
        pass_of proximal --metric none --settle 0
        pass_of proximal --metric dual --settle 0
        iteration_of_liblinear
        echo
    done
}
table >"$temporary/rows"
write_table passes liblinear-tools <"$temporary/rows"

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
