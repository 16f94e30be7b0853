#!/bin/bash
# nu.sh - learned margins (--nu), the kernels sigmoid and precomputed, from the outside; with svm-train installed also
# against LIBSVM. $1: the folder of the binaries.
set -u
# shellcheck source=tests/outside.sh
. "$(dirname "$0")/../outside.sh"
predict=$bin/predict

# same FILE FILE NAME: the first fields of the lines are the same.
same() {
    [ "$(cut -d' ' -f1 "$1")" = "$(cut -d' ' -f1 "$2")" ] || fail "$3: other predictions"
}

# certified NAME: the model's gap is at most a thousandth.
certified() {
    awk '$1 == "objective" { j = $2 } $1 == "bound" { b = $2 }
         END { if (j < 0) s = -j; else s = j; exit !(j - b >= 0 && j - b <= 1e-3 * s) }' model ||
        fail "$1: no certified gap"
}

# precomputed FILE TRAIN: the Gaussian kernel matrix, gamma 0.1, of the rows of a file with those of another.
precomputed() {
    awk 'NR == FNR { n++; for (k = 2; k <= NF; k++) { split($k, a, ":"); s[n, a[1]] = a[2]; f[a[1]] } next }
         { split("", x); for (k = 2; k <= NF; k++) { split($k, a, ":"); x[a[1]] = a[2]; f[a[1]] }
           printf "%s 0:%d", $1, FNR
           for (i = 1; i <= n; i++) {
               d = 0
               for (j in f) d += (x[j] - s[i, j]) ^ 2
               printf " %d:%.15g", i, exp(-0.1 * d)
           }
           print "" }' "$2" "$1"
}

head -150 "$data/blobs.train" >train.data
tail -60 "$data/blobs.train" >test.data
precomputed train.data train.data >train.pre
precomputed test.data train.data >test.pre

for loss in nu-hinge one-class; do
    status 0 -q --strict -L $loss --nu 0.3 --gamma-kernel 0.1 train.data model
    certified $loss
    "$predict" -q test.data model out1 || fail "predict $loss"
    status 0 -q --strict -L $loss --nu 0.3 --kernel precomputed train.pre model
    certified "$loss, precomputed"
    "$predict" -q test.pre model out2 || fail "predict $loss, precomputed"
    same out1 out2 "$loss, precomputed"
    status 0 -q --strict -L $loss --nu 0.3 --kernel precomputed -i model train.pre again
    status 0 -q --strict -L $loss --nu 0.3 -j 1 --kernel precomputed train.pre one
    cmp one model || fail "$loss: another model with one thread"
    status 0 -L $loss --nu 0.3 -v 4 --gamma-kernel 0.1 train.data
done
[ "$(sort -u out2 | tr '\n' ' ')" = '-1 1 ' ] || fail 'one-class predicts other labels'
sed 's/^[^ ]*/7/' train.data >sevens # labels do not matter
status 0 -q -L one-class --nu 0.3 --gamma-kernel 0.1 sevens sevens.model
status 0 -q -L one-class --nu 0.3 --gamma-kernel 0.1 train.data model
cmp sevens.model model || fail 'one-class looks at labels'
# What is printed for LIBLINEAR's -s 21 runs, and trains the same model.
awk '{ print $0, "61:2" }' train.data >away # of 0
status 0 --strict -s 21 -n 0.3 away model
certified '-s 21'
read -r -a words <<<"$(sed -n 's/^train: options of LIBLINEAR; in our words: //p' err)"
mv model from21
status 0 -q "${words[@]}"
cmp from21 model || fail "-s 21: another model than that of ${words[*]}"
status 0 -q --strict -L nu-epsilon --nu 0.4 -c 10 --gamma-kernel 0.5 "$data/line.train" model
certified nu-epsilon
tube=$(sed -n 's/^tube //p' model)
best=$(sed -n 's/^objective //p' model)
# The learned tube is the best one: with it, -L epsilon has the same objective but for nu times the tube.
status 0 -q --strict -L epsilon --tube "$tube" -c 10 --gamma-kernel 0.5 --basis 1 "$data/line.train" model
awk -v j="$(sed -n 's/^objective //p' model)" -v best="$best" -v tube="$tube" \
    'BEGIN { d = j + 0.4 * tube - best; exit !(d <= 1e-3 * best && -d <= 1e-3 * best) }' || fail 'the tube'
status 0 -q --strict -L nu-epsilon --nu 0.4 --path 5 -l 1e-4 --gamma-kernel 0.5 "$data/line.train" model

# Basis functions that separate the classes make the margin as large as they like.
printf '1 1:1\n1 1:2\n-1 1:-1\n-1 1:-2\n' >apart
status 0 -L nu-hinge --nu 0.6 --gamma-kernel 1 --basis 1,1^1 apart model
has 'an objective without a minimum ended progress.*; lower --nu, or leave basis functions out$' err
has '(no proof), ' out

# The sigmoid has no bound.
status 0 --strict --kernel sigmoid --gamma-kernel 0.01 --shift -1 --basis 1 -c 1 train.data model
has 'no proof: the kernel may not be positive semidefinite' out
has '^bound -inf$' model
# Nor has a matrix that is not positive semidefinite.
printf '1 0:1 1:1 2:2\n-1 0:2 1:2 2:1\n' >indefinite
status 0 --kernel precomputed -c 1 indefinite model
has '^bound -inf$' model
printf '1 0:1 1:1 2:2\n-1 0:2 1:1 2:1\n' >asymmetric
status 1 --kernel precomputed -c 1 asymmetric model
has 'not symmetric: 1 for the examples 2 and 1, 2 for 1 and 2$' err
printf '1 0:1 1:1 2:0\n-1 0:1 1:0 2:1\n' >same
status 1 --kernel precomputed -c 1 same model
has '^same: the examples 1 and 2 both have the number 1 at index 0, but other values$' err
printf '1 0:1 1:1 2:0\n-1 0:2 0:2 1:0 2:1\n' >twice
status 1 --kernel precomputed -c 1 twice model
has '^twice:2:8: index comes twice in "0:2"$' err
# A matrix of zeros is semidefinite.
printf '1 0:1 1:0 2:0\n-1 0:2 1:0 2:0\n' >zeros
status 0 --kernel precomputed -c 1 zeros model
has 'objective 1, bound 1 ' out
status 1 --kernel precomputed -c 1 train.data model
has 'example 1 has no number at index 0' err
# The rows may stand in any order.
tac train.pre >back.pre
for file in train back; do
    status 0 -q --strict --kernel precomputed -c 1 --basis 1 -e 1e-6 $file.pre $file.model
done
awk '/^objective/ { if (first) d = $2 / first - 1; first = $2 } END { exit !(d < 1e-5 && -d < 1e-5) }' \
    train.model back.model || fail 'the order of the rows changes the objective'
status 0 -q --kernel precomputed -c 1 train.pre model
sed '3s/ 0:[0-9]*//' test.pre >unnumbered
run 1 predict -q unnumbered model out1
has '^unnumbered: example 3 has no index 0, which a model of --kernel precomputed needs' err
# Examples with both labels have no margin, which is no optimum to be silent about.
printf '1 1:1\n-1 1:1\n1 1:2\n-1 1:2\n' >twins
status 0 -q -L nu-hinge --nu 0.5 --gamma-kernel 1 twins model
has 'a margin of 0 ended progress' err
has '^status limit' model
# The optimum is 0 where the origin is within the data of one class: the weights are 0, and 0 has no relative gap.
printf '1 1:1 2:3\n1 1:-1 2:-3\n1 1:2\n1 1:-2 2:1\n1 2:-1\n' >around
status 0 -L one-class --nu 0.9 --kernel linear --report report around model
has '^objective 0$' model
has 'objective 0, bound -[0-9.e-]*, 0 support vectors' out
has 'a margin of 0 ended progress, before' err
has '"gap": null' report
"$predict" -q around model out1 || fail 'predict with the weights 0'
# A margin that is small beside the values of the kernel is found, all the same.
printf '%d 1:1 2:%s\n' -1 12.047 1 -7.631 1 1.593 1 -5.371 1 -10.421 1 12.695 1 -1.095 1 -20.228 >wide
status 0 -q --strict -L nu-hinge --kernel polynomial --gamma-kernel 1 --nu 0.05 wide model
awk '/^objective/ { exit !($2 < -0.004954 && $2 > -0.0049596) }' model || fail 'not the small margin'
# The learned margin.
status 0 -q -L nu-hinge --nu 0.3 --gamma-kernel 0.1 --report report train.data model
awk -F': ' '/"rho"/ { found = $2 > 0 } END { exit !found }' report || fail 'the report has no rho'
status 0 -q -b 1 -v 3 -L nu-hinge --nu 0.3 --gamma-kernel 0.1 train.data
has '^log loss = 0\.' out
status 0 -q -b 1 -v 3 -L logistic -c 1 train.data
has '^Brier score = 0\.' out

# refused TEXT ARGUMENTS...: a usage error.
refused() {
    local text=$1
    shift
    status 2 "$@" train.data model
    has "$text" err
}
refused 'nu 0.99 is too large: at most' -L nu-hinge --nu 0.99
refused 'a share of at most 1' -L one-class --nu 2
refused 'not for -L hinge' --nu 0.5
refused 'no -c: --nu takes its place' -L nu-hinge -c 1
refused 'no -l: --nu takes its place' -L one-class -l 1
refused 'no --path' -L one-class --path 3
refused 'ignores the labels' -L one-class -w1 2
refused 'no --multiclass' -L one-class --multiclass ovo
refused 'no basis functions: rho is its offset' -L one-class --basis 1
refused 'no constant feature (-B): rho is its offset' -s 21 -B 1
refused 'no probabilities' -L one-class -b 1
refused 'these can: smo' -L nu-hinge -s pdsg
refused 'these can: smo' -L nu-hinge -s ocas
refused 'has no --map' --map nystrom --kernel sigmoid
refused 'has no --map' --map nystrom --kernel precomputed
refused 'pdsg needs a positive semidefinite kernel' -s pdsg --kernel sigmoid
refused 'no features' --kernel precomputed --basis 1,2
refused 'shift -1: out of range' --kernel polynomial --shift -1

# Several labels, in pairs and one against the rest.
status 0 -q --strict -L nu-hinge --nu 0.3 --gamma-kernel 1 "$data/three.train" model
status 0 -q --strict -L nu-hinge --nu 0.3 --gamma-kernel 1 --multiclass ovr "$data/three.train" model
status 0 -q --strict -L nu-hinge --nu 0.3 --gamma-kernel 1 -b 1 "$data/three.train" model
"$predict" -q -b 1 "$data/three.test" model out1 || fail 'predict -b 1 of nu-hinge'
# A nu that suits all examples, but not each fold: -b 1 takes the largest that does, -v says which fold it is.
(grep '^1 ' "$data/three.train" | head -16 && grep '^2 ' "$data/three.train" | head -24) >few
status 0 -q -L nu-hinge --nu 0.8 --gamma-kernel 1 -b 1 few model
has '^sigmoid ' model
status 2 -q -L nu-hinge --nu 0.8 --gamma-kernel 1 -v 5 few
has 'fold [1-5]: --nu 0.8 is too large' err
(cat few && grep '^3 ' "$data/three.train" | head -10) >few3
status 2 -q -L nu-hinge --nu 0.8 --gamma-kernel 1 few3 model
has 'labels 1 and 3: --nu 0.8 is too large' err

if has_tools 'nu and one class beside LIBSVM' svm-train svm-predict; then
    for svm in 0 1 2; do
        for kernel in 0 1 2 3 4; do
            names=(linear polynomial gaussian sigmoid precomputed)
            losses=('hinge -c 1 --basis 1' 'nu-hinge --nu 0.4' 'one-class --nu 0.4')
            rows=data
            options=(--gamma-kernel 0.02)
            case $kernel in
                0) options=(--expand) ;;
                1 | 3) options=(--gamma-kernel 0.02 --shift 0.5) ;;
                4) options=() rows=pre ;;
            esac
            svm-train -s $svm -t $kernel -n 0.4 -g 0.02 -r 0.5 -e 1e-6 train.$rows theirs >svm-train.out
            # shellcheck disable=SC2086
            status 0 -q -L ${losses[svm]} --kernel "${names[kernel]}" "${options[@]}" -e 1e-6 train.$rows model
            if [ $svm$kernel = 20 ]; then # the origin is among the examples
                has 'a margin of 0 ended progress' err
                continue
            fi
            # LIBSVM minimizes m times J, and prints minus this; that of nu-SVC is scaled by rho.
            [ $svm = 1 ] ||
                awk -v ours="$(sed -n 's/^objective //p' model)" '/^obj/ { theirs = -$3 / 150 }
                    END { d = (ours - theirs) / theirs; exit !(d < 1e-5 && d > -1e-5) }' svm-train.out ||
                fail "svm-train -s $svm -t $kernel: another objective than $(sed -n 's/^objective //p' model)"
            svm-predict -q test.$rows theirs out1
            "$predict" -q test.$rows model out2 || fail "predict -s $svm -t $kernel"
            "$predict" -q test.$rows theirs out3 || fail "predict with LIBSVM's model -s $svm -t $kernel"
            same out1 out2 "svm-train -s $svm -t $kernel"
            same out1 out3 "LIBSVM's model of -s $svm -t $kernel"
        done
    done
    head -150 "$data/line.train" >train.data
    tail -60 "$data/line.train" >test.data
    precomputed train.data train.data >train.pre
    precomputed test.data train.data >test.pre
    for kernel in 0 1 2 3 4; do
        rows=data shift=0 # the sigmoid with a shift has other points that meet the conditions
        options=(--gamma-kernel 0.02)
        case $kernel in
            0) options=() ;;
            1) options=(--gamma-kernel 0.02 --shift 0.5) shift=0.5 ;;
            4) options=() rows=pre ;;
        esac
        svm-train -s 4 -t $kernel -n 0.4 -c 5 -g 0.02 -r $shift -e 1e-6 train.$rows theirs >svm-train.out
        status 0 -q -L nu-epsilon --nu 0.4 -c 5 --kernel "${names[kernel]}" "${options[@]}" -e 1e-6 train.$rows model
        awk -v ours="$(sed -n 's/^objective //p' model)" '/^obj/ { theirs = -$3 / 750 }
            END { d = (ours - theirs) / theirs; exit !(d < 1e-5 && d > -1e-5) }' svm-train.out ||
            fail "svm-train -s 4 -t $kernel: another objective than $(sed -n 's/^objective //p' model)"
        svm-predict -q test.$rows theirs out1
        "$predict" -q test.$rows model out2 || fail "predict -s 4 -t $kernel"
        "$predict" -q test.$rows theirs out3 || fail "predict with LIBSVM's model -s 4 -t $kernel"
        paste out1 out2 out3 | awk '{ if (($1 - $2) ^ 2 > 1e-6 || ($1 - $3) ^ 2 > 1e-10) exit 1 }' ||
            fail "svm-train -s 4 -t $kernel: other predictions"
    done
fi

[ $failures = 0 ] && echo "nu: all passed"
