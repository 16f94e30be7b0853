/* train_help.c - help, lists and man page of train, all printed from the tables. */
#include "cli/train_help.h"

#include "cli/processes.h"
#include "cli/program_name.h"
#include "cli/train_topics.h"
#include "training/defaults/default_solver.h"
#include "training/defaults/default_trial.h"
#include "version.h"

#include <math.h>
#include <string.h>

static const struct {
    const char *command, *what;
} examples[] = {
    {"@train -s proximal -l 1e-7 a9a model", "a linear SVM"},
    {"@train -L logistic -c 1 -B 1 a9a", "logistic regression with LIBLINEAR's C; a9a.model"},
    {"@train -L epsilon --tube 0.5 prices.gz model", "support vector regression"},
    {"@train -v 5 -w 1=3 a9a", "5 folds, examples of label 1 weigh 3"},
    {"@train -r l1 -L logistic --path 20 -v 5 a9a m",
     "few nonzero weights, lambda chosen by 5 folds"},
    {"@train --map nystrom --sigma 2 -c 10 a9a model", "a Gaussian kernel, with 512 landmarks"},
    {"zcat log.gz | @train -s asset-on - model", "a stream: each example is read once"},
};

enum { EXAMPLES = sizeof examples / sizeof *examples };

static void print_pair(const char *name, const char *summary, FILE *stream) {
    fprintf(stream, "  %-20s ", name);
    help_text(summary, 23, stream);
}

static void list_solvers(FILE *stream) {
    int count;
    const struct solver *const *table = solver_table(&count);
    for (int i = 0; i < count; i++)
        print_pair(table[i]->name, table[i]->summary, stream);
}

/* Words of the rules. */
static const char meanings[] =
    "A feature's size is the root mean square of its nonzero values; sizes differ much if one is "
    "above 100 or 100 times another. Dense data have at least 40 % of all values. Smooth losses "
    "are squared, squared-hinge, squared-epsilon, huber and logistic; other losses of one score "
    "have kinks.";

typedef void print_entry(const char *name, const char *text, FILE *stream);

/* Prints the rules of the default solver by families, whose headings have FORMAT, without rules for solvers that this
 * build lacks. */
static void print_rules(const char *format, print_entry *print, FILE *stream) {
    const struct default_rules *rules;
    for (int family = 0; (rules = default_solver_rules(family)) != NULL; family++) {
        fprintf(stream, format, rules->of);
        for (int i = 0; i < rules->count; i++)
            if (solver_by_name(rules->rule[i].solver) != NULL)
                print(rules->rule[i].solver, rules->rule[i].when, stream);
    }
}

static void print_trials(print_entry *print, FILE *stream) {
    int count;
    const struct default_trial *trials = default_trials_of_help(&count);
    for (int i = 0; i < count; i++)
        print(trials[i].solver, trials[i].when, stream);
}

static void list_defaults(FILE *stream) {
    fputs("\nwithout -s, the first of these that fits the data and can do what the options ask "
          "for:\n",
          stream);
    print_rules("%s:\n", print_pair, stream);
    fputc('\n', stream);
    help_text(default_trials_when, 0, stream);
    print_trials(print_pair, stream);
    fputc('\n', stream);
    help_text(meanings, 0, stream);
}

/* Letters of the losses. */
static const char letters[] =
    "u is the score <w,x> of an example, u_k that of class k; y is its label, of two classes 1 or "
    "-1.";

static void list_losses(FILE *stream) {
    int count;
    const struct risk_row *table = risk_table(&count);
    for (int i = 0; i < count; i++)
        print_pair(table[i].name, table[i].summary, stream);
    fprintf(stream, "\n%s\n", letters);
}

static void list_regularizers(FILE *stream) {
    int count;
    const struct regularizer *table = regularizer_table(&count);
    for (int i = 0; i < count; i++)
        print_pair(table[i].name, table[i].summary, stream);
}

/* The paragraph about processes. */
static void print_about(const char *before, int column, FILE *stream) {
    char text[1024];
    if (processes_texts.about == NULL)
        return;
    fputs(before, stream);
    help_text(program_text(processes_texts.about, text, sizeof text), column, stream);
}

static void print_usage(FILE *stream) {
    char text[96];
    fprintf(stream, "usage: %s\n\n", program_text(processes_texts.synopsis, text, sizeof text));
    fputs("Trains a linear model or a kernel machine and writes it: minimizes lambda Omega(w) + "
          "R(w) over the\nweights w, where Omega is the regularizer and R the mean loss.\n"
          "TRAINING_FILE is svmlight text, plain or compressed. MODEL_FILE is by default the name "
          "of TRAINING_FILE,\nwithout its folder, and \".model\", in the current folder. \"-\" is "
          "standard input or output.\n",
          stream);
    print_about("", 0, stream);
}

static void print_examples(FILE *stream) {
    char text[96];
    fputs("\nexamples:\n", stream);
    for (int i = 0; i < EXAMPLES; i++) {
        fprintf(stream, "  %-46s %s\n", program_text(examples[i].command, text, sizeof text),
                examples[i].what);
    }
}

static void print_all(const struct train_command *command, FILE *stream) {
    print_usage(stream);
    fputs("\noptions:\n", stream);
    options_print_help(&command->request.groups[0], stream);
    options_print_help(&command->request.groups[1], stream);
    fputs("\nsolvers (-s NAME --help prints the solver's own options):\n", stream);
    list_solvers(stream);
    list_defaults(stream);
    print_examples(stream);
}

/* The first screen. */
static void print_most_used(const struct train_command *command, FILE *stream) {
    print_usage(stream);
    fprintf(stream, "\n%s (the others by topics, see below):\n",
            train_topic_summary(TOPIC_MOST_USED));
    train_topic_print(TOPIC_MOST_USED, command->request.groups, 2, stream);
    print_examples(stream);
    fprintf(stream, "\n%s --help TOPIC:\n", program_name());
    train_topics_print(command->request.groups, 2, stream);
    fprintf(stream, "%s -s NAME --help has a solver's own options.\n", program_name());
}

static void print_help(const struct train_command *command, FILE *stream) {
    switch (command->topic) {
    case TOPIC_MOST_USED:
        print_most_used(command, stream);
        break;
    case TOPIC_ALL:
        print_all(command, stream);
        break;
    case TOPIC_SOLVERS:
        list_solvers(stream);
        list_defaults(stream);
        break;
    default:
        fprintf(stream, "%s:\n", train_topic_summary(command->topic));
        train_topic_print(command->topic, command->request.groups, 2, stream);
        if (command->topic == train_help_topic("losses")) {
            fputs("\nlosses (-L):\n", stream);
            list_losses(stream);
        } else if (command->topic == train_help_topic("regularization")) {
            fputs("\nregularizers (-r):\n", stream);
            list_regularizers(stream);
        }
    }
}

/* A line of a solver's help, aligned with its options. */
static void print_property(const char *name, const char *text, FILE *stream) {
    fprintf(stream, "  %-*s", HELP_COLUMN - 2, name);
    help_text(text, HELP_COLUMN, stream);
}

/* "100", or "no limit". */
static void describe_passes(const struct solver *solver, char *text, size_t size) {
    if (isfinite(solver->passes))
        snprintf(text, size, "%g", solver->passes);
    else
        snprintf(text, size, "no limit");
}

/* "a, b": the names that the solver takes, or those that it does not. */
static void join_risks(const struct solver *solver, bool taken, const char *before, char *text,
                       size_t size) {
    int count;
    const struct risk_row *table = risk_table(&count);
    for (int i = 0; i < count; i++) {
        size_t used = strlen(text);
        if (solver_takes_risk(solver, &table[i]) == taken) {
            snprintf(text + used, size - used, "%s%s", before, table[i].name);
            before = ", ";
        }
    }
}

/* The names of losses, or "all but ..." if the solver takes all scalar losses. */
static void describe_losses(const struct solver *solver, char *text, size_t size) {
    bool takes_all = solver->takes_loss == NULL && solver->needs != SOLVER_NEEDS_SMOOTH;
    snprintf(text, size, "%s", takes_all ? "all" : "");
    if (takes_all)
        join_risks(solver, false, " but ", text, size);
    else
        join_risks(solver, true, "", text, size);
}

/* The losses of the solver that a regularizer excludes. */
static void join_exceptions(const struct solver *solver, const char *regularizer, char *text,
                            size_t size) {
    int count;
    const struct loss *table = loss_table(&count);
    const char *before = " (not with ";
    bool any = false;
    for (int i = 0; i < count && solver->takes_pair != NULL; i++) {
        size_t used = strlen(text);
        if (solver_takes_loss(solver, &table[i]) &&
            !solver->takes_pair(&table[i], regularizer_by_name(regularizer))) {
            snprintf(text + used, size - used, "%s%s", before, table[i].name);
            before = ", ";
            any = true;
        }
    }
    snprintf(text + strlen(text), size - strlen(text), "%s", any ? ")" : "");
}

static void join_regularizers(const struct solver *solver, const char *const *names,
                              const char *before, char *text, size_t size) {
    for (int i = 0; names[i] != NULL; i++) {
        size_t used = strlen(text);
        snprintf(text + used, size - used, "%s%s", i > 0 ? ", " : before, names[i]);
        join_exceptions(solver, names[i], text, size);
    }
}

static void describe_regularizers(const struct solver *solver, char *text, size_t size) {
    text[0] = '\0';
    join_regularizers(solver, solver->regularizers, "", text, size);
    if (solver->single_regularizers != NULL)
        join_regularizers(solver, solver->single_regularizers,
                          "; for losses of one score, without -k: ", text, size);
}

/* The meaning of -e, or for a solver without -e what ends its run. */
static void describe_tolerance(const struct solver *solver, char *text, size_t size) {
    if (solver->tolerance != NULL) {
        snprintf(text, size, "%s (default %g)", solver->tolerance, solver->epsilon);
    } else {
        snprintf(text, size, "not used: the run ends %safter -p passes",
                 solver->stream != NULL ? "with the data, or " : "");
    }
}

static const char *describe_model(const struct solver *solver) {
    if (solver->is_kernel_expansion)
        return "coefficients of support vectors (--kernel) and basis functions (--basis)";
    return solver->stream != NULL
               ? "weights, from examples as they come, read once a pass (--map fourier: of random "
                 "features)"
               : "weights of the features (--map: of the features that it computes)";
}

static void print_solver_help(const struct train_command *command, FILE *stream) {
    const struct solver *solver = command->request.solver;
    const struct option_group *options_of_solver = request_group(&command->request, solver->name);
    char text[512];
    char passes[32];
    fprintf(stream, "%s -s %s: %s\n\n", program_name(), solver->name, solver->summary);
    print_property("reference", solver->reference, stream);
    print_property("model", describe_model(solver), stream);
    describe_losses(solver, text, sizeof text);
    print_property("losses", text, stream);
    describe_regularizers(solver, text, sizeof text);
    print_property("regularizers", text, stream);
    describe_tolerance(solver, text, sizeof text);
    print_property(solver->tolerance != NULL ? "-e, --epsilon X" : "tolerance", text, stream);
    describe_passes(solver, passes, sizeof passes);
    snprintf(text, sizeof text, "default %s", passes);
    print_property("-p, --passes N", text, stream);
    print_property("    --intercept", solver->offset ? "yes" : "no", stream);
    print_property("-k, --batch-size N", solver->batches ? "yes" : "no", stream);
    if (options_of_solver != NULL) {
        fputs("\nits own options:\n", stream);
        options_print_help(options_of_solver, stream);
    }
    fprintf(stream, "\n%s --help all prints the options that all solvers share.\n", program_name());
}

static void print_man_solvers(const struct train_command *command, FILE *stream) {
    int count;
    const struct solver *const *table = solver_table(&count);
    fputs(".SH SOLVERS\n", stream);
    for (int i = 0; i < count; i++) {
        const struct option_group *options_of_solver =
            request_group(&command->request, table[i]->name);
        char passes[32], tolerance[256], losses[256], regularizers[256];
        fputs(".SS ", stream);
        man_text(table[i]->name, stream);
        fputc('\n', stream);
        man_text(table[i]->summary, stream);
        fputs(".\n.PP\nReference: ", stream);
        man_text(table[i]->reference, stream);
        describe_losses(table[i], losses, sizeof losses);
        describe_regularizers(table[i], regularizers, sizeof regularizers);
        fputs(".\n.PP\nLosses: ", stream);
        man_text(losses, stream);
        fputs("; regularizers: ", stream);
        man_text(regularizers, stream);
        fputs(".\n.PP\n\\fB\\-e\\fR: ", stream);
        describe_tolerance(table[i], tolerance, sizeof tolerance);
        man_text(tolerance, stream);
        fputs("; ", stream);
        describe_passes(table[i], passes, sizeof passes);
        fprintf(stream, "\\fB\\-p\\fR: default %s.\n", passes);
        if (options_of_solver != NULL)
            options_print_man(options_of_solver, stream);
    }
}

static void print_man_defaults(FILE *stream) {
    fputs(".SS Without \\-s\nThe first of these that fits the data and can do what the options ask "
          "for:\n",
          stream);
    print_rules(".PP\nWith %s:\n", man_entry, stream);
    fputs(".PP\n", stream);
    man_text(default_trials_when, stream);
    fputc('\n', stream);
    print_trials(man_entry, stream);
    fprintf(stream, ".PP\n%s\n", meanings);
}

static void print_man_losses(FILE *stream) {
    int count;
    const struct risk_row *losses = risk_table(&count);
    const struct regularizer *regularizers;
    fputs(".SH LOSSES\n", stream);
    man_text(letters, stream);
    fputc('\n', stream);
    for (int i = 0; i < count; i++)
        man_entry(losses[i].name, losses[i].summary, stream);
    fputs(".SH REGULARIZERS\n", stream);
    regularizers = regularizer_table(&count);
    for (int i = 0; i < count; i++)
        man_entry(regularizers[i].name, regularizers[i].summary, stream);
}

static void print_man(const struct train_command *command, FILE *stream) {
    char text[1024];
    program_use_installed_names();
    man_title(stream);
    fputs(".SH NAME\n", stream);
    man_text(program_name(), stream);
    fprintf(stream, " \\- %s\n.SH SYNOPSIS\n", processes_texts.summary);
    man_text(program_text(processes_texts.synopsis, text, sizeof text), stream);
    fputs("\n.SH DESCRIPTION\nTrains a linear model or a kernel machine and writes it: minimizes "
          "lambda Omega(w) + R(w) over the weights w, where Omega is the regularizer and R the "
          "mean loss.\n"
          "\\fITRAINING_FILE\\fR is svmlight text, plain or compressed. \\fIMODEL_FILE\\fR is by "
          "default the name of \\fITRAINING_FILE\\fR, without its folder, and \\(lq.model\\(rq, in "
          "the current folder. \\(lq\\-\\(rq is standard input or output.\n",
          stream);
    if (processes_texts.about != NULL) {
        fputs(".PP\n", stream);
        man_text(program_text(processes_texts.about, text, sizeof text), stream);
        fputc('\n', stream);
    }
    fputs(".SH OPTIONS\n", stream);
    options_print_man(&command->request.groups[0], stream);
    options_print_man(&command->request.groups[1], stream);
    print_man_solvers(command, stream);
    print_man_defaults(stream);
    print_man_losses(stream);
    fputs(".SH EXIT STATUS\n0 success, 1 failure (data, input or output, memory), 2 usage,\n3 with "
          "\\fB\\-\\-strict\\fR: the run did not reach its tolerance, or its model is no "
          "better than all weights 0 and these are not within \\fB\\-e\\fR of the optimum.\n"
          ".PP\nSIGINT, SIGTERM, SIGUSR1 or SIGHUP ends training early: the model reached so far "
          "is written with the status \\(lqinterrupted\\(rq, and the program ends by the signal "
          "(130, 143, 138 or 129 in a shell), so that loops and makefiles end, too; a second "
          "signal ends at once.\n"
          ".SH EXAMPLES\n",
          stream);
    for (int i = 0; i < EXAMPLES; i++)
        man_entry(program_text(examples[i].command, text, sizeof text), examples[i].what, stream);
    fputs(".SH SEE ALSO\n.BR librrm\\-predict (1),\n.BR librrm\\-scale (1),\n.BR librrm\\-convert "
          "(1),\n"
          ".BR librrm\\-weights (1),\n.BR librrm\\-plot (1),\n.BR librrm\\-formats (5)\n",
          stream);
}

void train_help(const struct train_command *command, FILE *stream) {
    switch (command->action) {
    case TRAIN_HELP:
        print_help(command, stream);
        break;
    case TRAIN_SOLVER_HELP:
        print_solver_help(command, stream);
        break;
    case TRAIN_VERSION:
        fputs(RRM_VERSION "\n", stream);
        break;
    case TRAIN_MAN:
        print_man(command, stream);
        break;
    case TRAIN_LIST_SOLVERS:
        list_solvers(stream);
        list_defaults(stream);
        break;
    case TRAIN_LIST_LOSSES:
        list_losses(stream);
        break;
    case TRAIN_LIST_REGULARIZERS:
        list_regularizers(stream);
        break;
    case TRAIN_RUN:
        break;
    }
}
