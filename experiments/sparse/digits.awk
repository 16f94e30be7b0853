# digits.awk - rows of mnist with two labels and whole pixels, 0 to 255, from digits and pixels/255.
# -v task=67: those of the digits 7 (1) and 6 (-1); -v task=parity: all, even digits 1 and odd -1.
task == "67" && $1 != 6 && $1 != 7 { next }
{
    $1 = task == "67" ? ($1 == 7 ? 1 : -1) : ($1 % 2 == 0 ? 1 : -1)
    for (k = 2; k <= NF; k++) {
        i = index($k, ":")
        $k = substr($k, 1, i) int(255 * substr($k, i + 1) + 0.5)
    }
    print
}
