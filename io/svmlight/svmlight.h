/* svmlight.h - reading svmlight/libsvm sparse text.
 *
 *     LABEL [cost:W] [qid:Q] INDEX:VALUE INDEX:VALUE ... [# comment]
 *
 * With options.hash_bits a feature is NAME:VALUE or NAME (svmlight_names.c).
 *
 * Plain or compressed (recognized by content: io/unpack.h), from a file or standard input ("-"). Every error message
 * names the file, line, column (bytes, from 1) and token. Values are exactly the doubles of strtod.
 *
 * Files: svmlight_load.c (dataset_load chooses: svmlight_pieces.c, several threads on a plain file, or
 * svmlight_stream.c, one pass), svmlight.c (blocks), svmlight_row.c (the parser of all three), svmlight_refuse.c (error
 * messages), svmlight_share.c (a share for each process), svmlight_arrays.c (memory), svmlight_line.c (line number of a
 * row), weights.c. */
#ifndef RRM_SVMLIGHT_H
#define RRM_SVMLIGHT_H

#include "io/dataset.h"
#include "io/error.h"
#include "io/svmlight/svmlight_options.h"

/* Loads the whole file. Threads parse pieces of a plain file; the dataset and every error message
 * are the same for any number of threads. Peak memory: 12 bytes a nonzero (4 when all values are
 * 1) + 32 a row + a few MB; never a copy of the file. An empty file is an error.
 * On success the caller owns *out (dataset_free); on failure it is empty. */
int dataset_load(const char *path, const struct svmlight_options *options, struct dataset *out,
                 struct error *e);

/* The same rows in blocks, for data that need not fit in memory. */
struct svmlight_reader;

/* NULL with the error set when the file cannot be opened. */
struct svmlight_reader *svmlight_open(const char *path, const struct svmlight_options *options,
                                      struct error *e);

/* Replaces *block (zeroed before the first call; its arrays are reused) by the next rows: as many
 * as fit in about one MB of text. Returns 1 with at least one row, 0 at the end of the file, -1 on
 * error. block->features is the largest seen in this block; a block never ends inside a group
 * unless the group alone is larger than the block. The caller frees the block. */
int svmlight_read(struct svmlight_reader *reader, struct dataset *block, struct error *e);

/* The share of the file that the blocks so far are of; not-a-number where its size is not known. */
double svmlight_share_read(const struct svmlight_reader *reader);

void svmlight_close(struct svmlight_reader *reader);

/* Whether TEXT begins with what follows a label: a feature, INDEX:, or qid:. */
bool svmlight_begins_feature(const char *text);

/* Reads ROWS weights, one a line, finite and >= 0, from PATH ("-": standard input; plain or compressed) into a new
 * array that the caller frees; NULL with the error set, also when the count differs. */
double *weights_load(const char *path, int64_t rows, struct error *e);

#endif
