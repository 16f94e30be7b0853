#!/bin/sh
# default.sh TRAIN - the table behind the choice of a solver without -s (training/defaults/): seconds of training, one
# thread, until each solver certifies 1e-3. CLOCK=user: user CPU seconds of the whole process, reading included.
#
# The default goes first and may take LIMIT seconds; the others may take twice the best so far, at least
# 0.2 s, so that the slow ones only show that they are slow. LAMBDAS are the values of lambda; SETS are the names of the
# data whose rows are wanted, by default all.
set -eu

train=$1
runs=${RUNS:-3}
limit=${LIMIT:-20}
lambdas=${LAMBDAS:-1e-2 1e-3 1e-4 1e-5 1e-7}
# shellcheck source=bench/sets.sh
. "$(dirname "$0")/sets.sh"
need_sets bench-default
# shellcheck source=bench/page.sh
. "$(dirname "$0")/page.sh"
solvers='dcd ipm ocas mcpa proximal-bundle bundle agm lbfgs sdm sdca'

# The seconds of a run that certified the tolerance, into the file "seconds_of_run"; otherwise what train returns.
time_run() { # OPTION...
    times >"$temporary/begin"
    (
        ulimit -t "$processor_seconds"
        exec "$train" -q --strict -j 1 --report "$temporary/report" "$@" "$temporary/model" 2>/dev/null
    ) || return
    times >"$temporary/end"
    if [ "${CLOCK:-wall}" = user ]; then
        seconds_between "$temporary/begin" "$temporary/end" | awk '{ print ($1 > 0.001 ? $1 : 0.001) }'
    else
        printf '%.5f\n' "$(reported train_seconds)"
    fi >"$temporary/seconds_of_run"
}

# Seconds to the tolerance within ALLOWED, ">ALLOWED", or "-" when the solver cannot do it.
certified() { # ALLOWED OPTION...
    allowed=$1
    shift
    patience=$allowed
    processor_seconds=unlimited
    if [ "${CLOCK:-wall}" = user ]; then # -t counts seconds of the clock, of which a process has few beside others
        patience=$(awk -v t="$allowed" 'BEGIN { print 40 * t }')
        processor_seconds=$(awk -v t="$allowed" 'BEGIN { print int(t) + 1 }')
    fi
    best=
    for _ in $(seq "$runs"); do
        status=0
        time_run -t "$patience" "$@" || status=$?
        [ $status -ne 2 ] || best=-
        [ $status -eq 0 ] || break
        best=$(awk -v t="$(cat "$temporary/seconds_of_run")" -v best="$best" \
            'BEGIN { print best == "" || t < best ? t : best }')
        awk -v t="$best" 'BEGIN { exit !(t < 1) }' || break
    done
    echo "${best:->$allowed}"
}

# Whether more than one solver can do it: no usage error on an empty file.
is_choice() { # LOSS REGULARIZER
    able=0
    for solver in $solvers; do
        status=0
        "$train" -q -s "$solver" -L "$1" -r "$2" /dev/null "$temporary/model" 2>/dev/null || status=$?
        [ $status -eq 2 ] || able=$((able + 1))
    done
    [ $able -gt 1 ]
}

# A row: the default, then every solver, on $file at $lambda.
compare() { # NAME LOSS REGULARIZER
    set -- "$1" -L "$2" -r "$3" -l "$lambda" -e 1e-3 "$file"
    name=$1
    shift
    seconds=$(certified "$limit" "$@")
    chosen=$(sed -n 's/.*"options": {"solver": "\([^"]*\)".*/\1/p' "$temporary/report")
    echo "default $seconds" >"$temporary/seconds"
    for solver in $solvers; do
        allowed=$(best_of <"$temporary/seconds" | awk -v limit="$limit" '{
            t = $1 + 0 > 0 ? 2 * $1 : limit; print (t < 0.2 ? 0.2 : t > limit ? limit : t) }')
        echo "$solver $(certified "$allowed" -s "$solver" "$@")" >>"$temporary/seconds"
    done
    awk -v head="$(printf '%-17.17s %-14s %-11s %-6s' "$name" "$2" "$4" "$lambda")" -v solvers="$solvers" \
        -v chosen="$chosen" -v best="$(best_of <"$temporary/seconds")" '
        { seconds[$1] = $2 }
        END {
            t = seconds["default"]
            printf "%s %8s", head, t
            count = split(solvers, name, " ")
            for (i = 1; i <= count; i++) printf " %8s", seconds[name[i]]
            split(best, part, " ")
            best = part[1] + 0
            known = best > 0 && t + 0 > 0
            worse = best > 0 && (t ~ />/ || (t > 2 * best && t - best >= 0.02))
            printf " %-15s %-15s %s%s\n", part[2], chosen, known ? sprintf("%.2f", t / best) : t,
                worse ? " *" : ""
        }' "$temporary/seconds"
}

cat <<END
Seconds to a certified 1e-3, one thread, the fastest of $runs runs, one if 1 s or more. >T: not within T (the default
has $limit, the others twice the best so far); -: cannot do it. Chosen: the solver of the rules, before which dcd may go.
Last: the default's seconds over the fastest's, with a star where that is over 2 and 0.02 s or more. Without the losses
that only one solver can do.

END
printf '%-17s %-14s %-11s %-6s %8s' data loss regularizer lambda default
# shellcheck disable=SC2086 # the words
printf ' %8.8s' $solvers
printf ' %-15s %-15s %s\n' fastest chosen ratio

# The file of a row below: RULE is that of two_classes, "values" or "labels" for the labels as they are, or the shape
# KIND:ROWS:FEATURES:EACH of made-up data (shape.awk). With ",scaled" each feature comes to [-1, 1].
find_file() { # NAME RULE
    case $2 in
    *,scaled)
        "$(dirname "$train")/scale" "$(find_file "$1" "${2%,scaled}")" >"$temporary/scaled"
        echo "$temporary/scaled"
        ;;
    values | labels) plain_set "$1" ;;
    dense:* | sparse:* | classes:*)
        echo "$2" | tr : ' ' | {
            read -r kind rows features each
            awk -v kind="$kind" -v rows="$rows" -v features="$features" -v each="$each" \
                -f "$(dirname "$0")/shape.awk" >"$temporary/shape"
        }
        echo "$temporary/shape"
        ;;
    *) two_classes "$1" "$2" ;;
    esac
}

while read -r name rule losses regularizers; do
    case " ${SETS:-$name} " in *" $name "*) ;; *) continue ;; esac
    file=$(find_file "$name" "$rule") || continue
    for loss in $(echo "$losses" | tr , ' '); do
        for regularizer in $(echo "$regularizers" | tr , ' '); do
            is_choice "$loss" "$regularizer" || continue
            for lambda in $lambdas; do
                await_idle
                compare "$name" "$loss" "$regularizer"
            done
        done
    done
done <<'END'
heart_scale binary hinge,squared-hinge,logistic l2,elastic-net
german.numer_scale binary hinge l2
glass.binary binary hinge l2
ionosphere binary hinge l2
arrhythmia.binary binary hinge,squared-hinge,logistic l2
arrhythmia.binary binary,scaled hinge,squared-hinge,logistic l2
spambase binary hinge,squared-hinge,logistic l2
spambase binary,scaled hinge,squared-hinge,logistic l2
page-blocks.binary binary hinge,squared-hinge,logistic l2
a9a binary hinge,squared-hinge,logistic l2,elastic-net,entropy
a9a binary absolute,epsilon,squared,huber l2
w8a binary hinge,squared-hinge,logistic l2
ijcnn1.tr binary hinge,squared-hinge,logistic,epsilon l2
connect-4 one-vs-rest:1 hinge l2
covtype.libsvm.binary.scale binary hinge l2
usps one-vs-rest:8 hinge,squared-hinge,logistic l2,elastic-net
usps one-vs-rest:1 hinge,squared-hinge,logistic l2
usps labels hinge l2
dna.scale one-vs-rest:3 hinge,squared-hinge,logistic l2
dna.scale labels hinge l2
mnist.scale one-vs-rest:8 hinge,squared-hinge,logistic l2
reuters21578.acq binary hinge,squared-hinge,logistic l2,elastic-net
reuters21578.acq binary absolute,epsilon,squared,huber l2
news20 one-vs-rest:1 hinge,logistic l2
colon-cancer binary hinge,squared-hinge,logistic l2
housing_scale values squared,absolute,epsilon,huber,quantile l2
abalone values squared,absolute,epsilon,huber,quantile l2
cpusmall values squared,absolute,epsilon,huber,quantile l2
mpg values squared,absolute,epsilon,huber,quantile l2
dna.scale labels crammer-singer,softmax l2
usps labels crammer-singer,softmax l2
connect-4 labels crammer-singer,softmax l2
news20 labels crammer-singer,softmax l2
few-features dense:100000:20:0 hinge,logistic l2
dense-500 dense:2000:500:0 hinge,logistic,epsilon l2
dense-wide dense:1000:1500:0 hinge,logistic l2
narrow-text sparse:50000:3000:30 hinge,logistic l2
text sparse:20000:20000:50 hinge,logistic l2
wide-text sparse:50000:500000:60 hinge l2
26-classes classes:15000:16:26 crammer-singer,softmax l2
END

echo
conditions
