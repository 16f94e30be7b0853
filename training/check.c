/* check.c - names and combinations of options that train does not know or cannot do. */
#include "training/check.h"

#include "io/nearest.h"
#include "training/lambda_max.h"
#include "training/stream.h"

#include <math.h>
#include <string.h>

enum { NAMES_MOST = 64 };

static int unknown_name(const char *what, char letter, const char *name, const char *const *names,
                        struct error *e) {
    const char *near = nearest_name(name, names);

    if (near != NULL) {
        return error_usage(e, "unknown %s %.80s; did you mean %s?", what, name, near);
    }
    return error_usage(e, "unknown %s %.80s; -%c help lists them", what, name, letter);
}

static int find_solver(struct train_command *command, struct error *e) {
    const char *names[NAMES_MOST + 1] = {NULL};
    int count;
    const struct solver *const *table = solver_table(&count);

    if (command->settings.solver == NULL) {
        return 0; /* chosen once the data are known */
    }
    command->solver = solver_by_name(command->settings.solver);
    for (int i = 0; i < count && i < NAMES_MOST; i++) {
        names[i] = table[i]->name;
    }
    return command->solver != NULL
               ? 0
               : unknown_name("solver", 's', command->settings.solver, names, e);
}

static int find_loss(struct train_command *command, struct error *e) {
    const char *names[NAMES_MOST + 1] = {NULL};
    int count;
    const struct risk_row *table = risk_table(&count);

    command->risk = risk_row_by_name(command->settings.loss);
    for (int i = 0; i < count && i < NAMES_MOST; i++) {
        names[i] = table[i].name;
    }
    return command->risk != NULL ? 0 : unknown_name("loss", 'L', command->settings.loss, names, e);
}

/* That of --ball, or of -r, which cannot be a ball, as it has no size, or the loss's. */
static int find_regularizer(struct train_command *command, struct error *e) {
    const char *names[NAMES_MOST + 1] = {NULL};
    struct train_settings *s = &command->settings;
    const char *given = s->ball != NULL ? s->ball : s->regularizer;
    const char *wanted = given != NULL ? given : command->risk->regularizer;
    int count, known = 0;
    const struct regularizer *table = regularizer_table(&count);

    command->regularizer = regularizer_by_name(wanted);
    for (int i = 0; i < count && known < NAMES_MOST; i++) {
        if (table[i].ball == NULL) {
            names[known++] = table[i].name;
        }
    }
    if (command->regularizer == NULL) {
        return unknown_name("regularizer", 'r', wanted, names, e);
    }
    if (command->regularizer->ball != NULL && s->ball == NULL) {
        return error_usage(e, "-r %s: a ball needs a size; see --ball", wanted);
    }
    s->regularizer = command->regularizer->name;
    return 0;
}

int train_find_names(struct train_command *command, struct error *e) {
    return find_solver(command, e) == 0 && find_loss(command, e) == 0 &&
                   find_regularizer(command, e) == 0
               ? 0
               : -1;
}

struct wish train_wish(const struct train_command *command) {
    const struct option_group *group = &command->groups[0];

    return (struct wish){.risk = command->risk,
                         .regularizer = command->regularizer,
                         .intercept = command->settings.intercept,
                         .map = command->settings.kernel.map != MAP_NONE,
                         .window = command->window,
                         .batches = option_given(group, "batch-size"),
                         .tolerance =
                             option_given(group, "epsilon") && command->settings.epsilon > 0};
}

/* "solver NAME cannot ...; these can: a, b". */
static int refuse_solver(const struct wish *wish, const char *name, const char *lack,
                         struct error *e) {
    char list[384];

    if (solvers_that_fit(wish, list, sizeof list) == 0) {
        char asked[128];
        wish_describe(wish, asked, sizeof asked);
        return error_usage(e, "no solver can do all of %s", asked);
    }
    return error_usage(e, "solver %s %s; these can: %s", name, lack, list);
}

/* The solver of -s, or whatever the default may be. */
static int check_solver(const struct train_command *command, struct error *e) {
    const struct solver *solver = command->solver;
    struct wish wish = train_wish(command);
    struct run_settings run = train_run_settings(command);
    struct demand demand = {.risk = command->risk,
                            .loss = command->risk->scalar,
                            .regularizer = command->regularizer,
                            .intercept = command->settings.intercept,
                            .run = &run,
                            .own = command->own};
    const char *name = solver != NULL ? solver->name : NULL;
    char lack[96], list[384];

    if (solver == NULL ? solvers_that_fit(&wish, list, sizeof list) == 0
                       : !solver_fits(solver, &wish, lack, sizeof lack)) {
        return refuse_solver(&wish, name, lack, e);
    }
    if (options_check_owner(command->groups, command->group_count, name, e) != 0) {
        return -1;
    }
    if (solver != NULL && solver->stream != NULL && stream_check(command, e) != 0) {
        return -1;
    }
    return solver == NULL || solver->check == NULL ? 0 : solver->check(&demand, e);
}

static int refuse_regression(const struct train_command *command, const char *option,
                             struct error *e) {
    return error_usage(e,
                       "%s needs labels that are classes, but those of %s are no classes; "
                       "-L hinge, for instance, works",
                       option, command->risk->name);
}

/* The parameter of a loss or regularizer was given with another one. */
static int check_parameters(const struct train_command *command, struct error *e) {
    static const struct {
        const char *option, *loss, *regularizer, *ball;
    } rows[] = {{"tube", "epsilon", NULL, NULL},
                {"quantile", "quantile", NULL, NULL},
                {"huber", "huber", NULL, NULL},
                {"nu", "boost", NULL, NULL},
                {"places", "ndcg", NULL, NULL},
                {"eta", "boost", NULL, NULL},
                {"elastic", NULL, "elastic-net", "elastic-net-ball"}};
    char chosen[64];

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const char *loss = rows[i].loss, *name = command->regularizer->name;
        if (!option_given(&command->groups[0], rows[i].option)) {
            continue;
        }
        if (loss != NULL && strcmp(loss, command->risk->name) != 0) {
            return error_usage(e, "--%s is for -L %s, not for -L %s", rows[i].option, loss,
                               command->risk->name);
        }
        if (loss == NULL && strcmp(name, rows[i].regularizer) != 0 &&
            strcmp(name, rows[i].ball) != 0) {
            regularizer_describe(command->regularizer, chosen, sizeof chosen);
            return error_usage(e, "--%s is for -r %s and --ball %s, not for %s", rows[i].option,
                               rows[i].regularizer, rows[i].regularizer, chosen);
        }
    }
    return 0;
}

/* A constraint stands in place of a penalty and its lambda. */
static int check_constraint(const struct train_command *command, struct error *e) {
    const struct option_group *group = &command->groups[0];
    const struct train_settings *s = &command->settings;
    const struct regularizer *regularizer = command->regularizer;

    if (s->ball != NULL && option_given(group, "regularizer")) {
        return error_usage(e, "-r and --ball exclude each other: a ball stands in place of -r");
    }
    if (regularizer->constraint && (option_given(group, "lambda") || command->cost_given)) {
        return error_usage(e, "-%c and %s exclude each other: a constraint has no lambda",
                           command->cost_given ? 'c' : 'l',
                           s->ball != NULL ? "--ball" : "-r simplex");
    }
    if (regularizer->ball != NULL && isinf(regularizer->ball(&s->regularizer_parameters).k)) {
        return error_usage(e, "--ball elastic-net needs --elastic below 1");
    }
    return 0;
}

/* What the risk itself cannot go with. */
static int check_risk(const struct train_command *command, struct error *e) {
    const struct train_settings *s = &command->settings;
    const struct risk_row *risk = command->risk;
    const struct risk_demand demand = {.regularizer = command->regularizer,
                                       .parameters = &s->regularizer_parameters,
                                       .constants = s->bias >= 0 || s->intercept};

    if (option_given(&command->groups[0], "at") && !risk->cut) {
        return error_usage(e, "--at is for -L precision and -L ndcg, not for -L %s", risk->name);
    }
    if (task_has_groups(risk->task) && s->class_weights > 0) {
        return error_usage(e, "-w is not for -L %s, whose examples are groups of rows (qid)",
                           risk->name);
    }
    if (risk->check != NULL && risk->check(&demand, e) != 0) {
        return -1;
    }
    if (s->intercept && risk->no_offset != NULL) {
        return error_usage(e, "-L %s has no --intercept; %s", risk->name, risk->no_offset);
    }
    return 0;
}

/* A path begins at lambda_max, where the weights are all 0. */
static int check_path(const struct train_command *command, struct error *e) {
    if (command->settings.path == 0) {
        return 0;
    }
    if (!lambda_max_exists(command)) {
        return error_usage(e, "--path needs a regularizer with a 1-norm; these work: -r l1, "
                              "-r elastic-net with --elastic below 1");
    }
    if (!lambda_max_known(command)) {
        return error_usage(e,
                           "--path with --intercept needs a smooth loss, not %s; -B 1 works in "
                           "place of --intercept",
                           command->risk->name);
    }
    if (command->settings.init != NULL) {
        return error_usage(e, "-i and --path exclude each other: a path starts from weights of 0");
    }
    return 0;
}

int train_check(const struct train_command *command, struct error *e) {
    const struct option_group *group = &command->groups[0];

    if (option_given(group, "lambda") && command->cost_given) {
        return error_usage(e, "-l and -c exclude each other: lambda = 1/(C m)");
    }
    if (!task_has_classes(command->risk->task) && command->positive_given) {
        return refuse_regression(command, "-P", e);
    }
    if (!task_has_classes(command->risk->task) && command->settings.class_weights > 0) {
        return refuse_regression(command, "-w", e);
    }
    if (check_parameters(command, e) != 0 || check_constraint(command, e) != 0 ||
        check_risk(command, e) != 0 || check_path(command, e) != 0 ||
        kernel_options_check(command, e) != 0) {
        return -1;
    }
    return check_solver(command, e);
}
