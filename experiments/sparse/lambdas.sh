# lambdas.sh - what the tables quality, progress and patterns share: seven lambdas, the online solvers, their gamma
# (that of rda is the thesis's times 2, since h is half of its), and MNIST's 6 against 7.
# shellcheck shell=bash disable=SC2034,SC2154 # used by those who read this
lambdas="0.01 0.0316 0.1 0.316 1 3.16 10"
online="rda tg fobos sgd"
gamma_of() {
    [ "$1" = rda ] && echo 10000 || echo 5000
}

# The options of a run: lps and rda+ to delta 1e-4, SOLVER-last and SOLVER-average for the passes that the caller names,
# without a search for a bound after them (-e 0).
options_of() { # RUN
    local solver=${1%-*}
    case $1 in
    lps) echo "-s lps --optimality 1e-4" ;;
    rda+) echo "-s rda+ --give-up 1 --gamma 10000 --optimality 1e-4" ;;
    rda-*) echo "-s rda --gamma $(gamma_of rda) --output ${1#*-} --slope half -e 0" ;;
    *) echo "-s $solver --gamma $(gamma_of "$solver") --output ${1#*-} --step sqrt -e 0" ;;
    esac
}

# Leaves OUT/67.train and OUT/67.test.
sixes_and_sevens() {
    local part
    data mnist
    for part in train test; do
        [ -f "$out/67.$part" ] || {
            awk -v task=67 -f "$folder/digits.awk" "$out/mnist.$part" >"$out/67.$part.part"
            mv "$out/67.$part.part" "$out/67.$part"
        }
    done
}
