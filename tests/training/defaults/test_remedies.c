/* test_remedies.c - of every solver, loss, regularizer and option, with examples that do not stay in memory: the
 * solvers that a refusal names take what was asked for. */
#include "training/train.h"

#include "io/cache/cache.h"
#include "io/svmlight/svmlight.h"
#include "training/defaults/check.h"
#include "training/defaults/choice.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#include "tests/size.h"
#include "tests/temporary.h"

enum { ROWS = 60, REGULARIZERS = 7, OPTIONS = 5, MOST_SOLVERS = 64, UNKNOWN = 0, TAKEN, REFUSED };

static char cache[sizeof path + 8];

/* What is asked for: indices of the tables. */
struct asked {
    int solver, loss, regularizer, option;
};

static const char *const regularizer[REGULARIZERS][2] = {
    {"regularizer", "l2"},      {"regularizer", "l1"},      {"regularizer", "elastic-net"},
    {"regularizer", "entropy"}, {"regularizer", "simplex"}, {"ball", "l1=5"},
    {"ball", "elastic-net=5"}};

static const char *const option[OPTIONS][2] = {
    {NULL, NULL}, {"intercept", NULL}, {"batch-size", "5"}, {"bias", "1"}, {"epsilon", "0.1"}};

/* Groups of rows, for rankings and sequences, with two labels and features in [-1, 1]. */
static int make_files(void **state) {
    const struct svmlight_options plain = {.threads = 1};
    struct cache_source source;
    struct error e = {0};
    if (make_path(state) != 0)
        return -1;
    snprintf(cache, sizeof cache, "%s.cache", path);
    FILE *file = fopen(path, "w");
    for (int i = 0; file != NULL && i < ROWS; i++)
        fprintf(file, "%d qid:%d 1:%g 2:%g 3:%g\n", 1 + (i * i % 7 > 3), 1 + i / 6, sin(i), cos(i),
                sin(3 * i));
    return file != NULL && fclose(file) == 0 && cache_look(path, &source, &e) == 0
               ? cache_write(cache, path, &source, &plain, NULL, &e)
               : -1;
}

static int remove_files(void **state) {
    unlink(cache);
    return remove_path(state);
}

/* Fills the request in; IN_MEMORY: --memory has room for everything. */
static int fill(const struct asked *asked, bool in_memory, struct training_request *request,
                struct error *e) {
    int count;
    const char *const *o = option[asked->option];
    assert_int_equal(request_init(request, NULL, e), 0);
    request->cached = true;
    request->read_first = "--cache";
    request->data_name = path;
    assert_int_equal(request_set(request, "solver", solver_table(&count)[asked->solver]->name, e),
                     0);
    assert_int_equal(request_set(request, "loss", risk_table(&count)[asked->loss].name, e), 0);
    assert_int_equal(request_set(request, regularizer[asked->regularizer][0],
                                 regularizer[asked->regularizer][1], e),
                     0);
    assert_int_equal(request_set(request, "memory", in_memory ? "1000" : "0.001", e), 0);
    assert_int_equal(request_set(request, "passes", "10", e), 0);
    assert_int_equal(o[0] == NULL ? 0 : request_set(request, o[0], o[1], e), 0);
    return request_find_names(request, e) == 0 ? request_complete(request, e) : -1;
}

/* Trains, if it is not refused before. */
static int train(const struct asked *asked, bool in_memory, struct error *e) {
    const struct svmlight_options plain = {.threads = 1};
    const struct session_outputs silent = {0};
    struct training_request request;
    struct training_session session = {0};
    struct dataset data = {0};
    char reason[CACHE_REASON];
    int status = fill(asked, in_memory, &request, e);
    if (status == 0) {
        double memory = in_memory ? INFINITY : 1000;
        assert_int_equal(cache_load(cache, path, &plain, memory, &data, reason, e), 1);
        assert_int_equal(data.window == NULL, in_memory);
        status = session_prepare(&session, &request, &data, NULL, &silent, e);
        if (status == 0)
            status = session_begin(&session, e);
        if (status == 0)
            status = session_train(&session, NULL, e);
        session_free(&session);
        dataset_free(&data);
    }
    request_free(&request);
    return status;
}

/* What became of each combination, so that none is tried twice. */
static char *fate_of(const struct asked *asked, bool in_memory) {
    static char fate[2][MOST_SOLVERS][MOST_SOLVERS][REGULARIZERS][OPTIONS];
    return &fate[in_memory][asked->solver][asked->loss][asked->regularizer][asked->option];
}

static bool is_taken(const struct asked *asked, bool in_memory) {
    struct error e = {0};
    char *fate = fate_of(asked, in_memory);
    if (*fate == UNKNOWN)
        *fate = train(asked, in_memory, &e) == 0 ? TAKEN : REFUSED;
    return *fate == TAKEN;
}

static int number_of(const char *name, size_t length) {
    int count;
    const struct solver *const *table = solver_table(&count);
    for (int i = 0; i < count; i++)
        if (strlen(table[i]->name) == length && strncmp(table[i]->name, name, length) == 0)
            return i;
    return -1;
}

/* Tries the solvers of a list "a, b", which ends at a semicolon or with the text; how many did not take it. */
static int try_list(const struct asked *asked, const char *list, bool in_memory,
                    const char *words) {
    int wrong = 0;
    for (size_t length; *list != '\0' && *list != ';';
         list += list[length] == ',' ? length + 2 : length) {
        length = strcspn(list, ",;");
        struct asked other = *asked;
        other.solver = number_of(list, length);
        assert_true(other.solver >= 0);
        if ((other.solver + other.loss + other.regularizer + other.option) % PART(2, 5) != 0)
            continue;
        if (is_taken(&other, in_memory))
            continue;
        struct error e = {0};
        train(&other, in_memory, &e);
        print_error("%s; but of %.*s: %s\n", words, (int)length, list, e.words);
        wrong++;
        length = length > 0 ? length : 1;
    }
    return wrong;
}

/* Tries those that a refusal names. */
static int try_remedies(const struct asked *asked, const char *words) {
    static const char able[] = " can: ", memory[] = "with more --memory", use[] = "use -s ";
    const char *list = strstr(words, able), *more = strstr(words, memory),
               *one = strstr(words, use);
    int wrong = 0;
    if (list != NULL)
        wrong += try_list(asked, list + strlen(able), false, words);
    if (more != NULL)
        wrong += try_list(asked, more + strlen(memory) + strcspn(more + strlen(memory), ":") + 2,
                          true, words);
    if (one != NULL)
        wrong += try_list(asked, one + strlen(use), false, words);
    return wrong;
}

static void remedies_work(void **state) {
    int solvers, losses, refused = 0, named = 0, wrong = 0;
    (void)state;
    solver_table(&solvers);
    risk_table(&losses);
    assert_true(solvers <= MOST_SOLVERS && losses <= MOST_SOLVERS);
    for (int k = 0; k < solvers * losses * REGULARIZERS * OPTIONS; k++) {
        const struct asked asked = {k % solvers, k / solvers % losses,
                                    k / solvers / losses % REGULARIZERS,
                                    k / solvers / losses / REGULARIZERS};
        struct error e = {0};
        int sum = asked.solver + asked.loss + asked.regularizer + asked.option;
        if (strcmp(risk_table(&losses)[asked.loss].name, "rna") == 0)
            continue; /* its examples are of another form */
        if (sum % PART(3, 17) != 0)
            continue;
        if (*fate_of(&asked, false) == TAKEN)
            continue; /* as a remedy */
        if (train(&asked, false, &e) == 0) {
            *fate_of(&asked, false) = TAKEN;
            continue;
        }
        *fate_of(&asked, false) = REFUSED;
        refused++;
        named += strstr(e.words, "these can") != NULL;
        wrong += try_remedies(&asked, e.words);
    }
    assert_int_equal(wrong, 0);
    assert_true(refused > 5000 / PART(3, 17) && named > 3000 / PART(3, 17));
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(remedies_work)};
    return cmocka_run_group_tests(tests, make_files, remove_files);
}
