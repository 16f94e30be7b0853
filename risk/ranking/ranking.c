/* ranking.c - grades of documents, and what the risks over them take; see ranking.h. */
#include "risk/ranking/ranking.h"

#include "io/svmlight/svmlight_line.h"

#include <inttypes.h>
#include <math.h>

double ranking_gain(double grade) {
    return exp2(grade) - 1;
}

double ranking_discount(int64_t j) {
    return 1 / log2(1 + (double)j);
}

int ranking_check(const struct risk_request *request, struct error *e) {
    return request->constants ? error_usage(e, "constants do nothing where scores are compared "
                                               "with each other: no -B, no --intercept")
                              : 0;
}

int ranking_check_grades(const struct dataset *data, const char *path, bool zero_based,
                         struct error *e) {
    (void)zero_based;
    for (int64_t i = 0; i < data->rows; i++) {
        if (isnan(data->label[i]) || (data->label[i] >= 0 && data->label[i] <= RANKING_GRADE_MAX))
            continue;
        char words[96];
        snprintf(words, sizeof words, "the grade is %.10g; -L ndcg needs grades from 0 to %d",
                 data->label[i], RANKING_GRADE_MAX);
        return svmlight_refuse_row(path, dataset_row_of_file(data, i), words, e);
    }
    return 0;
}
