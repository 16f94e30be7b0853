/* scale.c - the program scale: brings the features of svmlight data to ranges of the same size, as svm-scale does; see
 * scale --help. */
#include "data/scale.h"

#include "cli/files.h"
#include "cli/program_name.h"
#include "io/output.h"

#include <inttypes.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#define FIELD(name) .offset = offsetof(struct scale_settings, name)

/* --method begins behind SCALING_NONE. */
static enum scaling_method method_of(const struct scale_settings *settings) {
    return (enum scaling_method)(settings->method + 1);
}

/* "LOW,HIGH" of -y. */
static int take_labels(void *settings, const char *shown, const char *argument, struct error *e) {
    struct scale_settings *scale = settings;
    const char *comma = strchr(argument, ',');
    char low[64];
    if (comma == NULL || comma - argument >= (ptrdiff_t)sizeof low)
        return error_usage(e, "%s takes LOW,HIGH, not '%.100s'", shown, argument);
    memcpy(low, argument, (size_t)(comma - argument));
    low[comma - argument] = '\0';
    if (text_to_real(low, &scale->labels.low) != 0 ||
        text_to_real(comma + 1, &scale->labels.high) != 0 ||
        scale->labels.low >= scale->labels.high)
        return error_usage(e, "%s takes two numbers LOW,HIGH, the smaller one first, not '%.100s'",
                           shown, argument);
    scale->has_labels = true;
    return 0;
}

static const struct option_row rows[] = {
    {'l', "lower", "X", OPTION_REAL, .default_text = "-1", FIELD(lower),
     .help = "the least value after scaling, for --method range; 0 keeps zeros where no value is "
             "negative"},
    {'u', "upper", "X", OPTION_REAL, .default_text = "1", FIELD(upper),
     .help = "the largest value after scaling"},
    {'y', "labels", "LOW,HIGH", OPTION_CALL, .take = take_labels,
     .help = "scale the labels to this range, too; -y LOW HIGH works as well"},
    {'s', "save", "FILE", OPTION_TEXT, FIELD(save),
     .help = "write the ranges of the features, for other data to be scaled alike"},
    {'r', "restore", "FILE", OPTION_TEXT, FIELD(restore),
     .help = "scale by this file, of -s or of svm-scale, instead of by the data's own ranges"},
    {0, "method", "NAME", OPTION_CHOICE, .choices = scaling_names + 1, .default_text = "range",
     FIELD(method), .help = "how values are scaled"},
    {0, "digits", "N", OPTION_INTEGER, .low = 1, .high = 17, .default_text = "6", FIELD(digits),
     .help = "significant digits of scaled values; 17 loses nothing"},
    {0, "zero-based", NULL, OPTION_FLAG, FIELD(zero_based), .help = "indices begin at 0"},
    {'q', "quiet", NULL, OPTION_FLAG, FIELD(quiet), .help = "print nothing but errors"},
};

static const char *const usage[] = {"@scale [options] DATA [SCALED_DATA]", NULL};

static const char description[] =
    "scale prints svmlight data with the features scaled, so that those with large values do not "
    "outweigh the others, or writes it to SCALED_DATA. Without --method it does the same as "
    "svm-scale: the values of each feature come to the range from -l to -u. The other methods: max "
    "divides by the feature's largest absolute value; standard gives it mean 0 and standard "
    "deviation 1; deviation divides by the standard deviation; norm divides each example by its "
    "Euclidean length. max, deviation and norm keep zeros, so that sparse data stays sparse. A "
    "feature with the same value in all examples is left out (deviation and max keep it), and so "
    "is one that the file of -r does not have. Scale test data by the ranges of the training data: "
    "-s FILE there, -r FILE here. DATA is plain or compressed. It is read twice; with -r or "
    "--method "
    "norm it is read once, and can be a pipe: \"-\" is standard input. Weights (cost:) and groups "
    "(qid:) stay; comments do not.";

static const char *const examples[] = {"@scale -l 0 -s ranges train.svm train.scaled",
                                       "@scale -r ranges test.svm test.scaled",
                                       "@scale --method standard data > scaled", NULL};

/* `-y LOW HIGH`, as svm-scale has it, becomes `-y LOW,HIGH`. The new word is the caller's to free; NULL: there was
 * none. */
static char *join_labels(int *argc, char **argv) {
    double number;
    for (int i = 1; i + 2 < *argc; i++) {
        if (strcmp(argv[i], "-y") != 0 || text_to_real(argv[i + 1], &number) != 0 ||
            text_to_real(argv[i + 2], &number) != 0)
            continue;
        size_t size = strlen(argv[i + 1]) + strlen(argv[i + 2]) + 2;
        char *joined = malloc(size);
        if (joined == NULL)
            return NULL;
        snprintf(joined, size, "%s,%s", argv[i + 1], argv[i + 2]);
        argv[i + 1] = joined;
        memmove(argv + i + 2, argv + i + 3, (size_t)(*argc - i - 2) * sizeof *argv);
        --*argc;
        return joined;
    }
    return NULL;
}

/* Refuses -l and -u where they say nothing. (With -r they are only noted: svm-scale takes them.) */
static int check_ends(const struct scale_settings *settings, const struct option_group *group,
                      struct error *e) {
    bool lower = option_given(group, "lower");
    if (settings->restore != NULL || method_of(settings) == SCALING_RANGE ||
        !(lower || option_given(group, "upper")))
        return 0;
    return error_usage(e, "-%c is for --method range, not %s", lower ? 'l' : 'u',
                       scaling_names[method_of(settings)]);
}

static int check(const struct scale_settings *settings, const struct option_group *group,
                 const char *data, const char *scaled, struct error *e) {
    bool norm = method_of(settings) == SCALING_NORM;
    if (check_ends(settings, group, e) != 0)
        return -1;
    if (!(settings->lower < settings->upper))
        return error_usage(e, "-l must be below -u");
    if (settings->save != NULL && settings->restore != NULL)
        return error_usage(e, "-s writes ranges and -r reads them: only one can be given");
    if (norm && (settings->save != NULL || settings->restore != NULL || settings->has_labels))
        return error_usage(e, "--method norm has no ranges: leave out %s",
                           settings->save != NULL      ? "-s"
                           : settings->restore != NULL ? "-r"
                                                       : "-y");
    if (!norm && settings->restore == NULL &&
        files_check_twice(data, ", -r or --method norm", e) != 0)
        return -1;
    if (settings->restore != NULL && strcmp(data, "-") == 0 && strcmp(settings->restore, "-") == 0)
        return error_usage(e, "only one file can be standard input");
    const char *written[] = {settings->save, scaled};
    if (files_check_apart(settings->save, data, e) != 0 ||
        files_check_apart(scaled, data, e) != 0 ||
        files_check_apart(scaled, settings->restore, e) != 0 ||
        files_check_distinct(written, 2, e) != 0)
        return -1;
    return files_check_writable(settings->save, e);
}

/* The scaling by the file of -r, or by the data. */
static int prepare(struct scaling *scaling, const struct scale_settings *settings, const char *data,
                   const struct svmlight_options *options, struct error *e) {
    if (settings->restore != NULL)
        return scaling_read(scaling, settings->restore, settings->zero_based, e);
    if (scaling_learn(scaling, data, options, e) != 0)
        return -1;
    return settings->save == NULL ? 0
                                  : scaling_write(scaling, settings->save, settings->zero_based, e);
}

/* What the user should know of the result. */
static void tell(const struct scale_settings *settings, const struct scaling *scaling,
                 const struct scale_counts *counts, const struct option_group *group) {
    const char *name = program_name();
    static const char *const unused[] = {"lower", "upper", "labels", "method"};
    if (settings->quiet)
        return;
    for (size_t i = 0; settings->restore != NULL && i < sizeof unused / sizeof *unused; i++)
        if (option_given(group, unused[i]))
            fprintf(stderr, "%s: --%s is not used: the file of -r says how to scale\n", name,
                    unused[i]);
    if (scaling->has_labels && scaling->label_data.low == scaling->label_data.high)
        fprintf(stderr, "%s: all labels are %g; they become %g\n", name, scaling->label_data.low,
                scaling->label_target.low);
    if (counts->beyond)
        fprintf(stderr,
                "%s: features after %" PRId64 ", the last one of the ranges, are left out\n", name,
                (int64_t)scaling->features - settings->zero_based);
    if (counts->after > 2 * counts->before)
        fprintf(stderr,
                "%s: %" PRId64 " values became %" PRId64
                ", because zeros are scaled, too; -l 0 or --method max keeps them\n",
                name, counts->before, counts->after);
}

static int scale(const struct scale_settings *settings, const struct option_group *group,
                 const char *data, const char *scaled, struct error *e) {
    struct scaling scaling = {.method = method_of(settings),
                              .target = {settings->lower, settings->upper},
                              .has_labels = settings->has_labels,
                              .label_target = settings->labels};
    struct svmlight_options options = {
        .zero_based = settings->zero_based, .unlabeled = true, .threads = 1};
    bool norm = method_of(settings) == SCALING_NORM;
    struct scale_counts counts = {0};
    int status = norm ? 0 : prepare(&scaling, settings, data, &options, e);
    struct output *output = status == 0 ? output_open(scaled, e) : NULL;
    if (output != NULL)
        status = scale_rows(norm ? NULL : &scaling, settings, data, &options, output, &counts, e);
    status = output_end(output, status, e);
    if (status == 0)
        tell(settings, &scaling, &counts, group);
    scaling_free(&scaling);
    return status;
}

static int run(const void *all, const struct option_group *groups, char **operand, int count,
               struct error *e) {
    const struct scale_settings *settings = all;
    if (count < 1 || count > 2)
        return error_usage(e, "%s; see %s --help",
                           count == 0 ? "DATA is missing" : "too many files", program_name());
    const char *scaled = count == 2 ? operand[1] : "-";
    return check(settings, groups, operand[0], scaled, e) != 0
               ? -1
               : scale(settings, groups, operand[0], scaled, e);
}

static const struct converter program = {
    .name = "scale",
    .purpose = "scale the features of svmlight data",
    .usage = usage,
    .description = description,
    .examples = examples,
    .common = CONVERTER_ROWS(rows),
    .run = run,
};

int main(int argc, char **argv) {
    struct scale_settings settings = {0};
    char *joined = join_labels(&argc, argv);
    int status = converter_main(argc, argv, &program, &settings);
    free(joined);
    return status;
}
