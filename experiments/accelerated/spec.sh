# spec.sh - sourced by the tables of this folder: passes and seconds until the certified relative gap, or with
# from=optimum the distance from the optimum, is at most each of $levels, for $problems, "SET LAMBDA..." (or values of
# the option $parameter), and $methods, "NAME|OPTIONS" of train; "+NAME": a run for each level. A run ends after $passes.
# shellcheck shell=bash disable=SC2034,SC2154
passes=${passes:-2500}
read -ra level_list <<<"$levels"
number_of_levels=${#level_list[@]}
columns="$(printf 'passes %.0s' $levels)seconds"
names=("${methods[@]%%|*}")
names=("${names[@]#+}")

rows() {
    local problem lambda i
    for problem in "${problems[@]}"; do
        for lambda in ${problem#* }; do
            for i in "${!names[@]}"; do
                printf '%s %s %s\t%s %s %s %s -p %s\n' "${problem%% *}" "$lambda" "${names[i]}" "${common:-}" \
                    "${methods[i]#*|}" "${parameter:--l}" "$lambda" "$passes"
            done
        done
    done
}

row() { # SET LAMBDA NAME...
    local set=$1 lambda=$2 name="${*:3}" method level least='' found
    data "$set"
    [ -z "${from:-}" ] || least=$(optimum "$set" "$lambda")
    if [ "$name" = LIBLINEAR ]; then
        "$folder/liblinear.sh" "$out" "$set" "$lambda" "$least" "$levels" | cut -f 5-
        return
    fi
    method=$(printf '%s\n' "${methods[@]}" | grep -F "$name|")
    if [ "${method#+}" = "$method" ]; then
        run "$set $lambda $name" "$least" "${levels##* }"
        return
    fi
    for level in $levels; do
        run "$set $lambda $name" "$least" "$level"
    done | awk -v n="$number_of_levels" '
        { passes = passes $NR " "; seconds = seconds $(n + NR) " " }
        END { print passes seconds }'
}

run() { # KEY OPTIMUM LEVEL: the cells
    local status=0
    # shellcheck disable=SC2086 # options are words
    train ${options[$1]} -e "$3" "$out/${1%% *}.train" || status=$?
    if [ $status = 1 ] && grep -q ' needs .* more than --memory' "$temporary/log"; then
        printf 'no %.0s' $(seq $((2 * number_of_levels)))
        return
    elif [ $status -ne 0 ]; then
        return $status
    fi
    awk -v levels="$levels" -v optimum="$2" -v share="$(cpu_share)" -f "$folder/levels.awk" "$temporary/trace"
}

# The least J, hinge and l2: of reference.tsv, or to 1e-6 of it.
optimum() { # SET LAMBDA
    local file=$out/$1.optimum-$2
    if [ ! -f "$file" ]; then
        { [ ! -f "$RRM_DATASETS/reference.tsv" ] || awk -F '\t' -v set="$1" -v lambda="$2" '
            NR == FNR && $1 == set { data = $2; rule = $4 ~ /^(binary$|le:)/ ? $4 : "one-vs-rest:" $4 }
            NR != FNR && $1 == data && $4 == rule && $5 $6 == "hingel2" && $7 + 0 == lambda + 0 { print $9 }
            ' "$folder/sets.tsv" "$RRM_DATASETS/reference.tsv"; } >"$file.part"
        [ -s "$file.part" ] || { train -l "$2" -e 1e-6 "$out/$1.train" && reported objective >"$file.part"; }
        mv "$file.part" "$file"
    fi
    head -n 1 "$file"
}

part() { # TITLE FIRST-CELL
    local problem lambda name line some x between
    echo
    echo "| $1 | ${parameter:-lambda} |$(printf " %s: ${levels// / \/ } |" "${names[@]}")"
    echo "| --- | --- |$(printf ' --- |%.0s' "${names[@]}")"
    for problem in "${problems[@]}"; do
        for lambda in ${problem#* }; do
            line='' some=''
            for name in "${names[@]}"; do
                cells "${problem%% *} $lambda $name" $((2 * number_of_levels))
                [ "${cell[0]}" = . ] || some=yes
                between=' '
                for x in "${cell[@]:$2:number_of_levels}"; do
                    [[ $x != *[0-9].* ]] || printf -v x %.2f "$x"
                    line+=$between$x
                    between=' / '
                done
                line+=' |'
            done
            [ -z "$some" ] || echo "| ${problem%% *} | $lambda |$line"
        done
    done
}

show() {
    if [ -n "${from:-}" ]; then
        echo "$title: passes, then seconds, until J is within $(sed 's/ /, /g' <<<"$levels") of the optimum;"
    else
        echo "$title: passes, then seconds, until the certified relative gap is at most $(sed 's/ /, /g' <<<"$levels");"
    fi
    echo "\"-\": not in $passes passes."
    part "passes" 0
    part "seconds" "$number_of_levels"
}
