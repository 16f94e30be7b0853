#!/bin/bash
# multiclass.sh BIN - classes that are trained jointly: every solver, starts, weights, paths, folds, maps,
# probabilities, and errors; with $RRM_DATASETS the objectives of LIBLINEAR and scikit-learn.
set -u
# shellcheck source=tests/outside.sh
. "$(dirname "$0")/../outside.sh"
tests=$data/../tests

operands=("$data/three.train" model)

objective() { sed -n 's/^objective //p' model; }

near() { # A B TOLERANCE, relative
    awk -v a="$1" -v b="$2" -v t="$3" 'BEGIN { exit !(a > 0 && a - b <= t * b && b - a <= t * b) }' ||
        fail "$1 is not $2"
}

predicted() { # MODEL PERCENT OPTIONS...: of three.test
    local model=$1 least=$2
    shift 2
    "$bin/predict" "$@" "$data/three.test" "$model" predictions >out 2>err || fail "predict: $(cat err)"
    awk -F'[ =%]+' -v least="$least" '/^Accuracy/ { found = $2 >= least } END { exit !found }' out ||
        fail "$(cat out)"
}

# ---- the same optimum for all solvers; models with one vector for each class
for loss in crammer-singer softmax; do
    status 0 -q --strict -e 1e-5 -s bundle -L $loss -B 1 -l 1e-2 "${operands[@]}"
    least=$(objective)
    has '^vectors 3$' model
    has "^loss $loss$" model
    predicted model 88
    for solver in 'proximal-bundle -e 1e-4' 'agm -e 1e-4' 'agm1 -e 1e-4' 'bundle-ls -e 1e-3' 'sdca -e 1e-4' \
        'lbfgs -e 1e-4'; do
        [ "$loss ${solver%% *}" = 'crammer-singer lbfgs' ] && continue # not smooth
        # shellcheck disable=SC2086
        status 0 -q --strict -L $loss -B 1 -l 1e-2 -s $solver "${operands[@]}"
        near "$(objective)" "$least" 1.1e-3
    done
    for solver in proximal pegasos adaptive; do
        status 0 -q -L $loss -B 1 -l 1e-2 -s $solver -p 60 "${operands[@]}"
        near "$(objective)" "$least" 0.03
        awk -v j="$(objective)" -v least="$least" 'BEGIN { exit !(j > least * (1 - 1e-5)) }' ||
            fail "$solver is below the optimum"
    done

    # what it ends with is where the next one begins
    status 0 -q -L $loss -l 1e-2 -e 1e-6 -s bundle "${operands[@]}"
    cp model start
    status 0 --strict -L $loss -l 1e-2 -e 1e-4 -s proximal-bundle -i start "${operands[@]}"
    awk '{ for (i = 2; i <= NF; i++) if ($i ~ /^passes/) found = $(i - 1) <= 60 } END { exit !found }' out ||
        fail "a start from the optimum: $(cat out)"

    # an example twice is one of weight 2, by class or by file
    awk '{ print } $1 == 2' "$data/three.train" >doubled
    awk '{ print $1 == 2 ? 2 : 1 }' "$data/three.train" >weights
    status 0 -q --strict -e 1e-5 -L $loss -l 1e-2 -s bundle doubled model
    least=$(objective)
    for how in '-w 2=2' '--weights weights'; do
        # shellcheck disable=SC2086
        status 0 -q --strict -e 1e-5 -L $loss -l 1e-2 -s bundle $how "${operands[@]}"
        near "$(objective)" "$least" 3e-5
    done

    status 0 -v 5 -L $loss "${operands[0]}"
    awk '/Cross Validation Accuracy/ { found = $5 + 0 >= 85 } END { exit !found }' out || fail "$(cat out)"
    for solver in bundle agm; do
        status 0 -q -e 1e-2 -s $solver -L $loss -r elastic-net -l 1e-2 "${operands[@]}"
        has '^regularizer elastic-net$' model
    done
    status 0 -L $loss -r l1 --path 3 -l 2e-2 "${operands[@]}"
    has '^lambda_max' out
    predicted model 75

    # one class against the rest: two labels, two vectors
    status 0 -q -L $loss -P 2 "${operands[@]}"
    has '^vectors 2$' model
    has '^rest 1$' model
    status 0 -q -L $loss "$data/blobs.train" model
    "$bin/predict" "$data/blobs.test" model predictions >out || fail 'predict of two classes'
    has '^AUC = 0.9' out

    for map in nystrom fourier; do
        status 0 -q --strict --map $map --sigma 5 -l 1e-3 -L $loss "${operands[@]}"
        predicted model 88
    done
    refused 'no solver can do this without all mapped examples' --map fourier --dimension 500 --memory 1 -L $loss

    refused "solver agm has no unregularized offset of -L $loss" -L $loss -s agm --intercept
    status 0 -q --strict -L $loss --intercept -l 1e-3 "${operands[@]}"
    has '^intercept 1$' model
    predicted model 88
    refused "solver lps cannot take -L $loss" -L $loss -s lps
    awk '{ $1 = 4 } 1' "$data/three.train" >one
    status 1 -L $loss one model
    has 'only one label (4); two are needed' err
done

# ---- offsets that are not regularized: the least objectives, by a quadratic program and by scipy
awk 'NR % 9 == 1' "$data/three.train" >some
free_references() {
    /usr/bin/python3 - <<'END'
import cvxopt
import numpy as np
from scipy.optimize import minimize
cvxopt.solvers.options.update(show_progress=False, abstol=1e-10, reltol=1e-10, feastol=1e-10)
rows = [line.split() for line in open("some")]
y = np.unique([row[0] for row in rows], return_inverse=True)[1]
X = np.zeros((len(rows), 1 + max(int(word.split(":")[0]) for row in rows for word in row[1:])))
for i, row in enumerate(rows):
    for word in row[1:]:
        column, value = word.split(":")
        X[i, int(column)] = float(value)
m, n, K = len(y), X.shape[1], y.max() + 1
X1 = np.hstack([X, np.ones((m, 1))])
for lam in (0.1, 0.001):
    size = K * (n + 1)
    P = np.zeros((size + m, size + m))
    P[:size, :size] = np.diag(([lam] * n + [0]) * K)
    rows, h = [], []
    for i in range(m):
        for k in range(K):
            row = np.zeros(size + m)
            row[k * (n + 1):(k + 1) * (n + 1)] += X1[i]
            row[y[i] * (n + 1):(y[i] + 1) * (n + 1)] -= X1[i]
            row[size + i] = -1
            rows.append(row)
            h.append(-float(k != y[i]))
    one = np.zeros((1, size + m)) # of offsets that are all moved by one number, the mean 0
    one[0, n:size:n + 1] = 1
    at = cvxopt.solvers.qp(*map(cvxopt.matrix, (P, np.array([0.0] * size + [1 / m] * m), np.array(rows),
                                                np.array(h), one, np.zeros(1))),
                           kktsolver="ldl") # the others factor what is singular without `one`
    assert at["status"] == "optimal"
    print("crammer-singer\t%g\t%.12g" % (lam, at["primal objective"]))

    def J(w):
        W = w.reshape(K, n + 1)
        u = X1 @ W.T
        top = u.max(1, keepdims=True)
        p = np.exp(u - top)
        value = np.mean(top[:, 0] + np.log(p.sum(1)) - u[np.arange(m), y])
        p /= p.sum(1, keepdims=True)
        p[np.arange(m), y] -= 1
        V = np.hstack([W[:, :n], np.zeros((K, 1))])
        return value + lam / 2 * (V ** 2).sum(), (p.T @ X1 / m + lam * V).ravel()
    at = minimize(J, np.zeros(size), jac=True, method="BFGS", options={"gtol": 1e-9, "maxiter": 5000})
    print("softmax\t%g\t%.12g" % (lam, at.fun))
END
}
if has_tools 'offsets of classes beside cvxopt and scipy' python3-cvxopt python3-numpy python3-scipy; then
    known some -- free_references >optima
    [ "$(wc -l <optima)" -eq 4 ] || fail 'there are not 4 optima'
    while IFS=$'\t' read -r loss lambda optimum; do
        for run in 'bundle -e 1e-5' 'proximal-bundle -e 1e-5' 'bundle-ls -e 1e-3'; do
            [ "$lambda ${run%% *}" != '0.001 bundle-ls' ] || continue
            # shellcheck disable=SC2086
            status 0 -q --strict -L "$loss" --intercept -l "$lambda" -s $run some model
            near "$(objective)" "$optimum" "${run##* }"
            awk -v bound="$(sed -n 's/^bound //p' model)" -v least="$optimum" \
                'BEGIN { exit !(bound <= least * (1 + 1e-8)) }' || fail "$loss, $run: the bound is above $optimum"
        done
    done <optima
fi

# -P's model is that of the two classes
awk '{ $1 = $1 == 2 ? 1 : -1 } 1' "$data/three.train" >against
status 0 -q -e 1e-5 -L softmax -l 1e-2 -P 2 "${operands[@]}"
least=$(objective)
status 0 -q -e 1e-5 -L softmax -l 1e-2 against model
near "$(objective)" "$least" 2e-5

# two vectors of opposite signs: logistic regression with twice the weights, at half the lambda
status 0 -q -e 1e-5 -L logistic -s ipm -l 5e-3 against model
near "$(objective)" "$least" 2e-5

# ---- predictions
status 0 -q -L softmax "${operands[@]}"
predicted model 88 -b 1
cp predictions probabilities
predicted model 88 -d
paste -d ' ' probabilities predictions | awk 'NR > 1 {
    sum = 0
    for (k = 0; k < 3; k++) sum += exp($(6 + k))
    for (k = 0; k < 3; k++) {
        d = exp($(6 + k)) / sum - $(2 + k)
        if (d > 1e-5 || d < -1e-5) bad = 1
    }
    rows++
} END { exit bad || rows != 300 }' || fail 'probabilities are not the normalized exponentials of the scores'
status 0 -q -L crammer-singer "${operands[@]}"
"$bin/predict" -b 1 "$data/three.test" model predictions >out 2>err && fail 'probabilities of crammer-singer'
has 'crammer-singer, has no probabilities; train with -b 1 or -L logistic or -L softmax$' err

# a label that the model has not seen: counted as wrong, one warning
awk 'NR <= 3 { $1 = 9 } 1' "$data/three.test" >strange
"$bin/predict" strange model predictions >out 2>err || fail 'predict strange labels'
has '/300)$' out
[ "$(wc -l <err)" -eq 1 ] || fail "not one warning: $(cat err)"

# ---- the number of threads does not change the model
for loss in crammer-singer softmax; do
    status 0 -q -j 1 -S 3 -L $loss -s agm -e 1e-2 -l 1e-2 "${operands[@]}"
    cp model one
    status 0 -q -j 4 -S 3 -L $loss -s agm -e 1e-2 -l 1e-2 "${operands[@]}"
    cmp -s one model || fail "$loss: the model depends on the threads"
done

# ---- other programs on real data
set_of() { # NAME EVERY: each EVERY-th row, unpacked, in this folder
    local packed=${RRM_DATASETS:-}/$1 every="NR % $2 == 0"
    if [ -f "$packed" ]; then awk "$every" "$packed" >"$1"; elif [ -f "$packed.gz" ]; then
        gzip -dc "$packed.gz" | awk "$every" >"$1"
    fi
    [ -f "$1" ] || { echo "skipped: $1 (RRM_DATASETS has none)"; false; }
}

# The objective of a Crammer-Singer model of LIBLINEAR, by the scores that predict -d gives.
direct() { # DATA MODEL LAMBDA
    "$bin/predict" -d "$1" "$2" scores >/dev/null || fail "predict by a model of LIBLINEAR"
    awk -v lambda="$3" -v data="$1" '
        FILENAME == data { label[++rows] = $1; next }
        FILENAME != "scores" { if (reading) for (i = 1; i <= NF; i++) square += $i * $i
                               if ($1 == "w") reading = 1; next }
        /^labels/ { for (i = 2; i <= NF; i++) place[$i] = i; next }
        { own = $(place[label[++row]]); worst = 0
          for (i = 2; i <= NF; i++) if (i != place[label[row]] && 1 + $i - own > worst) worst = 1 + $i - own
          sum += worst }
        END { printf "%.12g\n", sum / row + lambda / 2 * square }' "$1" "$2" scores
}

# LIBLINEAR's optimum
crammer_singer_reference() { # SET LAMBDA
    liblinear-train -q -s 4 -e 1e-5 -c "$(awk -v l="$2" -v m="$(wc -l <"$1")" 'BEGIN { printf "%.17g", 1 / (l * m) }')" \
        "$1" theirs >/dev/null && direct "$1" theirs "$2"
}

softmax_reference() { /usr/bin/python3 "$tests/references/multiclass_reference.py" "$@"; }

liblinear='' sklearn=''
has_tools 'Crammer-Singer beside LIBLINEAR' liblinear-train && liblinear=yes
has_tools 'softmax beside scikit-learn' python3-sklearn && sklearn=yes
while read -r set every lambdas; do # bundle takes long at a small lambda and with ten classes
    set_of "$set" "$every" || continue
    # shellcheck disable=SC2086 # a word a lambda
    [ -z "$sklearn" ] || known "$set" "$tests/references/multiclass_reference.py" -- softmax_reference "$set" $lambdas >least
    line=0
    for lambda in $lambdas; do
        if [ -n "$liblinear" ]; then
            solver=()
            [ "$set $lambda" = 'dna.scale 1e-2' ] && solver=(-s bundle)
            status 0 -q --strict -e 5e-5 "${solver[@]}" -l "$lambda" -L crammer-singer "$set" model
            near "$(objective)" "$(known "$set" -- crammer_singer_reference "$set" "$lambda")" 1e-4
        fi
        line=$((line + 1))
        if [ -n "$sklearn" ]; then
            status 0 -q --strict -e 5e-5 -L softmax -l "$lambda" "$set" model
            near "$(objective)" "$(sed -n ${line}p least)" 1e-4
        fi
    done
done <<'END'
dna.scale 1 1e-2 1e-4
usps 8 1e-2
END
exit $((failures > 0))
