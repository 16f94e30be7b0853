/* check.c - names and combinations of settings that training does not know or cannot do. */
#include "training/defaults/check.h"

#include "io/model/model.h"
#include "io/nearest.h"
#include "training/defaults/linear_kernel.h"
#include "training/request/kernel_lists.h"
#include "training/request/kernel_settings.h"
#include "training/run/lambda_max.h"
#include "training/run/resumption.h"
#include "training/run/scale_data.h"
#include "training/search/measure_choice.h"

#include <math.h>
#include <string.h>

enum { MAX_NAMES = 64, LIST = 384 };

static int unknown_name(const struct training_request *request, const char *what, char letter,
                        const char *name, const char *const *names, struct error *e) {
    const char *nearest = nearest_name(name, names);
    if (nearest != NULL)
        return error_usage(e, "unknown %s %.80s; did you mean %s?", what, name, nearest);
    return error_usage(e, "unknown %s %.80s; %s-%c help lists them", what, name, request->lister,
                       letter);
}

static int find_solver(struct training_request *request, struct error *e) {
    const char *names[MAX_NAMES + 1] = {NULL};
    int count;
    const struct solver *const *table = solver_table(&count);
    if (request->settings.solver == NULL)
        return 0; /* chosen once the data are known */
    request->solver = solver_by_name(request->settings.solver);
    for (int i = 0; i < count && i < MAX_NAMES; i++)
        names[i] = table[i]->name;
    return request->solver != NULL
               ? 0
               : unknown_name(request, "solver", 's', request->settings.solver, names, e);
}

static int find_loss(struct training_request *request, struct error *e) {
    const char *names[MAX_NAMES + 1] = {NULL};
    int count;
    const struct risk_row *table = risk_table(&count);
    request->risk = risk_row_by_name(request->settings.loss);
    for (int i = 0; i < count && i < MAX_NAMES; i++)
        names[i] = table[i].name;
    return request->risk != NULL
               ? 0
               : unknown_name(request, "loss", 'L', request->settings.loss, names, e);
}

/* The regularizer of --ball, else that of -r (no ball: -r gives no size), else the loss's default. */
static int find_regularizer(struct training_request *request, struct error *e) {
    const char *names[MAX_NAMES + 1] = {NULL};
    struct train_settings *s = &request->settings;
    const char *given = s->ball != NULL ? s->ball : s->regularizer;
    const char *chosen = given != NULL ? given : request->risk->regularizer;
    int count, known = 0;
    const struct regularizer *table = regularizer_table(&count);
    request->regularizer = regularizer_by_name(chosen);
    for (int i = 0; i < count && known < MAX_NAMES; i++)
        if (table[i].ball == NULL)
            names[known++] = table[i].name;
    if (request->regularizer == NULL)
        return unknown_name(request, "regularizer", 'r', chosen, names, e);
    if (request->regularizer->ball != NULL && s->ball == NULL)
        return error_usage(e, "-r %s: a ball needs a size; see --ball", chosen);
    s->regularizer = request->regularizer->name;
    return 0;
}

int request_find_names(struct training_request *request, struct error *e) {
    return find_solver(request, e) == 0 && find_loss(request, e) == 0 &&
                   find_regularizer(request, e) == 0
               ? 0
               : -1;
}

/* A kernel without --map, and not a linear one that a linear solver answers. */
static bool needs_kernel(const struct training_request *request) {
    bool expands = request->solver_given && kernel_settings_expands(request);
    return kernel_settings_exact(request) && (expands || !linear_kernel_answers(request));
}

struct solver_needs request_needs(const struct training_request *request) {
    return (struct solver_needs){.risk = request->risk,
                                 .regularizer = request->regularizer,
                                 .intercept = request->settings.intercept,
                                 .constant = request->settings.bias >= 0,
                                 .map = request->settings.kernel.map != MAP_NONE,
                                 .kernel = needs_kernel(request),
                                 .window = request->window,
                                 .batches = request_given(request, "batch-size"),
                                 .tolerance = request_given(request, "epsilon") &&
                                              request->settings.epsilon > 0,
                                 .distributed = request->distributed,
                                 .linearization = request->settings.path_gap > 0};
}

/* What a solver that meets the examples as they come cannot have. */
static int check_stream(const struct training_request *request, struct error *e) {
    const struct train_settings *s = &request->settings;
    const char *name = request->solver->name;
    if (request->read_first != NULL)
        return error_usage(e, "solver %s reads the text as a stream; leave out %s", name,
                           request->read_first);
    if (s->folds > 0) {
        return error_usage(e, "solver %s sees a stream, which has no folds (-v); -s asset works",
                           name);
    }
    if (request->cost_given) {
        return error_usage(
            e, "solver %s does not know the number of examples that -c needs; give -l", name);
    }
    if (request->weights_given)
        return error_usage(e, "solver %s has no --weights; \"cost:\" in the data works", name);
    if (s->bias >= 0)
        return error_usage(e, "solver %s has no constant feature (-B)%s", name,
                           request->solver->offset ? "; --intercept works" : "");
    if (s->kernel.map == MAP_NYSTROM) {
        return error_usage(e,
                           "solver %s cannot choose landmarks among examples that are yet to come; "
                           "--map fourier works",
                           name);
    }
    if (s->passes != floor(s->passes))
        return error_usage(e, "-p %g: solver %s makes whole passes", s->passes, name);
    return 0;
}

/* --checkpoint: what can save its state and go on. */
static int check_checkpoint(const struct training_request *request, struct error *e) {
    const char *text = request->settings.checkpoint;
    struct resumption found;
    if (text == NULL)
        return 0;
    int status = resumption_find(text, &found, e);
    resumption_free(&found);
    if (status != 0)
        return -1;
    if (request->distributed)
        return error_usage(e, "--checkpoint is for one process: start one, without mpirun");
    if (request->settings.path_gap > 0)
        return error_usage(e, "--checkpoint and --path certified exclude each other");
    if (request->solver != NULL && !request->solver->goes_on)
        return error_usage(e, "solver %s cannot save its state; leave out --checkpoint",
                           request->solver->name);
    return 0;
}

/* What the request's solver itself refuses, where it can do what is needed. */
static int check_taken(const struct training_request *request, struct error *e) {
    const struct solver *solver = request->solver;
    struct run_settings run = request_run_settings(request);
    bool sees_scores = !request->distributed || solver_sums_scores(solver);
    struct solver_request asked = {.risk = request->risk,
                                   .loss = sees_scores ? request->risk->scalar : NULL,
                                   .regularizer = request->regularizer,
                                   .intercept = request->settings.intercept,
                                   .run = &run,
                                   .epsilon = request->settings.epsilon,
                                   .options = request->options};
    if (solver->stream != NULL && check_stream(request, e) != 0)
        return -1;
    return solver->check == NULL ? 0 : solver->check(&asked, e);
}

static int refuse_regression(const struct training_request *request, const char *option,
                             struct error *e) {
    return error_usage(e,
                       "%s needs labels that are classes, and -L %s has none; -L hinge, for "
                       "instance, works",
                       option, request->risk->name);
}

/* The parameter of a loss or regularizer was given with another one. */
static int check_parameters(const struct training_request *request, struct error *e) {
    static const struct {
        const char *option, *loss, *second_loss, *regularizer, *ball;
    } rows[] = {{"tube", "epsilon", "squared-epsilon", NULL, NULL},
                {"quantile", "quantile", NULL, NULL, NULL},
                {"huber", "huber", NULL, NULL, NULL},
                {"places", "ndcg", NULL, NULL, NULL},
                {"eta", "boost", NULL, NULL, NULL},
                {"elastic", NULL, NULL, "elastic-net", "elastic-net-ball"}};
    char chosen[64];
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const char *loss = rows[i].loss, *second = rows[i].second_loss;
        const char *name = request->regularizer->name;
        if (!request_given(request, rows[i].option))
            continue;
        bool taken = loss == NULL || strcmp(loss, request->risk->name) == 0 ||
                     (second != NULL && strcmp(second, request->risk->name) == 0);
        if (!taken) {
            return error_usage(e, "--%s is for -L %s%s%s, not for -L %s", rows[i].option, loss,
                               second != NULL ? " and " : "", second != NULL ? second : "",
                               request->risk->name);
        }
        if (loss == NULL && strcmp(name, rows[i].regularizer) != 0 &&
            strcmp(name, rows[i].ball) != 0) {
            regularizer_describe(request->regularizer, chosen, sizeof chosen);
            return error_usage(e, "--%s is for -r %s and --ball %s, not for %s", rows[i].option,
                               rows[i].regularizer, rows[i].regularizer, chosen);
        }
    }
    return 0;
}

/* nu is a share of the examples where something is learned from it, and a number of examples for boost. */
static int check_nu(const struct training_request *request, struct error *e) {
    const struct risk_row *risk = request->risk;
    double nu = request->settings.nu;
    if (!request_given(request, "nu"))
        return 0;
    if (!risk->boosts && risk->learned == LEARNS_NOTHING)
        return error_usage(
            e, "--nu is for -L nu-hinge, nu-epsilon, one-class and boost, not for -L %s",
            risk->name);
    if (risk->boosts && nu < 1)
        return error_usage(e, "--nu %g: out of range: at least 1", nu);
    if (!risk->boosts && nu > 1)
        return error_usage(e, "--nu %g: out of range: -L %s takes a share of at most 1", nu,
                           risk->name);
    return 0;
}

/* What has no use where the margin, or the level, is learned: the weights are the same for any lambda but for their
 * size. */
static int check_learned(const struct training_request *request, struct error *e) {
    const struct train_settings *s = &request->settings;
    const char *name = request->risk->name;
    bool level = request->risk->learned == LEARNS_LEVEL;
    if (!level && request->risk->learned != LEARNS_MARGIN)
        return 0;
    if (request_given(request, "lambda") || request->cost_given)
        return error_usage(e, "-L %s has no -%c: --nu takes its place", name,
                           request->cost_given ? 'c' : 'l');
    if (s->path > 0)
        return error_usage(e, "-L %s has no --path: there is no lambda", name);
    if (level && (request->positive_given || s->class_weights > 0))
        return error_usage(e, "-L one-class has no -%c: it ignores the labels",
                           request->positive_given ? 'P' : 'w');
    if (level && request_given(request, "multiclass"))
        return error_usage(e, "-L one-class has no --multiclass: it ignores the labels");
    if (level && (request_given(request, "basis") || request_given(request, "basis-only")))
        return error_usage(e, "-L one-class has no basis functions: rho is its offset");
    if (level && s->bias >= 0)
        return error_usage(e, "-L one-class has no constant feature (-B): rho is its offset");
    return 0;
}

/* A constraint stands in place of a penalty and its lambda. */
static int check_constraint(const struct training_request *request, struct error *e) {
    const struct train_settings *s = &request->settings;
    const struct regularizer *regularizer = request->regularizer;
    if (s->ball != NULL && request_given(request, "regularizer"))
        return error_usage(e, "-r and --ball exclude each other: a ball replaces -r");
    if (regularizer->constraint && (request_given(request, "lambda") || request->cost_given)) {
        return error_usage(e, "-%c and %s exclude each other: a constraint has no lambda",
                           request->cost_given ? 'c' : 'l',
                           s->ball != NULL ? "--ball" : "-r simplex");
    }
    if (regularizer->ball != NULL && isinf(regularizer->ball(&s->regularizer_parameters).k))
        return error_usage(e, "--ball elastic-net needs --elastic below 1");
    return 0;
}

/* What the risk itself cannot go with. */
static int check_risk(const struct training_request *request, struct error *e) {
    const struct train_settings *s = &request->settings;
    const struct risk_row *risk = request->risk;
    const struct risk_request asked = {.regularizer = request->regularizer,
                                       .parameters = &s->regularizer_parameters,
                                       .constants = s->bias >= 0 || s->intercept};
    if (request_given(request, "at") && !risk->cut)
        return error_usage(e, "--at is for -L precision and -L ndcg, not for -L %s", risk->name);
    if (request_given(request, "state-features") && risk->task != TASK_SEQUENCES)
        return error_usage(e, "--state-features is for -L crf and -L m3n, not for -L %s",
                           risk->name);
    if (task_has_groups(risk->task) && s->class_weights > 0) {
        return error_usage(e, "-w is not for -L %s, whose examples are groups of rows (qid)",
                           risk->name);
    }
    if (risk->check != NULL && risk->check(&asked, e) != 0)
        return -1;
    if (s->intercept && risk->no_offset != NULL)
        return error_usage(e, "-L %s has no --intercept; %s", risk->name, risk->no_offset);
    return 0;
}

/* A certified path. */
static int check_certified(const struct training_request *request, struct error *e) {
    const struct train_settings *s = &request->settings;
    if (s->path_gap == 0)
        return 0;
    if (s->folds > 0 || request->held_out)
        return error_usage(e, "--path certified and %s exclude each other; --path N goes with it",
                           request->held_out ? "--validation"
                           : s->search       ? "--search"
                                             : "-v");
    if (request_given(request, "epsilon") && !(s->epsilon > 0 && s->epsilon < s->path_gap))
        return error_usage(e,
                           "-e %g: --path certified=%g needs a smaller gap of each solve, above 0",
                           s->epsilon, s->path_gap);
    return 0;
}

/* A path begins at its FROM, or where the weights are all 0, if that is known. */
static int check_path(const struct training_request *request, struct error *e) {
    const struct train_settings *s = &request->settings;
    if (s->path == 0)
        return 0;
    if (request->regularizer->constraint)
        return error_usage(e, "--path needs a lambda, which a constraint does not have");
    if (s->path_to > 0 && (request_given(request, "lambda") || request->cost_given))
        return error_usage(e, "-%c and the ends of --path exclude each other",
                           request->cost_given ? 'c' : 'l');
    if (s->path_from == 0 && !kernel_settings_expands(request) && lambda_max_exists(request) &&
        !lambda_max_known(request)) {
        return error_usage(e,
                           "--path with --intercept needs a smooth loss, not %s, or its ends: "
                           "--path %.40s,FROM,TO",
                           request->risk->name, s->path_text);
    }
    if (request->solver != NULL && request->solver->stream != NULL)
        return error_usage(e, "solver %s sees a stream, which has no --path",
                           request->solver->name);
    if (request->start_given)
        return error_usage(e, "-i and --path exclude each other: a path starts from weights of 0");
    return check_certified(request, e);
}

/* What chooses a lambda, and what it is chosen by. */
static int check_chosen(const struct training_request *request, struct error *e) {
    const struct train_settings *s = &request->settings;
    bool chooses = s->path > 0 && (s->folds > 0 || request->held_out);
    bool stops = request->held_out && s->path == 0;
    const struct kernel_list *list;
    const char *several = kernel_lists_several(&s->kernel, &list);
    if (request->held_out && s->folds > 0)
        return error_usage(e, "-v and --validation exclude each other");
    if (stops && (request->solver == NULL || !request->solver->judged))
        return error_usage(e, "--validation chooses a lambda: give --search or --path, too; or it "
                              "ends the passes of an online solver, such as -s pegasos");
    if (stops && (s->checkpoint != NULL || s->probabilities == 1))
        return error_usage(e, "%s and --validation without --search exclude each other",
                           s->checkpoint != NULL ? "--checkpoint" : "-b 1");
    if (request->held_out && (s->kernel.map != MAP_NONE || request->distributed))
        return error_usage(e, "--validation and %s exclude each other",
                           request->distributed ? "several processes" : "--map");
    if (!chooses && ((s->measure != NULL && !stops) || request_given(request, "choose")))
        return error_usage(e, "--%s is for a choice of lambda: --search, or --path with -v",
                           s->measure != NULL && !stops ? "measure" : "choose");
    if (!chooses && several != NULL)
        return error_usage(e, "%s %.80s: several values need --search, which chooses one", several,
                           list->text);
    if (s->chosen == CHOSEN_ONE_SE && s->folds == 0)
        return error_usage(e, "--choose one-se needs folds (-v), which have a standard error");
    return measure_choice_check(request, e);
}

/* --multiclass and the losses that are trained so. */
static int check_multiclass(const struct training_request *request, struct error *e) {
    const struct risk_row *risk = request->risk;
    int wanted = request->settings.multiclass;
    bool joint = task_is_joint(risk->task);
    if (!request_given(request, "multiclass"))
        return 0;
    if (!task_has_classes(risk->task) || risk->task == TASK_SEQUENCES)
        return refuse_regression(request, "--multiclass", e);
    if (request->positive_given)
        return error_usage(e, "-P and --multiclass exclude each other: -P trains two classes");
    if (joint != (wanted == MULTICLASS_JOINT))
        return error_usage(
            e,
            joint
                ? "-L %s trains all classes together: --multiclass joint"
                : "-L %s does not train all classes together; -L crammer-singer and -L softmax do",
            risk->name);
    if (wanted == MULTICLASS_OVO && !model_loss_has_pairs(risk->name))
        return error_usage(
            e,
            "--multiclass ovo is for -L hinge, squared-hinge, logistic and nu-hinge, not for -L %s",
            risk->name);
    if (wanted == MULTICLASS_OVO && request->solver != NULL && request->solver->stream != NULL)
        return error_usage(e, "solver %s cannot train pairs of labels; -s asset works",
                           request->solver->name);
    return 0;
}

/* -b 1: whether sigmoids can be fitted. */
static int check_probabilities(const struct training_request *request, struct error *e) {
    const struct risk_row *risk = request->risk;
    const struct solver *solver = request->solver;
    if (request_given(request, "calibration") && !request_fits_sigmoids(request))
        return error_usage(e, "--calibration is for -b 1, and losses without probabilities of "
                              "their own, which logistic, softmax and crf have");
    if (request->settings.probabilities == 0)
        return 0;
    if (!task_has_classes(risk->task))
        return refuse_regression(request, "-b 1", e);
    if (risk->learned == LEARNS_LEVEL)
        return error_usage(e, "-L one-class has no probabilities (-b 1): it ignores the labels");
    if (risk->task == TASK_SEQUENCES && !risk->probabilities)
        return error_usage(e, "-L %s has no probabilities (-b 1); -L crf has", risk->name);
    if (request_fits_sigmoids(request) && solver != NULL && solver->stream != NULL)
        return error_usage(e,
                           "solver %s sees a stream, which has no folds for -b 1; -L logistic has "
                           "probabilities without it",
                           solver->name);
    return 0;
}

/* What needs all examples in one process. */
static int check_processes(const struct training_request *request, struct error *e) {
    static const char together[] = "needs all examples in one process: start one, without mpirun";
    const struct train_settings *s = &request->settings;
    if (!request->distributed)
        return 0;
    if (!request->risk->items || request->risk->learned != LEARNS_NOTHING)
        return error_usage(e, "-L %s %s", request->risk->name, together);
    if (s->folds > 0 || request_fits_sigmoids(request))
        return error_usage(e, "%s %s",
                           s->search      ? "--search"
                           : s->folds > 0 ? "-v"
                                          : "-b 1",
                           together);
    if (request_given(request, "batch-size"))
        return error_usage(
            e, "-k is for online solvers, and these need all examples in one process: start one, "
               "without mpirun, or leave -k out");
    if (needs_kernel(request) && (!request->solver_given || request->solver->is_kernel_expansion))
        return error_usage(e, "a kernel without --map %s", together);
    if (request->one_vs_one && request_given(request, "multiclass"))
        return error_usage(e, "--multiclass ovo %s", together);
    if (s->intercept && request->risk->scalar == NULL && request->risk->task != TASK_RANKING)
        return error_usage(e, "-L %s with --intercept %s; or use -B 1, a regularized offset",
                           request->risk->name, together);
    if (s->state_features == STATE_FEATURES_ATTESTED)
        return error_usage(e, "--state-features attested %s", together);
    return 0;
}

/* --search where there is no lambda to be searched; its -c and --path are not the user's. */
static int check_search(const struct training_request *request, struct error *e) {
    enum loss_learned learned = request->risk->learned;
    if (!request->settings.search)
        return 0;
    if (request->regularizer->constraint || learned == LEARNS_MARGIN || learned == LEARNS_LEVEL)
        return error_usage(e, "--search needs a lambda, which %s does not have",
                           request->regularizer->constraint ? "a constraint" : request->risk->name);
    if (request->start_given)
        return error_usage(e,
                           "-i and --search exclude each other: a path starts from weights of 0");
    return 0;
}

/* All but what the solver can do and takes. */
static int check_settings(const struct training_request *request, struct error *e) {
    if (check_processes(request, e) != 0)
        return -1;
    if (request_given(request, "lambda") && request->cost_given)
        return error_usage(e, "-l and -c exclude each other: lambda = 1/(C m)");
    if (!task_has_classes(request->risk->task) && request->positive_given)
        return refuse_regression(request, "-P", e);
    if (!task_has_classes(request->risk->task) && request->settings.class_weights > 0)
        return refuse_regression(request, "-w", e);
    if (check_search(request, e) != 0 || check_learned(request, e) != 0 ||
        check_multiclass(request, e) != 0 || check_probabilities(request, e) != 0 ||
        check_parameters(request, e) != 0 || check_nu(request, e) != 0 ||
        check_constraint(request, e) != 0 || check_risk(request, e) != 0 ||
        check_path(request, e) != 0 || check_chosen(request, e) != 0 ||
        kernel_settings_check(request, e) != 0 || scale_data_check(request, e) != 0 ||
        (!request->linear_kernel && linear_kernel_check(request, e) != 0))
        return -1;
    return check_checkpoint(request, e);
}

/* Whether the request would pass all checks with another solver, and without options of its own; WINDOW: if its
 * examples do not stay in memory. */
static bool would_do(const struct training_request *request, const struct solver *solver,
                     bool window) {
    const struct option_group *group = request_group(request, solver->name);
    struct training_request other = *request;
    struct error refused = {0};
    other.solver = solver;
    other.solver_given = true;
    other.options = group != NULL ? group->settings : NULL;
    if (!request_given(request, "epsilon"))
        other.settings.epsilon = solver->epsilon;
    struct solver_needs needs = request_needs(&other);
    needs.window = window;
    return solver_fits(solver, &needs, NULL, 0) && check_settings(&other, &refused) == 0 &&
           check_taken(&other, &refused) == 0 && !(window && solver->refuses_memory);
}

/* Whether the examples, or their images under a map, do not stay in memory, or this may turn out. */
static bool may_exceed_memory(const struct training_request *request) {
    return request->window || request->cached || request->settings.kernel.map != MAP_NONE;
}

/* The names of the solvers that would do with examples that do not stay in memory (WINDOW), or with enough --memory
 * alone; how many. */
static int list_others(const struct training_request *request, bool window, char list[LIST]) {
    const char *names[MAX_NAMES + 1] = {NULL};
    bool may = may_exceed_memory(request);
    int count, able = 0;
    const struct solver *const *table = solver_table(&count);
    for (int i = 0; i < count && able < MAX_NAMES; i++)
        if (table[i] != request->solver && would_do(request, table[i], window && may) &&
            (window || (may && !would_do(request, table[i], true))))
            names[able++] = table[i]->name;
    join_names(names, list, LIST);
    return able;
}

/* "solver NAME cannot ...; these can: a, b; with more --memory: c". */
static int refuse_solver(const struct training_request *request, const char *lack,
                         struct error *e) {
    char list[LIST] = "", more[LIST] = "", asked[128];
    int able = list_others(request, true, list), raised = list_others(request, false, more);
    if (request->solver == NULL || able + raised == 0) {
        const struct solver_needs needs = request_needs(request);
        solver_needs_describe(&needs, asked, sizeof asked);
        return error_usage(e, "no solver can do all of %s", asked);
    }
    return error_usage(e, "solver %s %s; %s%s%s%s%s", request->solver->name, lack,
                       able > 0 ? "these can: " : "", list, able > 0 && raised > 0 ? "; " : "",
                       raised > 0 ? "with more --memory: " : "", more);
}

/* The solver of -s, or whatever the default may be. */
static int check_solver(const struct training_request *request, struct error *e) {
    const struct solver *solver = request->solver;
    struct solver_needs needs = request_needs(request);
    char lack[96] = "", list[LIST];
    if (solver == NULL ? solvers_that_fit(&needs, list, sizeof list) == 0
                       : !solver_fits(solver, &needs, lack, sizeof lack))
        return refuse_solver(request, lack, e);
    const char *name = solver != NULL ? solver->name
                       : needs.kernel ? kernel_settings_default_solver /* whatever the data */
                                      : NULL;
    if (options_check_owner(request->groups, request->group_count, name, e) != 0)
        return -1;
    return solver == NULL ? 0 : check_taken(request, e);
}

int request_check(const struct training_request *request, struct error *e) {
    return check_settings(request, e) != 0 ? -1 : check_solver(request, e);
}
