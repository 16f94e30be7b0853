/* test_measure_choice.c - the measure that chooses lambda: which a loss has, and which of a list it is. */
#include "training/search/measure_choice.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

static struct training_request request_of(const char *loss, const char *measure) {
    return (struct training_request){.risk = risk_row_by_name(loss), .settings.measure = measure};
}

static void refused(const char *loss, const char *measure, const char *words) {
    const struct training_request request = request_of(loss, measure);
    struct error e = {0};
    assert_int_equal(measure_choice_check(&request, &e), -1);
    assert_int_equal(e.kind, ERROR_USAGE);
    assert_string_equal(e.words, words);
}

/* "@K" belongs to the measures of rankings. */
static void measures_that_a_loss_has(void **state) {
    static const char *const known[][2] = {{"hinge", NULL},          {"hinge", "F1"},
                                           {"logistic", "log_loss"}, {"squared", "r2"},
                                           {"pairwise", "NDCG"},     {"ndcg", "ndcg@7"}};
    (void)state;
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        const struct training_request request = request_of(known[i][0], known[i][1]);
        assert_int_equal(measure_choice_check(&request, NULL), 0);
    }
    refused("pairwise", "ndcg@0", "measure ndcg@0: K of ndcg@K is an integer from 1 to 2147483647");
    refused("hinge", "auc@5",
            "--measure auc@5: predictions of -L hinge have no such measure; they have accuracy, "
            "auc, f1, precision, recall");
    refused("squared", "ndcg@5",
            "--measure ndcg@5: predictions of -L squared have no such measure; they have mse, mae, "
            "r2");
}

static int found(const char *loss, const char *measure, const char *const *names) {
    const struct training_request request = request_of(loss, measure);
    struct measure list[MEASURES_MAX] = {0};
    int count = 0;
    for (; names[count] != NULL; count++)
        list[count].name = names[count];
    return measure_choice_find(&request, list, count);
}

/* The name as given, or the one with a K, or that of the risk, or the first. */
static void measures_of_a_list(void **state) {
    static const char *const labels[] = {"Accuracy", "AUC",          "F1", "precision",
                                         "recall",   "precision@50", NULL};
    static const char *const ranks[] = {"NDCG@4", "NDCG@10",        "NDCG@1",
                                        "MAP",    "Pairwise error", NULL};
    (void)state;
    assert_int_equal(found("hinge", NULL, labels), 0);
    assert_int_equal(found("hinge", "recall", labels), 4);
    assert_int_equal(found("f1", NULL, labels), 2);
    assert_int_equal(found("precision", NULL, labels), 5);
    assert_int_equal(found("ndcg", NULL, ranks), 0);
    assert_int_equal(found("ndcg", "ndcg", ranks), 0);
    assert_int_equal(found("ndcg", "ndcg@1", ranks), 2);
    assert_int_equal(found("ndcg", "ndcg@10", ranks), 1);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(measures_that_a_loss_has),
        cmocka_unit_test(measures_of_a_list),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
