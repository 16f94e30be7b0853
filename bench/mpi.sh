#!/bin/bash
# mpi.sh TRAIN - train-mpi beside TRAIN: one process with one and two threads, two processes of one thread. Seconds by
# the clock, as waiting counts. MPI_ROWS: so many rows of each set (20000); 0: all. MPI_COPIES: the file of the second
# row repeats covtype so many times (1; 29 are 2 GB). RRM_DATASETS: the folder with sets.
set -u
train=$(realpath "$1")
[ $# -eq 1 ] || exit 2
export OMP_WAIT_POLICY=passive
# shellcheck source=bench/sets.sh
. "$(dirname "$0")/sets.sh"
need_sets bench-mpi mpirun
rows=${MPI_ROWS:-20000}
copies=${MPI_COPIES:-1}
[ "$(id -u)" -ne 0 ] || export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1

# value KEY: of the report
value() {
    sed -n "s/^  \"$1\": \\([^,]*\\),*\$/\\1/p" "$temporary/report"
}

# row NAME PROCESSES THREADS ARGUMENTS...
row() {
    local name=$1 processes=$2 threads=$3 program=("$train")
    shift 3
    [ "$processes" -eq 1 ] || program=(mpirun -q --oversubscribe -n "$processes" "$train-mpi")
    OMP_NUM_THREADS=$threads "${program[@]}" -q --report "$temporary/report" "$@" "$temporary/model" </dev/null ||
        { echo "$name: failed"; return; }
    printf '%-42s %5d %5d %8.2f %8.2f %8.2f %8.2f %7d %9.1f  %.6g\n' "$name" "$processes" "$threads" \
        "$(value load_seconds)" "$(value train_seconds)" "$(value network_seconds | grep . || echo 0)" \
        "$(value passes)" "$(value rounds | grep . || echo 0)" \
        "$(echo "$(value network_bytes) $(value rounds)" | awk '{ print ($2 > 0 ? $1 / $2 / 1000 : 0) }')" \
        "$(value objective)"
}

printf '%-42s %5s %5s %8s %8s %8s %8s %7s %9s  %s\n' 'set, solver' procs threads 'load s' 'train s' 'net s' passes \
    rounds 'KB/round' objective
while read -r set rule lambda solver times; do
    file=$(two_classes "$set" "$rule") || { echo "$set: not there"; continue; }
    if [ "$rows" -gt 0 ]; then
        head -n "$rows" "$file" >"$temporary/rows"
        file=$temporary/rows
    fi
    if [ -n "$times" ] && [ "$copies" -gt 1 ]; then
        for _ in $(seq "$copies"); do cat "$file"; done >"$temporary/copies"
        file=$temporary/copies
        set="$set x $copies"
    fi
    for run in '1 1' '1 2' '2 1'; do
        # shellcheck disable=SC2086 # two words
        row "$set $solver" $run -s "$solver" -l "$lambda" "$file"
    done
done <<'END'
covtype.libsvm.binary.scale binary 1e-6 ipm
covtype.libsvm.binary.scale binary 1e-4 proximal-bundle copies
mnist.scale le:4 1e-4 ocas
mnist.scale le:4 1e-4 dcd
news20 le:10 1e-4 dcd
reuters21578.acq binary 1e-4 dcd
END
