/* secular.c - roots of the secular equation 1 + rho sum_i z_i^2/(d_i - x) = 0. */
#include "math/matrices/secular.h"

#include "math/simd.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>

enum { LANES = 16, VECTOR = 4, MAX_ITERATIONS = 120 };

/* The compiler makes no good vectors of two sums of quotients by itself. */
typedef double four __attribute__((vector_size(VECTOR * sizeof(double)), aligned(8)));

struct sum {
    double value, slope;
};

/* sum z^2/(delta - x) and its derivative. */
static SIMD_BODY void secular_sum_body(const double *z, const double *delta, double x, int64_t n,
                                       struct sum *result) {
    four values[LANES / VECTOR] = {{0}}, slopes[LANES / VECTOR] = {{0}};
    int64_t i = 0;
    for (; i + LANES <= n; i += LANES)
        for (int v = 0; v < LANES / VECTOR; v++) {
            four at = *(const four *)(z + i + v * VECTOR);
            four t = at / (*(const four *)(delta + i + v * VECTOR) - x);
            values[v] += at * t;
            slopes[v] += t * t;
        }
    double value[LANES], slope[LANES];
    memcpy(value, values, sizeof value);
    memcpy(slope, slopes, sizeof slope);
    for (int lane = 0; i < n; i++, lane++) {
        double t = z[i] / (delta[i] - x);
        value[lane] += z[i] * t;
        slope[lane] += t * t;
    }
    for (int width = LANES / 2; width > 0; width /= 2)
        for (int lane = 0; lane < width; lane++) {
            value[lane] += value[lane + width];
            slope[lane] += slope[lane + width];
        }
    *result = (struct sum){value[0], slope[0]};
}
SIMD_CLONES(void, secular_sum,
            (const double *z, const double *delta, double x, int64_t n, struct sum *result),
            (z, delta, x, n, result))

struct search {
    const struct secular *s;
    int64_t j;
    double *delta;           /* d_i minus the origin: the pole nearest to the root */
    double x;                /* the iterate minus the origin */
    double low, high;        /* the root is between */
    struct sum below, above; /* rho times the sums over the poles up to j, and over the others */
};

static double evaluate(struct search *search) {
    const struct secular *s = search->s;
    int64_t below = search->j + 1;
    secular_sum(s->z, search->delta, search->x, below, &search->below);
    secular_sum(s->z + below, search->delta + below, search->x, s->n - below, &search->above);
    search->below.value *= s->rho;
    search->below.slope *= s->rho;
    search->above.value *= s->rho;
    search->above.slope *= s->rho;
    return 1 + search->below.value + search->above.value;
}

static void set_origin(struct search *search, int64_t pole) {
    for (int64_t i = 0; i < search->s->n; i++)
        search->delta[i] = search->s->d[i] - search->s->d[pole];
}

/* The zero of c + p/(delta_j - x) + q/(delta_j+1 - x), with c, p, q from the value F and the slopes of both sums at
 * x. */
static double interpolate(const struct search *search, double f) {
    double left = search->delta[search->j] - search->x;
    double c = f - left * search->below.slope;
    if (search->j + 1 == search->s->n)
        return search->x + left + left * left * search->below.slope / c;
    double right = search->delta[search->j + 1] - search->x;
    c -= right * search->above.slope;
    double a = (left + right) * f - left * right * (search->below.slope + search->above.slope);
    double b = left * right * f, root = sqrt(fabs(a * a - 4 * b * c));
    return search->x + (a <= 0 ? (a - root) / (2 * c) : 2 * b / (a + root));
}

/* The midpoint of the bracket: the geometric mean if its ends differ by more than a factor of 4, else the
 * arithmetic one. */
static double middle(double low, double high) {
    bool same = low * high > 0 || (low > 0 && high > 0) || (low < 0 && high < 0);
    double ratio = same ? fmax(low / high, high / low) : 1;
    return ratio > 4 ? copysign(sqrt(fabs(low)) * sqrt(fabs(high)), low) : low + (high - low) / 2;
}

/* Starts at the midpoint of root j's interval; the sign of the function there tells which pole is nearer to the
 * root. */
static double start_search(struct search *search) {
    const struct secular *s = search->s;
    int64_t j = search->j;
    bool last = j + 1 == s->n;
    double square = 0;
    for (int64_t i = 0; last && i < s->n; i++)
        square += s->z[i] * s->z[i];
    double half = last ? s->rho * square / 2 : (s->d[j + 1] - s->d[j]) / 2;
    set_origin(search, j);
    search->x = half;
    double f = evaluate(search);
    search->low = 0;
    search->high = last ? 2 * half * (1 + 4 * DBL_EPSILON) : half;
    if (last || f >= 0)
        return f;
    set_origin(search, j + 1);
    search->low = search->x = -half;
    search->high = 0;
    return evaluate(search);
}

double secular_root(const struct secular *s, int64_t j, double *delta) {
    struct search search = {.s = s, .j = j, .delta = delta};
    double f = start_search(&search), width = INFINITY;
    for (int k = 0; k < MAX_ITERATIONS; k++) {
        double size = 1 + fabs(search.below.value) + fabs(search.above.value);
        if (fabs(f) <= 4 * DBL_EPSILON * size)
            break;
        if (f < 0)
            search.low = search.x;
        else
            search.high = search.x;
        double next = interpolate(&search, f), bracket = search.high - search.low;
        bool slow = k % 4 == 3 && bracket > width / 4;
        width = k % 4 == 3 ? bracket : width;
        if (slow || !(next > search.low && next < search.high))
            next = middle(search.low, search.high);
        if (next == search.x || !(next > search.low && next < search.high))
            break;
        search.x = next;
        f = evaluate(&search);
    }
    double root = (delta[j] == 0 ? s->d[j] : s->d[j + 1]) + search.x;
    for (int64_t i = 0; i < s->n; i++)
        delta[i] -= search.x;
    return root;
}

static SIMD_BODY void secular_products_body(const struct secular *s, const double *delta,
                                            int64_t from, int64_t to, double *restrict product) {
    int64_t n = s->n;
    const double *d = s->d;
    for (int64_t i = from; i < to; i++)
        product[i] = delta[i * n + i];
    for (int64_t j = 0; j < n; j++) {
        const double *row = delta + j * n;
        double at = d[j];
        int64_t before = j < to ? j : to, after = j + 1 > from ? j + 1 : from;
        for (int64_t i = from; i < before; i++)
            product[i] *= row[i] / (d[i] - at);
        for (int64_t i = after; i < to; i++)
            product[i] *= row[i] / (d[i] - at);
    }
}
SIMD_CLONES(void, secular_products,
            (const struct secular *s, const double *delta, int64_t from, int64_t to,
             double *product),
            (s, delta, from, to, product))

void secular_adjust(const struct secular *s, const double *delta, int64_t from, int64_t to,
                    double *adjusted) {
    secular_products(s, delta, from, to, adjusted);
    for (int64_t i = from; i < to; i++)
        adjusted[i] = copysign(sqrt(fabs(adjusted[i])), s->z[i]);
}
