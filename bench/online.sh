#!/bin/sh
# online.sh TRAIN [SOLVER OPTION...] - how far above the optimum an online solver is after 10 passes and after its own
# stop, on all sets as they are and, where they are narrow, scaled to [-1, 1]. In per cent, the median over the seeds
# and the largest; of the own stop also the passes, how it ended, and, for sets with a test part, the accuracy there
# and, in brackets, that of the optimum.
#
# One solver, with its options: bash bench/online.sh build/bin/train proximal --metric none. Without one: proximal.
# SEEDS is the number of seeds (20): less, but 3 at least, where the runs of a number of passes take longer than
# SECONDS_MOST (10), and printed. SETS are the names of the sets (all), PASSES the numbers of passes, FORMS "raw
# scaled". LOSS, NORM (the regularizer) and LAMBDA replace the sets' own; sets whose task has no such loss are left
# out. OPTIMA is a file that keeps the optima from one run to the next. The table of proximal, without other sets, forms
# or losses, goes to docs/speed.md (page.sh).
set -eu

train=$1
shift
page=yes
[ $# -eq 0 ] && [ -z "${SETS:-}${LOSS:-}${NORM:-}${LAMBDA:-}${PASSES:-}${FORMS:-}" ] || page=no
[ $# -gt 0 ] || set -- proximal
# shellcheck source=bench/sets.sh
. "$(dirname "$0")/sets.sh"
need_sets bench-online
# shellcheck source=bench/page.sh
. "$(dirname "$0")/page.sh"
seeds=${SEEDS:-20}
most=${SECONDS_MOST:-10}
passes=${PASSES:-10}
norm=${NORM:-l2}
runs= # no seconds are in the table
optima=${OPTIMA:-$temporary/optima}
touch "$optima"

# Each feature divided by its largest absolute value.
scale() { # FILE
    awk '
        function size(x) { return x < 0 ? -x : x }
        NR == FNR {
            for (i = 2; i <= NF; i++) {
                split($i, pair, ":")
                if (size(pair[2]) > most[pair[1]]) most[pair[1]] = size(pair[2])
            }
            next
        }
        {
            printf "%s", $1
            for (i = 2; i <= NF; i++) {
                split($i, pair, ":")
                if (pair[2] != 0) printf " %s:%.9g", pair[1], pair[2] / most[pair[1]]
            }
            print ""
        }' "$1" "$1" >"$temporary/scaled"
    echo "$temporary/scaled"
}

# At most 1000 features, and some larger than 1.
is_to_be_scaled() { # FILE
    awk '
        {
            for (i = 2; i <= NF; i++) {
                split($i, pair, ":")
                if (pair[1] > 1000) exit
                if (pair[2] > 1.000001 || pair[2] < -1.000001) large = 1
            }
            last = NR
        }
        END { exit !(large && NR == last) }' "$1"
}

# The optimum of $file, from $optima if it is there.
known_optimum() { # NAME RULE FORM
    key="$1 $2 $3 $loss $norm $lambda"
    awk -v key="$key" 'index($0, key " ") == 1 { print $NF; found = 1; exit } END { exit !found }' "$optima" && return
    if [ "$3" = raw ]; then
        optimum "$1" "$2" "$lambda" "$file"
    else
        RRM_DATASETS='' optimum "$1" "$2" "$lambda" "$file"
    fi >"$temporary/optimum"
    echo "$key $(cat "$temporary/optimum")" >>"$optima"
    cat "$temporary/optimum"
}

# Per cent of right predictions for the test part; "-" without one.
accuracy() {
    [ -e "$temporary/test" ] || {
        echo -
        return
    }
    "$(dirname "$train")/predict" "$temporary/test" "$temporary/model" /dev/null 2>/dev/null |
        sed -n 's/^Accuracy = \([0-9.]*\)%.*/\1/p'
}

# One line a seed, by per cent above the optimum: that, the status, passes and accuracy of the run.
runs_of() { # OPTION...
    spent=0
    for seed in $(seq "$seeds"); do
        if "$train" -q -j 1 -s "$@" -L "$loss" -r "$norm" -l "$lambda" -S "$seed" --report "$temporary/report" "$file" \
            "$temporary/model" >/dev/null 2>"$temporary/warnings"; then
            status=$(reported status)
            [ ! -s "$temporary/warnings" ] || status=$status,warned
            echo "$(above "$(reported objective)" "$optimum") $status $(reported passes) $(accuracy)"
        else
            echo "- failed - -"
        fi
        spent=$(awk -v spent="$spent" -v more="$(reported load_seconds) $(reported train_seconds)" '
            BEGIN { split(more, part, " "); print spent + part[1] + part[2] }')
        [ "$seed" -lt 3 ] || awk -v s="$spent" -v most="$most" 'BEGIN { exit s > most }' || break
    done | sort -g
}

median() { # COLUMN <FILE
    awk -v column="$1" '{ print $column }' | sort -g | awk '{ x[NR] = $1 } END { print x[int((NR + 1) / 2)] }'
}

# The test part of a set with the labels of its rule, in $temporary/test; and the optimum's accuracy there.
prepare_test() { # NAME RULE
    rm -f "$temporary/test"
    best=-
    [ "$2" != values ] && part=$(plain_set "$1.t") || return 0
    mv "$(two_classes "$(basename "$part")" "$2")" "$temporary/test"
    if [ "$file" = "$temporary/two" ]; then
        two_classes "$1" "$2" >/dev/null
    fi
    "$train" -q -L "$loss" -r "$norm" -l "$lambda" -e 1e-4 "$file" "$temporary/model" 2>/dev/null || return 0
    best=$(accuracy)
}

row() { # NAME RULE FORM SOLVER OPTION...
    name=$1
    form=$3
    optimum=$(known_optimum "$1" "$2" "$3")
    prepare_test "$1" "$2"
    [ "$3" = raw ] || rm -f "$temporary/test"
    shift 3
    printf '| %s | %s | %s |' "$name$([ "$form" = raw ] || echo ", scaled")" "$loss" "$lambda"
    for number in $passes; do
        runs_of "$@" -p "$number" >"$temporary/fixed"
        printf ' %s | %s |' "$(median 1 <"$temporary/fixed")" "$(awk '{ x = $1 } END { print x }' "$temporary/fixed")"
    done
    runs_of "$@" >"$temporary/own"
    printf ' %s | %s | %.3g | %s | %s | %s |\n' "$(median 1 <"$temporary/own")" \
        "$(awk '{ x = $1 } END { print x }' "$temporary/own")" "$(median 3 <"$temporary/own")" \
        "$([ "$best" = - ] || echo "$(median 4 <"$temporary/own") ($best)")" "$(wc -l <"$temporary/own")" \
        "$(awk '{ print $2 }' "$temporary/own" | sort | uniq -c | awk '{ printf "%s%s %s", sep, $1, $2; sep = ", " }')"
}

# The loss of a set, or LOSS where its labels are of the same kind.
loss_of() { # RULE LOSS
    case ${LOSS:-$2} in
    hinge | squared-hinge | logistic) [ "$1" != values ] || return 1 ;;
    *) [ "$1" = values ] || return 1 ;;
    esac
    echo "${LOSS:-$2}"
}

table() { # SOLVER OPTION...
    # shellcheck disable=SC2086 # words
    echo "| data | loss | lambda |$(printf ' %s passes | worst |' $passes) own stop | worst | passes | test (optimum) |" \
        "seeds | ends |"
    # shellcheck disable=SC2086
    echo "| --- | --- | --- |$(printf ' --- | --- |%.0s' $passes) --- | --- | --- | --- | --- | --- |"
    while read -r name rule own_loss own_lambda; do
        case " ${SETS:-$name} " in *" $name "*) ;; *) continue ;; esac
        loss=$(loss_of "$rule" "$own_loss") || continue
        lambda=${LAMBDA:-$own_lambda}
        plain=$(if [ "$rule" = values ]; then plain_set "$name"; else two_classes "$name" "$rule"; fi) || continue
        for form in ${FORMS:-raw scaled}; do
            file=$plain
            if [ "$form" = scaled ]; then
                is_to_be_scaled "$plain" || continue
                file=$(scale "$plain")
            fi
            row "$name" "$rule" "$form" "$@" || exit 1
        done
    done
}

echo "$*: per cent above the optimum, at most $seeds seeds"
table "$@" >"$temporary/rows" <<'END'
glass.binary binary hinge 1e-4
heart_scale binary hinge 1e-4
german.numer_scale binary hinge 1e-4
ionosphere binary hinge 1e-4
spambase binary hinge 1e-4
page-blocks.binary binary hinge 1e-4
arrhythmia.binary binary hinge 1e-4
colon-cancer binary hinge 1e-4
cpusmall values epsilon 1e-4
mpg values epsilon 1e-4
abalone values epsilon 1e-4
housing_scale values epsilon 1e-4
a9a binary hinge 1e-4
a9a binary hinge 1e-7
ijcnn1.tr binary hinge 1e-7
w8a binary hinge 1e-8
connect-4 one-vs-rest:1 hinge 1e-7
covtype.libsvm.binary.scale binary hinge 1e-8
usps one-vs-rest:8 hinge 1e-5
dna.scale one-vs-rest:3 hinge 1e-5
mnist.scale one-vs-rest:8 hinge 1e-5
reuters21578.acq binary hinge 1e-4
reuters21578.acq binary hinge 1e-7
news20 le:10 hinge 1e-4
news20 le:10 hinge 1e-5
END
if [ $page = yes ]; then write_table online <"$temporary/rows"; else cat "$temporary/rows"; fi
