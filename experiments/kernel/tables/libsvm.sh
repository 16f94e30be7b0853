# libsvm.sh - LIBSVM beside ours by rows and by landmarks: svm-train and smo on the first rows of the training part, the same
# C, gamma and tolerance, 1000 MB of cache, and ocas on Nystrom features of all rows: test error, seconds of the whole
# run, support vectors, rows a second of svm-predict and predict.
# shellcheck shell=bash disable=SC1091,SC2034,SC2154
columns="error seconds vectors seconds-predict"
. "$folder/split.sh"
declare -A sizes=([adult]="4000 16000 32561" [mnist]="4000 16000" [ijcnn]="4000 16000 44991" [covtype]="4000 16000 32000")
landmarks="64 256 1024"

rows() {
    local name m s
    for name in adult ijcnn mnist covtype; do
        for m in ${sizes[$name]}; do
            printf '%s smo %s\t-s smo --basis 1 --kernel-cache 1000 %s\n' $name "$m" "${machine_of[$name]}"
            printf '%s svm-train %s\t-s svm-train %s\n' $name "$m" "${machine_of[$name]}" # no solver of ours: no sources
        done
        for s in $landmarks; do
            printf '%s ocas %s\t-s ocas --map nystrom --landmarks %s %s\n' $name "$s" "$s" "${machine_of[$name]}"
        done
    done
}

# CPU seconds of a command, in $seconds.
timed() {
    local TIMEFORMAT='%U %S' status=0
    { time "$@" >"$temporary/printed" 2>"$temporary/log" || status=$?; } 2>"$temporary/times"
    [ $status = 0 ] || [ $status -gt 128 ] || cat "$temporary/log" >&2
    [ $status = 0 ] || return $status
    seconds=$(tail -n 1 "$temporary/times" | awk '{ print $1 + $2 }')
}

row() { # NAME METHOD ROWS-OR-LANDMARKS
    local file=$temporary/rows vectors seconds trained suffix=''
    split "$1"
    case $2 in
    ocas) file=$out/$1.train ;;
    *) head -n "$3" "$out/$1.train" >"$file" ;;
    esac
    if [ "$2" = svm-train ]; then
        command -v svm-train >/dev/null || exit 77
        suffix=.svm
        timed svm-train -q -m 1000 -c "${of_set[$1 C]}" -g "${of_set[$1 gamma]}" "$file" "$temporary/model.svm" || return
        trained=$seconds
        vectors=$(sed -n 's/^total_sv //p' "$temporary/model.svm")
        timed svm-predict "$out/$1.test" "$temporary/model.svm" "$temporary/labels" || return
    else
        # shellcheck disable=SC2086 # options are words
        train ${options[$*]} "$file" || return
        trained=$(awk '{ print $2 + $3 }' "$temporary/times")
        vectors=$(sed -n 's/^points //p' "$temporary/model")
        timed "$bin/predict" -j 1 "$out/$1.test" "$temporary/model" "$temporary/labels" || return
    fi
    sed -n 's/^Accuracy = \([0-9.]*\)%.*/\1/p' "$temporary/printed" |
        awk -v a="$trained" -v v="${vectors:--}" -v b="$seconds" '{ printf "%.2f %.2f %s %.2f\n", 100 - $1, a, v, b }'
}

show() {
    local name m s theirs
    echo "| data | rows | \`svm-train\`: test error, % | vectors | seconds | \`smo\`: test error, % | vectors | seconds | ratio |"
    echo "| --- |$(printf ' --- |%.0s' {1..8})"
    for name in adult ijcnn mnist covtype; do
        for m in ${sizes[$name]}; do
            [ -n "${value[$name smo $m]:-}" ] || continue
            cells "$name svm-train $m" 4
            theirs=("${cell[@]}")
            cells "$name smo $m" 4
            echo "$name $m ${theirs[0]} ${theirs[2]} ${theirs[1]} ${cell[0]} ${cell[2]} ${cell[1]}"
        done
    done | awk '{
        printf "| %s | %s | %s | %s | %s | %s | %s | %s | %s |\n", $1, $2, $3, $4, $5, $6, $7, $8,
            ($5 > 0 ? sprintf("%.2f", $8 / $5) : ".")
    }'
    echo
    echo "| data | landmarks | \`ocas\`: test error, % | seconds | seconds of \`predict\` | of \`svm-predict\`, all vectors |"
    echo "| --- |$(printf ' --- |%.0s' {1..5})"
    for name in adult ijcnn mnist covtype; do
        for s in $landmarks; do
            [ -n "${value[$name ocas $s]:-}" ] || continue
            cells "$name ocas $s" 4
            printf '| %s | %s | %s | %s | %s |' "$name" "$s" "${cell[0]}" "${cell[1]}" "${cell[3]}"
            cells "$name svm-train ${sizes[$name]##* }" 4
            echo " ${cell[3]} |"
        done
    done
}
