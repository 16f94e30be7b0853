/* option_value.h - from the words of an argument to a field of the settings. */
#ifndef RRM_OPTION_VALUE_H
#define RRM_OPTION_VALUE_H

#include "cli/options.h"

/* Checks TEXT against ROW's kind and range and stores it in SETTINGS. SHOWN is the option as the
 * user wrote it ("-l", "--lambda"), for messages. TEXT is not looked at for a flag, which becomes
 * true. 0, or -1 with a usage error. */
int option_store(const struct option_row *row, void *settings, const char *shown, const char *text,
                 struct error *e);

/* Stores the row's default, or zero where there is none. */
int option_store_normal(const struct option_row *row, void *settings, struct error *e);

#endif
