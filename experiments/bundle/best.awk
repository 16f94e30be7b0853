# The best objective and the best bound of traces and reports: "OBJECTIVE BOUND".
FNR == 1 { trace = $1 == "seconds" }
trace && FNR > 1 { offer($4, $5) }
!trace { gsub(/[",:]/, " ") }
!trace && $1 == "objective" { offer($2, "-inf") }
!trace && $1 == "bound" { offer("", $2) }
function offer(objective, lower) {
    if (objective != "" && (j == "" || objective + 0 < j)) j = objective + 0
    if (lower ~ /^-?[0-9]/ && (b == "" || lower + 0 > b)) b = lower + 0
}
END { printf "%.17g %.17g\n", j, b }
