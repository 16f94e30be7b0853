# lambdas.sh - what the tables quality and progress and patterns.sh share: seven lambdas, the online solvers, their gamma
# (that of rda is the thesis's times 2, since h is half of its), and MNIST's 6 against 7.
# shellcheck shell=bash disable=SC2034,SC2154 # used by those who read this
lambdas="0.01 0.0316 0.1 0.316 1 3.16 10"
online="rda tg fobos sgd"
gamma_of() {
    [ "$1" = rda ] && echo 10000 || echo 5000
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
