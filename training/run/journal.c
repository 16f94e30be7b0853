/* journal.c - the vectors that are trained already, by their places in the order of a session. */
#include "training/run/journal.h"

#include "io/memory.h"
#include "training/request/request.h"

#include <omp.h>
#include <stdlib.h>
#include <string.h>

enum { NO_PLACE = -1 };

void journal_free(struct journal *journal) {
    for (int64_t i = 0; i < journal->count; i++)
        free(journal->entry[i].w);
    free(journal->entry);
    for (int64_t k = 0; k < journal->packs; k++)
        free(journal->pack[k].pack.bytes);
    free(journal->pack);
    *journal = (struct journal){0};
}

int64_t journal_places(struct journal *journal, int64_t count) {
    int64_t first = journal == NULL ? 0 : journal->places;
    if (journal != NULL)
        journal->places += count;
    return first;
}

/* Makes COUNT entries, the new ones empty. */
static int extend(struct journal *journal, int64_t count, struct error *e) {
    void *entry = journal->entry;
    int status = memory_reserve(&entry, &journal->capacity, count, sizeof *journal->entry,
                                "the vectors that are trained", e);
    journal->entry = entry;
    for (; status == 0 && journal->count < count; journal->count++)
        journal->entry[journal->count] = (struct journal_entry){0};
    return status;
}

/* Makes COUNT packs, the new ones of no place. */
static int extend_packs(struct journal *journal, int64_t count, struct error *e) {
    void *pack = journal->pack;
    int status = memory_reserve(&pack, &journal->pack_capacity, count, sizeof *journal->pack,
                                "the vectors that are trained", e);
    journal->pack = pack;
    for (; status == 0 && journal->packs < count; journal->packs++)
        journal->pack[journal->packs] = (struct journal_pack){.place = NO_PLACE};
    return status;
}

/* ---- the checkpoint */

static void visit_vector(struct vector_run *vector, struct state *state) {
    vector->begun = state_flag(state, vector->begun);
    vector->trained = state_flag(state, vector->trained);
    vector->empty = state_flag(state, vector->empty);
    vector->tried = (int)state_integer(state, vector->tried, 0, TRIALS_MOST);
    STATE_REALS(state, &vector->seconds);
    vector->nonzeros = state_integer(state, vector->nonzeros, 0, INT64_MAX);
    outcome_visit(&vector->outcome, state);
    null_model_visit(&vector->null, state);
}

static void visit_entry(struct journal_entry *entry, struct state *state) {
    int64_t weights = state_integer(state, entry->weights, 0, INT64_MAX / 8);
    if (weights == 0 || !state_holds(state, weights, sizeof *entry->w))
        return;
    if (state_reads(state)) {
        entry->w = memory_new(weights, sizeof *entry->w, "the vectors that are trained",
                              state_cause(state));
        if (entry->w == NULL) {
            state_fail(state);
            return;
        }
    }
    entry->weights = weights;
    state_doubles(state, entry->w, weights);
    visit_vector(&entry->vector, state);
}

static void visit_pack(struct journal_pack *packed, struct state *state) {
    struct state_pack *pack = &packed->pack;
    packed->place = state_integer(state, packed->place, NO_PLACE, INT64_MAX);
    int64_t count = state_integer(state, pack->count, 0, INT64_MAX);
    if (count == 0 || !state_holds(state, count, 1))
        return;
    if (state_reads(state)) {
        pack->bytes = memory_new(count, 1, "the vectors that are trained", state_cause(state));
        if (pack->bytes == NULL) {
            state_fail(state);
            return;
        }
    }
    pack->count = count;
    state_bytes(state, pack->bytes, count);
}

static void visit_packs(struct journal *journal, struct state *state) {
    int64_t count = state_integer(state, journal->packs, 0, INT64_MAX / 1024);
    for (int64_t k = 0; k < count && !state_failed(state); k++)
        if (k >= journal->packs && extend_packs(journal, k + 1, state_cause(state)) != 0)
            state_fail(state);
        else
            visit_pack(&journal->pack[k], state);
}

void journal_visit(struct state *state, void *context) {
    struct journal *journal = context;
    int64_t count = state_integer(state, journal->count, 0, INT64_MAX / 1024);
    for (int64_t i = 0; i < count && !state_failed(state); i++)
        if (i >= journal->count && extend(journal, i + 1, state_cause(state)) != 0)
            state_fail(state);
        else
            visit_entry(&journal->entry[i], state);
    visit_packs(journal, state);
}

/* ---- vectors */

/* A copy of the pack that belongs to a vector. */
static int recall_pack(const struct journal *journal, const struct journal_vector *vector,
                       struct error *e) {
    struct state_pack *to = vector->pack;
    if (to == NULL || vector->k >= journal->packs ||
        journal->pack[vector->k].place != vector->place)
        return 0;
    const struct state_pack *from = &journal->pack[vector->k].pack;
    if (from->count == 0)
        return 0;
    free(to->bytes);
    to->count = from->count;
    to->bytes = memory_new(from->count, 1, "the vectors that are trained", e);
    if (to->bytes == NULL)
        return -1;
    memcpy(to->bytes, from->bytes, (size_t)from->count);
    return 0;
}

int journal_recall(const struct journal *journal, const struct journal_vector *vector,
                   struct error *e) {
    int64_t place = vector->place;
    if (journal == NULL || place >= journal->count || journal->entry[place].weights == 0)
        return 0;
    const struct journal_entry *entry = &journal->entry[place];
    if (entry->weights != vector->weights)
        return error_set(e, "the checkpoint does not fit this run; remove it to begin anew");
    memcpy(vector->w, entry->w, sizeof *entry->w * (size_t)entry->weights);
    *vector->run = entry->vector;
    return recall_pack(journal, vector, e) == 0 ? 1 : -1;
}

static int keep_pack(struct journal *journal, const struct journal_vector *vector,
                     struct error *e) {
    if (vector->pack == NULL)
        return 0;
    if (vector->k >= journal->packs && extend_packs(journal, vector->k + 1, e) != 0)
        return -1;
    struct journal_pack *to = &journal->pack[vector->k];
    free(to->pack.bytes);
    *to = (struct journal_pack){.place = vector->place, .pack = *vector->pack};
    *vector->pack = (struct state_pack){0};
    return 0;
}

static int keep(struct journal *journal, const struct journal_vector *vector, struct error *e) {
    int64_t place = vector->place, weights = vector->weights;
    double *copy = memory_new(weights, sizeof *copy, "the vectors that are trained", e);
    if (copy == NULL || (place >= journal->count && extend(journal, place + 1, e) != 0) ||
        keep_pack(journal, vector, e) != 0) {
        free(copy);
        return -1;
    }
    memcpy(copy, vector->w, sizeof *copy * (size_t)weights);
    journal->entry[place] =
        (struct journal_entry){.weights = weights, .w = copy, .vector = *vector->run};
    return 0;
}

int journal_keep(struct journal *journal, const struct journal_vector *vector,
                 struct monitor *monitor, struct error *e) {
    const struct outcome *outcome = &vector->run->outcome;
    int status = 0;
    if (journal == NULL || outcome->verdict == VERDICT_INTERRUPTED)
        return 0;
    /* one of several at once ends at any place, perhaps with the gap closed, but elsewhere than without the end */
    if (monitor->settings.checkpoint == NULL && monitor_poll(monitor) != VERDICT_GO_ON)
        return 0;
    /* the same within an iteration, where the limit ends it */
    if (outcome->verdict == VERDICT_TIME || monitor->cut) {
        if (monitor->settings.checkpoint != NULL) /* not one of several at once */
            checkpoint_stop(journal->checkpoint);
        return 0;
    }
#pragma omp critical(journal)
    {
        status = keep(journal, vector, e);
        if (status == 0 && omp_get_thread_num() == 0 &&
            (monitor_interrupted(monitor) || checkpoint_due(journal->checkpoint)))
            journal_save(journal, monitor);
    }
    return status;
}

void journal_save(const struct journal *journal, struct monitor *monitor) {
    if (journal != NULL)
        monitor_write(monitor, journal->checkpoint);
}

void journal_cut_off(const struct journal *journal, struct monitor *monitor) {
    journal_save(journal, monitor);
    if (journal != NULL)
        checkpoint_stop(journal->checkpoint);
}
