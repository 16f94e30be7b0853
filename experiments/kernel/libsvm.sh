#!/bin/bash
# libsvm.sh OUT - seconds to equal error, ours (ocas on Nystrom features) and LIBSVM's: the error and seconds of
# svm-train by rows, up to LIMIT CPU seconds; ours by landmarks, up to some SECONDS_MAX; then, for each of ours, the
# least rows with which svm-train does as well, and for svm-train on all rows, our least landmarks.
set -euo pipefail
here=$(dirname "$0")
out=$1

ours() { # NAME S
    "$here/fit.sh" "$out" "$1" "ocas-$2" -s ocas --map nystrom --landmarks "$2"
}
sizes() { # ROWS: 1000, 2000, ... and ROWS
    local n=1000
    while [ $n -lt "$1" ]; do
        echo $n
        n=$((2 * n))
    done
    echo "$1"
}

while read -r name; do
    rows=$(wc -l <"$out/$name.train")
    table=$out/$name.libsvm
    : >"$table"
    echo "$name: LIBSVM by rows"
    printf '%8s %9s %7s %9s %11s\n' rows seconds error vectors "rows/s"
    test_rows=$(wc -l <"$out/$name.test")
    for n in $(sizes "$rows"); do
        read -r seconds error vectors predict < <("$here/svm.sh" "$out" "$name" "$n")
        if [ "$seconds" = - ]; then
            echo "$n rows: more than ${LIMIT:-600} s"
            break
        fi
        printf '%8d %9.1f %7.2f %9d %11.0f\n' "$n" "$seconds" "$error" "$vectors" \
            "$(awk -v n="$test_rows" -v s="$predict" 'BEGIN { print n / s }')"
        echo "svm $n $seconds $error" >>"$table"
    done
    echo "$name: ours by landmarks"
    printf '%8s %9s %7s %11s\n' s seconds error "rows/s"
    for s in 64 128 256 512 1024 2048 4096 8192; do
        read -r seconds _ _ _ _ error predict _ < <(ours "$name" $s)
        printf '%8d %9.1f %7.2f %11.0f\n' $s "$seconds" "$error" \
            "$(awk -v n="$test_rows" -v s="$predict" 'BEGIN { print n / s }')"
        echo "ours $s $seconds $error" >>"$table"
        awk -v s="$seconds" -v max="${SECONDS_MAX:-300}" 'BEGIN { exit !(4 * s > max) }' && break
    done
    awk -v name="$name" -v rows="$rows" '
        $1 == "svm" { n++; size[n] = $2; seconds[n] = $3; error[n] = $4 }
        $1 == "ours" { k++; s[k] = $2; ours[k] = $3; err[k] = $4 }
        END {
            print name ": to equal error"
            for (i = 1; i <= k; i++) {
                for (j = 1; j <= n && error[j] > err[i]; j++) ;
                if (j > n && size[n] < rows)
                    printf "  s = %d (%.2f %%): %.1f s; LIBSVM: more than %d rows, %.1f s (%.1f times)\n",
                        s[i], err[i], ours[i], size[n], seconds[n], seconds[n] / ours[i]
                else if (j > n)
                    printf "  s = %d (%.2f %%): %.1f s; LIBSVM: not on all rows, %.2f %% in %.1f s\n",
                        s[i], err[i], ours[i], error[n], seconds[n]
                else
                    printf "  s = %d (%.2f %%): %.1f s; LIBSVM: %d rows (%.2f %%), %.1f s (%.1f times)\n",
                        s[i], err[i], ours[i], size[j], error[j], seconds[j], seconds[j] / ours[i]
            }
            for (i = 1; i <= k && err[i] > error[n]; i++) ;
            if (i <= k)
                printf "  LIBSVM, %d rows (%.2f %%): %.1f s; ours: s = %d (%.2f %%), %.1f s (%.1f times)\n",
                    size[n], error[n], seconds[n], s[i], err[i], ours[i], seconds[n] / ours[i]
            else
                printf "  LIBSVM, %d rows (%.2f %%): %.1f s; ours: not with s = %d, %.2f %% in %.1f s\n",
                    size[n], error[n], seconds[n], s[k], err[k], ours[k]
        }' "$table"
    echo
done <"$out/names"
