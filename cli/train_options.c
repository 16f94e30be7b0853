/* train_options.c - the table of train's options other than the settings of training. */
#include "cli/train_options.h"

enum { MAX_GATHERED_MEGABYTES = 1000000 };

#define FIELD(name) .offset = offsetof(struct train_options, name)

const char train_cache_beside_data[] = "TRAINING_FILE.cache";

static const char *const formats[] = {"librrm", "liblinear", NULL}; /* enum model_file_format */

static const struct option_row rows[] = {
    {'i', "init", "MODEL", OPTION_TEXT, FIELD(init),
     .help = "start from the weights of this model"},
    {'T', "trace", "FILE", OPTION_TEXT, FIELD(trace),
     .help = "write the progress as a table, a row for each report, separated by tabs: seconds, "
             "passes, iteration, objective, bound, nonzeros, norm, delta"},
    {0, "weights", "FILE", OPTION_TEXT, FIELD(weights),
     .help = "weights of the examples, one on each line; multiplied with \"cost:\" and -w"},
    {0, "strict", NULL, OPTION_FLAG, FIELD(strict),
     .help = "exit with status 3 if the run did not reach its tolerance, or if its model is no "
             "better than all weights 0 and these are not within -e of the optimum; without "
             "--strict the status is 0, and a warning says what to do"},
    {0, "report", "FILE", OPTION_TEXT, FIELD(report),
     .help =
         "write the run as one JSON object: options, sizes, times, objective, bound, status. The "
         "model is written first; if the report cannot be written, the exit status is 1"},
    {0, "format", "librrm|liblinear", OPTION_CHOICE, .choices = formats, .default_text = "librrm",
     FIELD(format),
     .help = "the format of MODEL_FILE; liblinear: that of LIBLINEAR, for its predict and other "
             "programs that read it; only for linear models without --scale and --hash"},
    {0, "validation", "FILE", OPTION_TEXT, FIELD(validation),
     .help = "choose the lambda of --search or --path by the predictions of the examples of this "
             "file, in place of folds (-v). Without --search and --path, an online solver predicts "
             "them after each pass, keeps the best model, and ends after 5 passes without a better "
             "one"},
    {0, "path-models", "NAME", OPTION_TEXT, FIELD(path_models),
     .help = "--path without -v: write each of its models, too: NAME.1 for the first lambda, "
             "NAME.2 for the next one, and so on"},
    {0, "cache", "FILE", OPTION_TEXT, FIELD(cache), .implied = train_cache_beside_data,
     .help = "keep the examples in a binary file, TRAINING_FILE.cache if none is given, and map it "
             "at the next run instead of reading the text; it is made anew when the text, the "
             "options of reading it or a checksum do not fit"},
    {0, "cache-only", NULL, OPTION_FLAG, FIELD(cache_only),
     .help = "make or check the cache, say what it has, and train nothing"},
    {0, "dry-run", NULL, OPTION_FLAG, FIELD(dry_run),
     .help = "read the data and train nothing: print the sizes of the data, about how much memory "
             "the training takes, and the solver with the rule that chose it"},
    {0, "zero-based", NULL, OPTION_FLAG, FIELD(zero_based),
     .help = "feature indices count from 0 rather than 1"},
    {0, "line-limit", "MB", OPTION_INTEGER, .low = 2, .high = MAX_LINE_MEGABYTES,
     .default_text = "256", FIELD(line_limit),
     .help = "the longest line of data that is read, in megabytes, at least 2"},
    {'q', "quiet", NULL, OPTION_LEVEL, FIELD(quiet),
     .help = "print nothing but warnings, errors and the measures of -v; -qq: no warnings either"},
    {'h', "help", NULL, OPTION_FLAG, FIELD(help),
     .help = "print the options most used; --help TOPIC those of a topic, --help all every one; "
             "with -s NAME, that solver's"},
    {'V', "version", NULL, OPTION_FLAG, FIELD(version), .help = "print the version"},
    {0, "man", NULL, OPTION_FLAG, FIELD(man)},
    /* for several processes; the last ones */
    {0, "gather", "MB", OPTION_INTEGER, .low = 0, .high = MAX_GATHERED_MEGABYTES,
     .default_text = "256", FIELD(gather),
     .help = "with the solver dcd and without a kernel: if the examples of all processes take at "
             "most MB megabytes, send them to process 0, which trains as one process would, while "
             "the others wait; 0: never"},
};

enum { OF_SEVERAL = 1 };

const struct option_row *train_option_rows(bool several, int *count) {
    *count = (int)(sizeof rows / sizeof *rows) - (several ? 0 : OF_SEVERAL);
    return rows;
}
