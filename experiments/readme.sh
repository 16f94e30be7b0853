#!/bin/bash
# readme.sh [--check] - the tables of FOLDER/README.md from the rows of FOLDER/out/TABLE.tsv, between the lines
# "<!-- make TABLE -->" and "<!-- end -->", and figures/TABLE.svg. --check: fails if a page is not so.
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

for file in */tables/*.sh; do
    folder=${file%%/*} table=$(basename "$file" .sh)
    [ -f "$folder/out/$table.tsv" ] || continue
    page=$folder/README.md
    if [ "${1:-}" = --check ]; then
        [ -f "$temporary/$folder" ] || cp "$page" "$temporary/$folder"
        page=$temporary/$folder
    fi
    ./table.sh "$folder/$table" show | sed 's/ *$//' | ../bench/fill.sh "$page" "make $table"
    if [ "${1:-}" = --check ] || ! command -v gnuplot >/dev/null; then
        continue
    fi
    ./table.sh "$folder/$table" figure >"$temporary/figure"
    [ -s "$temporary/figure" ] || continue
    if { echo 'set mxtics 1; set mytics 1'; cat "$temporary/figure"; } | gnuplot >"$temporary/svg" 2>"$temporary/log"; then
        slim <"$temporary/svg" >"figures/$folder-$table.svg"
    else
        echo "no picture of $folder/$table: it has too few rows"
    fi
done
for page in "$temporary"/*; do
    folder=$(basename "$page")
    [ -f "$folder/README.md" ] && ! cmp -s "$page" "$folder/README.md" || continue
    echo "FAILED: $folder/README.md is not that of the rows: make -C experiments readme"
    diff "$folder/README.md" "$page" | head -n 20
    status=1
done
exit $status
