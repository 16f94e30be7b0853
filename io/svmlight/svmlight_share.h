/* svmlight_share.h - loads a share of a file's rows in each of several processes. */
#ifndef RRM_SVMLIGHT_SHARE_H
#define RRM_SVMLIGHT_SHARE_H

#include "io/dataset.h"
#include "io/svmlight/svmlight_options.h"

/* Loads a share of the rows of a plain file in each process of a communicator: in the order of the ranks, consecutive
 * parts of about the same number of bytes. Process r has the lines that begin in the r-th part; but where these have a
 * "qid:", a group is never divided: the lines of the group that is there at the beginning of a part are with the
 * process before. A share may be empty. out->features, out->whole and errors are the same in all processes, and the
 * place of an error is that in the file. Otherwise as dataset_load. */
int dataset_load_share(const char *path, const struct svmlight_options *options,
                       struct communicator *communicator, struct dataset *out, struct error *e);

#endif
