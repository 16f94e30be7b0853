/* scratch.h - files without a name, for numbers that do not fit in memory. They end with the process. */
#ifndef RRM_SCRATCH_H
#define RRM_SCRATCH_H

#include <stdint.h>

/* The folder that the system has for such files: that of TMPDIR, else /var/tmp. */
const char *scratch_folder(void);

/* Opens a file in FOLDER, to write and read. Returns its descriptor, to be closed; -1, with errno: there is none. */
int scratch_new(const char *folder);

/* The same for BYTES, which are set aside on the disk; -1, too, if the folder lies in memory, or its disk has less than
 * twice these bytes left. */
int scratch_open(const char *folder, int64_t bytes);

/* Writes and reads BYTES at OFFSET; 0, or -1 if not all of them could be. Several threads may call. */
int scratch_write(int file, const void *from, int64_t bytes, int64_t offset);
int scratch_read(int file, void *to, int64_t bytes, int64_t offset);

#endif
