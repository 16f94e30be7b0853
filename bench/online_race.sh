#!/bin/sh
# online_race.sh TRAIN - CPU seconds of training to within 1 % of the optimum, one thread, hinge loss with l2: the
# default solver to a certified gap of 1 %, `proximal` at its least number of passes (the median of three seeds), and
# what of its peers is there, each at the best of its settings:
#
#     ASGD    Bottou's svmasgd, compiled with -DLOSS=HingeLoss -DBIAS=0
#     VW      Vowpal Wabbit; the whole process, which reads its binary cache
#     PYTHON  a python with scikit-learn, for SGDClassifier
#
# name the programs; those that are not there have no column. Reading the data is not counted elsewhere. SETS are the
# names of the sets (all). "-": none of its runs was seen within 1 %, be it that it stays above, or that it fails on the
# file. The table goes to docs/speed.md (page.sh).
set -eu

train=$1
# shellcheck source=bench/sets.sh
. "$(dirname "$0")/sets.sh"
need_sets bench-online-race /usr/bin/time
# shellcheck source=bench/page.sh
. "$(dirname "$0")/page.sh"
runs=1
CLOCK=user
limit=10
here=$(dirname "$0")
counts='1 2 3 4 5 6 7 8 10 13 17 22 30 40 60 100'

is_near() { # PER CENT
    awk -v x="$1" 'BEGIN { exit !(x != "-" && x <= 1) }'
}

# Whether a peer was named and is there.
is_there() { # PROGRAM
    [ -n "$1" ] && command -v "$1" >/dev/null
}

# Says which peers are left out; their variables are empty then.
find_peers() {
    missing=
    is_there "${VW:-}" || VW='' missing="$missing VW"
    is_there "${ASGD:-}" || ASGD='' missing="$missing ASGD"
    is_there "${PYTHON:-}" && "$PYTHON" -c 'import sklearn' 2>/dev/null || PYTHON='' missing="$missing PYTHON"
    [ -z "$missing" ] || echo "bench-online-race: without the peers that these name, or should:$missing" >&2
}

# A run of train; $seconds are those of training, as far as they were the processor's.
run() { # OPTION...
    /usr/bin/time -f '%e %U %S' -o "$temporary/cost" "$train" -q -j 1 -l "$lambda" --report "$temporary/report" "$@" \
        "$file" "$temporary/model" >/dev/null 2>&1
    seconds=$(awk -v s="$(reported train_seconds)" '
        { print ($1 > 0.05 && $2 + $3 < $1 ? s * ($2 + $3) / $1 : s) }' "$temporary/cost")
}

# Without a proof, as its peers.
ours() {
    for number in $counts; do
        for seed in 1 2 3; do
            run -s proximal -p "$number" -e 0 -S "$seed"
            echo "$(above "$(reported objective)" "$optimum") $seconds"
        done | sort -g | sed -n 2p >"$temporary/median"
        read -r distance seconds <"$temporary/median"
        is_near "$distance" || continue
        printf '%.3f (%s)\n' "$seconds" "$number"
        return
    done
    echo -
}

default() {
    run -e 1e-2
    printf '%.3f (%s)\n' "$seconds" "$(sed -n 's/.*"solver": "\([^"]*\)".*/\1/p' "$temporary/report")"
}

# Its averages begin after so many passes; the data as they are, or each row scaled to 1, which is another problem.
asgd() {
    ln -sf "$file" "$temporary/data.txt"
    for start in 0 1 3 10; do
        timeout "$limit" "$ASGD" -lambda "$lambda" -epochs 100 -avgstart "$start" -dontnormalize "$temporary/data.txt" \
            2>/dev/null |
            awk -v optimum="$optimum" -v start="$start" '
                /^Total training time/ { seconds = $4 }
                /Cost=/ {
                    sub(/.*Cost=/, "")
                    if ($1 <= 1.01 * optimum) { print start, seconds; exit }
                }' || true
    done | best_of
}

# One run: "PER CENT ABOVE" with the seconds in $temporary/seconds.
vw_run() { # PASSES OPTION...
    number=$1
    shift
    user_seconds_of "$VW" -d "$temporary/data.vw" --cache_file "$temporary/cache" --passes "$number" --holdout_off \
        --loss_function hinge --l2 "$lambda" --noconstant -b 18 --readable_model "$temporary/readable" --quiet "$@" \
        >"$temporary/seconds"
    features=$(awk -F : '/^[0-9]+:/ { if ($1 > most) most = $1 } END { print most + 0 }' "$temporary/readable")
    {
        printf '%s\n' 'solver_type L2R_L1LOSS_SVC_DUAL' 'nr_class 2' 'label 1 -1' "nr_feature $features" 'bias -1' w
        awk -F : -v n="$features" '/^[0-9]+:/ { w[$1] = $2 } END { for (j = 1; j <= n; j++) print w[j] + 0 }' \
            "$temporary/readable"
    } >"$temporary/converted"
    above "$(liblinear_objective "$lambda" "$file" "$temporary/converted")" "$optimum"
}

vw() {
    awk '{ printf "%s |", $1; for (i = 2; i <= NF; i++) printf " %s", $i; print "" }' "$file" >"$temporary/data.vw"
    rm -f "$temporary/cache"
    vw_run 1 >/dev/null
    for options in "-l 0.5" "-l 0.1" "-l 3" "--sgd -l 0.1"; do
        for number in 1 2 4 8 16 32 64; do
            # shellcheck disable=SC2086 # options
            is_near "$(vw_run "$number" $options)" || continue
            echo "$(echo "$options" | tr -d ' '),$number $(cat "$temporary/seconds")"
            break
        done
    done | best_of
}

sklearn() {
    timeout 100 "$PYTHON" "$here/online_sklearn.py" "$file" "$lambda" "$optimum" 2>/dev/null | best_of
}

row() { # NAME RULE
    optimum=$(optimum "$1" "$2" "$lambda" "$file")
    printf '| %s | %s | %s | %s |' "$1" "$lambda" "$(default)" "$(ours)"
    [ -z "$VW" ] || printf ' %s |' "$(vw | cut -d ' ' -f 1)"
    [ -z "$ASGD" ] || printf ' %s |' "$(asgd | cut -d ' ' -f 1)"
    [ -z "$PYTHON" ] || printf ' %s |' "$(sklearn | cut -d ' ' -f 1)"
    echo
}

table() {
    # shellcheck disable=SC2016 # proximal is no command
    printf '| data | lambda | default | `proximal` |%s\n' \
        "${VW:+ Vowpal Wabbit |}${ASGD:+ svmasgd |}${PYTHON:+ SGDClassifier |}"
    echo "| --- | --- | --- | --- |${VW:+ --- |}${ASGD:+ --- |}${PYTHON:+ --- |}"
    while read -r name rule lambda; do
        case " ${SETS:-$name} " in *" $name "*) ;; *) continue ;; esac
        two_classes "$name" "$rule" >/dev/null || continue
        file=$temporary/set
        mv "$temporary/two" "$file"
        await_idle
        row "$name" "$rule"
    done
}

find_peers
table >"$temporary/rows" <<'END'
glass.binary binary 1e-4
page-blocks.binary binary 1e-4
spambase binary 1e-4
a9a binary 1e-4
a9a binary 1e-7
ijcnn1.tr binary 1e-7
w8a binary 1e-8
connect-4 one-vs-rest:1 1e-7
covtype.libsvm.binary.scale binary 1e-8
usps one-vs-rest:8 1e-5
dna.scale one-vs-rest:3 1e-5
mnist.scale one-vs-rest:8 1e-5
reuters21578.acq binary 1e-4
reuters21578.acq binary 1e-7
news20 le:10 1e-4
END
write_table online-race ${PYTHON:+python3-sklearn} <"$temporary/rows"
