#!/bin/sh
# ocas.sh TRAIN - ocas and mcpa beside svmocas: the same data, C, relative tolerance and thread.
#
# Both stop when the objective and their certified bound differ by the tolerance, relatively.
# LIMIT is the seconds a process may take, RUNS how often short ones run.
set -eu

train=$1
runs=${RUNS:-5}
limit=${LIMIT:-60}
# shellcheck source=bench/sets.sh
. "$(dirname "$0")/sets.sh"
need_sets bench-ocas svmocas hyperfine
# shellcheck source=bench/page.sh
. "$(dirname "$0")/page.sh"

sets() { # the paper's, then the rest at two lambdas
    paper_sets
    for lambda in 1e-4 1e-6; do
        for set in usps:8 dna.scale:3 german.numer_scale heart_scale ionosphere arrhythmia.binary \
            colon-cancer glass.binary spambase page-blocks.binary; do
            case $set in
            *:*) echo "${set%:*} one-vs-rest:${set#*:} $lambda" ;;
            *) echo "$set binary $lambda" ;;
            esac
        done
    done
}

ours() { # SOLVER OPTION...: seconds to the certified tolerance
    seconds_of "$train" --strict -j 1 -l "$lambda" -e "$tolerance" -s "$@" "$file" "$temporary/model"
}

cat <<END
Hinge loss, one thread, seconds of the whole process (fastest of $runs runs, one if 3 s or more; >$limit:
stopped after that; -: failed to certify). J: ours over svmocas's objective less 1, per cent. mcpa: the
best of P = 1, 2, 5. Labels are +1 and -1 in the file for all, rows without features end in a blank (svmocas
refuses w8a otherwise). spambase, page-blocks and arrhythmia are not scaled.

END
printf '%-28s %-13s %-6s %-5s %9s %9s %6s %9s %2s %6s %8s\n' data rule lambda -e svmocas ocas ratio mcpa P \
    ratio J
sets | while read -r name rule lambda; do
    file=$(two_classes "$name" "$rule") || continue
    cost=$(cost_of "$lambda" "$file")
    for tolerance in 1e-2 1e-3; do
        await_idle
        theirs=$(seconds_of svmocas -v 0 -p 1 -c "$cost" -r "$tolerance" "$file" "$temporary/model")
        case $theirs in
        [0-9]*) objective=$(svmocas_objective "$lambda" "$file" "$temporary/model") ;;
        *) objective=- ;;
        esac
        best=$(for partitions in 1 2 5; do
            echo "$partitions $(ours mcpa --partitions "$partitions")"
        done | best_of)
        one=$(ours ocas)
        distance=$(above "$(last_objective)" "$objective")
        printf '%-28s %-13s %-6s %-5s %9s %9s %6s %9s %2s %6s %8s\n' "$name" "$rule" "$lambda" "$tolerance" \
            "$theirs" "$one" "$(ratio "$one" "$theirs")" "${best% *}" "${best#* }" \
            "$(ratio "${best% *}" "$theirs")" "$distance"
    done
done

echo
echo 'Two threads beside one, to 1e-3: seconds of training and of the whole process'
printf '%-28s %-8s %-6s %9s %9s %6s %9s %9s %6s\n' data solver lambda train 2 ratio process 2 ratio
paper_sets | grep -E '^(covtype|mnist|connect-4|w8a)' | grep -v le: | while read -r name rule lambda; do
    file=$(two_classes "$name" "$rule") || continue
    for solver in ocas mcpa ipm; do
        await_idle
        set -- -s $solver -l "$lambda" -e 1e-3 -t "$limit" "$file"
        training=$(training_seconds -j 1 "$@")
        training2=$(training_seconds -j 2 "$@")
        whole=$(seconds_of "$train" -q -j 1 "$@" "$temporary/model")
        whole2=$(seconds_of "$train" -q -j 2 "$@" "$temporary/model")
        printf '%-28s %-8s %-6s %9s %9s %6s %9s %9s %6s\n' "$name" $solver "$lambda" "$training" "$training2" \
            "$(ratio "$training2" "$training")" "$whole" "$whole2" "$(ratio "$whole2" "$whole")"
    done
done

echo
conditions libocas-tools
