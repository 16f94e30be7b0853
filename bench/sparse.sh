#!/bin/sh
# sparse.sh TRAIN - l1 with logistic loss, then with squared hinge: seconds of the whole process to within
# 0.01 % (0.1 %) of the optimum of the solvers that certify it, beside LIBLINEAR's coordinate descent at the
# loosest tolerance that gets there; for logistic loss scikit-learn's saga (seconds of the fit alone) where
# python3-sklearn is. LIMIT is the seconds a process may take, LIMIT_SAGA a fit of saga (0: none), RUNS how
# often short ones run, SETS the names of the sets (all), LOSSES the losses (both).
set -eu

train=$1
runs=${RUNS:-3}
limit=${LIMIT:-100}
limit_saga=${LIMIT_SAGA:-20}
# shellcheck source=bench/sets.sh
. "$(dirname "$0")/sets.sh"
need_sets bench-sparse liblinear-train hyperfine
# shellcheck disable=SC2034 # for sets.sh
norm=l1
saga=$(realpath "$(dirname "$0")")/saga.py
[ "$limit_saga" != 0 ] && /usr/bin/python3 -c 'import sklearn' 2>/dev/null || saga=

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
heart_scale binary
german.numer_scale binary
colon-cancer binary
glass.binary binary
ionosphere binary
arrhythmia.binary binary
spambase binary
page-blocks.binary binary
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
    seconds_of "$train" --strict -L "$loss" -r l1 -l "$lambda" -e "$tolerance" "$@" "$file" "$temporary/model"
}

nonzeros() { # of the last model
    awk '$1 == "w" && $2 == "sparse" { print $3; exit }
        $1 == "end" { print n + 0 }
        w && $1 != 0 { n++ }
        $1 == "w" { w = 1 }' "$temporary/model"
}

heading() {
    cat <<END
$loss, l1, seconds of the whole process to within $within % of the optimum, one thread (2 threads: the default
solver). Fastest of $runs runs, one if 3 s or more; >T: stopped after T seconds; -: did not get there.
LIBLINEAR -s $liblinear_solver at the loosest tolerance (-e) of 0.1, 0.01, 1e-3, ... that gets there, above:
per cent above the optimum then. Ours certify $tolerance. fraction: of lambda_max; nonzeros: weights of the
default's model. lps/, rda+/, def/: over LIBLINEAR. saga: scikit-learn's, the fit alone. spambase, page-blocks
and arrhythmia are not scaled.

END
    printf '%-15s %-13s %-8s %-11s %8s' data rule fraction lambda nonzeros
    printf ' %9s %-5s %6s' liblinear -e above
    printf ' %9s %9s %9s %9s %6s %6s %6s %8s\n' lps rda+ default '2 threads' lps/ rda+/ def/ saga
}

measure() { # WITHIN TOLERANCE
    within=$1
    tolerance=$2
    heading
    sparse_sets | while read -r name rule; do
        case " ${SETS:-$name} " in *" $name "*) ;; *) continue ;; esac
        file=$(two_classes "$name" "$rule") || continue
        lambda_max=$(lambda_max "$file")
        for fraction in 0.1 0.01 0.001; do
            lambda=$(awk -v lambda_max="$lambda_max" -v fraction="$fraction" \
                'BEGIN { printf "%.10g\n", lambda_max * fraction }')
            optimum=$(optimum "$name" "$rule" "$lambda" "$file")
            liblinear=$(loosest "$within" liblinear 0.1 0.01 1e-3 1e-4 1e-5 1e-6)
            lps=$(ours -j 1 -s lps)
            rda=$(ours -j 1 -s rda+)
            one=$(ours -j 1)
            two=$(ours -j 2)
            theirs=${liblinear%% *}
            printf '%-15.15s %-13s %-8s %-11.5g %8s' "$name" "$rule" "$fraction" "$lambda" "$(nonzeros)"
            # shellcheck disable=SC2086 # three words
            printf ' %9s %-5s %6s' $liblinear
            printf ' %9s %9s %9s %9s %6s %6s %6s' "$lps" "$rda" "$one" "$two" "$(ratio "$lps" "$theirs")" \
                "$(ratio "$rda" "$theirs")" "$(ratio "$one" "$theirs")"
            goal=$(awk -v j="$optimum" 'BEGIN { printf "%.12g\n", 1.0001 * j }')
            [ -z "$saga" ] || printf ' %8s' "$("$saga" "$file" "$lambda" "$goal" "$limit_saga")"
            echo
        done
    done
    echo
}

for loss in ${LOSSES:-logistic squared-hinge}; do
    case $loss in
    logistic)
        liblinear_solver=6
        slope=0.5
        measure 0.01 1e-4
        ;;
    squared-hinge)
        liblinear_solver=5
        slope=2
        saga=
        measure 0.1 1e-3
        ;;
    esac
done
