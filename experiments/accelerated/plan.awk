# plan.awk NAMES tables/TABLE - the runs of the table on the sets of NAMES, a line each, with tabs: set, lambda,
# column, the level it is for (or all), name of the run, options. See table.sh for the file.
function run(level, options,   name) {
    options = common " " $3 " -e " (level == "all" ? levels[n] : level) " " parameter " "
    for (r = 1; r <= rows; r++) {
        name = options lambda[r]
        gsub(/ +/, "_", name)
        gsub(/_-+/, "_", name)
        sub(/^_/, "", name)
        print set[r] "\t" lambda[r] "\t" $2 "\t" level "\t" name "\t" options lambda[r]
    }
}
BEGIN { FS = "\t"; parameter = "-l" }
NR == FNR { there[$1]; next }
$1 == "levels" { n = split($2, levels, " ") }
$1 == "common" { common = $2 }
$1 == "parameter" { parameter = $2 }
$1 == "row" && $2 in there {
    m = split($3, some, " ")
    for (i = 1; i <= m; i++) {
        set[++rows] = $2
        lambda[rows] = some[i]
    }
}
$1 == "column" && $4 != "each" { run("all") }
$1 == "column" && $4 == "each" { for (i = 1; i <= n; i++) run(levels[i]) }
