# levels.awk TRACE - with -v levels="1e-2 ...": passes, then seconds (times -v share=X), at which the trace is first at
# each level, with tabs, "-" for never. What falls is the certified relative gap, objectives and bounds being the best so
# far, or, with -v optimum=X, the distance from that.
BEGIN { n = split(levels, level, " "); at = 1 }
FNR == 1 { next }
{
    if (j == "" || $4 < j) j = $4
    if ($5 ~ /^-?[0-9]/ && (b == "" || $5 > b)) b = $5
    gap = optimum != "" ? j / optimum - 1 : b != "" ? (j - b) / j : 1
    for (; at <= n && gap <= level[at]; at++) {
        passes[at] = sprintf("%.0f", $2)
        seconds[at] = sprintf("%.3f", (share == "" ? 1 : share) * $1)
    }
}
END {
    for (i = 1; i <= n; i++) printf "%s\t", i in passes ? passes[i] : "-"
    for (i = 1; i <= n; i++) printf "%s%s", i in seconds ? seconds[i] : "-", i < n ? "\t" : "\n"
}
