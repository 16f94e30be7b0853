#!/bin/bash
# figures.sh TRAIN PICTURE - docs/gap.svg: how far above the optimum a program ends, against its user CPU seconds.
# Each program runs at a row of tolerances, on one thread; a point is one tolerance, the fastest of RUNS runs. The
# seconds are those of the whole process, with reading the data. LIMIT is the CPU seconds that a run may take.
set -eu

train=$1
picture=$2
runs=${RUNS:-3}
limit=${LIMIT:-10}
CLOCK=user # for sets.sh
# shellcheck source=bench/sets.sh
. "$(dirname "$0")/sets.sh"
need_sets figures liblinear-train svmocas
# shellcheck source=bench/page.sh
. "$(dirname "$0")/page.sh"

sets() { # name, rule of the labels, lambda, the solver that finds the optimum, words
    cat <<'END'
a9a binary 1e-4 ipm 123 features
reuters21578.acq binary 1e-4 agm 24,691 features
END
}

ours() { # OPTION...
    seconds=$(seconds_of "$train" -q -j 1 -l "$lambda" --report "$temporary/report" "$@" "$file" "$temporary/model")
    objective=$(reported objective)
}

theirs() { # liblinear|svmocas COMMAND WORD...
    peer=$1
    shift
    seconds=$(seconds_of "$@" -c "$(cost_of "$lambda" "$file")" "$file" "$temporary/model")
    objective=$("${peer}_objective" "$lambda" "$file" "$temporary/model")
}

# A row of the table: the set, the series, seconds, J/optimum - 1. Nothing for a run that was stopped.
point() { # SERIES
    case $seconds in
    [0-9]*) awk -v set="$title" -v series="$1" -v seconds="$seconds" -v j="$objective" -v optimum="$optimum" \
        'BEGIN { printf "%s\t%s\t%.3f\t%.3e\n", set, series, seconds, j / optimum - 1 }' ;;
    esac
}

points() {
    for epsilon in 0.1 0.01 1e-3 1e-4 1e-5 1e-6 1e-7 1e-8; do
        ours -e "$epsilon" && point 'train'
    done
    for epsilon in 0.1 0.01 1e-3 1e-4 1e-5 1e-6; do
        ours -s agm -e "$epsilon" && point 'train -s agm'
    done
    for passes in 1 2 4 8 16 32 64; do
        ours -s proximal -p "$passes" && point 'train -s proximal -p N'
    done
    for epsilon in 10 1 0.1 0.01 1e-3 1e-4 1e-5; do
        theirs liblinear liblinear-train -s 3 -e "$epsilon" && point 'LIBLINEAR -s 3'
        ! grep -q 'max number of iterations' "$temporary/output" || break
    done
    for epsilon in 0.1 0.01 1e-3 1e-4 1e-5; do
        theirs svmocas svmocas -r "$epsilon" && point 'svmocas'
    done
}

sets | while read -r name rule lambda exact width; do
    file=$(two_classes "$name" "$rule") || continue
    await_idle
    title="$name, $(wc -l <"$file") examples, $width, lambda $lambda"
    "$train" -q -s "$exact" -j 1 -l "$lambda" -e 1e-9 --report "$temporary/report" "$file" "$temporary/model"
    optimum=$(reported objective)
    points
done | tee "$temporary/points"
awk -f "$(dirname "$0")/figure.awk" "$temporary/points" >"$picture.new"
mv "$picture.new" "$picture"
