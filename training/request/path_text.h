/* path_text.h - the text of --path: N[,FROM,TO] or certified=GAP[,FROM,TO]. */
#ifndef RRM_PATH_TEXT_H
#define RRM_PATH_TEXT_H

#include "training/request/settings.h"

enum { PATH_MOST = 10000, CERTIFIED_PATH_MOST = 1000 }; /* values of lambda */

/* Reads settings->path_text, if there is one, into the other settings of the path. 0, or -1 with a usage error. */
int path_text_read(struct train_settings *settings, struct error *e);

#endif
