#!/bin/bash
# scaled_training.sh BIN - train --scale: the model of data that scale scaled, predictions of data that are not, folds
# that scale by their own rows, further training, and what is refused.
set -u
# shellcheck source=tests/outside.sh
. "$(dirname "$0")/../outside.sh"

same() { cmp -s "$1" "$2" || { fail "$1 and $2 differ"; diff "$1" "$2" | head -n 10 >&2; }; }
# The same numbers but for rounding: scale leaves out zeros, which a dense sum adds in another order.
is_near() {
    paste -d ' ' <(tr -s ' :\n' '\n' <"$1") <(tr -s ' :\n' '\n' <"$2") |
        awk '($1 - $2)^2 > (1e-9 * (1 + $1 * $1))^2 || NF != 2 { exit 1 }'
}
near() { is_near "$1" "$2" || fail "$1 and $2 differ"; }
weights() { sed -n '/^w /,/^[a-z]* *[0-9]*$/p' "$1" | grep -v '^[re]'; }

# ---- as scale, then train; scale -r, then predict

for method in range max standard deviation norm; do
    ranges='-s ranges' again='-r ranges'
    [ $method != norm ] || { ranges='--method norm' again=$ranges; }
    # shellcheck disable=SC2086
    run 0 scale -q --digits 17 --method $method $ranges "$data/three.train" scaled.train
    # shellcheck disable=SC2086
    run 0 scale -q --digits 17 $again "$data/three.test" scaled.test
    all=('-L softmax')
    [ $method != standard ] || all+=('-r l1 -l 1e-3' '--map nystrom --landmarks 30 -c 1' '--kernel gaussian --gamma-kernel 0.1 -c 1')
    for options in "${all[@]}"; do
        # shellcheck disable=SC2086
        status 0 -q $options scaled.train theirs
        # shellcheck disable=SC2086
        status 0 -q --scale $method $options "$data/three.train" ours
        weights theirs >theirs.w
        weights ours >ours.w
        near ours.w theirs.w
        run 0 predict -q -d scaled.test theirs theirs.out
        run 0 predict -q -d "$data/three.test" ours ours.out
        near ours.out theirs.out
    done
done

# ---- beside ridge regression by numpy: each fold, of one row, scaled by the others; dense and sparse data

if has_tools 'folds beside numpy' python3-numpy; then
    /usr/bin/python3 - >wanted <<'END'
import numpy as np

scalers = {
    "standard": lambda X: (X.mean(0), X.std(0)),
    "max": lambda X: (0, np.abs(X).max(0)),
    "deviation": lambda X: (0, X.std(0)),
    "range": lambda X: ((X.min(0) + X.max(0)) / 2, (X.max(0) - X.min(0)) / 2),
    "norm": None,
}
r = np.random.default_rng(3)
X = (r.normal(size=(12, 4)) * [1, 10, 100, 0.1] + [0, 3, 0, 1]) * (r.random((12, 4)) < 0.8)
y = X @ [1, 0.1, 0.02, 3] + r.normal(size=12)
with open("folds", "w") as file:
    for row, label in zip(X, y):
        print(repr(float(label)), *(f"{j + 1}:{float(x)!r}" for j, x in enumerate(row) if x), file=file)
for name, learn in scalers.items():
    errors = []
    for i in range(12):
        others = np.arange(12) != i
        if learn:
            shift, scale = learn(X[others])
            Z = (X - shift) / scale
        else:
            Z = X / np.linalg.norm(X, axis=1, keepdims=True)
        w = np.linalg.solve(Z[others].T @ Z[others] + 0.01 * 11 * np.eye(4), Z[others].T @ y[others])
        errors.append((Z[i] @ w - y[i]) ** 2)
    print(name, np.mean(errors))
END
    while read -r method error; do
        status 0 -q -e 1e-12 -L squared -l 0.01 -v 12 --scale "$method" folds
        awk -v wanted="$error" '/MSE/ { found = ($5 - wanted)^2 <= (1e-5 * wanted)^2 } END { exit !found }' \
            out || { fail "the error of the folds by $method is not $error"; cat out >&2; }
    done <wanted
    status 0 -q -L squared -r l1 -l 1e-3 --path 5 -v 3 --scale max folds model
    has '^scaling max$' model
fi

# ---- held-out rows are scaled by the training rows: their accuracy is that of predict

status 0 --search --path 2,1,1e-3 --validation "$data/three.test" --scale standard "$data/three.train" model
held=$(sed -n 's/^Cross Validation Accuracy = //p' out)
run 0 predict "$data/three.test" model scores
has "^Accuracy = $held" out

# ---- files: what is kept, and features that the training data do not have

printf '1 1:2 2:5\n-1 1:-4 2:5\n1 1:1 2:5 5:0\n' >three
status 0 -q --scale standard three model
has '^scaling standard$' model
has '^ranges 1$' model # constant features are left out
printf '1 1:2 2:7 9:1e300\n' >more
run 0 predict more model out
has 'warning: 1 entries of 1 rows are features that the model does not know' err
status 0 -q --hash 4 --scale max <(printf '1 a:2 b\n-1 a:-1 c:3\n') hashed
run 0 predict -q <(printf '1 a:4\n') hashed out
status 0 -q --zero-based --scale range <(printf '1 0:2 3:1\n-1 0:-1 3:3\n') zero
has '^0 -1 2$' zero
status 0 -q --scale standard -b 1 -L hinge -l 1e-2 "$data/blobs.train" model
run 0 predict -q -b 1 -d "$data/blobs.test" model out
status 0 -q --scale max -L pairwise <(printf '1 qid:1 1:2\n2 qid:1 1:4\n') model
has '^scaling max$' model

# ---- training goes on with the scaling of the start

status 0 -q --scale standard "$data/blobs.train" first
status 0 -q --scale standard -i first <(head -n 400 "$data/blobs.train") second
sed -n '/^ranges/,$p' first >first.ranges
sed -n '/^ranges/,$p' second >second.ranges
same first.ranges second.ranges
sorry 1 '^first: trained with --scale standard; the same is needed here$' train -i first "$data/blobs.train" model
sorry 1 '^first: trained with --scale standard; the same' train -i first --scale max "$data/blobs.train" model
sorry 1 '^first: trained with --scale standard; the same' train -s asset-on -i first "$data/blobs.train" model

# ---- probabilities: the folds of -b 1 scale by their own rows, too, so that a row of large values matters alone

sigmoids() { sed -n 's/^sigmoid //p' "$1"; }
{ cat "$data/blobs.train"; echo "1 1:1e3 2:-1e3"; } >far
{ cat "$data/three.train"; echo "1 1:1e3 2:-1e3"; } >far3
for set in far far3; do
    for options in '-c 1' '-c 1 --multiclass ovo'; do
        for method in max norm; do
            scaling='-s ranges'
            [ $method != norm ] || scaling=
            # shellcheck disable=SC2086
            run 0 scale -q --digits 17 --method $method $scaling $set scaled.far
            # shellcheck disable=SC2086
            status 0 -q -b 1 $options scaled.far theirs
            # shellcheck disable=SC2086
            status 0 -q -b 1 $options --scale $method $set ours
            sigmoids ours >ours.sigmoids
            sigmoids theirs >theirs.sigmoids
            [ -s ours.sigmoids ] || fail "$set $options: no sigmoids"
            if [ $method = norm ]; then # of each row alone
                near ours.sigmoids theirs.sigmoids
            else
                ! is_near ours.sigmoids theirs.sigmoids || fail "$set $options: the folds share a scaling"
            fi
        done
    done
done

# ---- what is said and refused

status 0 -q --scale range "$data/blobs.train" model
has 'zeros are scaled, too; --scale max keeps them$' err
sorry 2 'sees a stream' train -s asset-on --scale max "$data/blobs.train" model
sorry 2 'other features in each fold' train -v 3 --map fourier --scale max "$data/blobs.train"
sorry 2 '-L rna has not$' train -L rna --scale max "$data/helices.train" model
sorry 2 'precomputed has not$' train --kernel precomputed --scale max "$data/blobs.train" model
printf '1 1:1\n1 1:1e300\n' >huge
status 0 -q --scale max <(printf '1 1:1e-300\n-1 2:1\n') model
sorry 1 'a scaled value is too large' predict huge model out

[ $failures -eq 0 ] || { echo "$name: $failures failures" >&2; exit 1; }
echo "$name: all well"
