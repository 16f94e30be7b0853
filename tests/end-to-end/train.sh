#!/bin/bash
# train.sh BIN - the program train from outside: exit status, messages, files, every option.
set -u
# shellcheck source=tests/tools.sh
. "$(dirname "$0")/../tools.sh"
bin=$(cd "$1" && pwd)
root=$(cd "$(dirname "$0")/../.." && pwd)
train=$bin/train
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
failures=0

fail() {
    echo "train.sh: $*" >&2
    failures=$((failures + 1))
}

# status STATUS COMMAND...: its exit status; what it printed is left in the files out and err.
status() {
    local wanted=$1 got
    shift
    "$@" >out 2>err </dev/null
    got=$?
    [ $got -eq "$wanted" ] || { fail "exit $got, not $wanted: $*"; cat out err >&2; }
}

# refused STATUS MESSAGE ARGUMENTS...: train prints this one line on standard error alone.
refused() {
    local wanted=$1 message=$2
    shift 2
    status "$wanted" "$train" "$@"
    [ "$(<err)" = "$message" ] || fail "'$(<err)', not '$message': train $*"
    [ ! -s out ] || fail "standard output is not empty: train $*"
}

has() { found "$1" "$2" || { fail "no '$1' in $2"; cat "$2" >&2; }; }
has_not() { ! found "$1" "$2" || fail "'$1' in $2"; }
same() { cmp -s "$1" "$2" || fail "$1 and $2 differ"; }
differ() { ! cmp -s "$1" "$2" || fail "$1 and $2 are the same"; }
weights() { sed -n '/^w /,$p' "$1"; }

# ---- data: 400 rows, 6 features; two classes, three, real labels
generate() {
    awk -v kind="$1" 'BEGIN {
        seed = 7
        for (i = 0; i < 400; i++) {
            line = ""; u = 0
            for (j = 1; j <= 6; j++) {
                seed = (seed * 16807) % 2147483647
                x = seed / 1073741823.5 - 1
                u += x * (j % 3 - 1)
                line = line sprintf(" %d:%.6f", j, x)
            }
            if (kind == "real")
                y = sprintf("%.4f", u)
            else
                y = kind == "three" ? (u < -0.5 ? 1 : u < 0.5 ? 2 : 3) : (u > 0.2 ? 1 : -1)
            print y line
        }
    }'
}
generate two >two
generate three >three
generate real >real

# ---- separate outputs, fractions of passes, options that a solver does not have
refused 2 'train: same would be written twice' --report same two same
refused 2 'train: same would be written twice' -T same two ./same
refused 2 'train: standard output would be written twice' --report - two -
cp two models.2
seq 1000 >models.3
for options in '-T models.7' '--report ./models.7' '--checkpoint models.7' '--cache=models.7'; do
    # shellcheck disable=SC2086
    refused 2 "train: ${options##*[ =]} would be written twice" $options --path 3 --path-models models two m
done
refused 2 'train: models.7 would be written twice' --path 3 --path-models models two models.7
refused 2 'train: models.2 would be read and overwritten' --path 3 --path-models models models.2 m
refused 2 'train: models.3 would be read and overwritten' --weights models.3 --path 3 --path-models models two m
refused 2 'train: models.2 has examples, which would be overwritten; remove it first' \
    --path certified=0.1,1,0.1 --path-models models two m
cmp -s two models.2 || fail 'data overwritten by a model of a path'
status 2 "$train" -s pegasos -e 0.1 two m
has '^train: solver pegasos has no tolerance (-e); these can: .*proximal' err
refused 2 'train: --guarantee returns the iterate that its promise is for; drop --output' \
    -s proximal --guarantee 0.1 --output best two m
refused 2 'train: --guarantee ends the run by its own count; drop -e' -s proximal --guarantee 0.1 -e 0.1 two m
refused 2 'train: --metric features needs --tau anneal alone, without --guarantee' \
    -s proximal --metric features --guarantee 0.1 two m
refused 2 'train: --metric dual makes steps of one example; drop -k, or use --metric features' \
    -s proximal --metric dual -k 2 two m
refused 2 'train: --metric features needs a loss of single scores' -s proximal --metric features -L softmax two m
no_step='train: --tau bound has no step for an unregularized offset; '
refused 2 "${no_step}use -B 1 instead of --intercept, or another --tau" -s proximal --tau bound --intercept two m
status 2 "$train" --tau bound two m
has '^train: --tau needs -s: it is an option of .*proximal' err
status 2 "$train" --output best two m
has '^train: --output needs -s: it is an option of .*proximal.*pegasos' err
status 0 "$train" --report - two apart
has 'model written to apart' err
has_not 'model written' out
status 0 "$train" -s pegasos -p 1 -l 1e-6 two apart
has '^objective [0-9.e+-]* (no proof; the default solver gives one), ' out
status 0 "$train" -s proximal -l 1e-2 two apart
has '^objective [0-9.e+-]*, bound [0-9.e+-]* (certified gap [01]' out
status 0 "$train" -s proximal -p 1.5 two apart
has ', 1.5 passes,' out
has_not 'objective 1,' out
# Rows without features have dual variables, too: more than 1000 features, where no bound comes from w alone.
awk 'BEGIN { for (i = 0; i < 200; i++) print (i % 2 ? 1 : -1), (i % 5 ? i % 2 + 2 * i + 1 ":1 1500:1" : "") }' >empty
status 0 "$train" --strict -s proximal --metric dual -l 1e-4 empty apart
# Dual variables that go on because w does: a smooth loss, more features than examples.
awk 'BEGIN { s = 1; for (j = 0; j < 3000; j++) { s = s * 16807 % 2147483647; w[j] = s / 2147483647 - 0.5 }
    for (i = 0; i < 240; i++) { row = ""; u = 0; for (j = 0; j < 20; j++) { s = s * 16807 % 2147483647
        k = 150 * j + s % 150; u += w[k]; row = row " " k + 1 ":1" } print (u > 0 ? 1 : -1) row } }' >wide
status 0 "$train" -q --strict -s proximal -L logistic -l 1e-4 -p 100 -e 0.02 wide apart
# Features that are nearly one: small data are finished by ipm, but not where no proof is wanted.
awk 'BEGIN { s = 1; for (i = 0; i < 60; i++) { s = s * 16807 % 2147483647; c = s; row = ""; u = 0
    for (j = 1; j <= 8; j++) { s = s * 16807 % 2147483647; u += (j % 2 ? 1 : -1) * s
        row = row " " j ":" (c + 0.01 * s) / 2147483647 }
    print (u > 0 ? 1 : -1) row } }' >alike
status 0 "$train" -s proximal -p 10 -l 1e-8 alike apart
has '(certified gap 0[.]' out
status 0 "$train" -s proximal -p 10 -l 1e-8 -e 0 alike apart
has_not '(certified gap 0[.]' out
printf '1 1:1e160 2:1\n-1 1:-1e160 3:1\n1 2:1e160\n' >huge
for solver in proximal adaptive pegasos; do
    status 1 "$train" -s $solver -T huge.trace huge huge.model
    has 'beyond all numbers' err
    cut -f1-5 huge.trace >huge.numbers # norm and delta may be unknown
    has_not nan huge.numbers
    [ ! -e huge.model ] || fail "a model of numbers beyond range, by $solver"
done

gzip -k two

# ---- the default solver: named by the summary, the report, the trace and the model
status 0 "$train" -T default.trace --report default.report two default.model
solver=$(sed -n 's/^solver //p' default.model)
has "^solver $solver (by default), objective " out
has "\"options\": {\"solver\": \"$solver\"," default.report
has '"solver_by_default": true' default.report
has "^# $solver\$" default.trace
status 0 "$train" -v 3 two
has '^solver ipm (by default), 3 of 3 folds' out # after a trial of dcd, as --dry-run says
status 0 "$train" --dry-run two
has '^solver ocas: ' out
has '^before it dcd, for at most ' out
has '^it has at most [0-9]* passes; then ipm follows$' out
# To a loose gap at small lambda several are tried, one after another.
awk 'function u() { s = s * 16807 % 2147483647; return s / 2147483647 }
    BEGIN {
        for (s = 1; i < 5000; i++) {
            y = 0
            line = ""
            for (j = 1; j <= 100; j++)
                if (u() < 0.1 || j == i % 100 + 1) {
                    line = line " " j ":1"
                    y += j % 7 - 3
                }
            print (y >= 0 ? 1 : -1) line >"separable"
            print ((y >= 0) == (u() < 0.8) ? 1 : -1) line >"noisy"
            print ((y >= 0) == (u() < 0.998) ? 1 : -1) line >"nearly"
        }
    }'
tries() { # SET LAMBDA SOLVERS
    status 0 "$train" -q -e 0.01 -l "$2" "$1" plain.model
    status 0 "$train" -q -j 2 -e 0.01 -l "$2" -T trial.trace "$1" trial.model
    same plain.model trial.model
    [ "$(grep '^#' trial.trace | tr -d '#\n')" = "$3" ] || fail "$1 $2: the solvers are not$3"
    has "^solver ${3##* }\$" trial.model
}
tries noisy 1e-5 ' proximal'
tries separable 1e-5 ' proximal dcd'
tries separable 1e-7 ' proximal dcd'
tries nearly 1e-7 ' proximal dcd ipm'

# Planes that go last of them start from the weights of the others, and not as they do alone.
first_of() { # SOLVER: its first objective in the trace
    awk -v solver="$1" '/^#/ { own = $2 == solver; next } own || solver == "" && NR > 1 { print $4; exit }' trial.trace
}
status 0 "$train" -q -l 1e-4 -T trial.trace noisy trial.model
[ "$(grep '^#' trial.trace | tr -d '#\n')" = ' dcd mcpa' ] || fail "the solvers are not dcd and mcpa"
warm=$(first_of mcpa)
status 0 "$train" -q -l 1e-4 -s mcpa -T trial.trace noisy trial.model
[ "$warm" != "$(first_of '')" ] || fail "planes do not start from dcd's weights: $warm"

status 0 "$train" --dry-run -e 0.01 -l 1e-5 noisy
has '^before it proximal, for at most 12 passes$' out
status 0 "$train" -q -S 1 -s "$solver" --report named.report two named.model
same default.model named.model
has '"solver_by_default": false' named.report
status 0 "$train" -s "$solver" two named.model
has '^objective ' out
status 0 "$train" -q -k 3 two chosen
has '^solver proximal$' chosen
status 0 "$train" -q -p 2 two chosen
status 0 "$train" -q -t 5 two chosen
"$train" -q - chosen <two || fail "the default solver and standard input do not go together"
same default.model chosen

# ---- help, lists, version
status 2 "$train"
has '^train: TRAINING_FILE is missing: train \[options\] TRAINING_FILE \[MODEL_FILE\]; train --help has the options' err
[ ! -s out ] || fail "help that was not asked for"
status 0 "$train" --help
has 'examples:' out
cp out help
status 0 "$train" -h
same out help
[ "$(sed -n '/^the options most used/,/^$/p' help | grep -c '^ \{2,6\}-')" -eq 10 ] || fail 'not ten options on the first screen'
has '^  -c, --cost C ' help
has_not 'line-limit' help
status 0 "$train" --help losses
has '^  hinge ' out
status 0 "$train" --help solvers
has '^without -s, ' out
status 2 "$train" --help sovlers
has '^train: --help has no topic sovlers; topics are all, solvers, data, ' err
status 2 "$train" --help all data
has 'no topic data; topics are' err
status 0 "$train" -V
has '^librrm [0-9.]*$' out
for list in s L r; do status 0 "$train" -$list help; done
status 0 "$train" -s help
for solver in pegasos adaptive proximal; do has "^  $solver  " out; done
has '^without -s, ' out
has '^  proximal .* no solver above fits$' out
solvers=$(sed '/^$/,$d' out | awk '/^  [a-z]/ { print $1 }')
status 0 "$train" -L help
for loss in hinge squared-hinge logistic squared absolute epsilon squared-epsilon huber quantile; do
    has "^  $loss  " out
done
status 0 "$train" -s proximal --help
has '^  reference ' out
has '--radius X' out
has '-e, --epsilon' out
has_not '--solver' out
"$train" --help >/dev/full 2>err
[ $? -eq 1 ] || fail "--help to a full disk does not exit 1"
has 'standard output: No space left' err

# ---- the man page lists what the help lists
heads() { sed -n 's/^ \{2,6\}\(-., \)\{0,1\}--\([a-z-]*\).*/\2/p' "$1" | sort; }
man_heads() { sed 's/\\-/-/g' | sed -n 's/^\\fB.*--\([a-z-]*\)\\fR.*/\1/p' | sort; }
status 0 "$train" --man
cp out train.1
status 0 "$train" --help all
sed '/^options:/,/^solvers/!d' out >help.options
heads help.options >names.help
for topic in data losses classes regularization kernels limits folds files more; do # each option is in one
    status 0 "$train" --help $topic
    cat out
done >topics
heads topics | uniq >names.topics
same names.topics names.help
sed '/^\.SH SOLVERS/,$d' train.1 | man_heads >names.man
[ "$(wc -l <names.help)" -ge 25 ] || fail "few options in the help"
same names.help names.man
for solver in $solvers; do
    status 0 "$train" -s "$solver" --help
    echo "== $solver"
    cat out
done >own
# by_solver: a line "== SOLVER" before the options of each; on the lines of the options.
by_solver() { awk '/^==/ { solver = $2; next } solver != "" { print solver, $0 }' | sort; }
sed -n '/^== /p; /^its own options/,/^== /s/^ \{2,6\}\(-., \)\{0,1\}--\([a-z-]*\).*/\2/p' own | by_solver >names.help
[ "$(wc -l <names.help)" -ge 100 ] || fail "few options of solvers in the help"
sed 's/\\-/-/g' train.1 |
    sed -n '1,/^\.SH SOLVERS/d; s/^\.SS /== /p; s/^\.SH .*/==/p; s/^\\fB.*--\([a-z-]*\)\\fR.*/\1/p' |
    by_solver >names.man
same names.help names.man
if has_tools 'man page linted' mandoc; then
    status 0 mandoc -T lint -W warning train.1
fi

if has_tools "man's warnings" man nroff; then
    LC_ALL=C.UTF-8 MANROFFSEQ= man --warnings -l train.1 >/dev/null 2>err
    [ ! -s err ] || fail "man warns: $(<err)"
fi

# ---- refusals: usage
refused 2 'train: unknown option --lamda; did you mean --lambda?' --lamda 1 two
refused 2 'train: -l 0: out of range: from 1e-100 to 1e+300' -l 0 two
refused 2 'train: -e -1: out of range: at least 0' -e -1 two
refused 2 'train: -k 0: out of range: from 1 to 1000000000' -k 0 two
refused 2 'train: -v 1: out of range: from 2 to 1000000' -v 1 two
refused 2 'train: -t -1: out of range: more than 0' -t -1 two
refused 2 'train: -p 0: out of range: more than 0' -p 0 two
refused 2 'train: -j 1025: out of range: from 1 to 1024' -j 1025 two
refused 2 'train: --tube -1: out of range: at least 0' --tube -1 two
refused 2 'train: --quantile 1: out of range: more than 0 and less than 1' --quantile 1 two
refused 2 'train: --huber 0: out of range: more than 0' --huber 0 two
refused 2 'train: -S x: not a whole number from 0 to 2^64 - 1' -S x two
refused 2 'train: -w 1: LABEL=W is expected, such as -w 1=5' -w 1 two
refused 2 'train: -w 1=-1: out of range: a weight is at least 0' -w 1=-1 two
refused 2 'train: unknown solver proximl; did you mean proximal?' -s proximl two
refused 2 'train: unknown solver quadrature; -s help lists them' -s quadrature two
refused 2 'train: unknown loss hing; did you mean hinge?' -L hing two
refused 2 'train: unknown regularizer ridge; -r help lists them' -r ridge two
refused 2 'train: -l and -c exclude each other: lambda = 1/(C m)' -l 1 -c 1 two
refused 2 'train: --radius is an option of proximal, proximal-bundle, not of pegasos' -s pegasos --radius 1 two
refused 2 'train: --huber is for -L huber, not for -L hinge' --huber 1 two
refused 2 'train: --elastic is for -r elastic-net and --ball elastic-net, not for -r l2' --elastic 0.5 two
refused 2 'train: --elastic 0: out of range: more than 0 and at most 1' --elastic 0 two
refused 2 'train: no solver can do all of -L hinge, -r entropy, --intercept, -k' \
    -r entropy --intercept -k 2 two
refused 2 'train: no solver can do all of -L hinge, -r entropy, --intercept, -k' \
    -s proximal -r entropy --intercept -k 2 nofile
refused 2 'train: TRAINING_FILE is missing: train [options] TRAINING_FILE [MODEL_FILE]; train --help has the options most used' -q
refused 2 'train: c: one operand too many; train takes TRAINING_FILE and MODEL_FILE' a b c
refused 2 'train: model: -v writes no model; leave MODEL_FILE out' -v 3 two model
refused 2 'train: MODEL_FILE is missing: data from standard input has no name to derive it from' -
status 2 "$train" -L squared -P 1 real
has '^train: -P needs labels that are classes, and -L squared has none' err
status 2 "$train" -L squared -w 1=2 real
has '^train: -w needs labels that are classes' err

# ---- refusals: data and files
refused 1 'nofile: No such file or directory' nofile
refused 1 'nofolder/m: No such file or directory' two nofolder/m
refused 1 'nofolder/t: No such file or directory' -T nofolder/t two m
refused 1 'nofolder/r: No such file or directory' --report nofolder/r two m
refused 1 'nomodel: No such file or directory' -i nomodel two m
refused 1 'two: label 7 (-P) does not occur' -P 7 two m
grep '^1 ' two >one
refused 1 'one: only one label (1); two are needed' one m
refused 1 'one: only one label (1); two are needed' -P 1 one m
refused 1 'two: 401 folds (-v), but only 400 examples' -v 401 two
seq 1 399 >short
awk '{ print $1 == 1 ? 5 : 1 }' two >five
status 1 "$train" --weights short two m
refused 1 "two: the examples' weights sum to 0; a positive number is needed" -w 1=0 -w -1=0 two m
awk 'BEGIN { for (i = 0; i < 10001; i++) print i, "1:1" }' >many
status 1 "$train" many m
has '^many: more than 10000 distinct labels for hinge' err
echo '1 0:1' >zero
status 1 "$train" zero m
has '^zero:1:3: ' err
[ ! -e m ] || fail "a model in spite of an error"
status 1 "$train" two /dev/full
has '/dev/full: No space left' err
ls -A | grep -q librrm && fail "a temporary file is left"

cp two data
refused 2 'train: data would be read and overwritten' data data
refused 2 'train: data would be read and overwritten' -T data data m
refused 2 'train: ./data would be read and overwritten' --report ./data data m
refused 2 'train: five would be read and overwritten' -q --weights five two five
same two data
{ echo '# by hand' && cat two; } >commented
gzip <two >packed
for other in data packed commented; do # a test set is no model
    cp "$other" before
    refused 2 "train: $other has examples, which would be overwritten; remove it first" two "$other"
    refused 2 "train: $other has examples, which would be overwritten; remove it first" -T "$other" two m
    same "$other" before
done
status 0 "$train" -q -T trace two m
cp trace before
status 1 "$train" -T trace many m # before it trains
same trace before
rm m
refused 2 'train: -c 1e-312: out of range: lambda = 1/(C m) would be inf; at least 1e-100' -c 1e-312 two m
refused 2 'train: -c 1e+110: out of range: lambda = 1/(C m) would be 2.5e-113; at least 1e-100' -c 1e110 two m
refused 1 'train: the weight of an example is 1e+101; at most 1e+100' -w 1=1e101 two m

# ---- models and their names
status 0 "$train" two
summary='^solver .*, objective .* nonzeros of 6, .* passes, loaded in .* s, trained in .* s; '
has "${summary}model written to two.model\$" out
[ -s two.model ] || fail "no two.model"
cp two.model plain
rm two.model
mkdir -p elsewhere
cp two.gz elsewhere
status 0 "$train" elsewhere/two.gz
same plain two.model
status 0 "$train" two -
has '^solver .*, objective .* model written to standard output$' err
same plain out
"$train" -q - m <two || fail "standard input is not read"
same plain m
status 0 "$train" -q two m
[ ! -s out ] && [ ! -s err ] || fail "-q is not quiet"
has '^labels 1 -1$' m
head -1 m | grep -q '^librrm 1$' || fail "no version line"

# ---- the same model for any number of threads, and for the same seed only
for threads in 1 2 3; do
    status 0 "$train" -q -j $threads two threads
    same plain threads
done
status 0 "$train" -q -S 1 two m
same plain m
for threads in 1 2 3; do
    status 0 "$train" -q -s proximal -S 1 -j $threads two seed1.$threads
    same seed1.1 seed1.$threads
done
status 0 "$train" -q -s proximal -S 2 two m
weights m >w2
weights seed1.1 >w1
differ w1 w2
status 0 "$train" -q -S 18446744073709551615 two m
has '^seed 18446744073709551615$' m

# ---- lambda and C, weights
status 0 "$train" -q -l 0.005 two a
status 0 "$train" -q -c 0.5 two b
same a b
awk '{ c = $1 == 1 ? " cost:5" : ""; sub(/ /, c " "); print }' two >cost
status 0 "$train" -q -w 1=5 two a
differ plain a
status 0 "$train" -q -w1 5 two b
same a b
status 0 "$train" -q -s proximal -w 1=5 two a
status 0 "$train" -q -s proximal -w-1 0.5 -w+1 2.5 -l 1e-4 two c
weights a >wa
weights c >wc
same wa wc
status 0 "$train" -q -w 1=5 two a
status 0 "$train" -q --weights five two b
same a b
status 0 "$train" -q cost b
same a b
status 0 "$train" -q -w 9=5 two b
has 'warning: no example has the label 9 of -w' err
same plain b

# ---- losses, bias, intercept
for loss in squared-hinge logistic; do status 0 "$train" -q -L $loss two m; done
for loss in squared absolute epsilon squared-epsilon huber quantile; do
    status 0 "$train" -q -L $loss real m
    has "^labels none\$" m
done
status 0 "$train" -q -B 1 two m
has '^bias 1$' m
has '^w dense 7$' m
status 0 "$train" -q --intercept two m
has '^intercept 1$' m
status 0 "$train" -q -t 2 two m # of LIBSVM, which has -q, too
has '^train: warning: -t 2 is a limit of 2 s; LIBSVM.s -t 2 is --kernel gaussian$' err
status 0 "$train" -qq -t 2 two m
[ ! -s err ] || fail "-qq: $(<err)"
status 0 "$train" -q -B 1 --intercept two m
status 2 "$train" -s dcd -B 1 --intercept two m
has '^train: solver dcd has no unregularized offset beside -B; these can: ' err
sed 's/ / 0:1 /' two >from0
status 0 "$train" -q --zero-based from0 m
has '^features 7$' m

# ---- three labels, one against the rest
status 0 "$train" three m
has '^labels 1 2 3$' m
has '^vectors 3$' m
has ' nonzeros of 18, ' out
status 0 "$train" -q -P 2 three m
has '^labels 2 -1$' m
has '^vectors 1$' m
sed 's/^[13] /-1 /; s/^2 /1 /' three >second
status 0 "$train" -q second s
weights m >w1
weights s >w2
same w1 w2
status 0 "$train" -q -P -1 two m
has '^labels -1 1$' m
if [ -x "$bin/predict" ]; then
    status 0 "$train" -q -P 2 three m
    status 0 "$bin/predict" three m predictions
    cp out first
    status 0 "$bin/predict" second s predictions
    [ "$(grep Accuracy first)" = "$(grep Accuracy out)" ] || fail "-P: predict counts otherwise"
fi

# ---- warm start
status 0 "$train" -q -s pegasos -p 3 -i plain two m
status 0 "$train" -q -s pegasos -p 3 two cold
differ m cold
cut -d' ' -f1-4 two >narrow
sed 's/$/ 9:1/' two >wide
status 0 "$train" -q -i plain narrow m
has '^features 3$' m
status 0 "$train" -q -i plain wide m
has '^features 9$' m
refused 1 'plain: its labels are not those of the data' -i plain three m
refused 1 'plain: trained with -B -1; the same is needed here' -i plain -B 1 two m
refused 1 'plain: trained without --intercept; the same is needed here' -i plain --intercept two m

# ---- cross-validation
status 0 "$train" -v 5 two
has '^Cross Validation Accuracy = [0-9.]*% ([0-9]*/400)$' out
has '^AUC = ' out
has '^solver .*, 5 of 5 folds, mean objective ' out
cp out first
status 0 "$train" -q -v 5 two
has '^Cross Validation Accuracy' out
has_not 'folds' out
[ "$(head -1 out)" = "$(head -1 first)" ] || fail "-v: the same seed, another result"
status 0 "$train" -v 4 -L squared real
has '^Cross Validation MSE = ' out
has '^R2 = ' out
status 0 "$train" -v 3 three
has '^Cross Validation Accuracy' out
status 0 "$train" -v 3 -P 2 three
has '^Cross Validation Accuracy' out
awk '{ q = int((NR - 1) / 4) + 1; sub(/ /, " qid:" q " "); print }' real >groups
status 0 "$train" -v 5 -L squared groups
refused 1 'groups: 101 folds (-v), but only 100 groups' -v 101 -L squared groups

# ---- trace, limits, report
status 0 "$train" -q -s pegasos -p 7 -T trace two m
head -1 trace | grep -q "^seconds	passes	iteration	objective	bound	nonzeros	norm	delta\$" ||
    fail "the trace has another header"
if grep -q '^lps$' <<<"$solvers"; then
    status 3 "$train" -q --strict -r l1 -L logistic -s lps -p 2 --optimality 1e-9 two m
    came='^train: warning: the limit of 2 passes (-p) came before delta <= 1e-09 (--optimality) was reached; '
    has "${came}raise -p or --optimality\$" err
fi
awk -F'\t' 'NF != 8 { bad = 1 } END { exit bad || NR < 8 }' trace || fail "the trace has other columns"
status 1 "$train" -q -T /dev/full two m
has '^/dev/full: ' err
status 0 "$train" -q -s proximal -p 3 -e 1e-9 two m
has '^train: warning: the limit of 3 passes (-p) came before the tolerance 1e-09' err
has '^status limit$' m
status 3 "$train" -q --strict -s proximal -p 3 -e 1e-9 two m
[ -s m ] || fail "--strict: no model"
status 0 "$train" -q -s pegasos -p 3 -e 0 two m
[ ! -s err ] || fail "a warning though the pass limit was the plan"
status 0 timeout 60 "$train" -q -s pegasos -p 1e12 -e 0 -t 0.1 two m
has '^train: warning: the limit of 0.1 s (-t) came' err
status 0 timeout 60 "$train" -q -s pegasos -p 1e12 -e 0 -t 0.1 three m
status 3 timeout 60 "$train" -q --strict -s pegasos -p 1e12 -t 0.1 two m

reads_json=''
has_tools 'reports read as JSON' python3 && reads_json=yes
json() {
    [ -z "$reads_json" ] || /usr/bin/python3 -m json.tool "$1" >/dev/null || fail "$1 is not JSON: $*"
}
cp two 'a"b\c'
status 0 "$train" -q --report report 'a"b\c' m
json report
for member in program version data_file model_file options solver_options lambda rows features nonzeros \
    load_seconds train_seconds status objective bound gap weights_nonzero passes iterations; do
    has "\"$member\": " report
done
status 0 "$train" -q -w 1=2 --report report three m
json report
[ "$(grep -c '"label": .*"objective": ' report)" -eq 3 ] || fail "not a line a label in the report"
status 0 "$train" -q -v 3 --report report two
json report
has '"accuracy": 0\.' report

# keys() REPORT: are words in lower case, of options too; what was not given is null, and what the data decide
# is there as it was in the end
keys() {
    grep -o '"[^"]*":' "$1" | grep -v '^"[a-z0-9_@]*":$' && fail "other keys in the report"
    for key in data_file model_file program version options threads time_limit line_limit; do
        [ "$key" = time_limit ] && [ "$1" = predicted ] || has "\"$key\": " "$1"
    done
}
has '"kernel": null' report
has '"time_limit": null' report
has '"path": null' report
has '"init": null' report
has_not '"help"' report
status 0 "$train" -q --map nystrom --landmarks 1000 -t 50 --report report two m
json report
keys report
gaussian='"kernel": {"name": "gaussian", "gamma": 0\.16666666666666666, "sigma": 1\.732[0-9]*'
has "$gaussian, \"map\": \"nystrom\", \"landmarks\": 400, \"dimension\": [1-9]" report
has '"time_limit": 50' report
has '"gamma_kernel": null' report
status 0 "$bin/predict" -q -j 2 --report predicted two m out
json predicted
keys predicted
has '"threads": 2,' predicted
has '"auc": ' predicted
has '"predict_seconds": ' predicted
for solver in pegasos adaptive asset asset-on; do # without a tolerance
    status 0 "$train" -q -s $solver -p 1 --report report two m
    has '"epsilon": null' report
done
has '"batch_size": null' report
status 0 "$train" -q -s pegasos -e 0 -p 1 -k 3 --report report two m
has '"epsilon": null' report
has '"batch_size": 3,' report
status 0 "$train" -q -s ocas --report report two m
has '"epsilon": 0\.001' report
has '"batch_size": null' report

status 0 "$train" -s pegasos --help
has_not '-e, --epsilon' out
has '^  tolerance  *not used: the run ends after -p passes$' out
status 0 "$train" -s ocas --help
has '-e, --epsilon' out

# ---- signals: the first saves
interrupt() { # SIGNAL ARGUMENTS...: sends it once the trace shows that training goes on
    local signal=$1 process
    shift
    rm -f trace
    env --default-signal=HUP "$train" -s pegasos -p 1e12 -e 0 -T trace "$@" >out 2>err </dev/null &
    process=$!
    for _ in $(seq 500); do
        [ "$(cat trace 2>/dev/null | wc -l)" -gt 2 ] && break
        sleep 0.02
    done
    kill -"$signal" $process
    { wait $process; } 2>/dev/null # the shell's own word of a hangup
    ended=$?
    [ $ended -eq $((128 + $(kill -l "$signal"))) ] || fail "exit $ended after SIG$signal"
}
for signal in INT TERM HUP; do
    interrupt $signal two m
    has '^status interrupted$' m
    has '^interrupted: objective ' out
done
interrupt INT three m
has '^interrupted, 2 of 3 labels not trained (weights 0): ' out
has '^status interrupted$' m
has '^untrained 2 3$' m
interrupt INT -v 3 two
has '^interrupted: 0 of 3 folds' out
has '^train: warning: a signal came after 0 of 3 folds; none was finished, so there is nothing to measure$' err

# ---- installation
if [ -x "$bin/predict" ]; then
    status 0 made_of "$bin" "$work/built" DESTDIR="$work/stage" PREFIX=/usr install
    usr=$work/stage/usr manual=$work/stage/usr/share/man
    for program in train predict conll bpseq; do
        for file in "bin/librrm-$program" "share/man/man1/librrm-$program.1"; do
            [ -s "$usr/$file" ] || fail "make install: no $file"
        done
        "$usr/bin/librrm-$program" --help | head -n 1 | grep -q "^usage: librrm-$program " ||
            fail "librrm-$program has another name in its help"
        "$usr/bin/librrm-$program" -q nowhere 2>err
        has "^librrm-$program: \|^nowhere: " err
    done
    same train.1 "$manual/man1/librrm-train.1"
    same "$root/LICENSE" "$usr/share/doc/librrm/LICENSE"
    status 0 "$usr/bin/librrm-train" -q two m
    same plain m
    status 0 "$usr/bin/librrm-train" -q -s pegasos -p 1e12 -e 0 -t 0.1 two m
    has '^librrm-train: warning: ' err
    status 2 "$usr/bin/librrm-predict" two m
    has '^librrm-predict: OUTPUT_FILE is missing: librrm-predict ' err
    ! grep -n '"\(train\|predict\): ' "$root"/*.c "$root"/*/*.c | grep -v '^[^:]*/tests/' >strange ||
        fail "messages with a name that is not that of the program: $(cat strange)"
    # every name in the pages is one that was installed
    find stage -printf ' %f' >installed
    sed 's/\\-/-/g' "$manual"/man?/* | grep -io 'librrm-[a-z]*' | tr 'A-Z' 'a-z' | sort -u >words
    [ -s words ] || fail 'no names in the pages'
    while read -r word; do
        [[ $(<installed) == *" $word"* ]] || fail "$word, which a page names, is not there"
    done <words
    ! grep '@[a-z]' "$manual"/man?/* || fail 'a page has a name that was not put in'
    command -v mandoc >/dev/null && status 0 mandoc -T lint -W warning "$manual"/man?/*
    for heading in DATA MODELS RNA NAMES PREDICTIONS; do
        has "^\.SH $heading$" "$manual/man5/librrm-formats.5"
    done
    status 0 made_of "$bin" "$work/built" DESTDIR="$work/stage" PREFIX=/usr uninstall
    [ -z "$(find stage -type f)" ] || fail "make uninstall leaves files"

    # another machine's programs do not run here; a compiler for 32 bits stops at the first file
    printf '#!/bin/sh\n[ "$1" != -dumpmachine ] || { echo other-linux-gnu; exit; }\nexec cc "$@"\n' >other-cc
    chmod +x other-cc
    make -n -C "$root" CC="$work/other-cc" BUILD="$work/other" BIN="$work/other/bin" install >plan ||
        fail 'make install for another machine'
    has "$work/other/runs/train --man" plan
    has_not "$work/other/bin/[a-z]* --man" plan
    make -s -C "$root" CC="${CC:-gcc} -m32" BUILD="$work/small" BIN="$work/small" >out 2>err &&
        fail 'a build for 32 bits'
    [ "$(grep -c 'error:' err)" -eq 1 ] || fail "32 bits: $(<err)"
    has 'error: .*librrm is for 64-bit machines only' err
    make -n -C "$root" CPPFLAGS=-Dwanted BUILD="$work/flags" BIN="$work/flags" all >plan
    [ "$(grep -c -- ' -c -o ' plan)" -eq "$(grep -c -- '-Dwanted.* -c -o ' plan)" ] || fail 'CPPFLAGS are lost'
fi

if [ $failures -gt 0 ]; then
    echo "train.sh: $failures failures" >&2
    exit 1
fi
echo "train.sh: all well"
