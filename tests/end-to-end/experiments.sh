#!/bin/bash
# experiments.sh BIN - the tables of experiments/: the pages are those of the rows that are kept; a cheap row of each
# table, made again, has the numbers that are kept (with RRM_DATASETS); rows are made once for each version of the
# sources, and numbers that left what is kept are seen.
set -u
# shellcheck source=tests/outside.sh
. "$(dirname "$0")/../outside.sh"
experiments=$(dirname "$data")/experiments

"$experiments/readme.sh" --check || fail "experiments/: make readme"

differs() { # COLUMNS KEPT NOW
    ! awk -v columns="$1" -v kept="$2" -v now="$3" -f "$experiments/compare.awk"
}
differs 'J passes seconds' '0.35320 27 1.5' '0.35321 27 9' && fail "a last digit, or seconds, are compared"
differs 'J passes seconds' '0.35320 27 1.5' '0.36120 27 1.5' || fail "another J passes"
differs 'J passes seconds' '0.35320 270 1.5' '0.35320 277 1.5' || fail "other passes pass"
differs 'J passes' '0.35320 -' '0.35320 27' || fail "a number in the place of - passes"
differs 'J' '0.35320' '0.35320 27' || fail "more cells pass"

# The page of the papers takes the cells of rows; a row that is not there is a dot.
mkdir -p toy/out
printf '# row\tversion\tCPU seconds\tJ\tpasses\na 1e-2\t7\t0.1\t0.353\t27\n' >toy/out/table.tsv
echo 'J {toy/table a 1e-2:1} in {toy/table a 1e-2:2}, {toy/table b:1}' >summary
[ "$(awk -f "$experiments/summary.awk" summary ./toy/out/table.tsv)" = 'J 0.353 in 27, .' ] || fail "the page of the papers"

# A table of two rows, in a copy: rows are made once, again when the options, the solver's source or one behind a header
# of it change, not when a comment or what the solver is not made of does.
mkdir -p copy/experiments/toy/tables copy/solvers/online copy/solvers/dual copy/bin
cp "$experiments"/*.sh "$experiments"/*.awk copy/experiments
for folder in math math/simplex_qp matrix kernel risk training; do mkdir -p "copy/$folder"; done
printf '#include "math/steps.h"\n/* a */\nconst struct solver s = {\n    .name = "pegasos",\n};\n' \
    >copy/solvers/online/pegasos.c
echo 'void steps(void);' | tee copy/math/steps.h >copy/math/steps_far.c
cat >copy/experiments/toy/tables/table.sh <<'END'
columns="J"
rows() { printf '1e-2\t-s pegasos -l 1e-2 -p 3\n1e-3\t-s pegasos -l 1e-3 -p 3\n'; }
row() { train ${options[$1]} "$DATA" && reported objective; }
show() { echo "${value[1e-2]} ${value[1e-3]:-.}"; }
END
made() { # WHAT: the rows that were made
    DATA=$data/blobs.train BIN=$bin copy/experiments/table.sh toy/table "$1" | grep -c '^table: '
}
[ "$(made quick)" = 1 ] || fail "quick makes one row"
[ "$(made all)" = 1 ] || fail "all makes the other row"
[ "$(made all)" = 0 ] || fail "fresh rows are made again"
sed -i 's|/\* a \*/|/* another */|' copy/solvers/online/pegasos.c
[ "$(made all)" = 0 ] || fail "a comment makes rows stale"
sed -i -e '/another/d' -e 's|= {|= { /* another */|' copy/solvers/online/pegasos.c
[ "$(made all)" = 0 ] || fail "a comment that moves to another line makes rows stale"
echo 'int x;' | tee copy/solvers/dual/dcd.c copy/training/run.c copy/math/other.c >copy/kernel/map.c
[ "$(made all)" = 0 ] || fail "what the solver is not made of makes rows stale"
for file in solvers/online/pegasos.c math/steps_far.c; do
    echo 'int x;' >>copy/$file
    [ "$(made quick)" = 1 ] || fail "$file changed and does not make rows stale"
done
stale=$(BIN=$bin copy/experiments/table.sh toy/table stale)
[ "$stale" = 'stale: table: 1e-3' ] || fail "the row that quick left is stale, alone: $stale"
BIN=$bin copy/experiments/table.sh toy/table show | grep -q '^0\.' || fail "show does not print the rows"
sed -i 's/\(1e-[23]\t[0-9]*\t[0-9.]*\t\).*/\19.5/' copy/experiments/toy/out/table.tsv
! DATA=$data/blobs.train BIN=$bin copy/experiments/table.sh toy/table check >log ||
    fail "check does not see another J: $(cat log)"

# The C programs that rows are made by fit the library's headers, also where no build of it is at hand to link them.
for file in "$experiments"/*/*.c; do
    cc -std=c11 -D_GNU_SOURCE -I"$(dirname "$experiments")" -fopenmp -fsyntax-only "$file" 2>log ||
        fail "${file#"$experiments"/} does not compile: $(head -n 2 log)"
done

if [ -z "${RRM_DATASETS:-}" ]; then
    echo 'skipped: rows of experiments/ (RRM_DATASETS is not set)'
    exit $failures
fi
for file in "$experiments"/*/tables/*.sh; do
    folder=${file%/tables/*}
    OUT=$PWD/out BIN=$bin "$experiments/table.sh" "${folder##*/}/$(basename "$file" .sh)" check ||
        fail "${folder##*/}/$(basename "$file" .sh)"
done
exit $failures
