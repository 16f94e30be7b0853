#!/bin/bash
# documents.sh BIN - README.md and docs/: every link leads somewhere, every solver, loss and regularizer has its
# row, the README is short, sh is given no script for bash, and each command for the samples, in it and on the pages of
# RNA and sequences, works without a warning; so do those of the tutorial, which print what it shows.
set -u
# shellcheck source=tests/outside.sh
. "$(dirname "$0")/../outside.sh"
root=$(dirname "$data")
pages=("$root/README.md" "$root"/docs/*.md)

# GitHub's name of a heading.
anchors() { # PAGE
    sed -n 's/^##* //p' "$1" | tr 'A-Z ' 'a-z-' | tr -dc 'a-z0-9\n_-'
}

for page in "${pages[@]}"; do
    while IFS='#' read -r file anchor; do
        target=$page
        [ -z "$file" ] || target=$(dirname "$page")/$file
        [ -e "$target" ] || fail "$page: there is no $file"
        [ -z "$anchor" ] || anchors "$target" | grep -qx -- "$anchor" || fail "$page: $file has no heading $anchor"
    done < <(grep -o '](\([^):]*\))' "$page" | sed 's/^](//; s/)$//')
done

names() { # LETTER: the names that "-LETTER help" lists
    "$bin/train" "-$1" help | sed '/^$/,$d' | sed -n 's/^  \([^ ][^ ]*\).*/\1/p'
}
names s | while read -r name; do
    grep -q "^|.*\`${name}\`.*|" "$root/docs/solvers.md" || echo "docs/solvers.md has no row of $name"
done >missing
{ names L; names r | sed 's/^\(.*\)-ball$/--ball \1=Z/'; } | while read -r name; do
    grep -qF "\`${name}\`" "$root/docs/losses.md" || echo "docs/losses.md does not name $name"
done >>missing
# Each key of a report and of a model has its row.
{
    sed -n 's/.*member_[a-z]*(stream, "\([a-z_]*\)".*/\1/p' "$root"/cli/*report*.c
    sed -n 's/^    {"\([a-z-]*\)", KEY_.*/\1/p' "$root/io/model/model.c"
} | sort -u | while read -r key; do
    grep -q "^|.*\`$key\`.*|" "$root/docs/formats.md" || echo "docs/formats.md has no row of the key $key"
done >>missing
[ ! -s missing ] || fail "$(cat missing)"

# Debian's sh does not run what is written for bash.
grep -ohE '(^|[^.a-z])sh [a-z_/-]+\.sh' "${pages[@]}" "$root"/Makefile "$root"/*/*.mk "$root/debian/rules" | sort -u |
    while read -r command; do
        script=${command##* }
        [ ! -f "$root/$script" ] || ! head -n 1 "$root/$script" | grep bash >/dev/null || echo "$command: it is for bash"
    done >missing
[ ! -s missing ] || fail "$(cat missing)"

[ "$(wc -l <"$root/README.md")" -lt 200 ] || fail "README.md has 200 lines or more"

for program in train predict conll bpseq convert plot scale weights; do
    ln -s "$bin/$program" .
done
ln -s "$data" data
left_out='^$' # commands that cannot run here
command -v gnuplot >/dev/null || { left_out='\./plot'; echo 'skipped: pictures (no gnuplot)'; }
# The page's commands with the WORDS, at least MINIMUM of them, run in their order without a warning; not those for
# sets/.
shown() { # WORDS MINIMUM PAGE
    sed -n 's/^    //p' "$root/$3" | grep -- "$1" | grep -v -e 'sets/' -e "$left_out" >commands
    [ "$(wc -l <commands)" -ge "$2" ] || fail "$3 shows $(wc -l <commands) commands for the samples"
    while read -r command; do
        bash -o pipefail -c "$command" </dev/null >out.txt 2>err.txt || fail "$3: $command: $(cat err.txt)"
        [[ $command == *'# a warning says so'* ]] || ! grep warning err.txt || fail "$3: $command warns"
    done <commands
}
shown 'data/[a-z]*\.t' 6 README.md
shown '^\./' 5 docs/rna.md
shown '^\./' 5 docs/sequences.md
shown '^\(\./\|head \|grep \)' 14 docs/tutorial.md
# What the tutorial shows is what the commands print, in their order.
sed -n '/^```$/,/^```$/p' "$root/docs/tutorial.md" | grep -v '^```$' >quoted
{
    head -n 4 data/customers.csv
    grep -e label -e city names
    ./train -q -L logistic --intercept --scale standard -v 5 train.svm | head -n 2
    ./train -q -L logistic --intercept --scale standard --path 5,1,1e-4 -v 5 --measure auc train.svm |
        sed -n '/^lambda  /,/^0.0001 /p'
    head -n 3 predictions
    ./predict --names names --measures accuracy,confusion new.svm model labels
    ./weights -q --names names -n 5 model
} >printed
cmp -s quoted printed || { fail 'docs/tutorial.md shows something else'; diff quoted printed >&2; }
exit $failures
