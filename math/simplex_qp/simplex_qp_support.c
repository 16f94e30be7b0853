/* simplex_qp_support.c - the support of a quadratic program over simplices, and the Cholesky factor of its reduced
 * Hessian M. */
#include "math/simplex_qp/simplex_qp_parts.h"

int qp_row(struct simplex_qp *qp, int variable, const double **row, struct error *e) {
    *row = NULL;
    if (variable < qp->slacks)
        return 0;
    *row = qp->settings.row(qp->settings.matrix, variable - qp->slacks, e);
    return *row == NULL ? -1 : 0;
}

bool qp_restricted(const struct simplex_qp *qp) {
    if (qp->settings.offset)
        for (int p = 0; p < qp->size; p++)
            if (qp_normal(qp, qp->member[p]).hi != 0)
                return true;
    return false;
}

int qp_list_support(struct simplex_qp *qp) {
    int count = 0;
    for (int k = 0; k < qp->settings.blocks; k++)
        if (qp->reference[k] >= 0)
            qp->list[count++] = qp->reference[k];
    for (int p = 0; p < qp->size; p++)
        qp->list[count++] = qp->member[p];
    return count;
}

/* out += x row; out.lo collects the rounding errors. */
static void add_row(const struct simplex_qp *qp, struct wide x, const double *row, int first,
                    int count, struct wide *out) {
    for (int i = first; i < count; i++) {
        if (qp->list[i] < qp->slacks)
            continue;
        double entry = row[qp->list[i] - qp->slacks];
        struct wide product = wide_product(x.hi, entry);
        struct wide sum = wide_sum(out[qp->list[i]].hi, product.hi);
        out[qp->list[i]].hi = sum.hi;
        out[qp->list[i]].lo += sum.lo + (product.lo + x.lo * entry);
    }
}

int qp_multiply(struct simplex_qp *qp, const struct wide *x, int count, int first, struct wide *out,
                struct error *e) {
    for (int i = first; i < count; i++)
        out[qp->list[i]] = wide_of(0);
    for (int i = 0; i < count; i++) {
        const double *row;
        int variable = qp->list[i];
        if (variable < qp->slacks || x[variable].hi == 0)
            continue;
        if (qp_row(qp, variable, &row, e) != 0)
            return -1;
        add_row(qp, x[variable], row, first, count, out);
    }
    for (int i = first; i < count; i++) {
        struct wide *sum = &out[qp->list[i]];
        *sum = wide_sum(sum->hi, sum->lo);
    }
    return 0;
}

void qp_factor_solve(const struct simplex_qp *qp, struct wide *x) {
    if (qp->wide_factor_used) {
        cholesky_wide_forward(&qp->wide_factor, x);
        cholesky_wide_backward(&qp->wide_factor, x);
        return;
    }
    for (int p = 0; p < qp->size; p++)
        qp->plain[p] = x[p].hi;
    cholesky_set_forward(&qp->factor, qp->plain);
    cholesky_set_backward(&qp->factor, qp->plain);
    for (int p = 0; p < qp->size; p++)
        x[p] = wide_of(qp->plain[p]);
}

/* A sigma such that sigma oo' has the magnitude of H. */
static double choose_sigma(const struct simplex_qp *qp, double diagonal) {
    double size = fmax(diagonal, qp->largest_h);
    return (size > 0 ? size : 1) / (qp->largest_o * qp->largest_o);
}

int qp_differences(struct simplex_qp *qp, int variable, int n, struct wide *m,
                   struct wide *diagonal, struct error *e) {
    const double *row;
    const int *member = qp->member, *block = qp->block, *reference = qp->reference;
    int block_reference = reference[block[variable]];
    if (qp_row(qp, variable, &row, e) != 0)
        return -1;
    for (int p = 0; p < n; p++)
        m[p] =
            wide_sum(qp_entry(qp, row, member[p]), -qp_entry(qp, row, reference[block[member[p]]]));
    *diagonal = wide_sum(qp_entry(qp, row, variable), -2 * qp_entry(qp, row, block_reference));
    if (qp_row(qp, block_reference, &row, e) != 0)
        return -1;
    for (int p = 0; p < n; p++)
        m[p] = wide_subtract(m[p], wide_sum(qp_entry(qp, row, member[p]),
                                            -qp_entry(qp, row, reference[block[member[p]]])));
    *diagonal = wide_add(*diagonal, wide_of(qp_entry(qp, row, block_reference)));
    struct wide normal = qp_normal(qp, variable);
    if (normal.hi == 0)
        return 0;
    if (qp->sigma == 0)
        qp->sigma = choose_sigma(qp, diagonal->hi);
    struct wide scaled = wide_scale(normal, qp->sigma);
    for (int p = 0; p < n; p++)
        m[p] = wide_add(m[p], wide_times(scaled, qp_normal(qp, member[p])));
    *diagonal = wide_add(*diagonal, wide_times(scaled, normal));
    return 0;
}

void qp_append(struct simplex_qp *qp, int variable, struct wide pivot) {
    int block_reference = qp->reference[qp->block[variable]];
    if (qp->wide_factor_used) {
        cholesky_wide_append(&qp->wide_factor, qp->m, pivot);
        qp->stale = true;
    } else {
        for (int p = 0; p < qp->size; p++)
            qp->plain[p] = qp->m[p].hi;
        cholesky_set_append(&qp->factor, qp->plain, pivot.hi);
    }
    qp->reduced[qp->size] = wide_subtract(qp->gradient[variable], qp->gradient[block_reference]);
    qp->member[qp->size] = variable;
    qp->position[variable] = qp->size++;
    qp->changes++;
}

/* Removes the member at index `at` from the list and from the factor. */
static void close_gap(struct simplex_qp *qp, int at) {
    if (!qp->stale)
        cholesky_set_remove(&qp->factor, at);
    cholesky_wide_cut(&qp->wide_factor, at);
    qp->size--;
    for (int p = at; p < qp->size; p++) {
        qp->member[p] = qp->member[p + 1];
        qp->reduced[p] = qp->reduced[p + 1];
        qp->position[qp->member[p]] = p;
    }
    if (qp->size == 0) {
        qp->sigma = 0;
        qp->stale = false;
        qp->factor.size = 0;
    }
}

/* Makes the first member of block k its reference. The columns of L' of the block's other members have that
 * member's column subtracted; as it is shorter, L' stays triangular. Returns -1 if there is no member. */
static int replace_reference(struct simplex_qp *qp, int k) {
    int first = 0;
    while (first < qp->size && qp->block[qp->member[first]] != k)
        first++;
    if (first == qp->size)
        return qp->reference[k] = -1;
    for (int p = first + 1; p < qp->size; p++)
        if (qp->block[qp->member[p]] == k) {
            if (!qp->stale)
                cholesky_set_subtract(&qp->factor, p, first);
            qp->reduced[p] = wide_subtract(qp->reduced[p], qp->reduced[first]);
        }
    int chosen = qp->member[first];
    close_gap(qp, first);
    qp->position[chosen] = POSITION_REFERENCE;
    return qp->reference[k] = chosen;
}

static bool has_member(const struct simplex_qp *qp, int k) {
    for (int p = 0; p < qp->size; p++)
        if (qp->block[qp->member[p]] == k)
            return true;
    return false;
}

void qp_leave(struct simplex_qp *qp, int variable) {
    int k = qp->block[variable], position = qp->position[variable];
    qp->position[variable] = POSITION_OUTSIDE;
    if (position == POSITION_REFERENCE)
        replace_reference(qp, k);
    else
        close_gap(qp, position);
    int reference = qp->reference[k];
    if (reference >= 0)
        qp->weight[reference] = wide_add(qp->weight[reference], qp->weight[variable]);
    qp->weight[variable] = wide_of(0);
    qp->row_max[variable] = -1;
    qp->changes++;
}

static bool is_zero(const struct simplex_qp *qp, int variable, bool falling) {
    return qp->weight[variable].hi <= QP_ZERO_WEIGHT * qp->cap[qp->block[variable]] &&
           (!falling || qp->change[variable].hi < 0 || qp->weight[variable].hi < 0);
}

void qp_drop_zeros(struct simplex_qp *qp, bool falling) {
    for (int p = qp->size - 1; p >= 0; p--)
        if (is_zero(qp, qp->member[p], falling))
            qp_leave(qp, qp->member[p]);
    for (int k = 0; k < qp->settings.blocks; k++)
        while (is_zero(qp, qp->reference[k], falling) && has_member(qp, k))
            qp_leave(qp, qp->reference[k]);
}

static int rebuild_plain(struct simplex_qp *qp, struct error *e) {
    qp->factor.size = 0;
    while (qp->factor.size < qp->size) {
        int n = qp->factor.size;
        struct wide diagonal;
        if (qp_differences(qp, qp->member[n], n, qp->m, &diagonal, e) != 0)
            return -1;
        for (int p = 0; p < n; p++)
            qp->plain[p] = qp->m[p].hi;
        double pivot = cholesky_set_pivot(&qp->factor, qp->plain, diagonal.hi);
        if (!(pivot > QP_MIN_PIVOT * diagonal.hi))
            return 0;
        cholesky_set_append(&qp->factor, qp->plain, pivot);
    }
    qp->stale = false;
    return 0;
}

int qp_rebuild(struct simplex_qp *qp, struct error *e) {
    qp->stale = true;
    if (cholesky_set_reserve(&qp->factor, qp->size + 1, e) != 0 || rebuild_plain(qp, e) != 0)
        return -1;
    return qp->stale ? qp_use_wide_factor(qp, e) : 0;
}

int qp_use_wide_factor(struct simplex_qp *qp, struct error *e) {
    struct cholesky_wide *factor = &qp->wide_factor;
    if (cholesky_wide_reserve(factor, qp->size + 1, e) != 0)
        return -1;
    while (factor->size < qp->size) {
        struct wide diagonal;
        int n = factor->size;
        if (qp_differences(qp, qp->member[n], n, qp->m, &diagonal, e) != 0)
            return -1;
        struct wide pivot = cholesky_wide_pivot(factor, qp->m, diagonal);
        double min_pivot = 1e-31 * fabs(diagonal.hi) + 1e-290;
        cholesky_wide_append(factor, qp->m, pivot.hi > min_pivot ? pivot : wide_of(min_pivot));
    }
    qp->wide_factor_used = qp->wide_gradients = true;
    return 0;
}

int qp_overflow(struct error *e) {
    return error_set(
        e, "the quadratic program grew beyond all numbers; scale the data or raise lambda");
}
