/* ranking.h - what the ranking risks share: gains of grades, discounts of positions, checks of the data. Documents
 * are rows, queries runs of rows with one qid. Risks: ndcg (a structured hinge by math/assignment.h) and pairwise
 * (a hinge over pairs, by pairs.h, which rocarea uses, too). */
#ifndef RRM_RANKING_H
#define RRM_RANKING_H

#include "risk/risk_table.h"

enum { RANKING_GRADE_MAX = 30 };

/* 2^grade - 1 */
double ranking_gain(double grade);

/* 1/log2(1 + j), j from 1 */
double ranking_discount(int64_t j);

/* Refuses -B and --intercept, which have no effect on differences of scores. */
int ranking_check(const struct risk_request *request, struct error *e);

/* 0, or an error with its line if a label is not from 0 to RANKING_GRADE_MAX. Labels may be unknown. */
int ranking_check_grades(const struct dataset *data, const char *path, bool zero_based,
                         struct error *e);

#endif
