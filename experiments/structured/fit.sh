# fit.sh - sourced: a run of training on OUT/NAME.train and its measures on OUT/NAME.test, unless they are there;
# numbers of its report. The script that sources it sets $root, $out and $limit.
# shellcheck shell=bash disable=SC2154

number() { # FILE NAME
    sed -n "s/^ *\"$2\": \([^,]*\),*$/\1/p" "$1"
}

# Leaves OUT/RUN.report and OUT/RUN.measures. PREDICT: options of predict, one word; "": none.
fit() { # NAME RUN PREDICT OPTION...
    local data=$out/$1 run=$out/$2 predict=$3
    shift 3
    [ -f "$run.measures" ] && return
    "$root/train" -q -j 1 -t "$limit" --report "$run.report" "$@" "$data.train" "$run.model" 2>/dev/null
    "$root/predict" ${predict:+"$predict"} "$data.test" "$run.model" "$run.predicted" >"$run.measures.part" 2>/dev/null
    rm "$run.model" "$run.predicted"
    mv "$run.measures.part" "$run.measures"
}

# A row of the tables: lambda, solver, two measures of the run, and what its report says.
row() { # RUN LAMBDA SOLVER MEASURE MEASURE
    local report=$out/$1.report
    printf '%-8s %-16s %8s %9s %9.4f %9.2g %8.1f %8.1f\n' "${@:2}" "$(number "$report" objective)" \
        "$(number "$report" gap)" "$(number "$report" passes)" "$(number "$report" train_seconds)"
}
