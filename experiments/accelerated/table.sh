#!/bin/bash
# table.sh OUT TABLE - makes the runs of tables/TABLE, OUT/TABLE.tsv and OUT/TABLE.txt, which it prints.
#
# tables/TABLE has lines with tabs: "title TEXT"; "levels E ...", the accuracies asked for; "common OPTIONS" of
# train; "parameter OPTION" if it is not -l; "row SET LAMBDA ...", or values of that option; "column NAME OPTIONS
# [each]", one run to the last level, or (each) one a level with that as -e; "from optimum": distances from the least J
# that is known in place of certified gaps; "peers": then the best of the other tables' runs, and LIBLINEAR.
set -euo pipefail
here=$(dirname "$0")
out=$1
table=$2
file=$here/tables/$table
plan=$out/$table.plan
temporary=$(mktemp -d)
trap 'rm -rf "$temporary"' EXIT

field() { awk -F '\t' -v name="$1" '$1 == name { print $2; exit }' "$file"; }
levels=$(field levels)
from=$(field from)

awk -f "$here/plan.awk" "$out/names" "$file" >"$plan"
cut -f 1,5,6 "$plan" | sort -u | sed "s/\$/ -j 1 -t ${LIMIT:-30}/" | tr '\t' ' ' |
    xargs -P "${JOBS:-2}" -L 1 "$here/../run.sh" "$out" 2>"$out/$table.log" || true
grep -v '^train: warning: \|^$' "$out/$table.log" >&2 || true

# The least J that is known at SET and LAMBDA, hinge and l2: of the runs, or of $RRM_DATASETS/reference.tsv.
optimum() { # SET LAMBDA
    {
        awk -F '\t' -v set="$1" -v lambda="$2" -v out="$out" '
            $1 == set && $2 == lambda { print out "/" $1 "." $5 ".trace" }' "$plan" |
            while read -r trace; do
                [ ! -f "$trace" ] || awk '/^[0-9]/ { print $4 }' "$trace"
            done
        [ ! -f "$RRM_DATASETS/reference.tsv" ] ||
            awk -F '\t' -v set="$1" -v lambda="$2" '
                NR == FNR && $1 == set { data = $2; rule = $4 ~ /^(binary$|le:)/ ? $4 : "one-vs-rest:" $4 }
                NR != FNR && $1 == data && $4 == rule && $5 $6 == "hingel2" && $7 + 0 == lambda + 0 { print $9 }
                ' "$here/sets.tsv" "$RRM_DATASETS/reference.tsv"
    } | sort -g | head -n 1
}

cells() { # TRACE SET LAMBDA: passes and seconds; of no trace "no"
    if [ ! -f "$1" ]; then
        awk -v n="$(wc -w <<<"$levels")" 'BEGIN { while (i++ < 2 * n) printf "no%s", i < 2 * n ? "\t" : "\n" }'
    elif [ -n "$from" ]; then
        awk -v levels="$levels" -v optimum="$(optimum "$2" "$3")" -f "$here/levels.awk" "$1"
    else
        awk -v levels="$levels" -f "$here/levels.awk" "$1"
    fi
}

# Of the runs of agm and agm1 that other tables made of this problem, the one with the fewest passes to the last but
# one of the levels: its cells, then its options.
best() { # SET LAMBDA
    awk -F '\t' -v set="$1" -v lambda="$2" '$1 == set && $2 == lambda && $6 ~ /agm/ && $6 !~ /-L|-r|--intercept/ {
        print $5 "\t" $6 }' "$out"/*.plan | sort -u |
        while IFS=$'\t' read -r name options; do
            [ ! -f "$out/$1.$name.trace" ] || echo "$(cells "$out/$1.$name.trace" "$1" "$2")	$options"
        done | awk -F '\t' -v n="$(wc -w <<<"$levels")" '
            { t = $(n - 1); if (t == "-") t = 1e9 }
            NR == 1 || t < least { least = t; line = $0 }
            END { print line }'
}

while IFS=$'\t' read -r set lambda column level name _; do
    printf '%s\t%s\t%s\t%s\t%s\n' "$set" "$lambda" "$column" "$level" \
        "$(cells "$out/$set.$name.trace" "$set" "$lambda")"
done <"$plan" >"$temporary/cells"
if grep -q '^peers' "$file"; then
    cut -f 1,2 "$plan" | awk '!seen[$0]++' >"$temporary/rows"
    while IFS=$'\t' read -r set lambda; do
        echo "$out $set $lambda $(optimum "$set" "$lambda") '$levels'"
    done <"$temporary/rows" | xargs -P "${JOBS:-2}" -L 1 "$here/liblinear.sh" >"$temporary/liblinear"
    while IFS=$'\t' read -r set lambda; do
        IFS=$'\t' read -r -a words < <(best "$set" "$lambda")
        options=${words[-1]}
        unset 'words[-1]'
        (IFS=$'\t'; printf '%s\t%s\tbest of agm\tall\t%s\n' "$set" "$lambda" "${words[*]}")
        printf '%s\t%s\t%s\n' "$set" "$lambda" "$(sed 's/ -[el] [^ ]*//g; s/^ *-s //' <<<"$options")" \
            >>"$temporary/notes"
        awk -F '\t' -v set="$set" -v lambda="$lambda" '$1 == set && $2 == lambda' "$temporary/liblinear"
    done <"$temporary/rows" >>"$temporary/cells"
fi

# A line for each set, lambda and column: of a run a level, its cell of that level.
awk -F '\t' -v levels="$levels" '
    BEGIN { n = split(levels, level, " ") }
    {
        key = $1 FS $2 FS $3
        if (!(key in at)) { order[++lines] = key; at[key] = lines }
        for (i = 1; i <= n; i++)
            if ($4 == "all" || $4 == level[i]) { value[key, i] = $(4 + i); value[key, n + i] = $(4 + n + i) }
    }
    END {
        for (l = 1; l <= lines; l++) {
            printf "%s", order[l]
            for (i = 1; i <= 2 * n; i++) printf "\t%s", value[order[l], i]
            print ""
        }
    }' "$temporary/cells" >"$out/$table.tsv"
{
    awk -f "$here/render.awk" "$file" "$out/$table.tsv"
    if [ -f "$temporary/notes" ]; then
        printf '\nbest of agm\n'
        awk -F '\t' '{ printf "%-11s%-9s %s\n", $1, $2, $3 }' "$temporary/notes"
    fi
} >"$out/$table.txt"
cat "$out/$table.txt"
