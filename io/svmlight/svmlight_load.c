/* svmlight_load.c - a whole file into memory: which way to take. */
#include "io/source.h"
#include "io/svmlight/svmlight.h"
#include "io/svmlight/svmlight_pieces.h"
#include "io/svmlight/svmlight_stream.h"

/* A block of text stays in a core's own cache while it is read, counted and parsed. Inflating is
 * slower than parsing, so there a block is larger, to hide the cost of the hand-over. A huge file
 * has larger pieces: what is kept for each of them must not add up. */
enum { PLAIN_BLOCK = 256 << 10, PACKED_BLOCK = 1 << 20, MOST_PIECES = 4096 };

int dataset_load(const char *path, const struct svmlight_options *options, struct dataset *out,
                 struct error *e) {
    *out = (struct dataset){0};
    struct source *source = source_open(path, e);
    if (source == NULL)
        return -1;
    int64_t size = source_size(source);
    int64_t block = size < 0 ? PACKED_BLOCK : PLAIN_BLOCK;
    int status;
    if (options->threads > 1 && size >= 2 * block) {
        if (size / block > MOST_PIECES)
            block = size / MOST_PIECES;
        status = svmlight_pieces_load(source, options, block, out, e);
    } else {
        status = svmlight_stream_load(source, options, block, out, e);
    }
    source_close(source);
    return status;
}
