#!/bin/sh
# batch.sh TRAIN - seconds of the whole process to within 0.1 % of the optimum, hinge loss, one thread: the solvers
# that certify it, beside LIBLINEAR's dual coordinate descent and svmocas at the loosest tolerance of 1, 0.1, 0.01, ...
# that gets there, as a table of docs/speed.md. LIMIT is the seconds a process may take, RUNS how often short ones run.
set -eu

train=$1
runs=${RUNS:-3}
limit=${LIMIT:-20}
# shellcheck source=bench/sets.sh
. "$(dirname "$0")/sets.sh"
need_sets bench-batch liblinear-train svmocas hyperfine
# shellcheck source=bench/page.sh
. "$(dirname "$0")/page.sh"

ours() { # OPTION...
    seconds_of "$train" --strict -j 1 -l "$lambda" -e 1e-3 "$@" "$file" "$temporary/model"
}

table() {
    # shellcheck disable=SC2016 # solvers are no commands
    echo '| data | lambda | LIBLINEAR | svmocas | `dcd` | `ocas` | `mcpa` | `proximal-bundle` | `bundle` | `ipm` |' \
        'default | faster peer / default |'
    echo '| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |'
    {
        paper_sets
        echo 'reuters21578.acq binary 1e-7'
    } | while read -r name rule lambda; do
        file=$(two_classes "$name" "$rule") || continue
        await_idle
        optimum=$(optimum "$name" "$rule" "$lambda" "$file")
        liblinear=$(loosest 0.1 liblinear 1 0.1 0.01 1e-3 1e-4)
        svmocas=$(loosest 0.1 svmocas 0.1 0.01 1e-3)
        printf '| %s | %s | %s | %s |' "$(words_of "$name" "$rule")" "$lambda" "${liblinear%% *}" "${svmocas%% *}"
        for solver in dcd ocas mcpa proximal-bundle bundle ipm; do
            printf ' %s |' "$(ours -s $solver)"
        done
        default=$(ours)
        peer=$(printf '%s\n' "liblinear ${liblinear%% *}" "svmocas ${svmocas%% *}" | best_of)
        echo " $default | $(ratio "${peer% *}" "$default") |"
    done
}

table >"$temporary/rows"
write_table batch liblinear-tools libocas-tools <"$temporary/rows"
