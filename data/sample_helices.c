/* sample_helices.c - sequences of RNA with one or two hairpins.
 *
 * A hairpin is a helix of four to six pairs around a loop of three to six bases. Most pairs are of G and C, and most
 * bases without a partner are A or U. */
#include "data/sample_helices.h"

enum {
    MAX_HAIRPINS = 2,
    MAX_PAIRS = 6,
    MAX_LOOP = 6,
    MAX_LINKER = 4,
    MAX_BASES = MAX_LINKER + MAX_HAIRPINS * (2 * MAX_PAIRS + MAX_LOOP + MAX_LINKER)
};

/* The sequence that is being drawn. Positions count from 1; partner 0: unpaired. */
struct sequence {
    int bases;
    char base[MAX_BASES + 1];
    int partner[MAX_BASES + 1];
};

static int between(struct random *random, int low, int high) {
    return low + (int)random_below(random, (uint64_t)(high - low + 1));
}

static void add_unpaired(struct random *random, struct sequence *s, int bases) {
    for (; bases > 0; bases--) {
        s->base[++s->bases] = "AAAUUAUAGC"[random_below(random, 10)];
        s->partner[s->bases] = 0;
    }
}

static void add_hairpin(struct random *random, struct sequence *s) {
    static const char pairs[][3] = {"GC", "CG", "GC", "CG", "AU", "UA", "GU"};
    int count = between(random, 4, MAX_PAIRS), loop = between(random, 3, MAX_LOOP);
    int first = s->bases + 1, last = s->bases + 2 * count + loop;
    for (int k = 0; k < count; k++) {
        const char *pair = pairs[random_below(random, sizeof pairs / sizeof *pairs)];
        s->base[first + k] = pair[0];
        s->base[last - k] = pair[1];
        s->partner[first + k] = last - k;
        s->partner[last - k] = first + k;
    }
    s->bases += count;
    add_unpaired(random, s, loop);
    s->bases = last;
}

void sample_helices_write(struct random *random, FILE *file) {
    struct sequence s = {.bases = 0};
    add_unpaired(random, &s, between(random, 0, MAX_LINKER));
    for (int hairpins = between(random, 1, MAX_HAIRPINS); hairpins > 0; hairpins--) {
        add_hairpin(random, &s);
        add_unpaired(random, &s, between(random, 1, MAX_LINKER));
    }
    for (int i = 1; i <= s.bases; i++)
        fprintf(file, "%d %c %d\n", i, s.base[i], s.partner[i]);
}
