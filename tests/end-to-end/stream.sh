#!/bin/bash
# stream.sh BIN - asset-on and asset*-on: examples as they come from pipes and packed files, labels that
# come late, signals after which the model is saved, and options that a stream cannot have.
set -u
# shellcheck source=tests/outside.sh
. "$(dirname "$0")/../outside.sh"
predict=$bin/predict
blobs=$data/blobs.train

accuracy() { "$predict" "$1" "$2" predictions | sed -n 's/^Accuracy = \([0-9.]*\)%.*/\1/p'; }
at_least() { # A B WHAT
    awk -v a="$1" -v b="$2" 'BEGIN { exit !(a >= b) }' || fail "$3: $1, not $2"
}

# A file, a packed one and a pipe are the same stream.
for solver in asset-on 'asset*-on' 'asset-on --intercept' 'asset-on --map fourier --dimension 64 --sigma 5'; do
    # shellcheck disable=SC2086
    status 0 -q -s $solver -l 1e-3 "$blobs" file
    gzip -c "$blobs" >packed.gz
    # shellcheck disable=SC2086
    status 0 -q -s $solver -l 1e-3 packed.gz packed
    cmp -s file packed || fail "$solver: another model of a packed file"
    # shellcheck disable=SC2086
    "$train" -q -s $solver -l 1e-3 - pipe <"$blobs" || fail "$solver: standard input"
    cmp -s file pipe || fail "$solver: another model of standard input"
    at_least "$(accuracy "$data/blobs.test" file)" 80 "$solver"
done
status 0 -s asset-on -l 1e-3 -p 3 --report report "$blobs" model
has '^passes 3$' model
has '"rows": 1000' report
has 'status.*limit' report

# The labels: late, a third one, one alone.
{ grep '^1 ' "$blobs"; grep -v '^1 ' "$blobs"; } >sorted
status 0 -q -s asset-on -l 1e-3 sorted model
has '^train: warning: the labels come in long runs: in 1000 examples 1 have another label ' err
yes "$(printf '1 1:1\n-1 2:1')" | "$train" -q -s asset-on -t 0.1 - model 2>err # an endless one
has 'the limit of 0.1 s (-t) came after [0-9]* examples; raise -t$' err
{ head -n 400 "$blobs"; echo '1 1:1e10'; tail -n +401 "$blobs"; } >outlier
status 0 -q -s asset-on -l 1e-3 outlier model # which is not what the latter examples meet
[ ! -s err ] || fail "an outlier amid the examples: $(<err)"
has '^labels 1 -1$' model
{ grep -v '^1 ' "$blobs"; grep '^1 ' "$blobs"; } >sorted
status 0 -q -s asset-on -l 1e-3 sorted model
has '^labels 1 -1$' model
(grep '^1 ' "$blobs" "$blobs" "$blobs" -h; grep -v '^1 ' "$blobs" | sed 's/^-1 /3 /') |
    "$train" -q -s asset-on -l 1e-3 - model 2>err && fail 'a larger label that comes late'
has 'say which is positive' err
(cat "$blobs"; sleep 0.3; echo '7 1:1') | "$train" -q -s asset-on -l 1e-3 - model 2>err && fail 'a third label'
has '^standard input: example 1001 has a third label, 7, .*; --multiclass ovr ' err
(cat "$blobs"; sleep 0.3; echo '7 1:1') | "$train" -q -s asset-on -P 1 -l 1e-3 - model || fail '-P 1'
has '^rest 1$' model
status 0 -q -s asset-on -P -1 -l 1e-3 "$blobs" model
has '^labels -1 1$' model
at_least "$(accuracy "$data/blobs.test" model)" 80 '-P -1'
status 0 -q -s asset-on -P 2 -l 1e-3 "$data/three.train" model
has '^labels 2 -1$' model
status 0 -q -s asset-on -P 1 -l 1e-3 "$blobs" model
has '^labels 1 -1$' model
at_least "$(accuracy "$data/blobs.test" model)" 80 '-P 1'
status 0 -q -s asset-on -P 3 -l 1e-3 "$data/three.train" model
has '^labels 3 -1$' model
has '^rest 1$' model
{ grep -v '^1 ' "$blobs" "$blobs" "$blobs" -h | sed 's/^-1 /0 /'; grep '^1 ' "$blobs"; } >sorted
status 0 -q -s asset-on -l 1e-3 sorted model
has '^labels 1 0$' model
grep '^1 ' "$blobs" >alone
status 1 -s asset-on alone model
has 'only one label' err

# The model of a stream does not depend on the pieces in which a pipe delivers it.
for options in '' '--intercept' '--map fourier --dimension 20'; do
    # shellcheck disable=SC2086
    status 0 -q -s asset-on --output last -l 1e-3 $options "$blobs" file
    mkfifo pieces
    (head -n 1 "$blobs"; sleep 0.2; sed -n 2,300p "$blobs"; sleep 0.2; tail -n +301 "$blobs") >pieces &
    # shellcheck disable=SC2086
    status 0 -q -s asset-on --output last -l 1e-3 $options pieces model
    cmp -s file model || fail "another model of a stream in pieces: $options"
    rm -f pieces
    wait
done
status 0 -q -s asset-on -l 1e-3 "$blobs" file
status 0 -q -s asset-on --sample 3 -l 1e-3 "$blobs" model
cmp -s file model && fail '--sample changes nothing'
status 1 -s asset-on -P 7 "$blobs" model
has 'label 7 (-P) does not occur' err
sed 's/^[^ ]*/& cost:0/' "$blobs" >weightless
status 1 -s asset-on weightless model
has 'weights sum to 0' err
awk 'BEGIN { for (i = 0; i < 3000; i++) print (i < 2000 ? 0 : 3), "1:1 2:" i % 7 }' >late
status 0 -q -s asset-on -L absolute -l 1e-3 late model
has_not '^w sparse 0$' model
status 2 -s asset --map nystrom --sigma 1e300 "$blobs" model
has 'out of range' err

# Weights of labels are those of their examples.
sed 's/^1 /1 cost:3 /; s/^-1 /-1 cost:0.25 /' "$blobs" >weighted
for options in '' '--intercept -p 2'; do
    # shellcheck disable=SC2086
    status 0 -q -s asset-on -l 1e-3 $options weighted file
    # shellcheck disable=SC2086
    status 0 -q -s asset-on -l 1e-3 $options -w 1=3 -w -1=0.25 "$blobs" model
    cmp -s file model || fail "-w is not cost:, $options"
    # shellcheck disable=SC2086
    status 0 -q -s asset-on -l 1e-3 $options "$blobs" model
    cmp -s file model && fail "weights change nothing, $options"
done

# A block of the stream whose examples all weigh 0 is no error; a label of -w that does not occur is told.
{ grep '^1 ' "$blobs"; grep -v '^1 ' "$blobs"; } >sorted
status 0 -q -s asset-on -l 1e-2 -w 1=0 sorted file
{ grep '^1 ' "$blobs"; sleep 0.3; grep -v '^1 ' "$blobs"; } | "$train" -q -s asset-on -l 1e-2 -w 1=0 - model ||
    fail 'a block of examples that weigh 0'
cmp -s file model || fail 'another model of pieces that weigh 0'
status 1 -q -s asset-on -l 1e-2 -w 1=0 -w -1=0 sorted model
has 'weights sum to 0' err
status 0 -q -s asset-on -l 1e-2 -w 7=2 "$blobs" model
has 'no example has the label 7 of -w' err

# J: the mean of the losses before each example was learned, here all of them 1, and the penalty of w.
printf '1 1:1\n-1 2:1\n1 3:1\n' >corners
status 0 -q -s asset-on --output last -l 0.2 --report report corners model
awk '/^objective / { j = $2 } /^w / { weights = 1; next } weights { v = $NF; sub(/.*:/, "", v); sum += v * v }
    END { d = j - 1 - 0.1 * sum; exit !(sum > 0.1 && d < 1e-12 && d > -1e-12) }' model || fail 'J of a stream'

# Three labels and more: each label's vector is that of -P, whenever the label comes, and for any number of threads.
# parted MODEL ONE...: whether the vectors of the model are those of the others, in their order.
parted() {
    awk '/^end/ { inside = 0 }
        inside { if (FILENAME == ARGV[1]) w[++n] = $1; else if ($1 "" != w[++i] "") exit bad = 1 }
        /^w dense/ { inside = 1 }
        END { exit bad || n == 0 || i != n }' "$@"
}
three=$data/three.train
{ cat "$three" "$three"; sed 's/^1 /0 /; s/^2 /7 /' "$three"; } >late # 0 and 7 come after 1200 examples
for options in '-s asset-on' '-s asset-on --intercept' '-s asset*-on -p 2' '-s asset-on --map fourier --dimension 32 --sigma 3' '-s asset-on -L logistic --output last'; do
    # shellcheck disable=SC2086
    status 0 -q -j 1 $options -l 1e-2 late one
    # shellcheck disable=SC2086
    status 0 -q -j 3 $options -l 1e-2 late model
    cmp -s one model || fail "another model of more threads: $options"
    has '^labels 0 1 2 3 7$' model
    has '^vectors 5$' model
    for label in 0 1 2 3 7; do
        # shellcheck disable=SC2086
        status 0 -q $options -P $label -l 1e-2 late chosen.$label
    done
    parted model chosen.{0,1,2,3,7} || fail "a label is not that of -P: $options"
done
# --multiclass ovr: so also where the first examples have one label or two, and two at the end are a pair.
sort -k 1,1 -s late >sorted
for options in '-s asset-on' '-s asset-on --intercept' '-s asset*-on -p 2 -L logistic'; do
    for sample in 1 1000; do # of one label; of two
        limits=
        [ "${options#*\*}" = "$options" ] && limits="--sample $sample"
        # shellcheck disable=SC2086
        status 0 -q $options $limits --multiclass ovr -l 1e-2 sorted model
        has '^labels 0 1 2 3 7$' model
        for label in 0 1 2 3 7; do
            # shellcheck disable=SC2086
            status 0 -q $options $limits -P $label -l 1e-2 sorted chosen.$label
        done
        parted model chosen.{0,1,2,3,7} || fail "sorted, a label is not that of -P: $options $limits"
    done
    # shellcheck disable=SC2086
    status 0 -q $options -l 1e-2 "$blobs" model
    # shellcheck disable=SC2086
    status 0 -q $options --multiclass ovr -l 1e-2 "$blobs" both
    cmp -s model both || fail "two labels are not a pair: $options"
done
grep "^1 " "$three" >alone
status 1 -s asset-on --multiclass ovr alone model
has 'only one label' err
status 0 -q -s asset-on -l 1e-2 "$blobs" start
{ echo '-5 1:1'; cat "$blobs"; } >third
status 0 -q -s asset-on -l 1e-2 -i start --multiclass ovr third model
has '^labels -5 -1 1$' model
"$train" -q -s asset-on -l 1e-2 - piped <late || fail 'labels of a pipe'
status 0 -q -s asset-on -l 1e-2 late model
cmp -s piped model || fail 'another model of many labels of a pipe'
status 0 -q -s asset-on -l 1e-2 --report report "$three" model
at_least "$(accuracy "$data/three.test" model)" 85 'three labels'
awk '/"label": .*"objective"/ { n++ } END { exit n != 3 }' report || fail 'no entry for each label'

# The loss of each example before it is learned. With lambda 1/4 w is 2 after the first example.
printf '1 1:1\n1 1:0.25\n-1 1:0.5\n' >steps
status 0 -s 'asset*-on' --output last -l 0.25 --report report steps model
table() { grep '^ *[0-9][0-9.]* ' err; }
table | awk '{ print $1, $2, $3, $4, $6, $7, $8 }' >rows
cat >expected <<'EOF'
1.000000 1.000000 100.00% 1 1 -1 1
0.750000 0.500000 50.00% 2 1 1 1
EOF
head -n 2 rows | cmp -s - expected || { fail 'other losses before learning'; cat err >&2; }
[ "$(wc -l <rows)" -eq 3 ] || fail 'no last row'
has '"examples": 2, "weight": 2, "loss": 0.75, "last_loss": 0.5, "error": 0.5, "label": 1, "predicted": 1, "features": 1' report
status 0 -s asset-on -l 1e-3 -p 2 -L squared "$blobs" model
table | awk '{ n += $4 == 2 ^ (NR - 1) && $3 == "-" } END { exit !(n == 10 && $4 == 1000 && NR == 11) }' ||
    { fail 'rows at 1, 2, 4, ... examples of the first pass'; cat err >&2; }
status 0 -q -s asset-on -l 1e-3 "$blobs" model
quiet 'a table in spite of -q'

# A model goes on learning: the last iterate of asset* is that of one stream, whatever its labels.
for set in "$blobs" "$three" late; do
    head -n 500 "$set" >head
    tail -n +501 "$set" >tail
    for options in '-s asset*-on' '-s asset*-on --hash 8' '-s asset*-on --map fourier --dimension 16 --sigma 3'; do
        [ "$set" = late ] && cp "$set" tail # all labels have to be in the head
        [ "$set" = late ] && cp "$set" head
        cat head tail >both
        # shellcheck disable=SC2086
        status 0 -q $options --output last -l 1e-2 head model
        # shellcheck disable=SC2086
        status 0 -q $options --output last -l 1e-2 -i model tail model
        # shellcheck disable=SC2086
        status 0 -q $options --output last -l 1e-2 both whole
        has "^examples $(wc -l <both)\$" model
        "$predict" -d -q both model out.two && "$predict" -d -q both whole out.one || fail "predict $options"
        paste out.two out.one | awk 'NR > 1 { for (k = 2; k <= NF / 2; k++) { d = $k - $(k + NF / 2); if (d > 1e-9 || d < -1e-9) exit 1 } }' ||
            fail "another model after -i: $options, $set"
    done
done
status 0 -q -s asset-on -l 1e-2 "$three" start
printf '9 1:1\n1 1:2\n' >ninth
status 0 -q -s asset-on -l 1e-2 -i start ninth model
has '^labels 1 2 3 9$' model
status 0 -q -s dcd -l 1e-2 "$blobs" start # does not say how many examples trained it
status 0 -s asset-on -l 1e-2 -i start --report report "$blobs" model
awk 'NR == 2 { exit !($1 < 0.9) }' err || fail '-i does not begin at the model'
status 1 -q -s asset-on -l 1e-2 -i start "$three" model
has 'a third label' err
status 1 -q -s asset-on -L squared -l 1e-2 -i start "$blobs" model
has 'its labels are not those of' err
status 2 -q -s 'asset*-on' -B 1 "$blobs" model
has 'has no constant feature (-B)$' err
status 2 -q -s asset-on -B 1 "$blobs" model
has 'has no constant feature (-B); --intercept works$' err
status 1 -q -s asset-on -P 5 -l 1e-2 -i start "$blobs" model
has 'has no label 5 (-P)' err
status 1 -q -s asset-on --intercept -l 1e-2 -i start "$blobs" model
has 'trained without --intercept' err
status 1 -q -s asset-on --map fourier --sigma 1 -l 1e-2 -i start "$blobs" model
has 'trained with --map none' err
status 0 -q -s asset-on -P 1 -l 1e-2 "$three" start
status 1 -q -s asset-on -l 1e-2 -i start "$three" model
has 'trained with -P 1' err
status 0 -q -s asset-on -P 1 -l 1e-2 -i start "$three" model
has '^rest 1$' model
has '^examples 1200$' model

# An offset at its bound is reported, for either sign.
for solver in asset asset-on; do
    for sign in '' -; do
        awk -v sign="$sign" 'BEGIN { for (i = 0; i < 400; i++) print sign (40 + i % 5), "1:0.01" }' >far
        status 0 -q -s $solver --intercept -L absolute -l 1e-2 far model
        has 'offset was held at its bound, 5, in [0-9]*% of' err
        status 0 -q -s $solver --intercept -L absolute -l 1e-2 --bound-offset 100 far model
        has_not 'held at its bound' err
    done
    status 0 -q -s $solver --intercept -l 1e-2 "$blobs" model
    quiet "$solver"
done

# A signal saves what was learned, of a pipe that is still open, too.
rm -f model
mkfifo pipe-in
"$train" -s asset-on -l 1e-3 -T trace pipe-in model >out 2>err &
run=$!
exec 3>pipe-in
cat "$blobs" >&3
for _ in $(seq 200); do
    grep -q '	1000	' trace 2>/dev/null && break
    sleep 0.1
done
kill -INT $run
wait $run
ended=$?
[ $ended -eq 130 ] || fail "exit $ended of an interrupted stream"
exec 3>&-
has '^status interrupted$' model
at_least "$(accuracy "$data/blobs.test" model)" 80 'an interrupted stream'

# The time limit does so, too, while the pipe is silent, and before anybody writes to it.
rm -f model
exec 3<>pipe-in
cat "$blobs" >&3
status 0 -q -s asset-on -l 1e-3 -t 1 pipe-in model
has '^train: warning: the limit of 1 s (-t) came ' err
has '^status limit$' model
at_least "$(accuracy "$data/blobs.test" model)" 80 'a stream that waits'
status 1 -q -s asset-on -l 1e-3 -t 0.3 pipe-in model
has '^train: no example was learned within the limit of 0.3 s; raise -t$' err
exec 3>&-
status 1 -q -s asset-on -l 1e-3 -t 0.3 pipe-in model
has '^train: no example was learned within the limit of 0.3 s; raise -t$' err

# Malformed lines, and empty data.
(head -n 10 "$blobs"; echo '1 2:x') | "$train" -q -s asset-on -l 1e-3 - model 2>err && fail 'a bad value'
has 'standard input:11:' err
status 1 -s asset-on -l 1e-3 /dev/null model
has 'no rows' err
gzip -c "$blobs" | head -c 4000 >short.gz
status 1 -s asset-on -l 1e-3 short.gz model
has 'truncated' err

refused 'folds' -s asset-on -v 2 "$blobs"
refused 'give -l' -s asset-on -c 1 "$blobs" model
refused 'landmarks' -s asset-on --map nystrom "$blobs" model
refused 'can be read once' -s asset-on -p 2 - model
refused 'whole passes' -s asset-on -p 1.5 "$blobs" model
refused 'constant feature' -s asset-on -B 1 "$blobs" model
refused 'output best' -s asset-on --output best "$blobs" model
exit $((failures > 0))
