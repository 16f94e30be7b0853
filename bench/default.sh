#!/bin/sh
# default.sh TRAIN - the table behind the choice of a solver without -s (cli/default_solver.c): seconds of
# training, one thread, until each solver certifies 1e-3.
#
# The default goes first and may take LIMIT seconds; the others may take twice the best so far, at least
# 0.2 s, so that the slow ones only show that they are slow.
set -eu

train=$1
runs=${RUNS:-3}
limit=${LIMIT:-20}
# shellcheck source=bench/sets.sh
. "$(dirname "$0")/sets.sh"
need_sets bench-default
solvers='ipm ocas mcpa proximal-bundle bundle bundle-ls'

# Seconds to the tolerance within ALLOWED, ">ALLOWED", or "-" when the solver cannot do it.
certified() { # ALLOWED OPTION...
    allowed=$1
    shift
    status=0
    timeout "$((${allowed%.*} * 2 + 30))" "$train" -q --strict -j 1 -t "$allowed" --report "$temporary/report" \
        "$@" "$temporary/model" 2>/dev/null || status=$?
    case $status in
    0)
        printf '%.4f\n' "$(reported train_seconds)" | grep -v '^0' || training_seconds -j 1 "$@"
        ;;
    2) echo - ;;
    *) echo ">$allowed" ;;
    esac
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

# A row: every solver on $file at $lambda.
compare() { # NAME LOSS REGULARIZER
    set -- "$1" -L "$2" -r "$3" -l "$lambda" -e 1e-3 "$file"
    name=$1
    shift
    seconds=$(certified "$limit" "$@")
    default=$(sed -n 's/.*"options": {"solver": "\([^"]*\)".*/\1/p' "$temporary/report")
    echo "$default $seconds" >"$temporary/seconds"
    for solver in $solvers; do
        [ "$solver" != "$default" ] || continue
        allowed=$(best_of <"$temporary/seconds" | awk -v limit="$limit" '{
            t = $1 + 0 > 0 ? 2 * $1 : limit; print (t < 0.2 ? 0.2 : t > limit ? limit : t) }')
        echo "$solver $(certified "$allowed" -s "$solver" "$@")" >>"$temporary/seconds"
    done
    awk -v head="$(printf '%-17.17s %-13s %-11s %-6s' "$name" "$2" "$4" "$lambda")" -v solvers="$solvers" \
        -v best="$(best_of <"$temporary/seconds")" '
        { seconds[$1] = $2 }
        NR == 1 { default_solver = $1 }
        END {
            printf "%s", head
            count = split(solvers, name, " ")
            for (i = 1; i <= count; i++) printf " %8s", seconds[name[i]]
            split(best, part, " ")
            t = seconds[default_solver]
            best = part[1] + 0
            known = best > 0 && t + 0 > 0
            worse = best > 0 && (t ~ />/ || (t > 1.5 * best && t - best >= 0.05))
            printf " %-15s %-15s %s%s\n", part[2], default_solver, known ? sprintf("%.2f", t / best) : t,
                worse ? " *" : ""
        }' "$temporary/seconds"
}

cat <<END
Seconds of training to a certified 1e-3, one thread, the fastest of $runs runs, one if 1 s or more. >T: not
within T (the default has $limit, the others twice the best so far); -: cannot do it. Last: the default's seconds
over the fastest's, with a star where that is over 1.5 and 0.05 s or more. Without the losses and regularizers
that only one solver can do.

END
printf '%-17s %-13s %-11s %-6s' data loss regularizer lambda
# shellcheck disable=SC2086 # the words
printf ' %8.8s' $solvers
printf ' %-15s %-15s %s\n' fastest default ratio
while read -r name rule losses; do
    if [ "$rule" = values ]; then
        file=$(plain_set "$name") || continue
    else
        file=$(two_classes "$name" "$rule") || continue
    fi
    for loss in $(echo "$losses" | tr , ' '); do
        for regularizer in l2 elastic-net entropy; do
            is_choice "$loss" $regularizer || continue
            for lambda in 1e-2 1e-4 1e-7; do
                compare "$name" "$loss" $regularizer
            done
        done
    done
done <<'END'
heart_scale binary hinge,squared-hinge,logistic
a9a binary hinge,squared-hinge,logistic
usps one-vs-rest:8 hinge,squared-hinge,logistic
mnist.scale one-vs-rest:8 hinge,logistic
reuters21578.acq binary hinge,squared-hinge,logistic
colon-cancer binary hinge,squared-hinge,logistic
housing_scale values squared,absolute,epsilon,huber,quantile
abalone values squared,absolute,epsilon,huber,quantile
cpusmall values squared,absolute,epsilon,huber,quantile
mpg values squared,absolute,epsilon,huber,quantile
END
