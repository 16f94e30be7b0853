#!/bin/bash
# mpi.sh BIN - train-mpi: the same objective and bound as one process, for shares of rows, queries and sequences and
# for empty ones; the same file twice; errors with their place in the file; signals, and a process that is killed.
set -u
# shellcheck source=tests/outside.sh
. "$(dirname "$0")/../outside.sh"
has_tools 'several processes' mpirun || exit 77
[ -x "$bin/train-mpi" ] || { echo 'skipped: several processes (train-mpi was not built: no mpicc)'; exit 77; }
export OMP_NUM_THREADS=1 OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
export OMPI_MCA_mpi_yield_when_idle=1            # more processes than processors, perhaps
export OMPI_MCA_pml=ob1 OMPI_MCA_btl=self,vader # memory alone; MPI need not look for networks
export OMPI_MCA_odls_base_sigkill_timeout=0     # no second's wait after an error
export RES_OPTIONS=attempts:0                    # where /etc/hosts lacks localhost, ask no name server
export HWLOC_HIDE_ERRORS=2                      # in a container that does not show its processors
export HWLOC_PLUGINS_PATH=/nowhere               # nor looks mpirun for graphics cards

mpi() { # PROCESSES ARGUMENTS...
    local processes=$1
    shift
    timeout 100 mpirun -q --oversubscribe -n "$processes" "$bin/train-mpi" "$@" >out 2>err </dev/null
    local status=$?
    sed -i '/^\[warn\] Epoll /d' err # mpirun's own, now and then, when processes end
    return $status
}

numbers() { # MODEL: J and its bound
    sed -n 's/^objective //p; s/^bound //p' "$1" | tr '\n' ' '
}

# agrees PROCESSES ARGUMENTS...: with one process, to 1e-10 of J.
agrees() {
    local processes=$1
    shift
    mpi "$processes" -q "$@" several || fail "train-mpi $*: $(<err)"
    [ "$1" != --gather ] || shift 2 # train has none
    status 0 -q "$@" one || return
    echo "$(numbers one) $(numbers several)" | awk '
        function far(a, b) { return a > b + 1e-10 * scale || b > a + 1e-10 * scale }
        NF != 4 { exit 1 }
        { scale = $1; exit far($1, $3) || far($2, $4) }' ||
        fail "$processes processes: $(numbers several), not $(numbers one): $*"
}

# ---- data: queries of many lengths, with comments and an empty line between; five rows
awk 'BEGIN {
    for (q = 1; q <= 40; q++) {
        print "# query " q (q == 20 ? "\n" : "")
        for (i = 0; i < q % 9 + 1; i++) {
            seed = (seed * 16807 + q) % 2147483647
            x = seed % 1000 / 500 - 1
            seed = (seed * 16807 + i) % 2147483647
            z = seed % 1000 / 500 - 1
            print (x + z > .5) + (x > 0), "qid:" q, "1:" x, "2:" z, "3:" x * z
        }
    }
}' >queries
head -n 5 "$data/blobs.train" >five
"$bin/conll" encode --template "$data/chunking.template" --names names "$data/chunks.train" 2>&1 >words.all |
    grep -v sentences
head -n 400 words.all >words

# ---- the same answer
agrees 2 -s proximal-bundle -l 1e-3 -e 1e-11 "$data/blobs.train"
agrees 3 -s bundle -L logistic -B 1 -c .01 -w 1=2 -e 1e-11 "$data/blobs.train"
agrees 2 -s lbfgs -L softmax -l 1e-2 -e 1e-11 "$data/three.train"
agrees 2 -s agm1 -L logistic -l 1e-2 -e 1e-11 "$data/blobs.train"
agrees 3 -s agm -L squared -l 1e-2 -e 1e-11 "$data/line.train"
agrees 2 -s bundle-ls -L squared-hinge -l 1 -e 1e-11 "$data/blobs.train"
awk '!seen[$1]++' five >two
agrees 4 -s bundle -l .1 -e 1e-11 two # two have no row
printf '3 1:1\n1 2:1\n2 1:-1\n' >three
agrees 4 -s bundle -L softmax -l .1 three # one has none
agrees 3 -s bundle -L pairwise -l .1 -e 1e-11 queries
agrees 2 -s bundle -L ndcg -l .1 -e 1e-11 queries
agrees 3 -s ipm --intercept -l 1e-3 "$data/blobs.train"
agrees 4 -s ipm -L huber -l 1e-2 -r l1 -e 1e-6 five
agrees 2 -s ipm -L logistic -l 1e-3 "$data/blobs.train"
agrees 3 -s ipm --path 3,1,1e-2 "$data/blobs.train"
agrees 2 -s ipm -L logistic --path 3,1,1e-2 "$data/blobs.train"
agrees 2 -s ocas --path 2,1,1e-1 --intercept -e 1e-11 "$data/blobs.train"
agrees 2 -s ipm --kernel linear -c .01 -e 1e-11 "$data/blobs.train"
agrees 2 --kernel linear -c .01 -e 1e-11 "$data/blobs.train"
agrees 2 -s mcpa -l 1e-2 -e 1e-11 "$data/blobs.train"
agrees 2 --gather 0 -s dcd -l 1e-1 -B 1 -e 1e-11 "$data/blobs.train"
agrees 3 --gather 0 -s dcd -l 1e-2 -e 1e-11 "$data/blobs.train" # conjugate gradients, whose gap is summed
agrees 2 -s ocas -l 1e-2 --map nystrom --landmarks 20 --seeding rpcholesky -e 1e-11 "$data/blobs.train"
agrees 2 -s lps -L logistic -r l1 -l 1e-2 -e 1e-11 "$data/blobs.train"
agrees 2 -s lbfgs -L crf -l 10 -e 1e-11 words
agrees 2 -s lbfgs -L logistic -l 1e-2 --intercept -e 1e-11 "$data/blobs.train"
agrees 2 -s bundle -l 1e-2 --intercept -e 1e-11 "$data/blobs.train"
# Shares of two processes that are not equal, and then that are, as they are above for other solvers; each process more
# takes a fifth of a second.
head -n 61 "$data/line.train" >numbers
head -n 61 "$data/blobs.train" >classes
agrees 2 -s ipm -L absolute -l 1e-2 numbers
agrees 2 -s bundle-ls -l 1 -e 1e-11 classes
agrees 2 -s bundle-ls -l 1 -p 200 -e 1e-11 --intercept classes # the same steps, to the limit
agrees 2 -s agm -l 1 -e 1e-11 classes
agrees 2 -s agm -L absolute -l 1 -e 1e-11 numbers
agrees 2 -s agm -L epsilon -l 1 -e 1e-11 numbers
head -n 60 "$data/line.train" >numbers
agrees 2 -s agm -L absolute -l 1 -e 1e-11 numbers
sed -n '1,600p' "$data/blobs.train" | awk '{ print NR % 3 }' >weights
head -n 600 "$data/blobs.train" >rows
agrees 3 -s bundle -L logistic --weights weights -l .01 -e 1e-11 rows

cp several first
mpi 3 -q -s bundle -L logistic --weights weights -l .01 -e 1e-11 rows several || fail "$(<err)"
cmp -s first several || fail 'two runs of three processes wrote different models'

# ipm: two sums an iteration, and one for each centrality corrector, of which there are at most six.
for most in 0 1 6; do
    mpi 2 -q -s ipm --correctors "$most" -l 1e-3 --report report "$data/blobs.train" several || fail "$(<err)"
    awk -v most="$most" '
        /^  "(rounds|iterations)"/ { count[$1] = $2 + 0 }
        END { exit !(count["\"rounds\":"] <= (2 + most) * count["\"iterations\":"] + 2) }' report ||
        fail "more sums than ipm needs: $(grep -E '^  "(rounds|iterations)"' report)"
done

# dcd on wide text (words that are I-NP): its sums of n numbers. Without shared rows they are 71 and 220; without
# conjugate gradients the second run makes 137.
awk '{ $1 = $1 == 2 ? 1 : -1; sub(/ qid:[0-9]*/, ""); print }' words.all >wide
while read -r processes tolerance most; do
    mpi "$processes" -q --gather 0 -s dcd -l 1e-2 -e "$tolerance" --report report wide several || fail "$(<err)"
    awk -v most="$most" '/^  "rounds"/ { rounds = $2 + 0 } END { exit !(rounds > 0 && rounds <= most) }' report ||
        fail "$processes processes, -e $tolerance: more than $most sums: $(grep '"rounds"' report)"
    has '"gathered_bytes": 0' report
done <<'END'
2 1e-4 35
3 1e-6 115
END

# gathered PROCESSES ARGUMENTS...: the model of one process, to the byte, and no sums of n numbers.
gathered() {
    local processes=$1
    shift
    status 0 -q "$@" one || return
    mpi "$processes" -q --report report "$@" several || fail "train-mpi $*: $(<err)"
    cmp -s one several || fail "gathered in $processes processes: another model: $*"
    grep -q "\"processes\": $processes" report && grep -q '"rounds": 0' report &&
        grep -q '"gathered_bytes": [1-9]' report || fail "not gathered: $*"
}
gathered 2 -s dcd -l 1e-2 wide
gathered 3 -s dcd -c 1 -B 1 -w 1=2 "$data/blobs.train"
gathered 4 -s dcd -l .1 --weights weights rows
gathered 4 -s dcd -l .1 two
gathered 3 -s dcd --path 3,1,1e-2 "$data/three.train"

# Several files, a list of them, and one that is packed.
split -n l/3 "$data/blobs.train" part.
gzip part.ab
gzip -c "$data/blobs.train" >whole.gz
printf 'part.aa\npart.ab.gz\n\npart.ac\n' >list
"$train" -q -s ipm -l 1e-3 "$data/blobs.train" one
for files in 'part.aa part.ab.gz part.ac' @list whole.gz; do
    # shellcheck disable=SC2086 # several words
    mpi 2 -q -s ipm -l 1e-3 $files several || fail "$(<err)"
    [ "$(numbers one | cut -c 1-14)" = "$(numbers several | cut -c 1-14)" ] || fail "$files: $(numbers several)"
done

# Without -s a solver that can, and one line of process 0.
mpi 2 -L logistic --report report "$data/blobs.train" several || fail "$(<err)"
[ "$(cat out err | wc -l)" -eq 1 ] || fail "not one line: $(cat out err)"
has '^solver ipm' out
has '"rows": 1000' report
has '"processes": 2' report
has '"gathered_bytes": 0' report # which is for dcd

# The data of all processes, and the solver that these would have.
mpi 3 --dry-run -L ndcg queries none || fail "$(<err)"
has '^examples 194, features 3, nonzeros 582 (100%), groups 40$' out
has '^solver proximal-bundle: ' out
has '^this is process 0; the largest process takes about [0-9.]* MB$' out
mpi 2 --dry-run --gather 0 -s dcd wide none || fail "$(<err)"
has '^this is process 0; the largest process takes about ' out
mpi 2 --dry-run -s dcd wide none || fail "$(<err)"
has '^process 0 trains with the rows of all (--gather)$' out
has_not 'the largest process' out

# ---- errors: once, and with their place in the file
# wrong PROCESSES MESSAGE ARGUMENTS...: no model is written.
wrong() {
    local processes=$1 message=$2
    shift 2
    rm -f none
    mpi "$processes" "$@" none && fail "no error: $*"
    [ "$(<out)$(<err)" = "$message" ] || fail "'$(cat out err)', not '$message': $*"
    [ ! -e none ] || fail "a model in spite of an error: $*"
}
for line in 2 999; do
    sed "${line}s/:/;/" "$data/blobs.train" >bad
    "$train" bad none >out 2>err
    wrong 3 "$(<err)" bad
done
printf '1 1:1\n\357\273\277-1 1:2\n1 2:1\n-1 2:3\n' >bad # a byte order mark where a part begins
"$train" bad none >out 2>err
wrong 7 "$(<err)" bad
sed 's/qid:40/qid:3/' queries >bad
"$train" -L pairwise bad none >out 2>err
wrong 2 "$(<err)" -L pairwise bad
sed 's/qid:40 //' queries >bad
"$train" -L pairwise bad none >out 2>err
wrong 2 "$(<err)" -L pairwise bad
sed 's/^[0-9]* qid:40/99 qid:40/' queries >bad
"$train" -L ndcg bad none >out 2>err
wrong 2 "$(<err)" -L ndcg bad
printf '2 qid:0 1:1\n1 qid:0 2:1\n2 qid:1 1:1\n' >one.part # qid 0, which no file before has
printf '2 qid:2 1:1\n1 qid:2 2:1\n1 qid:1 2:1\n' >two.part
wrong 2 'two.part:3:3: qid 1 comes back after another one: its lines must be together' -L pairwise one.part two.part
printf '1 1:1\n' >two.part
wrong 2 'two.part:1:1: no qid in this line, but in the lines before it' -L pairwise one.part two.part
"$train" --dry-run -L ndcg queries none >out
awk -v rows="$(sed -n 's/^examples \([0-9]*\),.*/\1/p' out)" 'BEGIN { # they differ in the first group and the last one
    for (i = 1; i <= rows; i++) print 1 + (i == 2 || i == rows)
}' >weights
"$train" -L ndcg --weights weights queries none >out 2>err
wrong 3 "$(sed 's/^train:/train-mpi:/' err)" -L ndcg --weights weights queries
for solver in proximal smo; do # the solver is at fault, not the pairs of labels that smo trains
    mpi 2 -s $solver five none && fail "$solver over processes"
    has "solver $solver needs all examples in one process; these can: ipm, " err
    [ "$(wc -l <err)" -eq 1 ] || fail "more than a line: $(<err)"
done
mpi 2 -s dcd --intercept "$data/blobs.train" none && fail 'dcd with an offset over processes'
has 'solver dcd has no unregularized offset (--intercept; -B 1 adds a regularized one); these can: ipm, ' err
wrong 2 'train-mpi: constants do nothing where scores are compared with each other: no -B, no --intercept' \
    -L pairwise --intercept queries
head -n 2 five >one.part
sed 's/:/;/' five >two.part
wrong 2 "$("$train" two.part none 2>&1)" one.part two.part
wrong 2 'nothing: No such file or directory' @nothing
cp list kept
mpi 2 @list list && fail 'a model in place of the list'
has '^train-mpi: list would be read and overwritten$' err
cmp -s list kept || fail 'the list is lost'
wrong 2 'train-mpi: a kernel without --map needs all examples in one process: start one, without mpirun' \
    --kernel gaussian five
wrong 2 'train-mpi: --kernel needs --map nystrom or fourier, or -s smo, pdsg or mpd' -s ipm --kernel gaussian five
wrong 2 'train-mpi: -k is for online solvers, and these need all examples in one process: start one, without mpirun, or leave -k out' \
    -k 5 five
printf '\n# data\nnothing\n' >lacking
wrong 2 'lacking: nothing: No such file or directory' @lacking
wrong 1 'train-mpi: @list: a list of files is for two processes or more' @list
wrong 2 'train-mpi: -L nu-hinge needs all examples in one process: start one, without mpirun' -L nu-hinge five

for option in --search '-C -s 2'; do # the second is LIBLINEAR's
    # shellcheck disable=SC2086 # several words
    mpi 2 $option five none && fail "$option over processes"
    has '^train-mpi: --search needs all examples in one process: start one, without mpirun$' err
done

# ---- signals: SIGTERM to mpirun ends with the weights reached; no model when a process is killed
for _ in {1..30}; do cat "$data/blobs.train"; done >copies
long() { # SOLVER: in the background, until the trace has begun
    rm -f trace none
    mpirun -q --oversubscribe -n 2 "$bin/train-mpi" -s "$1" -l 1e-10 -e 1e-14 -p 1e9 -t 60 --trace trace \
        copies none >out 2>err </dev/null &
    launcher=$!
    await_trace 3
}
for solver in bundle-ls dcd; do # dcd: process 0 trains, the other waits
    export OMPI_MCA_odls_base_sigkill_timeout=1 # the default: time for a model
    long $solver
    kill -TERM $launcher
    wait $launcher
    has '^status interrupted' none
    has 'a signal came' err
    OMPI_MCA_odls_base_sigkill_timeout=0 long $solver # at SIGUSR1 mpirun kills no process
    kill -USR1 $launcher
    wait $launcher
    has '^status interrupted' none
    has 'a signal came' err
    long $solver
    began=$(date +%s)
    # cat skips processes that ended since; awk would stop there. The last process is not process 0.
    last=$(cat /proc/[0-9]*/stat 2>/dev/null | awk -v parent=$launcher '$4 == parent { print $1 }' | sort -n | tail -n 1)
    kill -KILL "$last"
    wait $launcher && fail 'a killed process does not matter'
    [ $(($(date +%s) - began)) -le 10 ] || fail 'the others went on'
    [ ! -e none ] || fail 'a model in spite of a killed process'
done
exit $failures
