/* journal.h - the weight vectors that are trained already, in a training that may go on from a checkpoint.
 *
 * The vectors of a session are trained in an order that its request gives: fold by fold, of each the values of a path,
 * of each the classes. Their places in this order are counted. A session that goes on does all again but for the
 * training of the vectors in the journal: their weights and outcomes are taken from it. */
#ifndef RRM_JOURNAL_H
#define RRM_JOURNAL_H

#include "solvers/monitor.h"
#include "training/classes/vector_run.h"

struct journal_entry {
    int64_t weights; /* 0: the vector is not trained yet */
    double *w;
    struct vector_run vector;
};

/* What the last run of a vector left for the next lambda of its path (struct training). */
struct journal_pack {
    int64_t place; /* of that run */
    struct state_pack pack;
};

/* A struct of zero bytes is empty. */
struct journal {
    int64_t places; /* that were asked for */
    int64_t count, capacity;
    struct journal_entry *entry; /* by place */
    int64_t packs, pack_capacity;
    struct journal_pack *pack; /* by vector of a model */
    struct checkpoint *checkpoint;
};

void journal_free(struct journal *journal);

/* A state_visit of the journal. */
void journal_visit(struct state *state, void *journal);

/* The first of COUNT places, for the next vectors. JOURNAL NULL: there is none; the other functions then do nothing. */
int64_t journal_places(struct journal *journal, int64_t count);

/* A vector that is trained, or to train. */
struct journal_vector {
    int64_t place, weights;
    double *w;
    struct vector_run *run;
    int64_t k;               /* its number in the model */
    struct state_pack *pack; /* what it leaves for the next lambda; NULL: there is none */
};

/* Takes a vector from its place: 1, or 0 if it is not there, or -1 with the error set. */
int journal_recall(const struct journal *journal, const struct journal_vector *vector,
                   struct error *e);

/* Keeps a copy of a vector, and takes its pack, which is empty afterwards. Keeps nothing if an interruption or the time
 * limit ended the vector's training. Saves the journal when that is due. After the time limit the file stays as it is,
 * so that a run with more time goes on in that vector. 0, or -1 with the error set. Several threads may call it at
 * once, each with its monitor; the first of them saves. */
int journal_keep(struct journal *journal, const struct journal_vector *vector,
                 struct monitor *monitor, struct error *e);

/* Saves the journal, due or not. */
void journal_save(const struct journal *journal, struct monitor *monitor);

/* Saves the journal a last time, since a vector was cut off: a later run goes on in that vector. */
void journal_cut_off(const struct journal *journal, struct monitor *monitor);

#endif
