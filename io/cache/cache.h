/* cache.h - examples in a binary file, which is mapped into memory instead of being read: the text is parsed once.
 *
 * The file has a header, then the arrays of the dataset, each at a multiple of 64 bytes. The header says which text it
 * was made from (cache_source.h), how the text was read, the sizes of the arrays, the version and byte order of the
 * file, and two checksums. A file that does not fit is never used. Processes that run side by side share the pages of
 * one file. */
#ifndef RRM_CACHE_H
#define RRM_CACHE_H

#include "io/cache/cache_source.h"
#include "io/dataset.h"
#include "io/error.h"
#include "io/svmlight/svmlight_options.h"

enum { CACHE_REASON = 128 };

/* Maps the examples of the file CACHE into *out, which the caller frees (dataset_free), if they are those of the text
 * file PATH as it is now, read with these options. Where the file has more bytes than MEMORY, *out has a window
 * (cache_window.h). Returns 1; 0 if they are not, with the reason in words ("it was made of other data"), empty if
 * there is no such file; -1 with the error set: the text cannot be looked at, or the file cannot be mapped. The arrays
 * must not be written, but for the weights. */
int cache_load(const char *cache, const char *path, const struct svmlight_options *options,
               double memory, struct dataset *out, char reason[CACHE_REASON], struct error *e);

/* -1 with the error set: the file CACHE is something else than a cache, even a damaged one, and should not be
 * overwritten; or a pipe. */
int cache_check_replaceable(const char *cache, struct error *e);

/* Writes the examples of the text file PATH, which was as in BEFORE before it was read, to the file CACHE: whole, or
 * not at all. DATA are its examples; NULL: it is read block by block, on one thread, and need not fit in memory. 0, or
 * -1 with the error set; an error, too, if the text has changed since then. */
int cache_write(const char *cache, const char *path, const struct cache_source *before,
                const struct svmlight_options *options, const struct dataset *data,
                struct error *e);

#endif
