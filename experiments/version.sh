# version.sh - sourced: the version of the sources that a row depends on, made without git. Comments and blank space
# are not part of it. The script that sources it sets $root and, of the table, $folder and $sources.
#
# A row depends on the file of its solver, the headers that it includes, what is behind them (of X.h: X.c and X_*.c; in
# risk/ and solvers/ all of its folder that includes it, too), and so on, within math/, matrix/, risk/ and solvers/; on
# kernel/ if it has a kernel or a map; on the folder of its loss if that has one; and, if it leaves the solver to the
# rules, on all solvers and on training/. Three parts are left out where they do not run: risk/items* and what only they
# have, unless the loss is of several rows or several outputs; proximal, its dual variables and the solvers that end its
# runs, unless it is the solver; mapped rows that do not fit in memory, as here all do. What reads data and options,
# keeps the state of runs and writes models is not part of it.
# shellcheck shell=bash disable=SC2016,SC2034,SC2086,SC2154
declare -A sums_of

# FILES, and the files that they are made of, within FOLDERS, without those that match LEFT_OUT.
closure() { # "FOLDER..." LEFT_OUT FILE...
    find $1 -maxdepth 1 -name '*.[ch]' | LC_ALL=C sort | xargs awk -F '"' -v left_out="$2" -v files="${*:3}" '
        function visit(list,   n, i, file) {
            n = split(list, file, " ")
            for (i = 1; i <= n; i++)
                if (file[i] in here && file[i] !~ left_out && !seen[file[i]]++) {
                    print file[i]
                    visit(made_of[file[i]])
                }
        }
        FNR == 1 {
            here[FILENAME]
            stem = FILENAME
            if (sub(/\.c$/, "", stem))
                do made_of[stem ".h"] = made_of[stem ".h"] " " FILENAME
                while (sub(/_[^_\/]*$/, "", stem))
        }
        /^#include "/ {
            made_of[FILENAME] = made_of[FILENAME] " " $2
            folder = $2
            sub(/\/[^\/]*$/, "", folder)
            if (folder ~ /^(risk|solvers)/ && FILENAME ~ "^" folder "/[^/]*\\.c$")
                made_of[$2] = made_of[$2] " " FILENAME
        }
        END { visit(files) }' | LC_ALL=C sort
}

loss_folder() { # NAME
    case $1 in
    pairwise | ndcg) echo risk/ranking ;;
    crf | m3n) echo risk/sequences ;;
    rna) echo risk/rna ;;
    f1 | prbep | precision | rocarea) echo risk/multivariate ;;
    esac
}

is_joint() { # NAME: whether the loss is of several rows or several outputs
    case $1 in pairwise | ndcg | crf | m3n | rna | crammer-singer | softmax) ;; *) false ;; esac
}

# The files that a run depends on: by its solver and loss ("": not given), and by whether it has a kernel ("": no).
files_of() { # SOLVER LOSS KERNEL
    local folders="$(find math -type d | LC_ALL=C sort) matrix risk solvers" left_out="^solvers/checkpoint|^kernel/mapped_(file|window)" files
    is_joint "$2" || left_out+="|^risk/(items|attested)"
    [ -z "$1" ] || [ "$1" = proximal ] || left_out+="|^solvers/online/(proximal|multipliers|finish)"
    if [ -n "$1" ]; then
        files=$(grep -lF "    .name = \"$1\"" solvers/*/*.c)
    else
        folders+=" $(find training -type d)"
        files="$(find solvers training -mindepth 2 -name '*.c') $(ls training/*.c)"
    fi
    case $files in *solvers/kernel_machine/*) set -- "$1" "$2" yes ;; esac
    [ -z "$3" ] || folders+=" kernel" files+=" $(ls kernel/*.c)"
    [ -z "$(loss_folder "$2")" ] || folders+=" $(loss_folder "$2")" files+=" $(ls "$(loss_folder "$2")"/*.c)"
    closure "$folders $(find solvers/* -type d)" "$left_out" $files
}

# The version of a run of train with the options, in $version.
version_of() { # OPTION...
    local previous="" solver="" loss="" kernel="" word file sums
    for word; do
        case $previous in
        -s) solver=$word ;;
        -L) loss=$word ;;
        --map | --kernel) kernel=yes ;;
        esac
        previous=$word
    done
    file="$solver $(loss_folder "$loss") $kernel $(! is_joint "$loss" || echo joint)"
    [ -n "${sums_of[$file]:-}" ] || sums_of[$file]=$(cd "$root" && files_of "$solver" "$loss" "$kernel" | xargs cat |
        LC_ALL=C sed -z 's|/\*[^*]*\*\+\([^/*][^*]*\*\+\)*/||g' | tr -s ' \n' ' ' | cksum | cut -d ' ' -f 1)
    sums=${sums_of[$file]}
    for file in ${sources:-}; do
        sums+=" $(cksum <"$folder/$file")"
    done
    version=$(cksum <<<"$sums $*" | cut -d ' ' -f 1)
}
