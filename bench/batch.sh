#!/bin/sh
# batch.sh TRAIN - seconds of the whole process to within 0.1 % of the optimum, hinge loss: the solvers
# that certify it, beside LIBLINEAR's dual coordinate descent and svmocas at the loosest tolerance that
# gets there. LIMIT is the seconds a process may take, RUNS how often short ones run.
set -eu

train=$1
runs=${RUNS:-3}
limit=${LIMIT:-100}
# shellcheck source=bench/sets.sh
. "$(dirname "$0")/sets.sh"
need_sets bench-batch liblinear-train svmocas hyperfine

ours() { # OPTION...
    seconds_of "$train" --strict -l "$lambda" -e 1e-3 "$@" "$file" "$temporary/model"
}

cat <<END
Hinge loss, seconds of the whole process to within 0.1 % of the optimum, one thread (the last but one column:
two). Fastest of $runs runs, one if 3 s or more; >$limit: stopped after that; -: did not get there, or cannot
do it. The peers at the loosest tolerance (-e, -r) of 1, 0.1, 0.01, ... that gets there, above: per cent above
the optimum then. Ours certify 1e-3; default: without -s. ratio: our fastest over the faster peer, one thread.

END
printf '%-15s %-13s %-6s %9s %-5s %6s %9s %-5s %6s' data rule lambda liblinear -e above svmocas -r above
printf ' %9s' dcd ocas mcpa prox-bdl bundle ipm default '2 threads'
printf ' %-15s %6s\n' fastest ratio
paper_sets | while read -r name rule lambda; do
    file=$(two_classes "$name" "$rule") || continue
    optimum=$(optimum "$name" "$rule" "$lambda" "$file")
    liblinear=$(loosest 0.1 liblinear 1 0.1 0.01 1e-3 1e-4)
    svmocas=$(loosest 0.1 svmocas 0.1 0.01 1e-3)
    # shellcheck disable=SC2086 # three words each
    printf '%-15.15s %-13s %-6s %9s %-5s %6s %9s %-5s %6s' "$name" "$rule" "$lambda" $liblinear $svmocas
    : >"$temporary/ours"
    for solver in dcd ocas mcpa proximal-bundle bundle ipm; do
        seconds=$(ours -j 1 -s $solver)
        printf ' %9s' "$seconds"
        echo "$solver $seconds" >>"$temporary/ours"
    done
    printf ' %9s %9s' "$(ours -j 1)" "$(ours -j 2)"
    best=$(best_of <"$temporary/ours")
    peer=$(printf '%s\n' "liblinear ${liblinear%% *}" "svmocas ${svmocas%% *}" | best_of)
    printf ' %-15s %6s\n' "${best#* }" "$(ratio "${best% *}" "${peer% *}")"
done
