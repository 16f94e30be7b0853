# figure.awk POINTS - draws the table of figures.sh as an SVG: a panel a set, a line a series, both axes logarithmic.
# A row is SET, SERIES, SECONDS, GAP, separated by tabs. A gap below 1e-8 is drawn there.
function log10(x) { return log(x) / log(10) }
function floor(x) { return int(x) - (x < int(x) ? 1 : 0) }
function ceiling(x) { return -floor(-x) }

# Positions within a panel, in pixels.
function across(seconds) { return WIDTH * (log10(seconds) - first) / (last - first) }
function down(gap) { return HEIGHT * (top - log10(gap)) / (top - bottom) }

function text(x, y, anchor, words) {
    printf "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\">%s</text>\n", x, y, anchor, words
}
function line(x1, y1, x2, y2, colour) {
    printf "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" stroke=\"%s\"/>\n", x1, y1, x2, y2, colour
}

# "0.1 %": a power of ten.
function percent(power) {
    if (power < -6) return "1e" (power + 2) " %"
    return sprintf("%." (power < -2 ? -power - 2 : 0) "f %%", 10 ^ (power + 2))
}

function draw_axes(   k) {
    for (k = ceiling(first); k <= last; k++) {
        line(across(10 ^ k), 0, across(10 ^ k), HEIGHT, "#ddd")
        text(across(10 ^ k), HEIGHT + 16, "middle", sprintf("%g s", 10 ^ k))
    }
    for (k = bottom; k <= top; k++) {
        line(0, down(10 ^ k), WIDTH, down(10 ^ k), "#ddd")
        text(-6, down(10 ^ k) + 4, "end", percent(k))
    }
    printf "<rect width=\"%d\" height=\"%d\" fill=\"none\" stroke=\"#666\"/>\n", WIDTH, HEIGHT
    text(WIDTH / 2, HEIGHT + 34, "middle", "user CPU seconds of the whole process, one thread")
}

# One mark a series, as well as a colour.
function draw_mark(x, y, s) {
    if (s % 2) printf "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"3.5\"/>\n", x, y
    else printf "<rect x=\"%.1f\" y=\"%.1f\" width=\"6\" height=\"6\"/>\n", x - 3, y - 3
}

# The points of a series as the corners of an SVG path.
function path_of(set, s,   i, corners, letter) {
    corners = ""
    letter = "M"
    for (i = 1; i <= rows; i++) {
        if (set_of[i] != set || series_of[i] != s) continue
        corners = corners letter sprintf("%.1f,%.1f ", across(seconds[i]), down(gap[i]))
        letter = "L"
    }
    return corners
}

function draw_series(set, s,   i) {
    printf "<g fill=\"%s\">\n", colour[s]
    printf "<path d=\"%s\" fill=\"none\" stroke=\"%s\" stroke-width=\"1.5\"/>\n", path_of(set, s), colour[s]
    for (i = 1; i <= rows; i++)
        if (set_of[i] == set && series_of[i] == s) draw_mark(across(seconds[i]), down(gap[i]), s)
    print "</g>"
}

function draw_key(x,   s) {
    for (s = 1; s <= names; s++) {
        printf "<g fill=\"%s\">\n", colour[s]
        draw_mark(x, 12 + 20 * s, s)
        print "</g>"
        text(x + 12, 16 + 20 * s, "start", name[s])
    }
}

BEGIN {
    FS = "\t"
    WIDTH = 330
    HEIGHT = 300
    split("#0050b0 #1a9ed9 #2a9d3f #c0392b #e08a00", colour, " ")
}

{
    rows++
    if (!($1 in panel)) { panel[$1] = ++panels; title[panels] = $1 }
    if (!($2 in number)) { number[$2] = ++names; name[names] = $2 }
    set_of[rows] = panel[$1]
    series_of[rows] = number[$2]
    seconds[rows] = $3 > 0.001 ? $3 : 0.001
    gap[rows] = $4 > 1e-8 ? $4 : 1e-8
    if (rows == 1 || seconds[rows] < shortest) shortest = seconds[rows]
    if (rows == 1 || seconds[rows] > longest) longest = seconds[rows]
    if (rows == 1 || gap[rows] < lowest) lowest = gap[rows]
    if (rows == 1 || gap[rows] > highest) highest = gap[rows]
}

END {
    first = log10(shortest) - 0.1
    last = log10(longest) + 0.1
    bottom = floor(log10(lowest))
    top = ceiling(log10(highest))
    width = panels * (WIDTH + 90) + 200
    printf "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" ", width, HEIGHT + 90
    print "font-family=\"sans-serif\" font-size=\"12\">"
    print "<title>Distance above the optimum against user CPU seconds: hinge loss, l2</title>"
    print "<rect width=\"100%\" height=\"100%\" fill=\"white\"/>"
    for (p = 1; p <= panels; p++) {
        printf "<g transform=\"translate(%d,40)\">\n", 95 + (p - 1) * (WIDTH + 90)
        text(0, -12, "start", title[p])
        if (p == 1) {
            printf "<text transform=\"translate(-68,%d) rotate(-90)\" text-anchor=\"middle\">", HEIGHT / 2
            print "distance above the optimum</text>"
        }
        draw_axes()
        for (s = 1; s <= names; s++) draw_series(p, s)
        print "</g>"
    }
    print "<g transform=\"translate(10,20)\">"
    draw_key(panels * (WIDTH + 90) + 20)
    print "</g>\n</svg>"
}
