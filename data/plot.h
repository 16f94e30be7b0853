/* plot.h - what the files of the program plot share: each kind of picture prints a script for gnuplot. */
#ifndef RRM_PLOT_H
#define RRM_PLOT_H

#include "cli/converter.h"
#include "io/error.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

struct plot_settings {
    const char *output; /* NULL: the terminal */
    const char *title;  /* NULL: none */
    const char *names;  /* NULL: none */
    const char *measure;
    int64_t width, height; /* 0: by the kind of output */
    int64_t count;
    int against; /* enum plot_against */
    bool script;
};

enum plot_against { AGAINST_SECONDS, AGAINST_PASSES };

/* What a kind of picture is made of. Data blocks come first, then the commands that draw them. */
struct plot {
    const struct plot_settings *settings;
    char *const *file;
    int files;
    FILE *stream; /* the script */
};

/* Each prints its part of the script; 0, or -1 with the error set. */
int plot_gap(const struct plot *plot, struct error *e);
int plot_path(const struct plot *plot, struct error *e);
int plot_roc(const struct plot *plot, struct error *e);
int plot_precision_recall(const struct plot *plot, struct error *e);
int plot_reliability(const struct plot *plot, struct error *e);
int plot_confusion(const struct plot *plot, struct error *e);
int plot_weights(const struct plot *plot, struct error *e);

/* Prints TEXT in single quotes, as gnuplot reads it. */
void plot_quote(const char *text, FILE *stream);

/* Runs gnuplot with SCRIPT as its standard input; what it draws goes to STREAM. 0, or -1 with the error set: gnuplot is
 * missing, or failed. */
int plot_run(FILE *script, FILE *stream, struct error *e);

#endif
