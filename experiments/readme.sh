#!/bin/bash
# readme.sh [--check] - the tables of FOLDER/README.md from the rows of FOLDER/out/TABLE.tsv, between the lines
# "<!-- make TABLE -->" and "<!-- end -->", and figures/TABLE.svg; the table of README.md from summary.txt and the rows.
# --check: fails if a page is not so.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
cd "$here"
temporary=$(mktemp -d)

# gnuplot's SVG without what each of its lines says again, and without the marks that lines do not have.
slim() {
    sed -e '/<defs>/,/<\/defs>/d' -e 's/ \(stroke-linecap="butt" stroke-linejoin="miter"\|stroke-width="1.00"\)//g' \
        -e 's/ \(font-family="Arial"\|font-size="12.00"\|color="black"\)//g' -e "s/ stroke='black'//" \
        -e 's/<tspan *>\([^<]*\)<\/tspan>/\1/g; s/<tspan *font-size="12.0" dy="[0-9.]*"><\/tspan>//' \
        -e 's/<svg/<svg font-family="Arial" font-size="12" color="black"/; s/<title>gnuplot_[^<]*<\/title>//' \
        -e 's/\([0-9]\.[0-9]\)[0-9]\([ ,)]\)/\1\2/g; s/^[ \t]*//; s/[ \t]*$//; /^$/d' | sed -z 's/<g [^>]*>\n<\/g>\n//g'
}

trap 'rm -rf "$temporary"' EXIT
status=0
check=${1:-}

# The page that is written: with --check a copy of it, in the folder $temporary/pages.
page_of() { # PAGE
    page=$1
    [ -n "$check" ] || return 0
    page=$temporary/pages/$1
    [ -f "$page" ] || { mkdir -p "$(dirname "$page")" && cp "$1" "$page"; }
}

for folder in */tables; do
    folder=${folder%/tables}
    page_of "$folder/README.md"
    for file in "$folder"/out/*.tsv; do
        shown=${file##*/} shown=${shown%.tsv}
        echo "<!-- make $shown -->"
        ./table.sh "$folder/$shown" show
    done | ../bench/fill.sh "$page"
done
for file in */out/*.tsv; do
    folder=${file%%/*} table=${file##*/} table=${table%.tsv}
    if [ -n "$check" ] || ! command -v gnuplot >/dev/null; then
        continue
    fi
    ./table.sh "$folder/$table" figure >"$temporary/figure"
    [ -s "$temporary/figure" ] || continue
    if grep -q '^<svg' "$temporary/figure"; then
        cp "$temporary/figure" "figures/$folder-$table.svg"
    elif { echo 'set mxtics 1; set mytics 1'; cat "$temporary/figure"; } | gnuplot >"$temporary/svg" 2>"$temporary/log"; then
        slim <"$temporary/svg" >"figures/$folder-$table.svg"
    else
        echo "no picture of $folder/$table: it has too few rows"
    fi
done
page_of README.md
awk -f summary.awk summary.txt ./*/out/*.tsv | ../bench/fill.sh "$page" "make summary"

for page in README.md */README.md; do
    [ -f "$temporary/pages/$page" ] && ! cmp -s "$temporary/pages/$page" "$page" || continue
    echo "FAILED: $page is not that of the rows: make -C experiments readme"
    diff "$page" "$temporary/pages/$page" | head -n 20
    status=1
done
exit $status
