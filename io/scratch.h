/* scratch.h - a file without a name for numbers that do not fit in memory. It ends with the process. */
#ifndef RRM_SCRATCH_H
#define RRM_SCRATCH_H

#include <stdint.h>

/* The folder that the system has for such files: that of TMPDIR, else /var/tmp. */
const char *scratch_folder(void);

/* Opens a file in FOLDER for which BYTES of the disk are set aside. Returns its descriptor, to be closed; -1: the
 * folder cannot be written, lies in memory, or its disk has less than twice these bytes left. */
int scratch_open(const char *folder, int64_t bytes);

/* Writes and reads BYTES at OFFSET; 0, or -1 if not all of them could be. Several threads may call. */
int scratch_write(int file, const void *from, int64_t bytes, int64_t offset);
int scratch_read(int file, void *to, int64_t bytes, int64_t offset);

#endif
