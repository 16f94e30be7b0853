/* train_command.c - the command line of train, understood and checked before any data is read; only
 * the default solver waits for the data. */
#include "cli/train_command.h"

#include "io/memory.h"
#include "training/check.h"
#include "training/default_solver.h"

#include <math.h>
#include <omp.h>
#include <stdlib.h>
#include <string.h>

static int add_group(struct train_command *command, const char *owner,
                     const struct option_row *rows, int count, void *settings, struct error *e) {
    struct option_group *group = &command->groups[command->group_count];

    *group =
        (struct option_group){.owner = owner, .rows = rows, .count = count, .settings = settings};
    command->group_count++; /* from here on it is freed with the rest */
    group->given = memory_zeroed(count, sizeof *group->given, "options", e);
    return settings == NULL || group->given == NULL ? -1 : 0;
}

static int make_groups(struct train_command *command, struct error *e) {
    int solvers, count;
    const struct solver *const *solver = solver_table(&solvers);
    const struct option_row *rows = train_option_rows(&count);

    command->groups = memory_zeroed(1 + solvers, sizeof *command->groups, "options", e);
    if (command->groups == NULL ||
        add_group(command, NULL, rows, count, &command->settings, e) != 0) {
        return -1;
    }
    for (int i = 0; i < solvers; i++) {
        if (solver[i]->option_count > 0 &&
            add_group(command, solver[i]->name, solver[i]->options, solver[i]->option_count,
                      memory_zeroed(1, solver[i]->settings_size, "options", e), e) != 0) {
            return -1;
        }
    }
    return 0;
}

const struct option_group *train_command_group(const struct train_command *command,
                                               const char *solver) {
    for (int g = 1; g < command->group_count; g++) {
        if (strcmp(command->groups[g].owner, solver) == 0) {
            return &command->groups[g];
        }
    }
    return NULL;
}

static bool wants_list(const char *name) {
    return name != NULL && strcmp(name, "help") == 0;
}

static enum train_action find_action(const struct train_command *command, bool bare) {
    const struct train_settings *s = &command->settings;

    if (s->version) {
        return TRAIN_VERSION;
    }
    if (s->man) {
        return TRAIN_MAN;
    }
    if (wants_list(s->solver)) {
        return TRAIN_LIST_SOLVERS;
    }
    if (wants_list(s->loss)) {
        return TRAIN_LIST_LOSSES;
    }
    if (wants_list(s->regularizer)) {
        return TRAIN_LIST_REGULARIZERS;
    }
    if (s->help && s->solver != NULL) {
        return TRAIN_SOLVER_HELP;
    }
    return s->help || bare ? TRAIN_HELP : TRAIN_RUN;
}

/* What the solver takes where nothing was given. */
static void fill_in_solver(struct train_command *command) {
    const struct option_group *own = train_command_group(command, command->solver->name);
    struct train_settings *s = &command->settings;

    if (!option_given(&command->groups[0], "epsilon")) {
        s->epsilon = command->solver->epsilon;
    }
    if (!command->passes_given) {
        s->passes = command->solver->passes;
    }
    command->own = own != NULL ? own->settings : NULL;
}

/* What holds where nothing was given. */
static void fill_in(struct train_command *command) {
    const struct option_group *group = &command->groups[0];
    struct train_settings *s = &command->settings;

    command->solver_given = option_given(group, "solver");
    command->cost_given = option_given(group, "cost");
    command->positive_given = option_given(group, "positive");
    command->passes_given = option_given(group, "passes");
    if (!option_given(group, "time-limit")) {
        s->time_limit = INFINITY;
    }
    if (!command->cost_given) {
        s->cost = NAN;
    }
    if (command->regularizer->constraint && !option_given(group, "lambda")) {
        s->lambda = NAN;
    }
    if (!command->positive_given) {
        s->positive = NAN;
    }
    if (s->threads == 0) {
        int threads = omp_get_max_threads(); /* the processors, or OMP_NUM_THREADS */
        s->threads = threads < MOST_THREADS ? threads : MOST_THREADS;
    }
    if (command->solver_given) {
        fill_in_solver(command);
    }
}

/* The training file's base name, without ".gz", + ".model". */
static int make_model_path(struct train_command *command, struct error *e) {
    const char *slash = strrchr(command->data_path, '/');
    const char *base = slash != NULL ? slash + 1 : command->data_path;
    size_t length = strlen(base);
    size_t size = length + sizeof ".model";

    if (strcmp(command->data_path, "-") == 0) {
        return error_usage(e, "MODEL_FILE is missing: data from standard input has no name to "
                              "derive it from");
    }
    if (length > 3 && strcmp(base + length - 3, ".gz") == 0) {
        length -= 3;
    }
    command->default_model_path = memory_new((int64_t)size, 1, "a file name", e);
    if (command->default_model_path == NULL) {
        return -1;
    }
    snprintf(command->default_model_path, size, "%.*s.model", (int)length, base);
    command->model_path = command->default_model_path;
    return 0;
}

static int take_operands(struct train_command *command, int count, char **operand,
                         struct error *e) {
    if (count == 0) {
        return error_usage(e, "TRAINING_FILE is missing; --help shows how to call train");
    }
    if (count > 2) {
        return error_usage(e,
                           "%.200s: one operand too many; train takes TRAINING_FILE and "
                           "MODEL_FILE",
                           operand[2]);
    }
    if (operand[0][0] == '\0' || (count == 2 && operand[1][0] == '\0')) {
        return error_usage(e, "%s is empty; train takes the names of two files",
                           operand[0][0] == '\0' ? "TRAINING_FILE" : "MODEL_FILE");
    }
    command->data_path = operand[0];
    if (count == 2 && command->settings.folds > 0 && command->settings.path == 0) {
        return error_usage(e, "%.200s: -v writes no model; leave MODEL_FILE out", operand[1]);
    }
    if (count == 2) {
        command->model_path = operand[1];
        return 0;
    }
    return command->settings.folds > 0 ? 0 : make_model_path(command, e);
}

int train_command_parse(int argc, char **argv, struct train_command *command, struct error *e) {
    int first;

    *command = (struct train_command){0};
    if (make_groups(command, e) != 0) {
        return -1;
    }
    first = options_parse(argc, argv, command->groups, command->group_count, e);
    if (first < 0) {
        return -1;
    }
    command->action = find_action(command, argc <= 1);
    if (command->action != TRAIN_RUN && command->action != TRAIN_SOLVER_HELP) {
        return 0;
    }
    if (train_find_names(command, e) != 0) {
        return -1;
    }
    if (command->action == TRAIN_SOLVER_HELP) {
        return 0;
    }
    fill_in(command);
    if (train_check(command, e) != 0) {
        return -1;
    }
    return take_operands(command, argc - first, argv + first, e);
}

static struct choice make_choice(const struct train_command *command, const struct dataset *data,
                                 int64_t outputs, double lambda) {
    const struct train_settings *s = &command->settings;
    int64_t features = data->features + (s->bias >= 0) + s->intercept;

    return (struct choice){.wish = train_wish(command),
                           .lambda = lambda,
                           .epsilon = option_given(&command->groups[0], "epsilon") ? s->epsilon : 0,
                           .rows = data->rows,
                           .features = features,
                           .weights = features * outputs,
                           .nonzeros = data->nonzeros};
}

const struct solver *train_command_default(const struct train_command *command,
                                           const struct dataset *data, int64_t outputs,
                                           double lambda) {
    struct choice choice = make_choice(command, data, outputs, lambda);

    choice.wish.batches = false;
    return default_solver(&choice);
}

int train_command_choose(struct train_command *command, const struct dataset *data, int64_t outputs,
                         double lambda, struct error *e) {
    struct train_settings *s = &command->settings;
    struct choice choice;
    struct error wrong = {0};

    command->window = data->window != NULL;
    if (command->window && s->folds > 0) {
        return error_usage(e, "-v needs all mapped examples in memory, %.3g MB; raise --memory",
                           8e-6 * (double)data->nonzeros);
    }
    if (command->solver_given) {
        return command->window ? train_check(command, e) : 0;
    }
    choice = make_choice(command, data, outputs, lambda);
    command->solver = default_solver(&choice);
    if (command->solver == NULL) {
        return error_usage(e,
                           "no solver can do this without all mapped examples in memory, %.0f "
                           "MB; raise --memory",
                           8e-6 * (double)data->nonzeros);
    }
    s->solver = command->solver->name;
    fill_in_solver(command);
    if (train_check(command, &wrong) != 0) {
        return error_usage(e, "solver %s (by default): %s", s->solver, wrong.words);
    }
    return 0;
}

void train_command_free(struct train_command *command) {
    for (int g = 0; g < command->group_count; g++) {
        free(command->groups[g].given);
        if (g > 0) {
            free(command->groups[g].settings);
        }
    }
    free(command->groups);
    free(command->default_model_path);
    train_settings_free(&command->settings);
    *command = (struct train_command){0};
}

struct run_settings train_run_settings(const struct train_command *command) {
    const struct train_settings *s = &command->settings;

    return (struct run_settings){.epsilon = s->epsilon,
                                 .passes = s->passes,
                                 .passes_given = command->passes_given,
                                 .batch_size = s->batch_size,
                                 .seed = s->seed,
                                 .warm = s->init != NULL};
}
