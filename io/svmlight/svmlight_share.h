/* svmlight_share.h - loads a share of the rows of some files in each of several processes. */
#ifndef RRM_SVMLIGHT_SHARE_H
#define RRM_SVMLIGHT_SHARE_H

#include "io/dataset.h"
#include "io/svmlight/svmlight_options.h"

/* The files of a data set, whose rows stand one after another. */
struct data_files {
    char *const *path;
    int count; /* at least 1 */
};

/* Loads a share of the rows in each process of a communicator: in the order of the ranks, consecutive parts of about
 * the same number of bytes. A plain file may be divided: a process has the lines that begin in its part of it; but
 * where these have a "qid:", a group is never divided: the lines of the group that is there at the beginning of a
 * part are with the process before. A gzip file is not divided, unless it is the only file: then process 0 reads it,
 * and gives the others their rows. A group is within one file. A share may be empty. out->features, out->whole and
 * errors are the same in all processes, and the place of an error is that in its file. Otherwise as dataset_load. */
int dataset_load_share(const struct data_files *files, const struct svmlight_options *options,
                       struct communicator *communicator, struct dataset *out, struct error *e);

#endif
