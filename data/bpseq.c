/* bpseq.c - the converter bpseq: RNA structures from bpseq files to svmlight data for train, and predicted structures
 * back to bpseq; see bpseq --help. */
#include "data/bpseq.h"

#include "cli/converter.h"

#include <limits.h>
#include <stddef.h>

static const char *const usage[] = {"@bpseq encode BPSEQ... > DATA",
                                    "@bpseq decode DATA PREDICTIONS > BPSEQ", NULL};

static const char description[] =
    "encode turns RNA sequences with their structures into svmlight data for @train -L rna. BPSEQ "
    "has a line for each base: position, base, and the position of its partner or 0; other lines "
    "are headers. A position of 1 begins a new sequence. In the data each base is a row, each "
    "sequence has a qid, the label is the partner, and features 1 to 4 are A, C, G, U (or T); any "
    "other letter has no feature. Pairs that cross other pairs are removed, as few as possible, "
    "and counted on standard error. decode writes the sequences of DATA with the structures that "
    "@predict wrote. Files are plain or compressed; \"-\" is standard input.";

static const char *const examples[] = {"@bpseq encode known/*.bpseq > train.svm",
                                       "@bpseq decode test.svm predictions > folded.bpseq", NULL};

static const struct converter_command commands[] = {
    {"encode", "BPSEQ files", 1, INT_MAX},
    {"decode", "DATA and PREDICTIONS", 2, 2},
    {NULL, NULL, 0, 0},
};

static int run(const void *settings, const struct option_group *groups, char **word, int count,
               struct error *e) {
    (void)settings, (void)groups;
    const struct converter_command *command = converter_find_command(commands, word, count, e);
    if (command == NULL)
        return -1;
    return command == &commands[0] ? bpseq_encode(word + 1, count - 1, e)
                                   : bpseq_decode(word[1], word[2], e);
}

static const struct converter program = {
    .name = "bpseq",
    .purpose = "structures of RNA to data for librrm\\-train, and predictions back",
    .usage = usage,
    .description = description,
    .examples = examples,
    .run = run,
};

int main(int argc, char **argv) {
    return converter_main(argc, argv, &program, NULL);
}
