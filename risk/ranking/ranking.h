/* ranking.h - rankings: grades of the documents of queries (runs of rows with one qid), what a place in a
 * ranking is worth, and what the risks over rankings take. */
#ifndef RRM_RANKING_H
#define RRM_RANKING_H

#include "risk/risk_table.h"

enum { RANKING_GRADE_MOST = 30 };

/* 2^grade - 1 */
double ranking_gain(double grade);

/* 1/log2(1 + j), j from 1 */
double ranking_discount(int64_t j);

/* No -B and no --intercept: what only compares scores does not feel them. */
int ranking_check(const struct risk_request *request, struct error *e);

/* An error with its line when a label is not from 0 to RANKING_GRADE_MOST; rows may have none. */
int ranking_check_grades(const struct dataset *data, const char *path, bool zero_based,
                         struct error *e);

#endif
