# quality.sh - Figure 2.4: distance from optimality (delta), nonzeros and test error of lps and of rda+ at delta 1e-4, and
# of the online solvers in as many passes as rda+ takes in the median, by lambda; MNIST, 6 against 7; medians and
# deviations of 100 orders of the examples (the thesis's number).
# shellcheck shell=bash disable=SC1091,SC2034,SC2154
columns="delta deviation nonzeros deviation error deviation passes deviation"
sources="lambdas.sh medians.awk digits.awk"
. "$folder/lambdas.sh"
runs="lps rda+ $(printf '%s-last ' $online)$(printf '%s-average ' $online)"

rows() {
    local lambda run
    for lambda in $(printf '%s\n' $lambdas | sort -gr); do
        for run in $runs; do
            printf 'mnist %s %s\t-L logistic -r l1 --intercept -l %s %s\n' "$lambda" "$run" "$lambda" "$(options_of "$run")"
        done
    done
}

row() { # mnist LAMBDA RUN
    local seed repeats=${REPEATS:-100} passes=()
    sixes_and_sevens
    case $3 in
    lps) repeats=1 ;; # it has no random order
    *-*)
        [ -n "${value[mnist $2 rda+]:-}" ] || exit 77
        passes=(-p "$(cut -d ' ' -f 7 <<<"${value[mnist $2 rda+]}")")
        ;;
    esac
    for seed in $(seq "$repeats"); do
        # shellcheck disable=SC2086 # options are words
        train ${options[$*]} "${passes[@]}" -S "$seed" "$out/67.train" || return
        awk -v error="$(test_error "$out/67.test")" 'END { print $8, $6, error, $2 }' "$temporary/trace"
    done | awk -f "$folder/medians.awk"
}

show() {
    local title format field lambda run some=''
    for lambda in $lambdas; do
        [[ "${!value[*]}" != *"mnist $lambda "* ]] || some+=" $lambda"
    done
    echo "Medians of 100 orders by lambda; the online solvers in the passes of \`rda+\`"
    while read -r field format title; do
        echo
        echo "| $title |$(printf ' %s |' $some)"
        echo "| --- |$(printf ' --- |%.0s' $some)"
        for run in $runs; do
            [ $field != 7 ] || [[ $run != *-* ]] || continue
            [[ " ${!value[*]} " == *" $run "* ]] || continue
            printf '| %s |' "$run"
            for lambda in $some; do
                cells "mnist $lambda $run" 8
                # shellcheck disable=SC2059 # the number's format
                if is_number "${cell[field - 1]}"; then printf " $format |" "${cell[field - 1]}"; else printf ' . |'; fi
            done
            echo
        done
    done <<'END'
1 %.2g delta
3 %.0f nonzeros
5 %.2f test error, %
7 %.1f passes
END
}

figure() {
    local field label output run
    [[ "${!value[*]}" == *" 1 "* ]] || return 0 # a lambda alone is no picture
    echo "set terminal svg size 900,900 dynamic background 'white'; set multiplot layout 3,2"
    echo "set logscale x; set xlabel 'lambda'; set format '%g'; set key outside top horizontal"
    while read -r field label; do
        [ "$label" = delta ] && echo "set logscale y" || echo "unset logscale y; set yrange [0:*]"
        for output in last average; do
            echo "set ylabel '$label'; plot $(for run in lps rda+ $(printf "%s-$output " $online); do
                printf "'-' with linespoints title '%s', " "$run"
            done)"
            for run in lps rda+ $(printf "%s-$output " $online); do
                for lambda in $lambdas; do
                    cells "mnist $lambda $run" 8
                    ! is_number "${cell[field - 1]}" || echo "$lambda ${cell[field - 1]}"
                done
                echo e
            done
        done
    done <<'END'
1 delta
3 nonzeros
5 test error, %
END
}
