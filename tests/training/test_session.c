/* test_session.c - training from a request that no command line has filled. */
#include "training/train.h"

#include "tests/random_data.h"
#include "training/defaults/check.h"
#include "training/defaults/choice.h"

#include <math.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { ROWS = 300, FEATURES = 12, SETTINGS = 8, TEXT = 512 };

/* Pairs of a name and a text (NULL: a flag), until a name is NULL. */
struct settings {
    const char *pair[SETTINGS][2];
};

static int fill(struct training_request *request, const struct settings *settings,
                struct error *e) {
    int status = request_init(request, NULL, e);

    for (int i = 0; status == 0 && i < SETTINGS && settings->pair[i][0] != NULL; i++)
        status = request_set(request, settings->pair[i][0], settings->pair[i][1], e);
    if (status == 0)
        status = request_find_names(request, e);
    return status == 0 ? request_complete(request, e) : -1;
}

static void assert_refused(struct settings settings, const char *words) {
    struct training_request request;
    struct error e = {0};

    assert_int_equal(fill(&request, &settings, &e), -1);
    assert_string_equal(e.words, words);
    assert_int_equal(e.kind, ERROR_USAGE);
    request_free(&request);
}

static void settings_that_are_refused(void **state) {
    (void)state;
    assert_refused((struct settings){{{"lamda", "1"}}},
                   "unknown setting lamda; did you mean lambda?");
    assert_refused((struct settings){{{"c", "1"}}}, "unknown setting c; did you mean cost?");
    assert_refused((struct settings){{{"no-such-thing", "1"}}}, "unknown setting no-such-thing");
    assert_refused((struct settings){{{"lambda", "-1"}}},
                   "lambda -1: out of range: from 1e-100 to 1e+300");
    assert_refused((struct settings){{{"lambda", NULL}}}, "lambda needs a value");
    assert_refused((struct settings){{{"intercept", "1"}}}, "intercept takes no value");
    assert_refused((struct settings){{{"solver", "okas"}}},
                   "unknown solver okas; did you mean ocas?");
    assert_refused((struct settings){{{"solver", "ocas"}, {"radius", "2"}}},
                   "--radius is an option of proximal, proximal-bundle, not of ocas");
    assert_refused((struct settings){{{"lambda", "1"}, {"cost", "1"}}},
                   "-l and -c exclude each other: lambda = 1/(C m)");
}

static void texts_are_copied(void **state) {
    struct training_request request;
    struct error e = {0};
    char text[] = "logistic";

    (void)state;
    assert_int_equal(request_init(&request, NULL, &e), 0);
    assert_int_equal(request_set(&request, "loss", text, &e), 0);
    memset(text, 'x', sizeof text - 1);
    assert_string_equal(request.settings.loss, "logistic");
    assert_true(request_given(&request, "loss") && !request_given(&request, "lambda"));
    assert_true(request.settings.lambda == 1e-4);
    request_free(&request);
}

/* ---- sessions */

/* What an observer was told, and when it ends the run. */
struct hearing {
    char warning[TEXT];
    int64_t reports, max_reports; /* ends after so many; 0: never */
    bool stop;
    const char *words; /* what ends it */
};

static void hear_warning(void *context, const char *text) {
    struct hearing *hearing = context;

    snprintf(hearing->warning, TEXT, "%s", text);
}

static bool hear_report(void *context, const struct monitor *monitor) {
    struct hearing *hearing = context;

    assert_true(monitor->last.passes >= 0);
    return ++hearing->reports == hearing->max_reports;
}

static bool asks(void *context) {
    const struct hearing *hearing = context;

    return hearing->stop;
}

struct fixture {
    struct training_request request;
    struct dataset data;
    struct training_session session;
    struct hearing hearing;
};

static void fixture_make(struct fixture *fixture, const struct settings *settings) {
    struct error e = {0};

    fixture->data = random_data(ROWS, FEATURES, false, 5);
    fixture->session = (struct training_session){0};
    if (fill(&fixture->request, settings, &e) != 0) {
        print_error("%s\n", e.words);
        fail();
    }
}

static void room_train(struct fixture *fixture, struct error *e) {
    const struct session_outputs outputs = {.observer = {.context = &fixture->hearing,
                                                         .interrupted = asks,
                                                         .interruption = fixture->hearing.words,
                                                         .report = hear_report,
                                                         .warn = hear_warning}};
    struct training_session *s = &fixture->session;
    bool folds = fixture->request.settings.folds > 0;

    if (session_prepare(s, &fixture->request, &fixture->data, NULL, &outputs, e) != 0 ||
        session_begin(s, e) != 0 || (folds && session_validate(s, true, e) != 0) ||
        session_train(s, NULL, e) != 0)
        return;
    session_judge(s);
}

static void fixture_free(struct fixture *fixture) {
    session_free(&fixture->session);
    request_free(&fixture->request);
    dataset_free(&fixture->data);
}

static const struct settings logistic = {
    {{"loss", "logistic"}, {"lambda", "1e-3"}, {"epsilon", "1e-6"}}};

static void a_model_of_arrays(void **state) {
    static struct fixture fixture;
    struct error e = {0};

    (void)state;
    fixture_make(&fixture, &logistic);
    room_train(&fixture, &e);
    assert_string_equal(e.words, "");
    assert_string_equal(fixture.session.model.status, "converged");
    assert_string_equal(fixture.session.model.solver, fixture.request.trial[0].solver->name);
    assert_true(fixture.session.model.bound >= (1 - 1e-6) * fixture.session.model.objective);
    assert_false(fixture.session.failed);
    assert_string_equal(fixture.hearing.warning, "");
    assert_true(fixture.hearing.reports > 0);
    fixture_free(&fixture);
}

/* The caller's weights are not changed; a class weight whose label no example has is reported. */
static void weights_of_the_caller(void **state) {
    static const struct settings weighted = {{{"class-weight", "1=2"}, {"class-weight", "7=3"}}};
    static struct fixture fixture;
    double weight[ROWS];
    struct error e = {0};

    (void)state;
    fixture_make(&fixture, &weighted);
    for (int i = 0; i < ROWS; i++)
        weight[i] = 1 + i % 3;
    fixture.data.weight = weight;
    room_train(&fixture, &e);
    assert_string_equal(e.words, "");
    for (int i = 0; i < ROWS; i++) {
        assert_true(weight[i] == 1 + i % 3);
        assert_true(fixture.session.data.weight[i] ==
                    weight[i] * (fixture.data.label[i] == 1 ? 2 : 1));
    }
    assert_string_equal(fixture.hearing.warning, "no example has the label 7 of -w");
    fixture.data.weight = NULL;
    fixture_free(&fixture);
}

/* Interrupted in a report, or at any time: the model is what was reached. */
static void an_observer_ends_the_run(void **state) {
    (void)state;
    for (int by_report = 0; by_report < 2; by_report++) {
        static struct fixture fixture;
        struct error e = {0};
        fixture = (struct fixture){.hearing = {.max_reports = by_report ? 1 : 0,
                                               .stop = !by_report,
                                               .words = by_report ? "a signal came" : NULL}};
        fixture_make(&fixture, &logistic);
        room_train(&fixture, &e);
        assert_string_equal(e.words, "");
        assert_string_equal(fixture.session.model.status, "interrupted");
        assert_true(isfinite(fixture.session.model.objective) && fixture.session.failed);
        assert_int_equal(
            strncmp(fixture.hearing.warning,
                    by_report ? "a signal came after " : "the training was interrupted after ", 19),
            0);
        fixture_free(&fixture);
    }
}

static const struct settings path_of_folds = {
    {{"loss", "logistic"}, {"regularizer", "l1"}, {"path", "6"}, {"folds", "3"}}};

static void folds_choose_a_lambda(void **state) {
    static struct fixture fixture;
    struct error e = {0};

    (void)state;
    fixture_make(&fixture, &path_of_folds);
    room_train(&fixture, &e);
    assert_string_equal(e.words, "");
    assert_true(session_has_lambda(&fixture.session));
    assert_true(fixture.session.model.lambda ==
                fixture.session.validation.point[fixture.session.validation.best].lambda);
    assert_int_equal(fixture.session.validation.done, 3);
    fixture_free(&fixture);
}

/* Without a model the codes differ from that of bad data. */
static void an_early_end_is_an_error_of_its_own(void **state) {
    static const struct settings cut = {
        {{"loss", "logistic"}, {"map", "fourier"}, {"sigma", "1"}, {"time-limit", "1e-12"}}};
    static struct fixture fixture;
    struct error e = {0};

    (void)state;
    fixture = (struct fixture){0};
    fixture_make(&fixture, &cut);
    room_train(&fixture, &e);
    assert_int_equal(e.kind, ERROR_TIME);
    assert_int_equal(strncmp(e.words, "the time limit came while ", 26), 0);
    fixture_free(&fixture);
    e = (struct error){0};
    fixture = (struct fixture){.hearing = {.stop = true}};
    fixture_make(&fixture, &path_of_folds);
    room_train(&fixture, &e);
    assert_int_equal(e.kind, ERROR_INTERRUPTED);
    assert_string_equal(
        e.words, "the training was interrupted before lambda was chosen, so there is no model");
    fixture_free(&fixture);
}

static void one_label_is_an_error(void **state) {
    static struct fixture fixture;
    struct error e = {0};

    (void)state;
    fixture_make(&fixture, &logistic);
    for (int i = 0; i < ROWS; i++)
        fixture.data.label[i] = 3;
    room_train(&fixture, &e);
    assert_string_equal(e.file, "the data");
    assert_string_equal(e.words, "only one label (3); two are needed");
    fixture_free(&fixture);
}

/* ---- several kernels */

/* Prepares a search among numbers of landmarks; the error is WORDS. */
static void assert_prepared(const char *map, const char *landmarks, const char *words) {
    const struct settings settings = {
        {{"search", NULL}, {"map", map}, {"landmarks", landmarks}, {"lambda", "0.1"}}};
    const struct session_outputs outputs = {0};
    static struct fixture fixture;
    struct error e = {0};

    fixture_make(&fixture, &settings);
    int status =
        session_prepare(&fixture.session, &fixture.request, &fixture.data, NULL, &outputs, &e);
    assert_string_equal(e.words, words);
    assert_int_equal(status, words[0] == '\0' ? 0 : -1);
    fixture_free(&fixture);
}

/* Of several numbers none is cut to that of the examples; a Fourier map may be larger. */
static void landmarks_are_examples(void **state) {
    (void)state;
    assert_prepared("nystrom", "5,300", "");
    assert_prepared("nystrom", "5,301", "--landmarks 5,301: out of range: there are 300 examples");
    assert_prepared("nystrom", "301", "");
    assert_prepared("fourier", "5,301", "");
}

/* STOP: the observer ends the folds. */
static void prepare_and_validate(struct fixture *fixture, const struct settings *settings,
                                 bool stop) {
    const struct session_outputs outputs = {
        .observer = {.context = &fixture->hearing, .interrupted = asks}};
    struct training_session *s = &fixture->session;
    struct error e = {0};

    fixture_make(fixture, settings);
    assert_int_equal(session_prepare(s, &fixture->request, &fixture->data, NULL, &outputs, &e), 0);
    double first = s->map_seconds;
    assert_int_equal(session_begin(s, &e), 0);
    fixture->hearing.stop = stop;
    assert_int_equal(session_validate(s, true, &e), 0);
    assert_true(s->map_seconds >= first); /* the sum of all maps */
}

/* The default solver is that of each map's size. */
static void kernels_are_prepared_each(void **state) {
    static const struct settings settings = {{{"search", NULL},
                                              {"path", "2"},
                                              {"folds", "2"},
                                              {"map", "fourier"},
                                              {"landmarks", "3500,5"},
                                              {"lambda", "0.1"},
                                              {"regularizer", "l1"}}};
    static struct fixture fixture;

    (void)state;
    fixture = (struct fixture){0};
    prepare_and_validate(&fixture, &settings, false);
    const struct cross_validation *validation = &fixture.session.validation;
    assert_int_equal(validation->point[0].landmarks, 3500);
    assert_int_equal(validation->point[validation->count - 1].landmarks, 5);
    assert_string_equal(fixture.request.solver->name, "ipm"); /* of 3500 features agm */
    fixture_free(&fixture);
}

/* Interrupted in the folds of the first kernel, a search tries no other. */
static void an_interruption_ends_the_kernels(void **state) {
    static const struct settings settings = {{{"search", NULL},
                                              {"path", "2"},
                                              {"folds", "2"},
                                              {"gamma-kernel", "0.1,1"},
                                              {"lambda", "0.1"}}};
    static struct fixture fixture;

    (void)state;
    fixture = (struct fixture){0};
    prepare_and_validate(&fixture, &settings, true);
    assert_int_equal(fixture.session.validation.count, 2);
    assert_false(session_has_lambda(&fixture.session));
    fixture_free(&fixture);
}

/* ---- several at once */

enum { AT_ONCE = 4 };

static const struct settings various[AT_ONCE] = {
    {{{"loss", "logistic"}, {"lambda", "1e-3"}}},
    {{{"solver", "proximal"}, {"passes", "20"}, {"seed", "3"}}},
    {{{"solver", "agm"}, {"lambda", "0.01"}}},
    {{{"solver", "rda"}, {"regularizer", "l1"}, {"lambda", "0.01"}, {"passes", "5"}}},
};

static void *train_room(void *opaque) {
    struct fixture *fixture = opaque;
    struct error e = {0};

    room_train(fixture, &e);
    return e.kind == ERROR_NONE ? fixture : NULL;
}

static void threads_train_at_once(void **state) {
    static struct fixture alone[AT_ONCE], together[AT_ONCE];
    pthread_t thread[AT_ONCE];

    (void)state;
    for (int i = 0; i < AT_ONCE; i++) {
        fixture_make(&alone[i], &various[i]);
        fixture_make(&together[i], &various[i]);
        assert_non_null(train_room(&alone[i]));
    }
    for (int i = 0; i < AT_ONCE; i++)
        assert_int_equal(pthread_create(&thread[i], NULL, train_room, &together[i]), 0);
    for (int i = 0; i < AT_ONCE; i++) {
        const struct model *a = &alone[i].session.model, *b = &together[i].session.model;
        void *done;
        pthread_join(thread[i], &done);
        assert_ptr_equal(done, &together[i]);
        assert_int_equal(a->dimension, b->dimension);
        assert_memory_equal(a->w, b->w, sizeof *a->w * (size_t)a->dimension);
        assert_true(a->objective == b->objective);
        fixture_free(&alone[i]);
        fixture_free(&together[i]);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(settings_that_are_refused),
        cmocka_unit_test(texts_are_copied),
        cmocka_unit_test(a_model_of_arrays),
        cmocka_unit_test(weights_of_the_caller),
        cmocka_unit_test(an_observer_ends_the_run),
        cmocka_unit_test(folds_choose_a_lambda),
        cmocka_unit_test(an_early_end_is_an_error_of_its_own),
        cmocka_unit_test(one_label_is_an_error),
        cmocka_unit_test(landmarks_are_examples),
        cmocka_unit_test(kernels_are_prepared_each),
        cmocka_unit_test(an_interruption_ends_the_kernels),
        cmocka_unit_test(threads_train_at_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
