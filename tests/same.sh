#!/bin/bash
# same.sh OLD NEW [FOLDER] - whether the programs of two folders do the same: train with every solver, loss and
# regularizer, allowed or refused, and what goes with them (offsets, classes, folds, paths, maps, streams, readers,
# converters) runs with both on the samples, each run in a folder of its own. Model files, traces, reports,
# predictions and exit statuses are compared byte for byte, without seconds and versions; texts for people are not.
#
# A line for each run that differs, with its commands and what of it differs, then "N runs, M differ"; exit status 1
# where M > 0. FOLDER keeps the files of both (old/PART/RUN, new/PART/RUN) of all runs that differ.
# JOBS: how many at a time, by default as many as processors. KINDS: which kinds of runs (below, from products to
# converters), by default all. Both must be built by the same compiler with the same flags: -O2 and -O3 round
# differently.
# shellcheck disable=SC2016 # the commands of a run know $data when it runs
set -u
export LC_ALL=C
self=$(cd "$(dirname "$0")" && pwd)/${0##*/}

# ---- one part of the runs, with both: same.sh --part WORK PART

# What runs are written in. Each is a line of commands; its folder is the current one; $data has the samples.

# program NAME ARGUMENTS...: its exit status is kept; $to takes its standard output.
program() {
    local status
    "$bin/$1" "${@:2}" >"${to:-/dev/null}" 2>/dev/null
    status=$?
    echo "$1 $status" >>status
    return $status
}

# kept STATUS: of what was refused no file may be left but the statuses and a trace that was begun.
kept() {
    local left=(*)
    case "$1 ${left[*]}" in
    [12]' status' | [12]' status trace') ;;
    [12]\ *) echo "refused, but left ${left[*]}" >>status ;;
    esac
    return "$1"
}

train() { program train -q -j 1 "$@"; }
predict() { program predict -q -j 1 "$@"; }

# fit SET OPTIONS...: a model of the training data, and, where there is one, all forms of predictions of the test data.
fit() {
    train -T trace --report report.train "${@:2}" "$data/$1.train" model
    kept $? && forecast "$data/$1.test"
}

# forecast FILE: all forms of predictions by the model.
forecast() {
    [ -e model ] || return
    predict --report report.predict "$1" model labels
    predict -d "$1" model scores
    predict -b 1 "$1" model probabilities
}

# warm SET OPTIONS...: a model that starts from another, of the same data.
warm() {
    train "${@:2}" "$data/$1.train" start || return
    train -T trace --report report.train "${@:2}" -i start -S 3 "$data/$1.train" model && forecast "$data/$1.test"
}

# refuse PROGRAM ARGUMENTS...: that the program refuses them is expected, and nothing is left.
refuse() {
    program "$@"
    kept $?
}

# side NAME: runs the part by the programs of one folder.
side() {
    local bin=$work/bin/$1 number commands
    mkdir -p "$work/$1/$part" && cd "$work/$1/$part" || exit 1
    cut -f 1 "$list" | xargs mkdir || exit 1
    while IFS=$'\t' read -r number commands; do
        cd "$work/$1/$part/$number" || exit 1
        : >status
        eval "$commands" </dev/null
    done <"$list"
    cd "$work/$1/$part" || exit 1
    find . -name 'report*' -exec sed -i 's/"[a-z_]*seconds": [^,}]*//g; s/"version": "[^"]*"//' {} +
    find . -name 'trace*' -exec sed -i 's/^[0-9][0-9.e+-]*\t//' {} +
}

# compared: the numbers of runs that differ, and in what.
compared() {
    {
        cd "$work" && diff -rq "old/$part" "new/$part"
        grep -r '^refused, but left' "new/$part"
    } | sed -n \
        -e "s|^Files old/$part/\([0-9]*\)/\(.*\) and .* differ$|\1\t\2|p" \
        -e "s|^Only in \([a-z]*\)/$part/\([0-9]*\): \(.*\)|\2\t\3 (only \1)|p" \
        -e "s|^new/$part/\([0-9]*\)/status:\(.*\)|\1\t\2|p" |
        awk -F '\t' -v OFS='\t' '
            { what[$1] = what[$1] (what[$1] == "" ? "" : ", ") $2 }
            END { for (number in what) print number, what[number] }'
}

if [ "${1-}" = --part ]; then
    work=$2 part=$3 list=$2/parts/$3 data=$2/data
    ulimit -t 100 # a run without an end differs
    side old
    side new
    compared >"$work/different/$part"
    # which runs end with a model, of both
    (cd "$work/old/$part" && grep -lx -m 1 'train [03]' -- */status) | cut -d / -f 1 >"$work/allowed/$part"
    for side in old new; do
        cd "$work/$side/$part" && cut -f 1 "$list" | grep -vxF -f <(cut -f 1 "$work/different/$part") | xargs rm -rf
    done
    touch "$work/ended/$part"
    exit 0
fi

# ---- the samples

[ $# -eq 2 ] || [ $# -eq 3 ] || {
    echo "usage: same.sh OLD NEW [FOLDER]" >&2
    exit 2
}
root=$(cd "${self%/*}/.." && pwd)
[ -f "$root/data/blobs.train" ] || root=$PWD
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM
mkdir "$work"/{bin,data,parts,different,allowed,ended} || exit 1
for side in old new; do
    folder=$1
    shift
    for program in train predict conll bpseq; do
        [ -x "$folder/$program" ] || {
            echo "same.sh: no program $folder/$program" >&2
            exit 2
        }
    done
    ln -s "$(cd "$folder" && pwd)" "$work/bin/$side"
done
keep=${1-}
old=$work/bin/old
data=$work/data

# hairpins: RNA with its structure, as bpseq.
hairpins() {
    awk '{
        n = length($1); top = 0; split("", mate)
        for (i = 1; i <= n; i++) {
            letter = substr($2, i, 1)
            if (letter == "(") open[++top] = i
            if (letter == ")") { mate[i] = open[top]; mate[open[top--]] = i }
        }
        for (i = 1; i <= n; i++) print i, substr($1, i, 1), mate[i] + 0
    }'
}

samples() {
    local set
    cp "$root"/data/*.train "$root"/data/*.test "$root/data/chunking.template" "$data" &&
        cp -r "$root/tests/bad-models" "$root/tests/bad-input" "$root/tests/fuzz/seeds" "$data" || return
    mv "$data/chunks.train" "$data/words.train" && mv "$data/chunks.test" "$data/words.test" || return
    printf '%s\n' 'U0:%x[0,0]' 'U1:%x[0,1]' 'U2:%x[-1,1]' >"$data/short.template"
    "$old/conll" encode -q --template "$data/short.template" --names "$data/names" \
        <(head -n 600 "$data/words.train") >"$data/chunks.train" &&
        "$old/conll" encode -q --template "$data/short.template" --names "$data/names" --freeze \
            <(head -n 200 "$data/words.test") >"$data/chunks.test" || return
    hairpins >"$data/train.bpseq" <<'END'
GGGAAAUCCC (((....)))
AGCGCAAAGCGCU .((((...)))).
CCAUAGAAAUAUGGACC (((((....)))))...
GACGAGUAACUCGAUUGUGAAAACAC ..(((....)))...((((...))))
UUACGGAAUAUCCGUA .(((((....))))).
GGCUAACGAAAGUUAAGCC (((.(((....)))..)))
END
    hairpins >"$data/test.bpseq" <<'END'
GCGAAAACGCA (((....))).
ACCAGUUUACUGGUA .(((((...))))).
UGGCAGAGAAUCUAGCCA ((((.(((..))))))).
END
    "$old/bpseq" encode "$data/train.bpseq" 2>"$work/err" >"$data/rna.train" &&
        "$old/bpseq" encode "$data/test.bpseq" 2>"$work/err" >"$data/rna.test" || return
    for set in train test; do # queries of 4 to 10 documents with grades from 1 to 3
        awk 'n == 0 { n = 4 + q * 5 % 7; q++ } { n--; $1 = $1 " qid:" q; print }' "$data/three.$set" \
            >"$data/queries.$set"
    done
    for set in blobs line three queries chunks rna; do # a weight an example; the same for all of a group
        awk '{ print $2 ~ /^qid:/ ? 1 + substr($2, 5) % 3 : 0.5 * (1 + NR % 4) }' "$data/$set.train" \
            >"$data/$set.weights"
        sed 's/^[^ ]*/?/' "$data/$set.test" >"$data/$set.unlabelled"
    done
    printf '%s\n' '1 0:1 2:0.5' '-1 1:2' '1 0:2 1:-1' >"$data/zero.train"
    gzip -c "$data/blobs.train" >"$data/packed.train"
    # dense: more features than examples, and few rows for what takes long
    awk 'NR <= 40' "$data/blobs.train" >"$data/wide.train" && cp "$data/blobs.test" "$data/wide.test"
    awk 'NR <= 150' "$data/blobs.train" >"$data/few.train" && cp "$data/blobs.test" "$data/few.test"
    awk 'NR <= 150' "$data/line.train" >"$data/fewline.train" && cp "$data/line.test" "$data/fewline.test"
}

samples || {
    echo "same.sh: the samples cannot be made in $work" >&2
    exit 1
}

# names OPTION: what train -OPTION help lists.
names() {
    "$old/train" "-$1" help | sed -n '/^$/q; s/^  \([^ ][^ ]*\)  .*/\1/p'
}

# set_of LOSS
set_of() {
    case $1 in
    squared | absolute | epsilon | huber | quantile) echo line ;;
    pairwise | ndcg) echo queries ;;
    crf | m3n) echo chunks ;;
    rna) echo rna ;;
    *) echo blobs ;;
    esac
}

# omega NAME: the options for a regularizer; there is no lambda with a constraint.
omega() {
    case $1 in
    *-ball) echo "--ball ${1%-ball}=2" ;;
    simplex) echo "-r simplex" ;;
    *) echo "-r $1 -l 0.003" ;;
    esac
}

solvers=$(names s) losses=$(names L) regularizers=$(names r)
if [ -z "$solvers" ] || [ -z "$losses" ] || [ -z "$regularizers" ]; then
    echo "same.sh: the lists of -s help, -L help and -r help cannot be read" >&2
    exit 1
fi

# ---- the runs, a line each

# products: every solver, and the default, with every loss and regularizer.
products() {
    local solver loss regularizer
    for loss in $losses; do
        for regularizer in $regularizers; do
            for solver in $solvers; do
                printf 'fit %s -s %q -L %s %s -p 12\n' \
                    "$(set_of "$loss")" "$solver" "$loss" "$(omega "$regularizer")"
            done
            echo "fit $(set_of "$loss") -L $loss $(omega "$regularizer") -p 25"
        done
    done
}

# variants: of each product that is allowed.
variants() {
    local fit set options
    while read -r fit set options; do
        echo "$fit $set $options --intercept -p 20"
        echo "$fit $set $options -B 1 -S 7 --weights \$data/$set.weights"
        echo "$fit $set $options -j 3 --strict -p 60"
        [ "$set" != blobs ] || echo "$fit three $options"
        case $options in *' -r l1 '* | *elastic-net\ *) echo "$fit $set $options --path 3" ;; esac
    done
}

# pairs: of each solver with each loss.
pairs() {
    local fit set options
    while read -r fit set options; do
        echo "$fit $set $options -v 3 -p 6"
        echo "warm $set $options"
        echo "$fit $set $options -k 4 -c 0.3"
        echo "$fit $set $options --map nystrom --landmarks 20 --gamma-kernel 0.1"
        echo "$fit $set $options --map fourier --dimension 16 --sigma 2 -B 1"
        case $set in
        blobs) echo "$fit three $options -P 2 -w 2=3 --intercept" ;;
        line) ;;
        *) echo "$fit $set $options -w 1=2" ;;
        esac
    done
}

# own: the options that solvers have for themselves.
own() {
    local solver loss option
    for option in '--tau observed' '--tau bound' '--tau anneal --settle 0.5 -p 100' '--project off' '--output best' \
        '--output average' '--tau balance' '--radius 0.5' '-e 0.5 --delta 0.1 -p 30' \
        '--tau balance --restart none' '--tau balance --restart scale' '--tau balance --restart sums' \
        '--tau balance --restart full'; do
        for loss in hinge logistic; do echo "fit blobs -s proximal -L $loss -p 5 $option"; done
    done
    for solver in adaptive pegasos; do
        for option in '--project off' '--output best' '--output average'; do
            echo "fit blobs -s $solver -p 5 $option"
        done
    done
    for solver in asset 'asset\*' asset-on 'asset\*-on'; do
        for option in '--project off' '--output best' '--output last' '--average-from 50' \
            '--bound-offset 2 --intercept' '--sample 30'; do
            echo "fit blobs -s $solver -p 3 $option"
        done
    done
    for solver in sgd tg fobos rda rda+; do
        for option in '--gamma 10' '--output best' '--output average' '--truncate 3' '--theta 0.1' '--beta log' \
            '-r elastic-net --beta log' '--settle 5' '--rho 0.5' '-r elastic-net --elastic 0.2'; do
            echo "fit blobs -s $solver -L logistic -r l1 -l 0.01 -p 5 $option"
        done
    done
    for solver in lps rda+; do
        for option in '--optimality 1e-4' '--gradient-fraction 0.3' '--hessian-sample 100' '--newton-threshold 5'; do
            for loss in logistic squared-hinge huber; do
                echo "fit $(set_of $loss) -s $solver -L $loss -r l1 -l 0.005 -p 60 $option"
            done
        done
    done
    for loss in hinge epsilon; do
        echo "fit $(set_of $loss) -s ipm -L $loss --memory 1"
    done
    for solver in ocas mcpa cpa; do
        for option in '--safeguard always' '--safeguard needed' '--cut-fraction 0.5' '--shrink off' '--shrink normal' \
            '--shrink aggressive' '--gram-cache 1' '--partitions 5' '--partitions 1'; do
            echo "fit blobs -s $solver -l 1e-4 -p 150 $option"
        done
    done
    for option in '--tau level' '--tau balance' '--tau balance --radius 1' \
        '--tau balance --restart none' '--tau balance --restart scale' '--tau balance --restart full'; do
        for loss in hinge logistic f1; do echo "fit blobs -s proximal-bundle -L $loss -p 40 $option"; done
    done
    for solver in agm agm1; do
        for loss in hinge squared-hinge squared quantile; do
            for option in primal smooth-dual dual excessive-gap; do
                for regularizer in l2 elastic-net; do
                    echo "fit $(set_of $loss) -s $solver -L $loss -r $regularizer -l 0.01 --form $option -p 40"
                done
            done
            for option in '--smoothing fixed' '--smoothing fixed --mu 0.1' '--mu 0.1' '--lipschitz fixed' \
                '--decay 1.5' '--prox optimized' '--metric plain' '--metric root' '--metric scaled' \
                '--strong 1e-4'; do
                echo "fit $(set_of $loss) -s $solver -L $loss -l 0.01 --form primal -p 40 $option"
            done
        done
        for option in primal dual smooth-dual '--smoothing fixed' '--nu 50 --eta 20'; do
            case $option in -*) ;; *) option="--form $option" ;; esac
            echo "fit blobs -s $solver -L boost -p 40 $option"
            echo "fit blobs -s $solver -L boost --ball l1=1 -p 40 $option"
        done
    done
    for solver in smo pdsg mpd; do
        for option in '--working-set 20' '--working-set 30 --fresh 5' '--kernel-cache 1' '--newton off' '--alone' \
            '--sub-working-set 6' '--basis 1' '--basis 1,2,2^2' '--basis 1,3 --basis-only 4' '--intercept' \
            '--kernel linear' '--kernel linear --expand' '--kernel polynomial --degree 2 --shift 1' '--sigma 2' '--gamma-kernel 0.3 -c 3' '-v 3' \
            '-e 1e-6 -p 3000' '-w 1=2' '-j 3'; do
            echo "fit few -s $solver -L hinge -l 0.01 -p 60 $option; predict --parts \$data/few.test model parts"
            echo "fit fewline -s $solver -L epsilon -l 0.01 -p 60 $option; predict --parts \$data/line.test model parts"
        done
    done
}

# settings: of the options that all solvers share.
settings() {
    local option loss set
    for option in '' '-e 1e-6' '-e 0.1' '-e 0 -p 30' '-p 1' '-p 0.5' '-p 1.5' '-t 1e-9' '-t 1e-9 --strict' \
        '-p 3 --strict' '-l 1' '-l 1e-6' '-l 1e-8 -p 100' '-l 1e9 --strict' '-c 1' '-c 1e-3' '-B 0' '-B 2.5' '-B -1' \
        '-S 0' '-S 18446744073709551615' '-w 1=0' '-w1 3' '-w 7=2' '-P 1' '-P 7' '-v 2' '-v 10 -p 9' '-v 1001' '-j 2' \
        '-j 5' '--zero-based' '--line-limit 2' '-k 10 -p 9' '-k 2000 -p 9' '-r l1 --path 5' \
        '-r l1 --path 5 -v 3 -p 30' '-r l1 --path 4 -l 1e-3 -e 1e-5' \
        '-r elastic-net --elastic 0.1 --path 4 -v 2 -L logistic' '-r l1 -l 10' '-r l1 --path 3 -t 1e-9' \
        '-r elastic-net --elastic 1 -p 50' '--ball l1=0.1 -p 50' '--ball elastic-net=3 --elastic 0.3 -p 50' \
        '--map fourier --kernel polynomial' '--sigma 2' '--basis 1'; do
        for set in blobs three 'line -L absolute' wide; do echo "fit $set $option"; done
    done
    for option in '--landmarks 30 --seeding kmeans++' '--landmarks 30 --seeding rpcholesky' '--landmarks 30 --eigen-threshold 0.01' \
        '--landmarks 60 --memory 0.05' '--landmarks 60 --memory 0.05 -j 3 -s pegasos' \
        '--kernel polynomial --landmarks 15' '--kernel linear --landmarks 25 -v 3' \
        '-r l1 --path 3 --landmarks 15 -L logistic'; do
        for set in few three; do echo "fit $set -l 0.01 -p 10 --map nystrom $option"; done
    done
    for option in '--dimension 40 --memory 0.02' '-S 5 -j 4' '--gamma-kernel 0.5 -L logistic -B 1'; do
        for set in few three; do echo "fit $set -l 0.01 -p 10 --map fourier $option"; done
    done
    echo 'fit wide -v 40 -p 5'
    echo 'fit wide --map nystrom'
    for option in '--tube 0' '--tube 2' '-c 1 -B 1'; do echo "fit line -L epsilon $option"; done
    for option in 0.1 0.9; do echo "fit line -L quantile --quantile $option"; done
    for option in 0.1 5; do echo "fit line -L huber --huber $option"; done
    for option in 1 5 1000; do
        echo "fit blobs -L precision --at $option -p 40"
        echo "fit queries -L ndcg --at $option -p 40"
    done
    echo 'fit queries -L ndcg --places root -p 40'
    for loss in $losses; do
        set=$(set_of "$loss")
        echo "fit $set -L $loss -v 3 -p 20"
        echo "fit $set -L $loss -c 2 -j 3 -p 20"
        echo "fit $set -L $loss -r l1 --path 3 -v 2 -p 10"
        echo "fit $set -L $loss -l 1e-6 -e 1e-5 -p 40"
        echo "fit $set -L $loss -p 20; predict -j 3 \$data/$set.unlabelled model unlabelled"
        echo "fit three -L $loss -B 1 -p 20"
    done
    for set in blobs three line queries chunks rna words; do # of every form of data
        for loss in hinge squared softmax f1 pairwise ndcg crf rna; do echo "fit $set -L $loss -p 10"; done
    done
}

# streams: pipes, packed files, standard output.
streams() {
    local solver option
    for solver in 'asset-on' 'asset\*-on'; do
        for option in '' '-p 3' '-l 1e-2 -B 1' '--intercept' '--average-from 10' '--map fourier --dimension 20' '-P 1' \
            '-j 3' '--map nystrom' '-L logistic' '-v 3' '-w 1=2' '--weights $data/blobs.weights' '-i $data/none' \
            '--strict' '-S 9'; do
            echo "cat \$data/blobs.train | train -s $solver -T trace --report report.train $option - model;" \
                "forecast \$data/blobs.test"
            echo "fit blobs -s $solver $option"
            echo "fit three -s $solver $option"
        done
        echo "cat \$data/line.train | train -s $solver -L absolute -T trace - model; forecast \$data/line.test"
        echo "cat \$data/packed.train | train -s $solver -T trace - model; forecast \$data/blobs.test"
    done
    echo 'cat $data/packed.train | train -T trace --report report.train - model; forecast $data/blobs.test'
    echo 'fit packed'
    echo 'to=model train $data/blobs.train -; forecast $data/blobs.test'
    echo 'train $data/blobs.train model.gz; gzip -dc model.gz >model; forecast $data/blobs.test'
    echo 'train $data/blobs.train'
    echo 'train $data/blobs.train model; cat $data/blobs.test | to=labels predict -d - model -'
    echo 'train $data/blobs.train model; predict $data/blobs.test model labels.gz;' \
        'gzip -dc labels.gz >labels; rm labels.gz'
    echo 'train $data/three.train model; cat model | predict $data/three.test - labels'
    echo 'to=report train --report - $data/blobs.train model'
    echo 'train $data/blobs.train model; to=report predict --report - $data/blobs.test model labels'
    echo 'train --zero-based $data/zero.train model; predict $data/zero.train model labels'
    echo 'train $data/blobs.train model; predict $data/line.test model labels; predict $data/three.test model others'
    echo 'train $data/blobs.train /dev/full'
    echo 'train -T /dev/full $data/blobs.train model'
    echo 'train --report /dev/full $data/blobs.train model'
    echo 'train $data/blobs.train model; predict $data/blobs.test model /dev/full'
}

# refusals: of the command lines.
refusals() {
    local option program
    for option in '' -h -V --man '-s help' '-L help' '-r help' '-s agm --help' '-s none --help' none; do
        for program in train predict conll bpseq; do echo "refuse $program $option"; done
    done
    for option in '-l 0' '-l -1' '-l x' '-l nan' '-c 0' '-c 1 -l 1' '-e -1' '-e nan' '-p 0' '-p -1' '-t 0' '-k 0' \
        '-v 1' '-v 1 model' '-j 0' '-j 9999' '-S -1' '-S x' '-w 1' '-w 1=-1' '-P x' '-L none' '-r none' '-s none' \
        '-i none' '-i $data/blobs.train' '--weights none' '--weights $data/line.weights' '--weights $data/blobs.train' \
        '--none' '-Z' '--path 1' '--path 3' '--path 3 -r l1 -s agm --ball l1=1' '--ball l1' '--ball l2=1' \
        '--ball l1=0' '--ball l1=1 -r l1' '--ball l1=1 -l 1' '-r simplex -l 1' '--elastic 0.3' \
        '--elastic 0 -r elastic-net' '--tube 1' '--quantile 0.3' '-L quantile --quantile 1' '--huber 2' '--nu 3' \
        '-L boost --nu 0' '--at 3' '-L ndcg --at 0' '--places root' '--landmarks 5' '--map none' \
        '--map fourier --landmarks 5' '--map nystrom --sigma 0' '--map nystrom --sigma 1 --gamma-kernel 1' \
        '--kernel none' '--map nystrom --degree 2' '--basis 1 -s ocas' '--basis x -s pdsg' '--basis-only 1' \
        '--memory 3' '--tau level' '--form dual -s ocas' '--output best' '-s pegasos -e 0.1' '-s adaptive --intercept' \
        '-L crf' '-L rna' '-L pairwise' '-B 1 -L pairwise' '-T model' '--report model' '-T trace --report trace' \
        '-v 3 -i none' '--line-limit 1' '-L f1 -w 1=2' '-s asset-on -k 3' '-s asset-on -j 2 --map nystrom' \
        '-s agm --form dual -L logistic' '-s agm -L hinge --form none'; do
        echo "refuse train -q -j 1 $option \$data/blobs.train model"
    done
    echo 'refuse train -q $data/none model'
    echo 'refuse train -q $data model'
    echo 'refuse train -q $data/blobs.train none/model'
    echo 'refuse train -q $data/blobs.train model more'
    for option in '' '-b 2' '-b x' '-d -b 1' '--parts' '--names none' '-j 0' '-Z' '--line-limit 0'; do
        echo "train \$data/blobs.train model; predict $option \$data/blobs.test model labels"
        echo "train \$data/three.train model; predict $option \$data/three.test model labels"
        echo "refuse predict -q $option \$data/blobs.test none labels"
        echo "refuse predict -q $option \$data/blobs.test \$data/blobs.train labels"
    done
    echo 'train $data/blobs.train model; predict $data/none model labels; predict $data/blobs.test model none/labels'
    echo 'train $data/blobs.train model; predict $data/blobs.test model; predict $data/blobs.test model model'
}

# readers: files that are read or refused, by the programs that read them.
readers() {
    local path file
    for path in "$data"/bad-input/svmlight/* "$data"/seeds/svmlight/*; do
        file=\$data${path#"$data"}
        [ -f "$path" ] || file=$file/input
        echo "train -p 5 $file model; kept \$?"
        echo "train -p 5 -s asset-on $file model; kept \$?"
        echo "cat $file | train -p 5 -L squared - model; kept \$?"
        echo "predict -d $file \$data/seeds/model/dense scores; kept \$?"
    done
    for path in "$data"/bad-models/* "$data"/seeds/model/*; do
        file=\$data${path#"$data"}
        [ -f "$path" ] || file=$file/input
        echo "predict -d \$data/three.test $file scores; kept \$?"
        echo "predict --parts \$data/three.test $file parts; predict -b 1 \$data/three.test $file probabilities"
        echo "train -p 5 -i $file \$data/three.train model; kept \$?"
        echo "train -p 5 -i $file \$data/blobs.train model; kept \$?"
    done
}

# converters: conll and bpseq, and predictions between encode and decode.
converters() {
    local loss option path
    for option in '' '--min-count 2' '--min-count 1000' '--freeze' '--unlabeled'; do
        echo "to=data program conll encode --template \$data/chunking.template --names names $option \$data/words.train"
        echo "cp \$data/names .; to=data program conll encode -q --template \$data/short.template --names names" \
            "--freeze $option \$data/words.test"
    done
    for loss in crf m3n; do
        echo "train -L $loss -p 30 -B 1 \$data/chunks.train model;" \
            "predict --names \$data/names --report report \$data/chunks.test model labels;" \
            "head -n 200 \$data/words.test | to=columns program conll decode --names \$data/names - labels"
        echo "train -L $loss -p 30 \$data/chunks.train model;" \
            "predict -b 1 --names \$data/names \$data/chunks.test model probabilities; forecast \$data/chunks.test"
    done
    for path in "$data"/seeds/conll/*; do
        for option in '' '--min-count 2'; do
            echo "sed '/^====\$/,\$d' \$data/seeds/conll/${path##*/} >t;" \
                "sed '1,/^====\$/d' \$data/seeds/conll/${path##*/} |" \
                "to=data program conll encode --template t --names names $option -"
        done
        echo "to=columns program conll decode --names \$data/seeds/conll/${path##*/} \$data/words.test" \
            "\$data/words.test"
    done
    echo 'to=data program bpseq encode $data/train.bpseq $data/test.bpseq'
    echo 'cat $data/test.bpseq | to=data program bpseq encode -'
    for path in "$data"/seeds/bpseq/*; do
        echo "to=data program bpseq encode \$data/seeds/bpseq/${path##*/}"
    done
    for option in '' '-s proximal' '-s agm -r l1 -l 0.01'; do
        echo "train -L rna -p 10 $option \$data/rna.train model;" \
            "predict --report report \$data/rna.test model labels;" \
            "to=folded program bpseq decode \$data/rna.test labels;" \
            "to=wrong program bpseq decode \$data/rna.train labels"
    done
    echo 'to=folded program bpseq decode $data/rna.test $data/names'
}

# ---- running and comparing

# compare NAME: the runs of standard input, in parts.
compare() {
    awk -v OFS='\t' '{ print sprintf("%05d", NR), $0 }' | split -d -a 3 -l 40 - "$work/parts/$1."
    (cd "$work/parts" && ls "$1".*) | xargs -n 1 -P "${JOBS:-$(nproc)}" bash "$self" --part "$work"
}

# allowed NAME: the runs that gave a model.
allowed() {
    cat "$work/allowed/$1".* |
        awk -F '\t' 'NR == FNR { good[$1] = 1; next } $1 in good { print $2 }' - "$work/parts/$1".*
}

for kind in ${KINDS:-products variants pairs own settings streams refusals readers converters}; do
    case $kind in
    products) products | compare products ;;
    variants | pairs) # of what products allowed
        allowed products | grep -e ' -s ' >"$work/products"
        if [ "$kind" = pairs ]; then awk '!seen[$4, $6]++' "$work/products"; else cat "$work/products"; fi |
            $kind | compare "$kind"
        ;;
    own | settings | streams | refusals | readers | converters) $kind | compare "$kind" ;;
    *)
        echo "same.sh: no kind of runs $kind" >&2
        exit 2
        ;;
    esac
done

# ---- the differences

for list in "$work"/parts/*; do
    part=${list##*/}
    if [ -e "$work/ended/$part" ]; then
        awk -F '\t' -v part="$part" 'NR == FNR { what[$1] = $2; next }
            $1 in what { print "differs (" part "/" $1 "): " $2 ": " what[$1] }' "$work/different/$part" "$list"
    else
        awk -F '\t' -v part="$part" '{ print "not compared (" part "/" $1 "): " $2 }' "$list"
    fi
done | tee "$work/differences"
runs=$(cat "$work"/parts/* | wc -l)
different=$(wc -l <"$work/differences")
if [ -n "$keep" ]; then
    mkdir -p "$keep" && cp -r "$work/old" "$work/new" "$keep"
fi
echo "$runs runs, $different differ"
[ "$different" -eq 0 ]
