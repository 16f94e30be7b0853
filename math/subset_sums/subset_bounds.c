/* subset_bounds.c - bounds of sums over subsets by tangents. */
#include "math/exponential.h"
#include "math/subset_sums/subset_parts.h"

#include <math.h>
#include <string.h>

static const double certain_log_odds = 40; /* exp(-certain_log_odds) is SUBSET_NOTHING beside 1 */

int64_t subset_index(const struct subset_sums *s, double theta, double bound) {
    int64_t low = 0, high = s->n;
    while (low < high) {
        int64_t middle = low + (high - low) / 2;
        if (s->x[middle] + theta > bound)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static struct subset_tangent tangent_at(const struct subset_sums *s, double theta) {
    int64_t first = subset_index(s, theta, certain_log_odds),
            last = subset_index(s, theta, -certain_log_odds);
    int64_t middle =
        subset_index(s, theta, 0); /* up to there log(1 + exp(y)) = y + log(1 + exp(-y)) */
    double K = s->sum[middle] + theta * (double)middle, M = (double)middle, product = 1;
    for (int64_t i = first; i < last; i++)
        s->work[i - first] = -fabs(s->x[i] + theta);
    exponentials(s->work, last - first);
    for (int64_t i = first; i < last; i++) {
        double small = s->work[i - first], p = small / (1 + small);
        M += i < middle ? -p : p;
        product *= 1 + small;
        if (product > 1e200) {
            K += log(product);
            product = 1;
        }
    }
    K += log(product);
    return (struct subset_tangent){.theta = theta, .K = K, .size = M, .height = K - theta * M};
}

/* A bound on the sizes from one tangent to the next, of which an end has none (theta infinite). */
static double upper_at(const struct subset_tangent *l, const struct subset_tangent *r, double b) {
    double left = isfinite(l->theta) ? l->K - l->theta * b : INFINITY;
    double right = isfinite(r->theta) ? r->K - r->theta * b : INFINITY;
    return left == INFINITY && right == INFINITY ? fmax(l->height, r->height) : fmin(left, right);
}

static double chord_at(const struct subset_tangent *l, const struct subset_tangent *r, double b) {
    double share = r->size > l->size ? (b - l->size) / (r->size - l->size) : 0;
    return (1 - share) * l->height + share * r->height;
}

static void set_bounds(struct subset_sums *s) {
    double less = log((double)s->n + 1);
    int64_t b = 0;
    for (int64_t k = 0; k + 1 < s->tangents; k++) {
        const struct subset_tangent *l = &s->tangent[k], *r = l + 1;
        for (; b <= s->n && (double)b <= r->size; b++) {
            s->upper[b] = upper_at(l, r, (double)b);
            s->lower[b] = chord_at(l, r, (double)b) - less;
        }
    }
    s->upper[0] = 0;
    s->upper[s->n] = s->sum[s->n];
}

void subset_sums_begin(struct subset_sums *s, const double *x, const double *sum) {
    s->x = x;
    s->sum = sum;
    s->tangents = s->n > 0 ? 2 : 1;
    s->tangent[0] = (struct subset_tangent){.theta = -INFINITY, .K = 0, .size = 0, .height = 0};
    if (s->n == 0) {
        s->upper[0] = s->lower[0] = 0;
        return;
    }
    s->tangent[1] =
        (struct subset_tangent){.theta = INFINITY, .size = (double)s->n, .height = sum[s->n]};
    memset(s->needed, 1, (size_t)s->n + 1);
    subset_sums_refine(s, -INFINITY);
}

/* Whether a needed size lies strictly between them at which the bounds differ by more than SLACK. */
static bool is_wide(const struct subset_sums *s, const struct subset_tangent *l, double slack) {
    const struct subset_tangent *r = l + 1;
    for (int64_t b = (int64_t)floor(l->size) + 1; (double)b < r->size; b++)
        if (s->needed[b] && upper_at(l, r, (double)b) - chord_at(l, r, (double)b) > slack)
            return true;
    return slack == -INFINITY;
}

bool subset_sums_refine(struct subset_sums *s, double slack) {
    int64_t count = 0;
    bool refined = false;
    if (s->n == 0)
        return false;
    for (int64_t k = 0; k + 1 < s->tangents; k++) {
        struct subset_tangent *l = &s->tangent[k], *r = l + 1;
        int64_t left = s->tangents - k - 1;
        bool wide = !l->closed && count + left + 2 < s->n + 64 && is_wide(s, l, slack);
        s->more[count++] = *l;
        if (!wide)
            continue;
        struct subset_tangent next = tangent_at(s, -(r->height - l->height) / (r->size - l->size));
        if (next.size > l->size && next.size < r->size) {
            s->more[count++] = next;
            refined = true;
        } else {
            s->more[count - 1].closed = true;
        }
    }
    s->more[count++] = s->tangent[s->tangents - 1];
    memcpy(s->tangent, s->more, sizeof *s->tangent * (size_t)count);
    s->tangents = count;
    set_bounds(s);
    return refined;
}
