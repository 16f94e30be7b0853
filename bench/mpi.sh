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
# shellcheck source=bench/page.sh
. "$(dirname "$0")/page.sh"
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
    await_idle
    [ "$processes" -eq 1 ] || program=(mpirun -q --oversubscribe -n "$processes" "$train-mpi")
    OMP_NUM_THREADS=$threads "${program[@]}" -q --report "$temporary/report" "$@" "$temporary/model" </dev/null ||
        { echo "$name: failed"; return; }
    echo "$(value load_seconds) $(value train_seconds) $(value passes) $(value objective)" \
        "$(value rounds) $(value network_seconds) $(value network_bytes)" |
        awk -v name="$name" -v processes="$processes" -v threads="$threads" '{
            printf "%-42s %5d %5d %8.2f %8.2f %8.2f  %-10.6g", name, processes, threads, $1, $2, $3, $4
            if ($5 > 0) # all but the waiting and the network is computation
                printf " %6d %8.1f %8.2f %8.2f", $5, $7 / $5 / 1000, 1000 * ($2 - $6) / $5, 1000 * $6 / $5
            print ""
        }'
}

# Of a round, a sum over the processes: KB sent, ms of computation, and ms of waiting and the network.
printf '%-42s %5s %5s %8s %8s %8s  %-10s %6s %8s %8s %8s\n' 'set, solver' procs threads 'load s' 'train s' passes \
    objective rounds KB compute wait
while read -r set rule lambda solver gather times; do
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
    # its own method over processes, too: with the rows gathered in one it is that of train
    [ "$gather" = gathers ] && row "$set $solver --gather 0" 2 1 -s "$solver" -l "$lambda" --gather 0 "$file"
done <<'END'
covtype.libsvm.binary.scale binary 1e-6 ipm -
covtype.libsvm.binary.scale binary 1e-4 proximal-bundle - copies
mnist.scale le:4 1e-4 ocas -
mnist.scale le:4 1e-4 dcd gathers
news20 le:10 1e-4 dcd gathers
reuters21578.acq binary 1e-4 dcd gathers
END
