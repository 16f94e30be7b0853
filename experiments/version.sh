# version.sh - sourced: the version of the sources that a row depends on, made without git. Comments and blank space
# are not part of it; neither are the folders that read data, options and documents. The script that sources it sets
# $root and, of the table, $folder and $sources.
# shellcheck shell=bash disable=SC2154
declare -A folder_sums

# The checksum of the C sources right in FOLDER, in $sum.
folder_sum() { # FOLDER
    if [ -z "${folder_sums[$1]:-}" ]; then
        folder_sums[$1]=$(find "$root/$1" -maxdepth 1 -name '*.[ch]' | LC_ALL=C sort | xargs -r cat |
            LC_ALL=C sed -z 's|/\*[^*]*\*\+\([^/*][^*]*\*\+\)*/||g' | tr -s ' \n' | cksum | cut -d ' ' -f 1)
    fi
    sum=${folder_sums[$1]}
}

solver_folders() { # NAME, or "" for all
    if [ -z "$1" ]; then
        (cd "$root" && find solvers -mindepth 1 -type d | LC_ALL=C sort)
    else
        (cd "$root" && grep -lF "    .name = \"$1\"" solvers/*/*.c | xargs dirname)
    fi
}

loss_folder() { # NAME
    case $1 in
    pairwise | ndcg) echo risk/ranking ;;
    crf | m3n) echo risk/sequences ;;
    rna) echo risk/rna ;;
    f1 | prbep | precision | rocarea) echo risk/multivariate ;;
    esac
}

# The version of a run of train with the options, in $version: of its solver, its loss, what all share, and the options.
version_of() { # OPTION...
    local previous="" solver="" loss="" word part file sums=""
    for word; do
        case $previous in
        -s) solver=$word ;;
        -L) loss=$word ;;
        esac
        previous=$word
    done
    for part in math math/simplex_qp matrix kernel risk training solvers $(solver_folders "$solver") \
        $(loss_folder "$loss"); do
        folder_sum "$part"
        sums+=" $sum"
    done
    for file in ${sources:-}; do
        sums+=" $(cksum <"$folder/$file")"
    done
    version=$(cksum <<<"$sums $*" | cut -d ' ' -f 1)
}
