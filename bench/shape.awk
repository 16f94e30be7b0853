# shape.awk -v kind=dense|sparse|classes -v rows=M -v features=N -v each=K - made-up data of a shape: dense rows; rows
# of K features, the first ones far more often, of norm 1; K classes about as many centres. Labels are those of a
# random linear function, with noise.
function uniform() {
    seed = (seed * 16807) % 2147483647
    return seed / 2147483647
}
function normal() { return uniform() + uniform() + uniform() + uniform() - 2 }

function dense_row(   j, x, score, line) {
    for (j = 1; j <= features; j++) {
        x = normal()
        score += w[j] * x
        line = line sprintf(" %d:%.4g", j, x)
    }
    print (score + 0.5 * normal() * sqrt(features / 3) > 0 ? 1 : -1) line
}

# Features in the order of their numbers, by gaps that grow.
function sparse_row(   j, k, x, square, score, line, value, column, count) {
    for (j = 1; j <= features && count < each; j += 1 + int(uniform() * (1 + j / 2))) {
        column[++count] = j
        value[count] = 1 - log(1 - uniform())
        square += value[count] * value[count]
    }
    for (k = 1; k <= count; k++) {
        x = value[k] / sqrt(square)
        score += w[column[k] % 1000] * x
        line = line sprintf(" %d:%.4g", column[k], x)
    }
    print (score + 0.2 * normal() > 0 ? 1 : -1) line
}

function classes_row(   j, class, line) {
    class = 1 + int(uniform() * each)
    for (j = 1; j <= features; j++)
        line = line sprintf(" %d:%.4g", j, (w[class * features + j] + normal()) / 4)
    print class line
}

BEGIN {
    seed = 20
    last = kind == "classes" ? (each + 1) * features : features > 1000 ? features : 1000
    for (j = 0; j <= last; j++) w[j] = normal()
    for (i = 0; i < rows; i++)
        if (kind == "dense") dense_row()
        else if (kind == "sparse") sparse_row()
        else classes_row()
}
