#!/bin/bash
# warnings.sh BIN - a run that has a poor end says so, in one line with its remedy, and by its exit status: models
# no better than weights of 0, limits with --strict, signals, labels that were not trained.
set -u
# shellcheck source=/dev/null
. "$(dirname "$0")/../outside.sh"
predict=$bin/predict

# warned WORDS ARGUMENTS...: success, and one line on standard error that has the words.
warned() {
    local words=$1
    shift
    status 0 -q "$@"
    has "$words" err
    [ "$(wc -l <err)" -eq 1 ] || { fail "not one line: $*"; cat err >&2; }
}

# ---- no better than w = 0
blobs=$data/blobs.train
awk '{ print $1, "1:" NR % 7 / 7, "2:" 1000 * (NR % 5) + 1 }' "$blobs" >unscaled
worse='^train: warning: the model is worse than all weights 0, objective .* where 0 has 1; '
optimal='^train: warning: the model has all weights 0, which are optimal within the tolerance, objective 1; '
equal='^train: warning: the model is no better than all weights 0, objective 1; '
for solver in pegasos asset; do
    warned "${worse}scale the features (--scale max, or standard for dense data), whose values are of sizes from 0\\.[0-9]* to 2\\.[0-9]*e+03$" \
        -s $solver -l 1e-3 unscaled model
    status 3 -q --strict -s $solver -l 1e-3 unscaled model
    has "$worse" err
    [ "$(wc -l <err)" -eq 1 ] || fail "more than a line with --strict: $solver"
done
status 0 -qq -s pegasos -l 1e-3 unscaled model
quiet '-qq'
# Better than 0, but far from the optimum: online steps and features of different sizes.
awk '{ print $1, "1:" 0.01 * ($1 > 0) + 0.01 * (NR % 3), "2:" 5 * (NR % 5) + 1 }' "$blobs" >sizes
for solver in pegasos adaptive fobos rda; do
    options=
    case $solver in fobos | rda) options='-r l1' ;; esac
    # shellcheck disable=SC2086 # two words
    status 0 -q -s $solver $options -l 1e-3 sizes model
    has '^train: warning: .*scale' err
    [ "$(wc -l <err)" -eq 1 ] || fail "not one warning of sizes: $solver"
done
status 0 -q -s ipm -l 1e-3 sizes model
quiet "a batch solver on features of different sizes"
# Passes that do not suffice on features of one size: a gap, or no proof. -e 0 says that none is wanted.
awk '{ seed = (seed * 16807 + 7) % 2147483647; print $1, "1:" NR % 7 / 7 + ($1 > 0) / 2, "2:" seed / 2147483647 }' \
    "$blobs" >noisy
ended='^train: warning: [a-z]* ended after [0-9]* passe*s* (-p) '
remedy='; raise -p, or use -s [a-z]*$'
warned "${ended}without a proof that it is near the optimum$remedy" -s asset -p 3 -l 1e-5 noisy model
warned "${ended}with a certified gap of [0-9.]*%$remedy" -s rda -r l1 -p 1 -l 1e-2 noisy model
warned "$ended" -v 3 -s asset -p 1 -l 1e-4 noisy
status 0 -q -s asset -p 3 -l 1e-5 -e 0 noisy model
quiet "passes without a tolerance"
for solver in pegasos adaptive asset; do # near the optimum, and proved
    status 0 -q -s $solver -l 0.1 noisy model
    quiet "$solver near the optimum"
done
warned "${worse}use -s ipm, which suits these data$" -s pegasos --limit-steps off -p 1 -l 1e-9 "$blobs" model
warned "${worse%1; }0\\.772; use -s ipm, which suits these data$" \
    -s asset --limit-steps off -p 1 -l 1e-9 --intercept --bound-offset 1e6 "$blobs" model
warned "${equal}use -s ipm, which suits these data$" \
    -s pegasos --limit-steps off -p 1 -l 1e-9 --output best "$blobs" model
has '^w sparse 0$' model
warned "${equal}lower -e$" -e 2 "$blobs" model
warned '^train: warning: the model of 3 of 3 labels is worse than all weights 0, ' \
    -s pegasos --limit-steps off -p 1 -l 1e-9 "$data/three.train" model
status 0 -q -v 3 -s pegasos --limit-steps off -p 1 -l 1e-9 "$blobs"
has '^train: warning: the model of 3 of the folds is worse than all weights 0, ' err
warned "${worse/model/model, by the losses of the later examples before each was learned,}" -s asset-on -l 1e-3 unscaled model
warned '^train: warning: the model is worse than all weights 0, objective .* where 0 has 0\.69' \
    -s asset --limit-steps off -L logistic -l 1e-3 unscaled model
for solver in ipm agm bundle proximal; do # 0 is the best, or nearly: nothing to warn of
    status 0 -q -s $solver -l 1e9 "$blobs" model
    quiet "$solver at a large lambda"
done
for solver in pegasos adaptive proximal asset 'asset*'; do # whose steps have squares of lambda
    status 0 -q --strict -s "$solver" -l 1e250 "$blobs" model
    quiet "$solver at the largest lambda"
    has '^objective 1$' model
    has '^w sparse 0$' model
done
warned "${optimal}lower -l, or use another loss$" -s adaptive -L crammer-singer -l 1e250 "$data/three.train" model
status 0 -q -s lps -r l1 -L logistic -l 1e9 "$blobs" model
quiet "lambda above lambda_max"
awk '{ print $1, "1:" NR % 7 / 7, "2:" NR % 3 / 3 }' "$blobs" >within
status 0 -q -L boost within model
quiet "the simplex, which has no 0"

# Classes that overlap much: the bound of precision at K is least at 0, which is proven, and of no use.
awk '{ print $1, "1:" NR % 7 / 7, "2:" NR % 3 / 3 }' "$blobs" >overlap
warned "${optimal}raise --at, or use -L rocarea$" \
    -L precision --at 5 overlap model
status 3 -q --strict -L precision --at 5 overlap model

# At a large lambda the optimum has all weights 0 as well: other solvers and more passes do not help.
for solver in bundle proximal-bundle; do
    warned "${optimal}lower -l, or use another loss$" -L f1 -l 1e9 -s $solver "$blobs" model
done

# ---- a kernel machine with a linear kernel that makes no progress is told of the linear solver
awk 'BEGIN {
    seed = 5
    for (i = 0; i < 60; i++) {
        line = i % 2 ? 1 : -1
        for (j = 1; j <= 6; j++) {
            seed = (seed * 16807) % 2147483647
            line = line sprintf(" %d:%.4f", j, (seed / 1073741823.5 - 1) * (j == 1 ? 50 : 1))
        }
        print line
    }
}' >noise
warned 'use -s ipm: the kernel is linear$' -s pdsg --kernel linear --expand --working-set 8 -c 1e4 noise model
warned 'use -s ipm --intercept: the kernel is linear$' \
    -s pdsg --kernel linear --expand --basis 1 --working-set 8 -c 1e4 noise model

# ---- a limit is no success with --strict, whatever the solver
for solver in pegasos proximal asset rda; do
    extra=()
    [ $solver = rda ] && extra=(-r l1 -l 1e-3)
    status 3 -q --strict -s $solver -p 1 "${extra[@]}" "$blobs" model
    has '^status limit$' model
    [ "$(wc -l <err)" -eq 1 ] || fail "not one line: --strict -s $solver"
done
status 3 -q --strict -s pegasos --limit-steps off -p 1 -l 0.1 "$blobs" model
has '^train: warning: --strict: the run ended at its limit of passes, 1 (-p); leave --strict out, ' err
status 3 -q --strict -v 3 -s bundle -e 0 -p 30 -l 0.1 "$blobs" # without a model, too
has '^train: warning: --strict: the run ended at its limit of passes, 30 (-p); give a tolerance by -e$' err
status 0 -q -s pegasos --limit-steps off -p 1 -l 0.1 "$blobs" model
quiet "a limit that is the plan"

# ---- an objective that does not fall much further, without a bound that proves it, has settled
status 0 -q --strict -s proximal -L crammer-singer -l 4e-3 "$data/three.train" model
quiet "a run that settled with a small gap"
has '^status settled$' model
settled='^train: warning: proximal settled '
status 3 -q --strict -s proximal -L crammer-singer -l 1e-3 --report report "$data/three.train" model
has "${settled}with a certified gap of [0-9.]*%; lower -e, or use -s sdm$" err
has '^status settled$' model
has '"status": "settled"' report
"$predict" -q "$data/three.train" model plain || fail "a model of a run that settled"
status 3 -q --strict -s proximal -L crammer-singer -l 1e-6 "$data/three.train" model
has '^status settled$' model
has "${settled}without a proof that it is near the optimum; lower -e, or use -s sdm$" err
status 0 -q -s proximal -L crammer-singer -l 1e-6 -e 0 --settle 0.005 "$data/three.train" model
quiet "a run that settled, and no proof is wanted"
status 0 -q --strict -s proximal -l 1e-2 "$blobs" model
has '^status converged$' model
for metric in features dual; do # -e is the certified gap, whatever --settle says
    status 0 -q --strict -s proximal --metric $metric -l 1e-4 -e 1e-2 --settle 0 "$blobs" model
    has '^status converged$' model
done
status 3 -q --strict -s proximal --metric features -l 1e-4 -e 1e-6 --settle 0.2 "$blobs" model
has "${settled}with a certified gap of [0-9.]*%; lower -e, or use -s [a-z]*$" err
status 3 -q --strict -s proximal --guarantee 0.01 -l 1e-2 -p 2 "$blobs" model
has 'the limit of 2 passes (-p) came before the run was finished; raise -p$' err

# ---- the shell sees the signal
endless() { # SIGNAL: of a run that has no other end; waits for its trace to grow
    rm -f trace
    env --default-signal=HUP "$train" -q -s pegasos -p 1e12 -e 0 -T trace "$blobs" model >out 2>err </dev/null &
    process=$!
    await_trace 2
    kill -"$1" $process
}
for signal in HUP USR1; do
    rm -f model
    endless $signal
    { wait $process; } 2>/dev/null # the shell's own word
    ended=$?
    [ $ended -eq $((128 + $(kill -l $signal))) ] || fail "exit $ended after SIG$signal"
    has '^status interrupted$' model
done
rm -f trace model
nohup "$train" -q -s pegasos --limit-steps off -p 1e12 -e 0 -T trace "$blobs" model >out 2>err </dev/null &
process=$!
await_trace 2
kill -HUP $process
sleep 0.2
kill -0 $process 2>/dev/null || fail "nohup does not keep a run from SIGHUP"
kill -TERM $process
wait $process
ended=$?
[ $ended -eq 143 ] || fail "exit $ended after SIGTERM"
# Of the signal itself, not of an exit with its number: only then does a shell end its loop.
! has_tools "how a signal ends a run" python3 ||
    /usr/bin/python3 - "$train" "$blobs" <<'EOF' || fail "an exit, not the signal"
import os, signal, subprocess, sys, time
run = subprocess.Popen([sys.argv[1], "-q", "-s", "pegasos", "-p", "1e12", "-e", "0", "-T", "trace2", sys.argv[2],
                        "model"], stderr=subprocess.DEVNULL)
while not os.path.exists("trace2") or os.path.getsize("trace2") < 200:
    time.sleep(0.02)
run.send_signal(signal.SIGINT)
sys.exit(run.wait() != -signal.SIGINT)
EOF

# ---- the time limit ends folds, too
status 0 -q -v 500 -t 1e-6 -s bundle -e 1e-9 "$blobs"
has '^train: warning: the limit of 1e-06 s (-t) came after [0-9]* of 500 folds; raise -t$' err

# ---- held-out labels that training lacks
printf '1 1:1\n-1 1:-1\n1 1:2\n-1 1:-2 2:1\n' >two
printf '1 1:1\n3 1:-1\n0.5 1:2\n-1 1:-2\n' >held
errors='2 of 4 labelled rows have a label that the model does not know (the first is 3): they count as'
status 0 --search --validation held two model
[ "$(grep -c 'does not know' err)" = 1 ] || fail "a search does not warn once of held-out labels"
has "^train: warning: held-out examples: $errors errors$" err
status 0 -s adaptive --validation held two model
[ "$(grep -c 'does not know' err)" = 1 ] || fail "early stopping does not warn once of held-out labels"
status 0 -qq --search --validation held two model
[ ! -s err ] || fail "-qq warns of held-out labels: $(cat err)"
status 0 -q --search -P 1 --validation held two model
has "^train: warning: held-out examples: $errors errors$" err
printf '3 1:1 2:3\n' | cat - two >three
status 0 -q --search -P 1 --validation held three model # every other label is the second one
[ ! -s err ] || fail "the rest has a label that is not known: $(cat err)"
printf '? 1:1\n' | cat - held >some
"$predict" some model plain >/dev/null 2>err || fail "predict with labels that are not known"
[ ! -s err ] || fail "predict warns of the rest: $(cat err)"
status 0 -q two model
"$predict" some model plain >/dev/null 2>err || fail "predict with labels that are not known"
has "^predict: warning: $errors errors$" err
sed -n 's/[^ ]* /1.5 /p' two >numbers
status 0 -q --search -L squared --validation held numbers model # no labels at all
[ ! -s err ] || fail "numbers are labels: $(cat err)"

# ---- labels that were not trained are not predicted
awk 'BEGIN {
    for (i = 0; i < 400; i++) print i % 4 + 1, i % 4 + 1 ":1", 5 + i % 3 ":1"
}' >four
status 0 -q -e 1e-6 four whole
sed -e '/^w /,$d' -e 's/^status .*/status interrupted/' whole >head
awk '/^labels/ { print; print "untrained 3 4"; next } { print }' head >partly
printf 'w sparse 2\n1:1\n9:1\nend\n' >>partly # of 4 times 7
"$predict" -q four partly plain 2>err || fail "a model with untrained labels: $(cat err)"
has '^predict: warning: 2 of 4 labels of the model were not trained; they are never predicted$' err
unknown='labelled rows have a label that the model does not know (the first is'
has "^predict: warning: 200 of 400 $unknown 3): they count as errors$" err
[ "$(sort -u plain | tr '\n' ' ')" = '1 2 ' ] || fail "untrained labels are predicted"
"$predict" -q -d four partly decisions 2>err
[ "$(head -n 1 decisions)" = 'labels 1 2' ] || fail "decisions of untrained labels"
sed 's/^untrained .*/untrained 2 3 4/' partly >single
"$predict" -q four single plain 2>err || fail "a model with one label"
has '^predict: warning: 3 of 4 labels of the model were not trained$' err
for wrong in 'untrained 7' 'untrained' 'untrained 3 x'; do
    sed "s/^untrained .*/$wrong/" partly >bad
    "$predict" -q four bad plain 2>err && fail "$wrong is read"
    has '^bad:[0-9]*:[0-9]*: ' err
done
status 0 -q -e 1e-6 -i partly four model # as a start it is as good as any
has_not '^untrained' model
rm -f model
status 1 -q -t 1e-9 -s bundle four model
has '^train: no label was trained within the limit of 1e-09 s; raise -t$' err
[ ! -e model ] || fail "a model without a label"
sed 's/^untrained .*/untrained 1 2 3 4/' partly >none
"$predict" -q four none plain 2>err && fail "a model without a label predicts"
has '^none: none of its labels was trained$' err

# ---- many labels are numbers only where they look like numbers
awk 'BEGIN { for (i = 0; i < 1050; i++) print i % 105, i % 105 + 1 ":1" }' >classes
said=0 # once for three labels, wherever -t ends the search
for seconds in 1e-4 1e-3 2e-3 4e-3 8e-3 0.016 0.03; do
    "$train" -q -s fobos -r l1 -L logistic -l 1e-3 -p 100 -t $seconds "$data/three.train" model 2>err
    count=$(grep -c 'cut short the search for --gamma, which is [0-9.e+]*; give it, or more time$' err)
    [ "$count" -le 1 ] || fail "-t $seconds: $(<err)"
    said=$((said + count))
done
[ $said -gt 0 ] || fail 'a search for gamma that -t ends is not said'
status 0 -q -p 1 -s proximal classes model
has_not 'labels, a weight vector each' err
awk 'BEGIN { for (i = 0; i < 1050; i++) print i % 105 / 2, i % 105 + 1 ":1" }' >halves
status 0 -q -p 1 -s proximal halves model
has '^train: warning: 105 labels, a weight vector each; if they are numbers to predict, use -L squared$' err
awk 'BEGIN { for (i = 0; i < 150; i++) print i % 105, i % 7 + 1 ":1" }' >counts
status 0 -q -p 1 -s proximal counts model
has '^train: warning: 105 labels, a weight vector each; if they are numbers to predict, use -L squared$' err

# ---- options that would have no effect are refused
while read -r words options; do
    # shellcheck disable=SC2086 # several words
    refused "${words//_/ }" $options "$blobs" model
done <<'EOF'
needs_--intercept -s asset --bound-offset 7
needs_--intercept -s asset-on --bound-offset 7
is_for_--output_average -s asset --output last --average-from 9
is_for_--output_average -s asset*-on --output last --average-from 9
with_which_--guarantee_may_fail -s proximal --delta 0.5
is_for_--tau_anneal -s proximal --tau observed --settle 0.1
is_for_--tau_anneal -s proximal --guarantee 0.1 --settle 0.1
is_for_--tau_balance -s proximal-bundle --restart full
is_for_-r_elastic-net -s rda -r l1 --beta log
is_for_-r_elastic-net -s rda+ -r l1 -L logistic --beta log
is_for_--slope_before_and_half -s rda -r l1 --slope corrected --output average
is_for_--slope_before_and_half -s rda -r l1 --slope corrected --beta sqrt
is_for_the_squared_loss_and_the_squared_hinge -s rda+ -r l1 -L logistic --slope before
EOF

# ---- kernels of features whose sizes differ much
awk 'BEGIN { srand(1); for (i = 0; i < 60; i++) { a = rand(); print (a > 0.5 ? 1 : -1), "1:" a, "2:" 1000 * rand() } }' >apart
drown='^train: warning: the largest features drown the others in this kernel: scale the features (--scale max, or '
for options in '--gamma-kernel 1' '--map nystrom --landmarks 5' '--kernel sigmoid'; do
    # shellcheck disable=SC2086 # several words
    status 0 -q $options apart m
    has "$drown" err
    [ "$(grep -c drown err)" = 1 ] || fail "said twice: $options"
done
status 0 -q -v 3 --gamma-kernel 1 -c 1 apart
has "$drown" err
for options in '--gamma-kernel 1 --scale max' '--kernel linear --expand'; do
    # shellcheck disable=SC2086 # several words
    status 0 -q $options apart m
    has_not drown err
done

[ $failures -eq 0 ] || { echo "warnings.sh: $failures failures" >&2; exit 1; }
echo "warnings.sh: all well"
