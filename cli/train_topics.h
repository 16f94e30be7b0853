/* train_topics.h - the topics of train --help. */
#ifndef RRM_TRAIN_TOPICS_H
#define RRM_TRAIN_TOPICS_H

#include "cli/options.h"

/* What --help prints without a topic, all of it, or the solvers; further numbers are topics of options. */
enum train_topic { TOPIC_MOST_USED, TOPIC_ALL, TOPIC_SOLVERS, TOPIC_FIRST };

/* The topic of this name; -1: there is none. */
int train_help_topic(const char *name);

/* "all, solvers, data, ...", cut to SIZE - 1 bytes. */
void train_help_topics(char *text, size_t size);

/* The sentence that describes the topic. */
const char *train_topic_summary(int topic);

/* Prints the options of the topic, TOPIC_MOST_USED or one from TOPIC_FIRST on, that the groups have. An option that no
 * topic has is one of the last topic. */
void train_topic_print(int topic, const struct option_group *groups, int group_count, FILE *stream);

/* Prints a line for each topic: its name and what it is about. */
void train_topics_print(const struct option_group *groups, int group_count, FILE *stream);

#endif
