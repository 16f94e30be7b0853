/* bpseq.c - structures of RNA in bpseq files to svmlight data for train, and predictions back; see
 * bpseq --help. */
#include "data/bpseq.h"

#include "cli/version.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

static const char help[] =
    "usage: bpseq encode BPSEQ... > DATA\n"
    "       bpseq decode DATA PREDICTIONS > BPSEQ\n"
    "\n"
    "encode writes sequences of RNA with their structures (a line a base: position, base, partner "
    "or\n"
    "0; other lines are headers) as svmlight data for train -L rna: a row a base, the sequence as\n"
    "qid, from 1; the features 1 to 4 are A, C, G, U (or T), no feature any other letter; the "
    "label\n"
    "is the partner. A sequence ends where positions begin at 1 again. Pairs that cross others "
    "are\n"
    "left out, as few as there can be, and counted on standard error. decode writes the sequences "
    "of\n"
    "DATA with the structures that predict wrote. Files are plain or gzip; \"-\" is standard "
    "input.\n"
    "\n"
    "options:\n"
    "  -h, --help     print this help\n"
    "  -V, --version  print the version\n";

static int run(int count, char **word, struct error *e) {
    if (count > 0 && strcmp(word[0], "encode") == 0)
        return count > 1 ? bpseq_encode(word + 1, count - 1, e)
                         : error_usage(e, "encode takes BPSEQ files; see bpseq --help");
    if (count > 0 && strcmp(word[0], "decode") == 0)
        return count == 3 ? bpseq_decode(word[1], word[2], e)
                          : error_usage(e, "decode takes DATA and PREDICTIONS; see bpseq --help");
    return error_usage(e, "encode or decode expected%s%.100s; see bpseq --help",
                       count > 0 ? ", not " : "", count > 0 ? word[0] : "");
}

static bool is_option(const char *word, const char *letter, const char *name) {
    return strcmp(word, letter) == 0 || strcmp(word, name) == 0;
}

int main(int argc, char **argv) {
    struct error e = {0};
    if (argc > 1 && is_option(argv[1], "-h", "--help"))
        fputs(help, stdout);
    else if (argc > 1 && is_option(argv[1], "-V", "--version"))
        puts(RRM_VERSION);
    else
        run(argc - 1, argv + 1, &e);
    if (e.kind == ERROR_NONE && fflush(stdout) != 0)
        error_set(&e, "standard output: it could not be written");
    if (e.kind != ERROR_NONE)
        error_print(&e, "bpseq", stderr);
    return error_exit_status(&e);
}
