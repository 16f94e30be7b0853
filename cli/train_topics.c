/* train_topics.c - the topics of train --help; see train_topics.h. */
#include "cli/train_topics.h"

#include <string.h>

enum { MOST_OPTIONS = 16 };

static const struct {
    const char *name, *summary;
    const char *options[MOST_OPTIONS]; /* long names, NULL at the end */
} topics[] = {
    [TOPIC_MOST_USED] = {"",
                         "the options most used",
                         {"cost", "lambda", "loss", "regularizer", "scale", "gamma-kernel",
                          "class-weight", "folds", "epsilon", "solver"}},
    [TOPIC_ALL] = {"all", "every option, the solvers, examples", {NULL}},
    [TOPIC_SOLVERS] = {"solvers", "the solvers, and which is the default", {NULL}},
    {"data",
     "features and examples as they are read",
     {"scale", "bias", "intercept", "hash", "zero-based", "weights", "cache", "cache-only",
      "memory", "line-limit", "dry-run", "gather"}},
    {"losses",
     "losses with their parameters",
     {"loss", "tube", "quantile", "huber", "nu", "eta", "at", "places", "state-features"}},
    {"classes",
     "labels, several classes, probabilities",
     {"positive", "class-weight", "multiclass", "probabilities", "calibration"}},
    {"regularization",
     "lambda, C, regularizers, balls, paths",
     {"lambda", "cost", "regularizer", "elastic", "ball", "path"}},
    {"kernels",
     "kernels, maps, basis functions",
     {"kernel", "gamma-kernel", "sigma", "degree", "shift", "basis", "basis-only", "expand", "map",
      "landmarks", "dimension", "seeding", "eigen-threshold", "memory"}},
    {"limits",
     "when training ends, on how many threads",
     {"epsilon", "passes", "time-limit", "strict", "threads", "seed", "batch-size", "solver",
      "checkpoint"}},
    {"folds",
     "cross-validation, the choice of lambda",
     {"folds", "search", "path", "validation", "measure", "choose", "path-models"}},
    {"files",
     "models, reports, messages",
     {"init", "format", "trace", "report", "quiet", "help", "version"}},
    {"more", "options of no other topic", {NULL}},
};

enum { TOPICS = sizeof topics / sizeof *topics, MORE = TOPICS - 1 };

static bool has_option(int topic, const char *name) {
    for (int i = 0; i < MOST_OPTIONS && topics[topic].options[i] != NULL; i++)
        if (strcmp(topics[topic].options[i], name) == 0)
            return true;
    return false;
}

static bool in_a_topic(const char *name) {
    for (int k = TOPIC_FIRST; k < MORE; k++)
        if (has_option(k, name))
            return true;
    return false;
}

int train_help_topic(const char *name) {
    for (int k = TOPIC_ALL; k < TOPICS; k++)
        if (strcmp(topics[k].name, name) == 0)
            return k;
    return -1;
}

void train_help_topics(char *text, size_t size) {
    text[0] = '\0';
    for (int k = TOPIC_ALL; k < MORE; k++) {
        size_t used = strlen(text);
        snprintf(text + used, size - used, "%s%s", used > 0 ? ", " : "", topics[k].name);
    }
}

const char *train_topic_summary(int topic) {
    return topics[topic].summary;
}

/* The number of options that no topic has; prints them unless STREAM is NULL. */
static int print_more(const struct option_group *groups, int group_count, FILE *stream) {
    int count = 0;
    for (int g = 0; g < group_count; g++)
        for (int i = 0; i < groups[g].count; i++) {
            const struct option_row *row = &groups[g].rows[i];
            bool more = row->help != NULL && row->name != NULL && !in_a_topic(row->name);
            if (more && stream != NULL)
                options_print_row(row, stream);
            count += more;
        }
    return count;
}

void train_topic_print(int topic, const struct option_group *groups, int group_count,
                       FILE *stream) {
    if (topic == MORE) {
        print_more(groups, group_count, stream);
        return;
    }
    for (int i = 0; i < MOST_OPTIONS && topics[topic].options[i] != NULL; i++) {
        const struct option_row *row = options_find(groups, group_count, topics[topic].options[i]);
        if (row != NULL && row->help != NULL)
            options_print_row(row, stream);
    }
}

void train_topics_print(const struct option_group *groups, int group_count, FILE *stream) {
    int count = print_more(groups, group_count, NULL) > 0 ? TOPICS : MORE;
    for (int k = TOPIC_ALL; k < count; k++)
        fprintf(stream, "  %-16s %s\n", topics[k].name, topics[k].summary);
}
