# sets.sh - for the scripts of this folder: sets of RRM_DATASETS as plain files, seconds, the objective
# of the peers' models. Sourced.
#
# The peers read plain text only, so packed sets are inflated into $temporary, which goes at the end.
# The scripts set $train (the program), $runs and $limit (seconds), see seconds_of. The objective is that
# of $loss and $norm, for which LIBLINEAR's solver is $liblinear_solver: the hinge with l2 unless the script
# sets others (logistic and l1) after this file is read.
# shellcheck shell=sh disable=SC2154
loss=hinge
norm=l2
liblinear_solver=3

# Ends the script, saying so, unless there are data sets and the programs beside which it measures.
need_sets() { # NAME OF THE BENCH, PROGRAM...
    bench=$1
    shift
    if [ -z "${RRM_DATASETS:-}" ]; then
        echo "$bench: skipped, RRM_DATASETS (a folder with data sets) is not set"
        exit 0
    fi
    for program; do
        command -v "$program" >/dev/null && continue
        echo "$bench: skipped, there is no $program (Debian: hyperfine, liblinear-tools, libocas-tools)"
        exit 0
    done
    temporary=$(mktemp -d)
    trap 'rm -rf "$temporary"' EXIT
    trap 'exit 130' INT TERM
}

# The path of a set as a plain file, without blanks; fails when the folder does not have it.
plain_set() { # NAME
    if [ ! -e "$temporary/$1" ]; then
        if [ -f "$RRM_DATASETS/$1" ]; then
            ln -s "$(realpath "$RRM_DATASETS/$1")" "$temporary/$1"
        elif [ -f "$RRM_DATASETS/$1.gz" ]; then
            gzip -dc "$RRM_DATASETS/$1.gz" >"$temporary/$1"
        else
            return 1
        fi
    fi
    echo "$temporary/$1"
}

# The path of a set with labels +1 and -1, until the next call. RULE says which are positive: binary,
# the larger one; one-vs-rest:K, K; le:K, those up to K. A row without features ends in a blank: without
# it svmocas refuses the file.
two_classes() { # NAME RULE
    plain_set "$1" >/dev/null || return 1
    awk -v rule="$2" '
        BEGIN { split(rule, part, ":") }
        { y = substr($0, 1, index($0 " ", " ")) + 0 }
        NR == FNR { if (NR == 1 || y > largest) largest = y; next }
        {
            positive = rule == "binary" ? y == largest : part[1] == "le" ? y <= part[2] : y == part[2]
            print (positive ? "+1 " : "-1 ") substr($0, index($0 " ", " ") + 1)
        }' "$temporary/$1" "$temporary/$1" >"$temporary/two"
    echo "$temporary/two"
}

# A set and its rule of two classes as a table's first cell.
words_of() { # NAME RULE
    case $2 in
    binary) echo "$1" ;;
    one-vs-rest:*) echo "$1, class ${2#*:}" ;;
    le:*) echo "$1, classes to ${2#*:}" ;;
    esac
}

# Data, rule and lambda of Table 1 of Do, Le & Foo 2009, as far as the data is to be had, and text.
paper_sets() {
    cat <<'END'
a9a binary 1e-4
ijcnn1.tr binary 1e-7
connect-4 one-vs-rest:1 1e-7
w8a binary 1e-8
covtype.libsvm.binary.scale binary 1e-8
mnist.scale one-vs-rest:8 1e-5
mnist.scale le:4 1e-5
reuters21578.acq binary 1e-4
news20 le:10 1e-4
END
}

# The C of the peers: they minimize ||w||^2/2, or ||w||_1, + C sum of the losses.
cost_of() { # LAMBDA FILE
    awk -v lambda="$1" -v rows="$(wc -l <"$2")" 'BEGIN { printf "%.17g\n", 1 / (lambda * rows) }'
}

# The user CPU seconds of this shell's children between two outputs of `times`, whose second line has them.
seconds_between() { # FILE FILE
    awk 'FNR == 2 { split($1, part, "m"); sum = 60 * part[1] + part[2] - sum } END { printf "%.3f\n", sum }' "$@"
}

# As seconds_of, in user CPU seconds, and the limit is one of CPU seconds.
user_seconds_of() { # COMMAND WORD...
    for _ in $(seq "$runs"); do
        status=0
        times >"$temporary/begin" # not in a substitution: that is a shell without these children
        (ulimit -t "$limit" && exec "$@") >"$temporary/output" 2>&1 || status=$?
        times >"$temporary/end"
        seconds=$(seconds_between "$temporary/begin" "$temporary/end")
        if [ "$status" -ge 128 ]; then
            echo ">$limit"
        elif [ "$status" -ne 0 ]; then
            echo -
        else
            echo "$seconds"
        fi
        awk -v seconds="$seconds" -v status="$status" 'BEGIN { exit !(seconds < 3 && !status) }' || break
    done >"$temporary/runs"
    sort -n "$temporary/runs" | head -n 1
}

# Seconds of the whole process, the fastest of $runs runs, or the only one if it takes 3 or more; ">$limit"
# when it takes longer than that, "-" when it fails. CLOCK=user: user CPU seconds, for a machine with other work.
seconds_of() { # COMMAND WORD...
    if [ "${CLOCK:-wall}" = user ]; then
        user_seconds_of "$@"
        return
    fi
    status=0
    begin=$(date +%s%N)
    timeout "$limit" "$@" >"$temporary/output" 2>&1 || status=$?
    end=$(date +%s%N)
    if [ "$status" -eq 124 ]; then
        echo ">$limit"
    elif [ "$status" -ne 0 ]; then
        echo -
    elif [ $((end - begin)) -ge 3000000000 ]; then
        awk -v t=$((end - begin)) 'BEGIN { printf "%.3f\n", t / 1e9 }'
    else
        hyperfine -N --style none --runs "$runs" --export-csv "$temporary/times" -n x "$*" >/dev/null 2>&1
        awk -F, 'END { printf "%.5f\n", $7 }' "$temporary/times"
    fi
}

# Of stdin's pairs "NAME SECONDS" the fastest as "SECONDS NAME"; of none, ">$limit -" or "- -".
best_of() {
    awk '$2 ~ />/ { slow = $2 } $2 + 0 > 0 && (best == "" || $2 + 0 < best) { best = $2; name = $1 }
        END { print best != "" ? best " " name : slow != "" ? slow " -" : "- -" }'
}

# One time over another, with > or < when one of them hit the limit.
ratio() { # SECONDS SECONDS
    awk -v a="$1" -v b="$2" 'BEGIN {
        sign = (a ~ />/ ? ">" : "") (b ~ />/ ? "<" : "")
        gsub(/>/, "", a)
        gsub(/>/, "", b)
        if (a + 0 > 0 && b + 0 > 0 && sign != "><") printf "%s%.2f\n", sign, a / b
        else print "-" }'
}

# A number of the last run with --report "$temporary/report".
reported() { # NAME
    sed -n "s/^  \"$1\": \"*\([^\",]*\)\"*,*\$/\1/p" "$temporary/report"
}

# Seconds of training alone, the fewest of $runs runs; "-" unless they end certified.
training_seconds() { # OPTION...
    rm -f "$temporary/report"
    for _ in $(seq "$runs"); do
        "$train" -q --strict --report "$temporary/report" "$@" "$temporary/model" 2>/dev/null || break
        reported train_seconds
    done | awk -v runs="$runs" 'NR == 1 || $1 < best { best = $1 }
        END { if (NR == runs) printf "%.5f\n", best; else print "-" }'
}

# J of a LIBLINEAR model, from its decision values (after a line of labels, the first of which is positive) or, for
# losses of numbers, its scores.
liblinear_objective() { # LAMBDA FILE MODEL
    "$(dirname "$train")/predict" -q -d "$2" "$3" - 2>/dev/null >"$temporary/decisions"
    case $loss in
    epsilon) tube=0.1 ;;
    absolute) tube=0 ;;
    *) tube= ;;
    esac
    { [ -n "$tube" ] || echo; cut -d ' ' -f 1 "$2"; } | paste -d ' ' "$temporary/decisions" - |
        awk -v lambda="$1" -v model="$3" -v loss_name="$loss" -v tube="$tube" \
            -v l2="$([ "$norm" != l2 ] || echo 1)" '
            function magnitude(x) { return x < 0 ? -x : x }
            BEGIN {
                while ((getline line < model) > 0)
                    if (w) s += l2 ? line * line / 2 : magnitude(line)
                    else if (line == "w") w = 1
            }
            tube != "" {
                far = magnitude($1 - $2) - tube
                loss += far > 0 ? far : 0
                m++
                next
            }
            NR == 1 { positive = $2; next }
            {
                z = $3 == positive ? $2 : -$2
                hinge = z < 1 ? 1 - z : 0
                if (loss_name == "hinge") loss += hinge
                else if (loss_name == "squared-hinge") loss += hinge * hinge
                else loss += (z < 0 ? -z : 0) + log(1 + exp(-magnitude(z)))
                m++
            }
            END { printf "%.9g\n", lambda * s + loss / m }'
}

# The same of a model of svmocas: a weight a line, the last one the offset, which -b 0 keeps 0.
svmocas_objective() { # LAMBDA FILE MODEL
    {
        printf '%s\n' 'solver_type L2R_L1LOSS_SVC_DUAL' 'nr_class 2' 'label 1 -1' \
            "nr_feature $(($(wc -l <"$3") - 1))" 'bias -1' w
        sed '$d' "$3"
    } >"$temporary/converted"
    liblinear_objective "$1" "$2" "$temporary/converted"
}

# The least J: certified in reference.tsv, else what train certifies to 1e-5.
optimum() { # NAME RULE LAMBDA FILE
    if [ -f "$RRM_DATASETS/reference.tsv" ]; then
        awk -F '\t' -v name="$1" -v rule="$2" -v lambda="$3" -v loss="$loss" -v norm="$norm" '
            $1 == name && $4 == rule && $5 == loss && substr($6, 1, 2) == norm && $7 + 0 == lambda + 0 { print $9 }
            ' "$RRM_DATASETS/reference.tsv" | grep . && return
    fi
    "$train" -q -L "$loss" -r "$norm" -l "$3" -e 1e-5 --report "$temporary/report" "$4" "$temporary/model"
    reported objective
}

# The objective of the last timed run of train, from its summary.
last_objective() {
    sed -n 's/.*objective \([^,]*\),.*/\1/p' "$temporary/output"
}

# How far one objective is above another, in per cent; "-" if one is missing.
above() { # OBJECTIVE OPTIMUM
    awk -v j="$1" -v o="$2" 'BEGIN { if (j + 0 > 0 && o + 0 > 0) printf "%.3f\n", 100 * (j / o - 1); else print "-" }'
}

# A peer at the first of the TOLERANCES that ends within WITHIN per cent of $optimum, on $file at $lambda:
# "SECONDS TOLERANCE ABOVE", the seconds ">$limit" when one takes longer, "-" when none gets there.
loosest() { # WITHIN liblinear|svmocas TOLERANCE...
    within=$1
    peer=$2
    cost=$(cost_of "$lambda" "$file")
    distance=-
    shift 2
    for tolerance; do
        case $peer in
        liblinear)
            # shellcheck disable=SC2086 # a solver and its options
            seconds=$(seconds_of liblinear-train -s $liblinear_solver -c "$cost" -e "$tolerance" "$file" \
                "$temporary/model")
            ;;
        svmocas) seconds=$(seconds_of svmocas -c "$cost" -r "$tolerance" "$file" "$temporary/model") ;;
        esac
        case $seconds in
        [0-9]*) distance=$(above "$("${peer}_objective" "$lambda" "$file" "$temporary/model")" "$optimum") ;;
        *) break ;;
        esac
        ! awk -v d="$distance" -v w="$within" 'BEGIN { exit !(d != "-" && d + 0 <= w) }' || break
        seconds=-
        ! grep -q 'max number of iterations' "$temporary/output" || break
    done
    echo "$seconds $tolerance $distance"
}
