# lambdas.sh - what quality.sh and patterns.sh share: seven lambdas, the online solvers, their gamma (that of rda is
# the thesis's times 2, since h is half of its).
# shellcheck shell=bash disable=SC2034 # used by those who read this
lambdas="0.01 0.0316 0.1 0.316 1 3.16 10"
online="rda tg fobos sgd"
gamma_of() {
    [ "$1" = rda ] && echo 10000 || echo 5000
}
