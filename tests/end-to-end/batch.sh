#!/bin/bash
# batch.sh BIN - every batch solver from the command line: certified gaps, each loss and regularizer it names,
# labels and folds, warm starts, limits, signals; and that the model does not depend on the threads.
set -u
# shellcheck source=tests/outside.sh
. "$(dirname "$0")/../outside.sh"

# gaps FILE MOST: each gap of the report is from 0 to MOST.
gaps() {
    local lines line seen=0
    mapfile -t lines <"$1"
    for line in "${lines[@]}"; do
        [[ $line =~ '"gap": '([^,}]*) ]] || continue
        seen=$((seen + 1))
        at_most "${BASH_REMATCH[1]}" "$2" || fail "a gap above $2: $line"
    done
    [ $seen -gt 0 ] || fail "no gap in $1"
}

# property SOLVER NAME: the text of its help, joined over lines, without the parts in parentheses, in `text`.
helped=
property() {
    local line inside='' words
    [ "$helped" = "$1" ] || mapfile -t help < <("$train" -s "$1" --help)
    helped=$1
    text=
    for line in "${help[@]}"; do
        if [[ $line == "  $2 "* ]]; then
            inside=yes
            text+=" ${line#"  $2 "}"
        elif [[ $inside && $line =~ ^' '{10}' '*[^' '-] ]]; then
            text+=" $line"
        else
            inside=
        fi
    done
    while [[ $text =~ \([^\)]*\) ]]; do text=${text/"${BASH_REMATCH[0]}"/}; done
    read -r -a words <<<"${text//,/}"
    text=${words[*]}
}

file_of() { # LOSS: a sample for it, in `file`
    case $1 in
    hinge | squared-hinge | logistic) file=$data/blobs ;;
    crammer-singer | softmax) file=$data/three ;;
    *) file=$data/line ;;
    esac
}

# usual SOLVER: -s, and a loss and regularizer that it takes, hinge and l2 where it can, in `usual`.
usual() {
    local losses regularizers
    property "$1" losses
    losses=$text
    property "$1" regularizers
    regularizers=$text
    usual=(-s "$1")
    case " $losses " in
    ' all '* | *' hinge '*) ;;
    *' logistic '*) usual+=(-L logistic) ;;
    *' crammer-singer '*) usual+=(-L crammer-singer) ;;
    *) fail "-s $1 has neither hinge nor logistic" ;;
    esac
    case " $regularizers " in
    *' l2 '*) ;;
    *) usual+=(-r "${regularizers%% *}") ;;
    esac
}

# regularized NAME: the options for it, in `regularized`; a constraint has no lambda.
regularized() {
    case $1 in
    *-ball) regularized=(--ball "${1%-ball}=1") ;;
    simplex) regularized=(-r simplex) ;;
    *) regularized=(-r "$1" -l 1e-2) ;;
    esac
}

declare -A predicted # the model of a loss and a regularizer, whichever solver wrote it

# check_combinations SOLVER: every loss, with every other one of several regularizers, is certified and predicts. Of agm
# and agm1, which take the same, one has these pairs and one those.
check_combinations() {
    local loss regularizer losses regularizers i=$tried j
    property "$1" regularizers
    regularizers=$text
    property "$1" losses
    losses=$text
    case $losses in all*) losses=$all_losses ;; esac
    for loss in $losses; do
        case $loss in crf | m3n | rna | pairwise | ndcg) continue ;; esac # sequences.sh, rna.sh, ranking.sh
        file_of "$loss"
        i=$((i + 1)) j=0
        for regularizer in $regularizers; do
            j=$((j + 1))
            [[ $losses == *[[:space:]]* && $regularizers == *' '* ]] && [ $(((i + j) % 2)) -eq 1 ] && continue
            regularized "$regularizer"
            [ "$1/$regularizer" != ipm/l1 ] && [ "$1/$regularizer" != ipm/elastic-net ] ||
                case $loss in squared-hinge | logistic | squared | squared-epsilon) continue ;; esac
            status 0 -q -s "$1" -L "$loss" "${regularized[@]}" -B 1 --report report "$file.train" model
            quiet "-s $1 -L $loss -r $regularizer"
            gaps report 1e-3
            has '^status converged$' model
            ! found '-0$' model || fail "-s $1 -L $loss -r $regularizer: a weight of -0"
            [ -z "${predicted[$loss/$regularizer]:-}" ] || continue
            predicted[$loss/$regularizer]=yes
            "$bin/predict" -q "$file.test" model predictions ||
                fail "predict on the model of -s $1 -L $loss -r $regularizer"
        done
    done
}

check_offset_and_weights() { # SOLVER
    status 0 -q "${usual[@]}" -l 1e-2 -w 1=3 --report report "$data/blobs.train" model
    gaps report 1e-3
    property "$1" '    --intercept'
    [ "$text" = yes ] || return
    status 0 -q "${usual[@]}" -l 1e-2 --intercept --report report "$data/blobs.train" model
    gaps report 1e-3
    has '^intercept 1$' model
    status 0 -q "${usual[@]}" -l 1e-3 --intercept -i model --report report "$data/blobs.train" near
    gaps report 1e-3
}

check_labels_and_folds() { # SOLVER
    status 0 "${usual[@]}" -l 1e-2 -B 1 --report report -T trace "$data/three.train" model
    gaps report 1e-3
    case " ${usual[*]} " in
    *' crammer-singer '*) ;; # all labels together
    *)
        [ "$(grep -c '"label": .*"gap": ' report)" -eq 3 ] || fail "-s $1: not a gap a label"
        [ "$(grep -c '^# label ' trace)" -eq 3 ] || fail "-s $1: not a title a label in the trace"
        ;;
    esac
    has ' (certified gap 0' out
    status 0 -v 5 "${usual[@]}" -l 1e-2 "$data/blobs.train"
    has '^Cross Validation Accuracy' out
    has '^5 of 5 folds' out
    quiet "-s $1 -v 5"
}

check_starts() { # SOLVER: from the model of another lambda, of another solver
    status 0 -q -s proximal -l 1e-1 "$data/blobs.train" far
    status 0 -q "${usual[@]}" -l 1e-2 -i far --report report "$data/blobs.train" near
    gaps report 1e-3
    status 0 -q "${usual[@]}" -l 1e-2 -i near --report report "$data/blobs.train" model
    gaps report 1e-3
    property "$1" regularizers
    case " $text " in
    *' entropy '*)
        status 0 -q -s "$1" -r entropy -l 1e-2 -i far --report report "$data/blobs.train" model
        gaps report 1e-3
        ;;
    esac
}

check_limits() { # SOLVER
    status 3 -q --strict "${usual[@]}" -p 1 -e 1e-12 "$data/blobs.train" model
    has '^train: warning: the .*1 passes (-p).* before the tolerance 1e-12' err
    has '^status limit$' model
    status 0 -q "${usual[@]}" -p 20 -e 0 "$data/blobs.train" model
    quiet "-p is the plan of -s $1 -e 0"
    status 3 -q --strict "${usual[@]}" -p 20 -e 0 "$data/blobs.train" model
    has '^train: warning: --strict: the run ended at its limit of passes, 20 (-p); give a tolerance by -e$' err
    status 3 -q --strict "${usual[@]}" -t 1e-9 -e 1e-12 "$data/blobs.train" model
    has '^train: warning: the limit of 1e-09 s (-t) came before the tolerance 1e-12' err
    status 0 -q "${usual[@]}" -l 3e-4 -p 5000 -e 1e-16 "$data/blobs.train" model
    [ ! -s err ] || has '^train: warning: .* before the tolerance 1e-16 (-e) was reached; ' err
}

check_threads() { # SOLVER
    for threads in 1 2 3; do
        status 0 -q "${usual[@]}" -j $threads "$data/blobs.train" model.$threads
        cmp -s model.1 model.$threads || fail "-s $1: $threads threads make another model"
    done
}

# 4000 rows of 400 features, which no linear function separates: enough work for a signal to arrive.
awk 'BEGIN {
    seed = 11
    for (i = 0; i < 4000; i++) {
        line = i % 2 ? "1" : "-1"
        for (j = 1 + i % 5; j <= 400; j += 5) {
            seed = (seed * 16807) % 2147483647
            line = line sprintf(" %d:%.4f", j, seed / 1073741823.5 - 1)
        }
        print line
    }
}' >noise

check_signal() { # SOLVER: the first one saves what there is
    local process
    for _ in {1..20}; do # some solvers may end before it comes
        rm -f trace model
        "$train" "${usual[@]}" -l 1e-6 -e 0 -T trace noise model >out 2>err </dev/null &
        process=$!
        await_trace 2
        kill -INT $process 2>/dev/null
        wait $process
        ended=$?
        grep -qs '^status converged$' model || break
    done
    [ $ended -eq 130 ] || fail "exit $ended after SIGINT: -s $1"
    has '^status interrupted$' model
    has '^interrupted: objective ' out
}

tried=0
all_losses=$("$train" -L help | awk '$1 == "nu-hinge" { exit } { print $1 }')
for solver in $("$train" -s help | awk '/^$/ { exit } /^  [a-z]/ { print $1 }'); do
    property "$solver" losses
    case " $text " in *' all '* | *' hinge '* | *' logistic '*) ;; *) continue ;; esac
    property "$solver" '-k, --batch-size N'
    [ "$text" = no ] || continue
    property "$solver" model
    case $text in "weights of the features"*) ;; *) continue ;; esac
    tried=$((tried + 1))
    usual "$solver"
    check_combinations "$solver"
    check_offset_and_weights "$solver"
    check_labels_and_folds "$solver"
    check_starts "$solver"
    check_limits "$solver"
    check_threads "$solver"
    check_signal "$solver"
done

# Cuts of single passes, on a few rows: the optimum of another method, in far fewer passes than by two.
head -n 400 "$data/blobs.train" >few
for options in '-l 1e-2' '-l 1e-5' '-L absolute -l 1e-5' '-L quantile -l 1e-3' '-L epsilon -l 1e-5' \
    '-l 1e-4 --intercept' '-L absolute -l 1e-4 --intercept' '-L quantile -l 1e-4 --intercept' \
    '-L epsilon -l 1e-3 --intercept' '-L epsilon -l 1e-6 --intercept'; do
    # shellcheck disable=SC2086
    status 0 -q -s ipm -e 1e-10 $options --report exact few model
    # shellcheck disable=SC2086
    status 0 -q -s mcpa -e 1e-7 $options --single-pass on --report report few model
    gaps report 1e-7
    awk '/^ *"(objective|bound|passes)": / { of[FILENAME, $1] = $2 + 0 }
        END { exact = of["exact", "\"objective\":"]
            J = of["report", "\"objective\":"]
            exit !(of["report", "\"bound\":"] <= exact * (1 + 1e-9) && exact <= J * (1 + 1e-9) &&
                J <= exact * (1 + 1e-7) && of["report", "\"passes\":"] <= 30) }' exact report ||
        fail "single passes, $options: $(cat report)"
done
operands=("$data/blobs.train" model)
refused 'mcpa trains -L absolute by single passes alone; drop --single-pass off$' -s mcpa -L absolute --single-pass off

if [ $failures -gt 0 ]; then
    echo "batch.sh: $failures failures" >&2
    exit 1
fi
if [ $tried -eq 0 ]; then
    echo "skipped: there is no batch solver"
    exit 77
fi
echo "batch.sh: all well, $tried solvers"
