/* bpseq_decode.c - writes the sequences of svmlight data with their predicted structures in the bpseq format. */
#include "data/bpseq.h"

#include "io/line_walk.h"
#include "io/memory.h"
#include "io/output.h"
#include "io/svmlight/svmlight.h"
#include "risk/rna/rna_data.h"

#include <inttypes.h>
#include <omp.h>
#include <stdlib.h>

/* Reads a line of dots and brackets into PARTNER: the position of each base's partner, from 1; 0: unpaired.
 * OPEN: scratch memory, LENGTH numbers. */
static int read_brackets(const struct line_walk *walk, struct word line, int64_t length,
                         int64_t *partner, int64_t *open, struct error *e) {
    int64_t count = 0;
    if (line.length != length)
        return line_walk_refuse(walk, e,
                                "%" PRId64 " dots and brackets for a sequence of %" PRId64 " bases",
                                line.length, length);
    for (int64_t i = 0; i < length; i++) {
        partner[i] = 0;
        if (line.text[i] == '(') {
            open[count++] = i;
        } else if (line.text[i] == ')' && count > 0) {
            partner[i] = open[--count] + 1;
            partner[open[count]] = i + 1;
        } else if (line.text[i] != '.') {
            return line_walk_refuse(walk, e, "no structure: a '%c' at %" PRId64, line.text[i],
                                    i + 1);
        }
    }
    return count == 0 ? 0
                      : line_walk_refuse(walk, e, "a bracket at %" PRId64 " is not closed",
                                         open[count - 1] + 1);
}

static int write_sequences(const struct dataset *data, struct line_walk *walk, const int8_t *bases,
                           int64_t *work, FILE *stream, struct error *e) {
    struct word line;
    int more;
    for (int64_t g = 0; g < data->groups; g++) {
        struct rna_sequence s = rna_sequence_of(data, bases, g);
        more = line_walk_next(walk, &line, e);
        if (more == 0)
            return error_file(e, line_walk_name(walk), "no structure for qid %" PRId64,
                              data->group_id[g]);
        if (more < 0 || read_brackets(walk, line, s.length, work, work + s.length, e) != 0)
            return -1;
        fprintf(stream, "# qid %" PRId64 "\n", data->group_id[g]);
        for (int64_t i = 0; i < s.length; i++)
            fprintf(stream, "%" PRId64 " %c %" PRId64 "\n", i + 1, "ACGUN"[s.base[i]], work[i]);
    }
    more = line_walk_next(walk, &line, e);
    return more == 1 ? line_walk_refuse(walk, e, "more structures than sequences") : more;
}

static int decode(const struct dataset *data, const char *path, const char *predictions,
                  struct output *output, struct error *e) {
    if (data->groups == 0)
        return error_file(e, path, "no sequences: \"qid:\" is needed on each line");
    if (rna_check_data(data, path, false, e) != 0)
        return -1;
    struct line_walk *walk = line_walk_open(predictions, e);
    int8_t *bases = rna_bases(data, e);
    int64_t *work = memory_new(2 * dataset_largest_group(data), sizeof *work, "a structure", e);
    int status = walk == NULL || bases == NULL || work == NULL
                     ? -1
                     : write_sequences(data, walk, bases, work, output_stream(output), e);
    line_walk_close(walk);
    free(bases);
    free(work);
    return status;
}

int bpseq_decode(const char *path, const char *predictions, struct error *e) {
    struct dataset data;
    struct svmlight_options options = {.unlabeled = true, .threads = omp_get_max_threads()};
    if (dataset_load(path, &options, &data, e) != 0)
        return -1;
    struct output *output = output_open("-", e);
    int status = output == NULL ? -1 : decode(&data, path, predictions, output, e);
    dataset_free(&data);
    return output_end(output, status, e);
}
