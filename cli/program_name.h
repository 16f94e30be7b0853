/* program_name.h - the names of the programs in messages: by the names under which they were
 * started, "train", or installed, "librrm-train". */
#ifndef RRM_PROGRAM_NAME_H
#define RRM_PROGRAM_NAME_H

#include <stddef.h>

/* Called first in main, with argv[0] (its folder does not count; NULL or empty: SOURCE_NAME) and the program's name
 * in the source. PATH must outlive the program. From here on a write beyond the limit of a file's size fails with an
 * error, and does not end the program. */
void program_start(const char *path, const char *source_name);

/* Switches to the names that `make install` gives, for man pages. */
void program_use_installed_names(void);

/* The name for usage and messages. */
const char *program_name(void);

/* Copies TEXT to BUFFER of SIZE bytes (cut if it is too long) and replaces each program, written @train, by its
 * name. All programs have the prefix of the running one. Returns BUFFER. */
const char *program_text(const char *text, char *buffer, size_t size);

#endif
