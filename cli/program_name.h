/* program_name.h - what the programs call themselves and each other: by the names under which they were
 * started, "train", or installed, "librrm-train". */
#ifndef RRM_PROGRAM_NAME_H
#define RRM_PROGRAM_NAME_H

#include <stddef.h>

/* Called first in main, with argv[0] (its folder does not count; NULL or empty: OWN) and the name that the
 * program has in the source. PATH must outlive the program. */
void program_start(const char *path, const char *own);

/* From here on all names are those that `make install` gives: for man pages. */
void program_use_installed_names(void);

/* The name for usage and messages. */
const char *program_name(void);

/* TEXT with each program in it, written @train, by its name, into BUFFER of SIZE bytes, cut where it is full.
 * The others have the prefix that this one has. Returns BUFFER. */
const char *program_text(const char *text, char *buffer, size_t size);

#endif
