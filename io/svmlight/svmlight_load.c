/* svmlight_load.c - loads a whole file: with several threads if it is plain and large, else in one pass. */
#include "io/svmlight/svmlight_load.h"
#include "io/source.h"
#include "io/svmlight/svmlight.h"
#include "io/svmlight/svmlight_pieces.h"
#include "io/svmlight/svmlight_stream.h"

/* A plain block stays in a core's cache while it is read, counted and parsed. Inflating is slower than parsing, so
 * a packed block is larger, to make passing it between threads cheap. The memory of a piece's counts limits the
 * number of pieces: a huge file has larger ones. */
enum { PLAIN_BLOCK_BYTES = 256 << 10, PACKED_BLOCK_BYTES = 1 << 20, MAX_PIECES = 4096 };

int svmlight_load(struct source *source, const struct svmlight_options *options,
                  struct dataset *out, struct error *e) {
    int64_t size = source_size(source);
    int64_t block = size < 0 ? PACKED_BLOCK_BYTES : PLAIN_BLOCK_BYTES;
    if (options->threads <= 1 || size < 2 * block)
        return svmlight_stream_load(source, options, block, out, e);
    if (size / block > MAX_PIECES)
        block = size / MAX_PIECES;
    return svmlight_pieces_load(source, options, block, out, e);
}

int dataset_load(const char *path, const struct svmlight_options *options, struct dataset *out,
                 struct error *e) {
    *out = (struct dataset){0};
    struct source *source = source_open(path, e);
    if (source == NULL)
        return -1;
    int status = svmlight_load(source, options, out, e);
    source_close(source);
    return status;
}
