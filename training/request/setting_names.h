/* setting_names.h - messages for callers of the library, who know settings and no command line. */
#ifndef RRM_SETTING_NAMES_H
#define RRM_SETTING_NAMES_H

#include <stddef.h>

/* Copies MESSAGE to TEXT (SIZE bytes, cut where it is full) with the names of settings in place of the command line's
 * options: "raise -t" becomes "raise time-limit", "--map nystrom" becomes "map nystrom". An option that is no setting
 * becomes what rrm.h has for it: "-i" is `start` of struct rrm_training. Options that follow the name of a program
 * stay. */
void setting_names(const char *message, char *text, size_t size);

#endif
