/* rna_features.c - weights, terms and counts of secondary structures; see rna_features.h.
 *
 * The link_...() functions enumerate all pairs (weight, term) once, for both directions: link() adds the weight to
 * the term, or the term to the count of its weight. */
#include "risk/rna/rna_features.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

enum { A, C, G, U, EXPLICIT = 4, ASYMMETRY = 28 };

const int8_t rna_types[RNA_CODES][RNA_CODES] = {
    {-1, -1, -1, 0, -1}, /* A with U */
    {-1, -1, 1, -1, -1}, /* C with G */
    {-1, 2, -1, 3, -1},  /* G with C, U */
    {4, -1, 5, -1, -1},  /* U with A, G */
    {-1, -1, -1, -1, -1},
};

/* The type of the pair with its bases swapped; the number of the unordered pair. */
static const int8_t swapped[RNA_TYPES] = {4, 2, 1, 5, 0, 3};
static const int8_t unordered_type[RNA_TYPES] = {0, 1, 1, 2, 0, 2};

struct links {
    const double *w; /* adds weights to terms; NULL: adds c terms to counts */
    double *counts, c;
};

static void link(const struct links *links, int weight, double *term) {
    if (links->w != NULL)
        *term += links->w[weight];
    else
        links->counts[weight] += links->c * *term;
}

/* Links a term of length n to the weights "at least low", "at least low + 1", .. "at least n", at most COUNT. */
static void link_at_least(const struct links *links, int first, int low, int count, int n,
                          double *term) {
    for (int k = low; k <= n && k < low + count; k++)
        link(links, first + k - low, term);
}

/* The number of the unordered pair of a and b. */
static int unordered(int a, int b) {
    int low = a < b ? a : b, high = a < b ? b : a;
    return high * (high + 1) / 2 + low;
}

/* ---- the terms of each kind */

static void link_pairs(const struct links *links, struct rna_terms *terms) {
    int number = 0, index[RNA_TYPES * RNA_TYPES];
    for (int t = 0; t < RNA_TYPES; t++)
        link(links, RNA_PAIR + unordered_type[t], &terms->pair[t]);
    for (int k = 0; k < RNA_TYPES * RNA_TYPES; k++) {
        /* the same stack read from the other strand: the inner pair comes first, both swapped */
        int other = swapped[k % RNA_TYPES] * RNA_TYPES + swapped[k / RNA_TYPES];
        index[k] = other < k ? index[other] : number++;
        link(links, RNA_STACK + index[k], &terms->stack[k]);
    }
}

static void link_faces(const struct links *links, struct rna_terms *terms) {
    for (int k = 0; k < RNA_FACES; k++) {
        int type = k / (RNA_CODES * RNA_CODES), after = k / RNA_CODES % RNA_CODES,
            before = k % RNA_CODES;
        link(links, RNA_CLOSING + type, &terms->face[k]);
        link(links, RNA_CLOSING + type, &terms->branch[k]);
        if (after < RNA_UNKNOWN && before < RNA_UNKNOWN)
            link(links, RNA_MISMATCH + (type * 4 + after) * 4 + before, &terms->face[k]);
        if (after < RNA_UNKNOWN)
            link(links, RNA_AFTER + type * 4 + after, &terms->branch[k]);
        if (before < RNA_UNKNOWN)
            link(links, RNA_BEFORE + type * 4 + before, &terms->branch[k]);
    }
}

static void link_gap(const struct links *links, int left, int right, double *term) {
    int difference = left < right ? right - left : left - right;
    if (left == 0 || right == 0) {
        link_at_least(links, RNA_BULGE, 1, RNA_GAP, left + right, term);
        return;
    }
    link_at_least(links, RNA_INTERNAL, 2, RNA_GAP, left + right, term);
    link_at_least(links, RNA_ASYMMETRY, 1, ASYMMETRY, difference, term);
    if (difference == 0)
        link(links, RNA_SYMMETRIC, term);
    if (left <= EXPLICIT && right <= EXPLICIT)
        link(links, RNA_EXPLICIT + unordered(left - 1, right - 1), term);
}

static void link_loops(const struct links *links, struct rna_terms *terms) {
    for (int n = 0; n <= RNA_GAP; n++)
        link_at_least(links, RNA_HAIRPIN, 0, RNA_GAP + 1, n, &terms->hairpin[n]);
    for (int left = 0; left <= RNA_GAP; left++)
        for (int right = left == 0; left + right <= RNA_GAP; right++)
            link_gap(links, left, right, &terms->gap[left * (RNA_GAP + 1) + right]);
    for (int a = 0; a < RNA_UNKNOWN; a++) {
        link(links, RNA_BULGED + a, &terms->bulged[a]);
        for (int b = 0; b < RNA_UNKNOWN; b++)
            link(links, RNA_OPPOSED + unordered(a, b), &terms->opposed[a * RNA_CODES + b]);
    }
    link_at_least(links, RNA_INTERNAL, 2, RNA_GAP, RNA_GAP + 1, &terms->long_gap);
    link(links, RNA_MULTI_LOOP, &terms->multi_loop);
    link(links, RNA_MULTI_UNPAIRED, &terms->multi_unpaired);
    link(links, RNA_MULTI_PAIR, &terms->multi_pair);
    link(links, RNA_EXTERNAL_UNPAIRED, &terms->external_unpaired);
    link(links, RNA_EXTERNAL_PAIR, &terms->external_pair);
}

static void link_all(const struct links *links, struct rna_terms *terms) {
    link_pairs(links, terms);
    link_faces(links, terms);
    link_loops(links, terms);
}

void rna_terms_of_weights(const double *w, struct rna_terms *terms) {
    memset(terms, 0, sizeof *terms);
    link_all(&(struct links){.w = w}, terms);
}

void rna_add_counts(const struct rna_terms *terms, double c, double *counts) {
    /* the cast is safe: without w, link() only reads the terms */
    link_all(&(struct links){.counts = counts, .c = c}, (struct rna_terms *)terms);
}

/* ---- structures */

/* The loop of the positions FROM .. TO - 1: its number of pairs, the first pair, its number of unpaired bases. Bases
 * enclosed by its pairs belong to other loops. */
struct loop_content {
    int64_t pairs, first, unpaired;
};

static struct loop_content scan_loop(const int32_t *partner, int64_t from, int64_t to) {
    struct loop_content inside = {0};
    for (int64_t k = from; k < to; k++) {
        if (partner[k] < 0) {
            inside.unpaired++;
            continue;
        }
        inside.first = inside.pairs++ == 0 ? k : inside.first;
        k = partner[k];
    }
    return inside;
}

/* The faces of the pairs inside a multi-branch or external loop towards it. */
static void add_branches(const struct rna_sequence *s, const int32_t *partner, int64_t from,
                         int64_t to, struct rna_terms *terms) {
    for (int64_t k = from; k < to; k++)
        if (partner[k] > k) {
            terms->branch[rna_face(s, partner[k], k)]++;
            k = partner[k];
        }
}

/* The loop with closing pair (i, j) and inner pair (k, l). */
static void add_gap(const struct rna_sequence *s, int64_t i, int64_t j, int64_t k, int64_t l,
                    struct rna_terms *terms) {
    int64_t left = k - i - 1, right = j - l - 1;
    if (left + right == 0) {
        terms->stack[rna_type(s, i, j) * RNA_TYPES + rna_type(s, k, l)]++;
        return;
    }
    terms->face[rna_face(s, i, j)]++;
    terms->face[rna_face(s, l, k)]++;
    if (left + right > RNA_GAP) {
        terms->long_gap++;
        return;
    }
    terms->gap[left * (RNA_GAP + 1) + right]++;
    if (left + right == 1)
        terms->bulged[s->base[left == 1 ? i + 1 : j - 1]]++;
    if (left == 1 && right == 1)
        terms->opposed[s->base[i + 1] * RNA_CODES + s->base[j - 1]]++;
}

/* The loop that (i, j) closes. */
static void add_loop(const struct rna_sequence *s, const int32_t *partner, int64_t i, int64_t j,
                     struct rna_terms *terms) {
    struct loop_content inside = scan_loop(partner, i + 1, j);
    terms->pair[rna_type(s, i, j)]++;
    if (inside.pairs == 0) {
        terms->face[rna_face(s, i, j)]++;
        terms->hairpin[inside.unpaired < RNA_GAP ? inside.unpaired : RNA_GAP]++;
    } else if (inside.pairs == 1) {
        add_gap(s, i, j, inside.first, partner[inside.first], terms);
    } else {
        terms->multi_loop++;
        terms->multi_pair += (double)inside.pairs + 1;
        terms->multi_unpaired += (double)inside.unpaired;
        terms->branch[rna_face(s, i, j)]++;
        add_branches(s, partner, i + 1, j, terms);
    }
}

void rna_terms_of_structure(const struct rna_sequence *s, const int32_t *partner,
                            struct rna_terms *terms) {
    struct loop_content outermost = scan_loop(partner, 0, s->length);
    terms->external_unpaired += (double)outermost.unpaired;
    terms->external_pair += (double)outermost.pairs;
    add_branches(s, partner, 0, s->length, terms);
    for (int64_t i = 0; i < s->length; i++)
        if (partner[i] > i)
            add_loop(s, partner, i, partner[i], terms);
}

/* For each kind of weights a bound of the norm of its counts per base. A pair has two bases and borders two loops. A
 * loop with n unpaired bases uses n + 2 bases that no other loop uses; so at most L/(n + 2) loops have at least n
 * unpaired bases, and the sum of 1/(n + 2)^2 over n >= low is below 1/(low + 3/2). */
double rna_counts_bound(void) {
    static const double half = 0.5;
    const double bound[] = {
        half, /* pairs */
        half, /* stacks */
        1,    /* closing */
        1,    /* faces: mismatches, or the two kinds of dangles */
        1,
        1,
        sqrt(half + half / 3), /* hairpins: 1/(0 + 3/2) */
        sqrt(2.0 / 5),         /* bulges: n >= 1 */
        sqrt(2.0 / 7),         /* internal loops: n >= 2 */
        half * half,           /* symmetric ones */
        sqrt(2.0 / 9),         /* asymmetry n: n + 2 bases in the gaps */
        half * half,           /* explicit ones */
        half,                  /* bulged bases */
        half,                  /* opposed bases */
        half,                  /* multi-branch loops */
        1,                     /* their unpaired bases */
        1,                     /* their pairs */
        1,                     /* external bases */
        half,                  /* external pairs */
    };
    double square = 0;
    for (size_t k = 0; k < sizeof bound / sizeof *bound; k++)
        square += bound[k] * bound[k];
    return sqrt(square);
}
