/* mapped_file.h - a file whose pages this program reads as memory while others may write to it. */
#ifndef RRM_MAPPED_FILE_H
#define RRM_MAPPED_FILE_H

#include "io/error.h"

/* From now on, a file PATH that becomes shorter ends the process with status 1 and one line, and so does a crash after
 * somebody wrote to the file. To be called before the file is mapped, and again when its content was checked. PATH must
 * stay. NULL does nothing. */
void mapped_file_watch(const char *path);

/* 0, or -1 with the error set: somebody has written to the file since it was checked, so results may be wrong. A file
 * that was replaced whole is not this one. */
int mapped_file_check(struct error *e);

#endif
