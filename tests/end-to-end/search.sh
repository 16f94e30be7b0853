#!/bin/bash
# search.sh BIN - lambda chosen from outside: --search, --measure, --choose, --validation, LIBLINEAR's -C; certified
# paths and their models.
set -u
# shellcheck source=tests/outside.sh
. "$(dirname "$0")/../outside.sh"

# column KEY: of the rows of a report's path.
column() { sed -n "s/^    {\"lambda\": .*\"$1\": \([^,}]*\).*/\1/p" report; }
lambdas() { sed -n 's/^    {"lambda": \([^,]*\),.*/\1/p' report; }
near() { awk -v a="$1" -v b="$2" -v e="$3" 'BEGIN { d = a - b; exit !(d <= e * b && -d <= e * b) }'; }
refused() {
    local message=$1
    shift
    status 2 "$@"
    [ "$(cat err)" = "$message" ] || fail "'$(cat err)', not '$message': train $*"
}

blobs=$data/blobs.train

# ---- the folds of a path are those of runs of their own
status 0 --path 4,10,1e-3 -v 5 -e 1e-7 -s ocas --report report "$blobs"
lambdas >each
column accuracy >along
paste each along | while read -r lambda accuracy; do
    "$train" -q -v 5 -e 1e-7 -s ocas -l "$lambda" "$blobs" >single
    near "$(sed -n 's/^Cross Validation Accuracy = \([0-9.]*\)%.*/\1/p' single)" \
        "$(awk -v x="$accuracy" 'BEGIN { print 100 * x }')" 1e-5 || echo "lambda $lambda: another accuracy"
done >differences
[ ! -s differences ] || fail "$(cat differences)"
[ "$(wc -l <each)" -eq 4 ] || fail "not 4 lambdas"

# ---- the measures of a path are scikit-learn's on the same folds
if has_tools 'folds beside GridSearchCV' python3-sklearn; then
    while read -r loss file options; do
        # shellcheck disable=SC2086
        status 0 --path 4,1,1e-4 -v 5 -e 1e-9 -L "$loss" $options --report "$loss" "$data/$file.train"
    done <<'END'
logistic blobs --measure log-loss
softmax three --measure log-loss
squared-hinge three
squared line
END
    grid_search() { # at these lambdas
        /usr/bin/python3 "$tree/tests/references/grid_search.py" "$data" 1 0.0464158883361 0.00215443469003 1e-4
    }
    known "$data"/{blobs,three,line}.train "$tree/tests/references/grid_search.py" -- grid_search >theirs ||
        fail 'no measures of GridSearchCV'
    while read -r loss measure values; do
        sed -n "s/^    {\"lambda\": \([^,]*\),.*\"$measure\": \([^,}]*\).*/\1 \2/p" "$loss" | tr '\n' ' ' >ours
        echo "$values" | cat ours - | tr '\n' ' ' | awk '
            function far(a, b) { return a - b > 1e-4 * b || b - a > 1e-4 * b }
            NF != 12 { exit 1 }
            { for (k = 1; k <= 4; k++) if (far($(2 * k), $(8 + k))) bad = 1
              exit bad || far($1, 1) || far($3, 10 ^ (-4 / 3)) || far($5, 10 ^ (-8 / 3)) || far($7, 1e-4) }' ||
            fail "$loss, $measure: $(<ours), not GridSearchCV's $values"
    done <theirs
    [ "$(wc -l <theirs)" -eq 7 ] || fail "not the measures of GridSearchCV: $(<theirs)"
fi

# ---- the search: any number of threads gives the same; the model is a run at the chosen lambda
status 0 --search --path 6 -j 1 --report report -L logistic "$blobs" model
[ "$(grep -c '^lambda  *nonzeros ' out)" = 1 ] || fail "not one table: $(cat out)"
mv out before
mv model model.before
status 0 --search --path 6 -j 3 --report report -L logistic "$blobs" model
cmp -s model model.before || fail "the model depends on the number of threads"
for i in out before; do sed 's/, loaded in.*//' $i >$i.plain; done
cmp -s out.plain before.plain || fail "the table depends on the number of threads"
[ "$(member report folds)" = 5 ] || fail "not 5 folds"
near "$(sed -n 's/^lambda //p' model)" "$(member report chosen_lambda)" 1e-12 || fail "the model has another lambda"
near "$(lambdas | tail -n 1)" "$(awk -v m="$(wc -l <"$blobs")" 'BEGIN { print 1 / (1024 * m) }')" 1e-4 ||
    fail "the search does not end at C = 1024"
status 0 -q -e 1e-3 -l "$(member report chosen_lambda)" -L logistic --report single "$blobs" direct
near "$(sed -n 's/^objective //p' model)" "$(sed -n 's/^objective //p' direct)" 2e-3 || fail "another objective"

# ---- the measure, its standard error, and the choice by it
status 0 --search --path 8 --measure auc --choose one-se --report report "$blobs" model
[ "$(member report chosen_by)" = '"AUC"' ] || fail "chosen by $(member report chosen_by)"
awk -v chosen="$(member report chosen_lambda)" -v best="$(member report best_lambda)" \
    'BEGIN { exit !(chosen >= best) }' || fail "one-se chose a smaller lambda"
awk -v chosen="$(member report chosen_lambda)" -v best="$(member report best_lambda)" \
    'BEGIN { exit !(chosen > best) }' || fail "one-se chose the best lambda, so that the next check shows nothing"
paste <(lambdas) <(column auc) | awk -v lambda="$(member report chosen_lambda)" '$1 == lambda { print $2 }' >along
near "$(sed -n 's/^  "measures": {.*"auc": \([^,}]*\).*/\1/p' report)" "$(cat along)" 1e-12 || fail "the report has the AUC of another lambda than the model's"
near "$(sed -n 's/^AUC = //p' out)" "$(cat along)" 1e-5 || fail "printed: the AUC of another lambda than the model's"
column standard_error | awk '!($1 > 0) { exit 1 }' || fail "no standard errors"
! grep -q 'one-se' err || fail "a warning without a cause: $(cat err)"
printf '%s 1:%s\n' 1 2 -1 -1 1 1 -1 -2 1 3 -1 0.5 >few
status 0 --search --path 3 -v 6 --measure auc --choose one-se few model
grep -q '^train: warning: --choose one-se: the AUC of one of the folds is not a number' err ||
    fail "one-se without a standard error: '$(cat err)'"
status 0 --search --path 3 -L logistic --measure log-loss --report report "$blobs" model
[ "$(member report chosen_by)" = '"log loss"' ] || fail "chosen by $(member report chosen_by)"
paste <(lambdas) <(column log_loss) | sort -g -k2 | head -n 1 | cut -f1 >least
near "$(cat least)" "$(member report best_lambda)" 1e-12 || fail "not the least log loss"
status 0 --search --path 3 -b 1 --measure log-loss --report report "$blobs" model
[ "$(member report chosen_by)" = '"log loss"' ] || fail "-b 1: chosen by $(member report chosen_by)"

# ---- the kernel, too: the rows are those of a search with each gamma or number of landmarks alone, and so is the model
kernels=(--search -v 3 "$data/three.train")
chooses() { # OPTION KEY VALUES ARGUMENTS...
    local option=$1 key=$2 values=$3 value best
    shift 3
    status 0 "$@" "$option" "$values" --report report --path 3,1,1e-3 "${kernels[@]}" model
    mv out table
    paste <(column "$key") <(lambdas) <(column accuracy) >along
    : >each
    for value in ${values//,/ }; do
        status 0 "$@" "$option" "$value" --report single --path 3,1,1e-3 "${kernels[@]}" "model.$value"
        sed -n 's/^    {"lambda": \([^,]*\),.*"accuracy": \([^,}]*\).*/\1\t\2/p' single >>each
    done
    [ "$(wc -l <along)" -eq 9 ] || fail "$* $option: not a row for each pair"
    [ "$(cut -f 2,3 along)" = "$(cat each)" ] || fail "$* $option: other rows than one value at a time"
    best=$(sort -s -g -r -k 3 along | head -n 1 | cut -f 1)
    near "$best" "$(member report "best_${key%_kernel}")" 0 || fail "$* $option: not the best value"
    cmp -s model "model.$(awk -v g="$best" 'BEGIN { printf "%g", g }')" || fail "$* $option: not the model of the best value"
}
chooses --gamma-kernel gamma_kernel 10,0.1,1 --basis 1
chooses --gamma-kernel gamma_kernel 10,0.1,1 --map nystrom --landmarks 20
has_not 'landmarks' table # of one number there is nothing to choose
chooses --landmarks landmarks 5,40,20 --map nystrom --gamma-kernel 0.1
[ "$(sed -n 's/^points //p' model)" = 40 ] || fail 'the best number of landmarks is not that in the middle of the list'
has '^landmarks lambda ' table
has '^best landmarks 40, lambda ' table
# the folds' line names no solver, since each map has the default one of its size
status 0 --map fourier --landmarks 5,3500 -r l1 --path 2,1,0.1 "${kernels[@]}" model
has '^3 of 3 folds, ' out
has '^solver ipm (by default), ' out
# both: a row for each pair, the gammas outside
status 0 --gamma-kernel 1,0.1 --map nystrom --landmarks 40,5 --choose one-se --report report \
    --path 5,1,1e-3 "${kernels[@]}" model
[ "$(paste -d ' ' <(column gamma_kernel) <(column landmarks) | uniq -c | awk '{ printf "%s %g %s, ", $1, $2, $3 }')" = \
    '5 1 40, 5 1 5, 5 0.1 40, 5 0.1 5, ' ] || fail "other pairs: $(cat out)"
[ "$(sed -n 's/^points //p' model)" = "$(member report best_landmarks)" ] || fail 'not the best number of landmarks'
near "$(sed -n 's/^gamma //p' model)" "$(member report best_gamma)" 1e-12 || fail 'not the best gamma'
near "$(sed -n 's/^lambda //p' model)" "$(member report chosen_lambda)" 1e-12 || fail 'not the chosen lambda'
awk -v chosen="$(member report chosen_lambda)" -v best="$(member report best_lambda)" \
    'BEGIN { exit !(chosen > best) }' || fail "one-se chose lambda $(member report chosen_lambda) of landmarks"

# ---- held-out examples: the accuracy of each lambda is that of predict
status 0 --search --path 4,1,1e-3 -e 1e-6 --validation "$data/blobs.test" --report report "$blobs" model
has '^Validation Accuracy = ' out
has ', validation, objective ' out
! grep -q folds out || fail 'held-out examples are called folds'
lambdas >each
column accuracy >along
paste each along | while read -r lambda accuracy; do
    "$train" -q -e 1e-6 -l "$lambda" "$blobs" direct
    "$bin/predict" "$data/blobs.test" direct scores >measured
    grep -q "^Accuracy = $(awk -v x="$accuracy" 'BEGIN { printf "%.6g", 100 * x }')%" measured ||
        echo "lambda $lambda: $accuracy and $(head -n 1 measured)"
done >differences
[ ! -s differences ] || fail "$(cat differences)"

# ---- held-out examples end the passes of an online solver: the model is that of the best pass of the first ones
weights() { sed '1,/^w/d' "$1"; }
for run in "-l 1e-3 blobs" "-l 1e-4 -L crammer-singer --scale standard three"; do
    read -r -a options <<<"$run"
    set=${options[-1]}
    options=(-s pegasos "${options[@]:0:${#options[@]}-1}" "$data/$set.train")
    status 0 --validation "$data/$set.test" --report report "${options[@]}" model
    passes=$(member report passes)
    best=$(member report best_passes)
    near "$passes" "$(awk -v b="$best" 'BEGIN { print b + 5 }')" 0 || fail "$set: $passes passes, the best after $best"
    for ((pass = 1; pass <= passes; pass++)); do
        "$train" -qq -p $pass "${options[@]}" "single.$pass"
        "$bin/predict" "$data/$set.test" "single.$pass" scores | sed -n "s/^Accuracy = .*(\([0-9]*\).*/\1 $pass/p"
    done | sort -s -k1,1nr | head -n 1 | cut -d ' ' -f 2 >first
    near "$(cat first)" "$best" 0 || fail "$set: pass $(cat first) is the best one, not $best"
    [ -n "$(weights model)" ] || fail "$set: no weights"
    [ "$(weights model)" = "$(weights "single.$best")" ] || fail "$set: not the weights after $best passes"
    has "best Accuracy [0-9.]*% of .*$set.test after $best of $passes passes" out
done
# A start is a point like others: more passes at a large lambda only harm.
status 0 -q -s pegasos -l 1e-4 "$data/blobs.train" start
status 0 -s pegasos --project off -l 1e3 -i start --validation "$data/blobs.train" --report report "$data/blobs.train" model
[ "$(member report best_passes)" = 0 ] || fail "the start was better"
[ "$(weights model)" = "$(weights start)" ] || fail "not the weights of the start"
status 0 -q -s sgd -r l1 -L logistic -l 1e-3 --measure log-loss --validation "$data/blobs.test" --report report \
    "$data/blobs.train" model
[ "$(member report chosen_by)" = '"log loss"' ] || fail "ended by $(member report chosen_by)"
status 2 -s pegasos --validation "$data/three.test" "$data/three.train" model
has 'ends a single run, not those of 3 labels' err

sed 's/^[^ ]*/?/' "$data/blobs.test" >unlabelled
status 1 --search --validation unlabelled "$blobs" model
has '^unlabelled:1:1: label' err

# a measure that is no number chooses nothing
head -n 1 "$data/blobs.test" >one_row
for options in --search '-s pegasos'; do
    # shellcheck disable=SC2086
    status 1 $options --measure auc --validation one_row "$blobs" model
    has '^train: the AUC of the held-out examples is not a number: give another --measure$' err
done

# ---- what the gaps say of the minimizers' accuracy is about the signs of scores, not about probabilities
status 0 -v 3 -l 0.1 -e 1e-6 --report report "$blobs"
[ -n "$(member report least_accuracy)" ] || fail "no bounds of the accuracy"
# of each lambda of a path: at a loose tolerance they hold what a tight one gives
for epsilon in 1e-9 1e-2; do
    status 0 -v 3 --path 4,10,1e-2 -e $epsilon --report report "$blobs"
    sed -n 2p out | grep -q 'Accuracy  *+-  at least   at most$' || fail "no columns of bounds"
    paste <(column least_accuracy) <(column accuracy) <(column most_accuracy) >"bounds$epsilon"
done
paste bounds1e-9 bounds1e-2 | awk '{ if (!($4 <= $2 && $2 <= $6)) bad = 1; if ($4 < $6) wide = 1 }
    END { exit bad || !wide || NR != 4 }' || fail "bounds of the accuracy: $(cat bounds1e-2)"
status 0 -v 3 -l 0.1 -e 1e-6 -b 1 --report report "$blobs"
[ -z "$(member report least_accuracy)" ] || fail "-b 1: bounds of an accuracy of signs"

# A fold ends once the labels of all its rows are known: the accuracy is that of the optimum, at a larger gap; but not
# where a measure of scores chooses.
status 0 -v 5 --path 2,0.3,0.1 -s ocas -B 1 -e 1e-11 --report report "$blobs"
column accuracy >early
column gap | awk '!($1 > 1e-7 && $1 < 0.1) { exit 1 }' || fail "no fold ends early: $(column gap)"
cmp -s <(column least_accuracy) <(column most_accuracy) || fail 'a fold ends too early'
for lambda in 0.3 0.1; do
    status 0 -v 5 -l $lambda -s ocas -B 1 -e 1e-11 --report report "$blobs"
    sed -n 's/^ *"measures": {"accuracy": \([^,]*\),.*/\1/p' report
done >optimum
cmp -s early optimum || fail "folds that end early have an accuracy of $(cat early), not $(cat optimum)"
status 0 -v 5 --path 2,0.3,0.1 -s ocas -e 1e-11 --measure auc --report report "$blobs"
column gap | awk '!($1 <= 1e-11) { exit 1 }' || fail "folds end early for a measure of scores: $(column gap)"

# ---- LIBLINEAR's -C
status 0 -s 0 -C -v 3 --report report "$blobs" model
[ "$(member report folds)" = 3 ] || fail "-C: not 3 folds"
has 'options of LIBLINEAR; in our words: -L logistic --search' err
# Theirs ignore the model's name beside -v.
status 0 -s 0 -v 3 "$blobs" no-model
has "in our words: -L logistic -c 1 -v 3 $blobs (-v writes no model: no-model stays as it is)" err
[ ! -e no-model ] || fail '-s 0 -v 3 wrote a model'
# LIBLINEAR's default of -c only where nothing else says lambda.
for options in '-l 1e-3' '-l1e-3' '--lambda 1e-3' '--ball l1=1' '--path 3,1,.1' '--path=3,1,.1'; do
    # shellcheck disable=SC2086
    status 0 -s 2 $options "$blobs" model
    has "in our words: -L squared-hinge $options $blobs model" err
done
status 0 -s 2 --path 3 --path-models step "$blobs" model
has "in our words: -L squared-hinge -c 1 --path 3 " err

# ---- pairs of labels, whose runs keep their planes on any thread
for threads in 1 3; do
    status 0 --path certified=0.05,1,1e-2 --multiclass ovo -s ocas -j $threads "$data/three.train" "pairs$threads"
done
cmp -s pairs1 pairs3 || fail "the pairs depend on the number of threads"

# ---- a certified path: its models, and the intervals without a hole
status 0 --path certified=0.05,1,1e-4 --path-models step --report report -s ocas "$blobs" model
lambdas >each
[ "$(find . -name 'step.*' | wc -l)" -eq "$(wc -l <each)" ] || fail "not a model a lambda"
near "$(sed -n 's/^lambda //p' step.1)" 1 1e-12 || fail "the first model's lambda"
cmp -s "step.$(wc -l <each)" model || fail "the last model is another"
paste <(column within_low) <(column within_high) | awk '
    NR == 1 && !($2 >= 1) || NR > 1 && !($2 >= low) { hole = 1 }
    { low = $1 }
    END { exit hole || !(low <= 1e-4) }' || fail "a hole between the models"
[ "$(member report solves)" -le 40 ] || fail "many solves"
# A lambda from which on nothing is left to train has one model.
status 0 -q --path certified=0.05 -l 1e6 --report report -s ocas "$blobs" model
[ "$(lambdas) $(member report certified_to)" = '1000000 1000000' ] || fail "not one model: $(lambdas)"
# Without the passes that a small lambda takes the path ends early, and says so.
status 0 -q --path certified=1e-12,1,1e-4 --report report -s ipm "$blobs" model
to=$(awk -v to="$(member report certified_to)" 'BEGIN { printf "%.6g", to }')
has "^train: warning: --path certified=1e-12: [0-9]* models prove this gap only down to lambda $to; a larger gap needs fewer$" err
status 3 --strict --path certified=0.01,1,1e-6 -s bundle -p 12 "$blobs" model
has 'warning' err

# Newton's method begins at the model before, without a pass for w = 0.
status 0 -q --path 2,1,0.99 -s ipm -L squared-hinge --report report "$blobs" model
[ "$(column passes | tail -n 1)" = 3 ] || fail "$(column passes | tail -n 1) passes from a start near by"

# ---- sdm keeps its dual variables: the rows are those of single runs, but soon done
sdm=(-s sdm --method ascent -L crammer-singer -e 1e-5 "$data/three.train" model)
status 0 --path 6,0.1,1e-5 --report report "${sdm[@]}"
paste <(lambdas) <(column objective) <(column bound) | while read -r lambda objective bound; do
    status 0 -q -l "$lambda" --report single "${sdm[@]}"
    near "$objective" "$(member single objective)" 1.1e-5 || echo "lambda $lambda: another objective"
    awk -v b="$bound" -v o="$(member single objective)" 'BEGIN { exit !(b <= o * (1 + 1e-12)) }' ||
        echo "lambda $lambda: the bound is above an objective"
done >differences
[ ! -s differences ] || fail "$(cat differences)"
awk -v path="$(column passes | tail -n 1)" -v single="$(member single passes)" 'BEGIN { exit !(3 * path < single) }' ||
    fail "the last lambda takes $(column passes | tail -n 1) passes"

# ---- usage
refused 'train: --measure auc: predictions of -L squared have no such measure; they have mse, mae, r2' \
    --search --measure auc -L squared nofile
refused 'train: --measure is for a choice of lambda: --search, or --path with -v' --measure auc nofile
refused 'train: --choose one-se needs folds (-v), which have a standard error' \
    --search --validation f --choose one-se nofile
refused 'train: -v and --validation exclude each other' --path 3 -v 3 --validation f nofile
refused 'train: --search needs a lambda, which a constraint does not have' --search -r simplex nofile
refused 'train: --search needs a lambda, which nu-hinge does not have' --search -L nu-hinge nofile
refused 'train: -i and --search exclude each other: a path starts from weights of 0' --search -i m nofile
for solver in '' '-s rda+ -r l1' '-s ocas'; do
    # shellcheck disable=SC2086
    refused 'train: --validation chooses a lambda: give --search or --path, too; or it ends the passes of an online solver, such as -s pegasos' \
        $solver --validation f nofile
done
refused 'train: -b 1 and --validation without --search exclude each other' -s pegasos -b 1 --validation f nofile
refused 'train: --choose is for a choice of lambda: --search, or --path with -v' \
    -s pegasos --validation f --choose one-se nofile
refused 'train: --gamma-kernel 0.1,1: several values need --search, which chooses one' --gamma-kernel 0.1,1 nofile
refused 'train: --gamma-kernel 1,,2: an empty value is not a number' --search --gamma-kernel 1,,2 nofile
refused 'train: --gamma-kernel 1,0: out of range: a gamma is above 0' --search --gamma-kernel 1,0 nofile
refused 'train: --gamma-kernel 1,1.0: 1.0 is there twice' --search --gamma-kernel 1,1.0 nofile
landmarks=(--search --map nystrom --landmarks)
refused 'train: --landmarks 5,9: several values need --search, which chooses one' --map nystrom --landmarks 5,9 nofile
refused 'train: --landmarks 5,,9: an empty value is not a whole number' "${landmarks[@]}" 5,,9 nofile
refused 'train: --landmarks 5,9.5: 9.5 is not a whole number' "${landmarks[@]}" 5,9.5 nofile
refused 'train: --landmarks 5,0: out of range: from 1 to 1048576' "${landmarks[@]}" 5,0 nofile
refused 'train: --landmarks 5,1048577: out of range: from 1 to 1048576' "${landmarks[@]}" 5,1048577 nofile
refused 'train: --landmarks 5,05: 05 is there twice' "${landmarks[@]}" 5,05 nofile
refused 'train: --landmarks needs --map nystrom or --map fourier' --search --landmarks 5,9 nofile
refused 'train: --landmarks 5,601: out of range: there are 600 examples' "${landmarks[@]}" 5,601 "$data/three.train"
status 1 "${landmarks[@]}" 5,500 --memory 1 -T trace "$data/three.train"
[ "$(cat err)" = 'train: a map of size 500 takes 8 MB, more than --memory 1' ] || fail "landmarks of 8 MB: $(cat err)"
[ ! -s trace ] || fail 'too many landmarks for the memory are found only in the search'
status 2 --path certified=0.1 -s pegasos nofile
has 'solver pegasos proves nothing for other lambdas (--path certified); these can: ' err

# ---- what fails without a fold says so: of all data it is wrong
awk 'BEGIN { for (i = 1; i < 12; i++) print "-1 1:" i % 3; print "1 1:4" }' >lone
status 1 -v 3 -L f1 lone
has '^train: with fold [123] left out: -L f1 needs positive examples, and there are none$' err

if [ $failures -gt 0 ]; then
    echo "search.sh: $failures failures" >&2
    exit 1
fi
echo "search.sh: all well"
