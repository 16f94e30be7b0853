#!/bin/sh
# sparse.sh TRAIN - l1 with logistic loss, then with squared hinge: seconds of the whole process, one thread, to within
# 0.01 % (0.1 %) of the optimum, of the solvers that certify it, beside LIBLINEAR's coordinate descent at the loosest
# tolerance of 0.1, 0.01, 1e-3, ... that gets there. Two tables of docs/speed.md. LIMIT is the seconds a process may
# take, RUNS how often short ones run, SETS the names of the sets (all).
set -eu

train=$1
runs=${RUNS:-3}
limit=${LIMIT:-20}
# shellcheck source=bench/sets.sh
. "$(dirname "$0")/sets.sh"
need_sets bench-sparse liblinear-train hyperfine
# shellcheck source=bench/page.sh
. "$(dirname "$0")/page.sh"
# shellcheck disable=SC2034 # for sets.sh
norm=l1
fractions='0.1 0.01 0.001' # of lambda_max

sparse_sets() {
    cat <<'END'
a9a binary
w8a binary
ijcnn1.tr binary
covtype.libsvm.binary.scale binary
connect-4 one-vs-rest:1
mnist.scale one-vs-rest:8
mnist.scale le:4
news20 le:10
reuters21578.acq binary
usps one-vs-rest:8
dna.scale one-vs-rest:3
colon-cancer binary
arrhythmia.binary binary
spambase binary
END
}

# The smallest lambda at which w = 0 is optimal: max over j of |sum of y x_j|/m times |l'| there.
lambda_max() { # FILE
    awk -v slope="$slope" '{
        y = $1 > 0 ? 1 : -1
        for (i = 2; i <= NF; i++) {
            colon = index($i, ":")
            sum[substr($i, 1, colon - 1)] += y * substr($i, colon + 1)
        }
    }
    END {
        for (j in sum) {
            if (sum[j] > largest) largest = sum[j]
            if (-sum[j] > largest) largest = -sum[j]
        }
        printf "%.17g\n", slope * largest / NR
    }' "$1"
}


ours() { # OPTION...
    seconds_of "$train" --strict -j 1 -L "$loss" -r l1 -l "$lambda" -e "$tolerance" "$@" "$file" "$temporary/model"
}

table() { # WITHIN
    # shellcheck disable=SC2016 # solvers are no commands
    echo '| data | LIBLINEAR 0.1 | 0.01 | 0.001 | `lps` 0.1 | 0.01 | 0.001 | `rda+` 0.1 | 0.01 | 0.001 |'
    echo '| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |'
    sparse_sets | while read -r name rule; do
        case " ${SETS:-$name} " in *" $name "*) ;; *) continue ;; esac
        file=$(two_classes "$name" "$rule") || continue
        largest=$(lambda_max "$file")
        await_idle
        for fraction in $fractions; do
            lambda=$(awk -v largest="$largest" -v fraction="$fraction" 'BEGIN { printf "%.10g\n", largest * fraction }')
            optimum=$(optimum "$name" "$rule" "$lambda" "$file")
            liblinear=$(loosest "$1" liblinear 0.1 0.01 1e-3 1e-4 1e-5 1e-6)
            echo "${liblinear%% *} $(ours -s lps) $(ours -s rda+)"
        done >"$temporary/cells"
        awk -v row="| $(words_of "$name" "$rule") |" '{ for (i = 1; i <= 3; i++) cell[i] = cell[i] " " $i " |" }
            END { print row cell[1] cell[2] cell[3] }' "$temporary/cells"
    done
}

# LIBLINEAR's solver, |slope| of the loss at 0.
loss=logistic liblinear_solver=6 slope=0.5 tolerance=1e-4
table 0.01 >"$temporary/rows"
write_table sparse-logistic liblinear-tools <"$temporary/rows"
loss=squared-hinge liblinear_solver=5 slope=2 tolerance=1e-3
table 0.1 >"$temporary/rows"
write_table sparse-squared-hinge liblinear-tools <"$temporary/rows"
