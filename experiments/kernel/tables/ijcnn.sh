# ijcnn.sh - test error on ijcnn by the number of training rows, of the kernel machine itself (smo) and of ocas on 512 and
# 1024 landmarks: of random rows of both files, as in the thesis, and "given": trained on the first file, tested on the
# second, which comes later in time.
# shellcheck shell=bash disable=SC1091,SC2034,SC2154
columns="error"
. "$folder/split.sh"
sizes="2812 5624 11248 22496 44991"
declare -A solver=([smo]="-s smo --kernel gaussian --kernel-cache 400 --basis 1" [512]="-s ocas --map nystrom --landmarks 512"
    [1024]="-s ocas --map nystrom --landmarks 1024")

rows() {
    local m kind
    for m in $sizes; do
        for kind in smo 512 1024; do
            printf 'ijcnn %s %s\t%s %s\n' "$m" $kind "${solver[$kind]}" "${machine_of[ijcnn]}"
        done
    done
    for kind in smo 512 1024; do
        printf 'ijcnn given %s\t%s %s\n' $kind "${solver[$kind]}" "${machine_of[ijcnn]}"
    done
}

row() { # ijcnn ROWS KIND
    if [ "$2" = given ]; then
        data_file ijcnn1.val
        cp "$file" "$temporary/test"
        data_file ijcnn1.tr
        # shellcheck disable=SC2086 # options are words
        train ${options[$*]} "$file" && test_error "$temporary/test"
        return
    fi
    split ijcnn
    head -n "$2" "$out/ijcnn.train" >"$temporary/train"
    # shellcheck disable=SC2086
    train ${options[$*]} "$temporary/train" && test_error "$out/ijcnn.test"
}

show() {
    local m kind
    echo "| rows of ijcnn | smo | s = 512 | s = 1024 |"
    echo "| --- | --- | --- | --- |"
    for m in $sizes given; do
        [ -n "${value[ijcnn $m smo]:-}" ] || continue
        printf '| %s |' "${m/given/35000 of the first file, tested on the second}"
        for kind in smo 512 1024; do
            cells "ijcnn $m $kind" 1
            printf ' %s |' "${cell[0]}"
        done
        echo
    done
}
