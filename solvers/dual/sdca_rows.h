/* sdca_rows.h - a mean of losses of single scores as a risk whose items are its rows.
 *
 * It has the weights of the mean, and its values. So sdca, which knows items alone, trains the logistic loss, too: a
 * row has one local score u = <w, x_i>, and a dual variable, the derivative of its loss at some score.
 *
 * Reference: Yu, Huang & Lin 2011, Machine Learning 85, "Dual coordinate descent methods for logistic regression and
 * maximum entropy models". */
#ifndef RRM_SDCA_ROWS_H
#define RRM_SDCA_ROWS_H

#include "risk/risk.h"

/* The risk of TERMS, without an offset and of rows in memory; they outlive it. To be freed by risk_free; NULL with the
 * error set. */
struct risk *sdca_rows_new(const struct scalar_terms *terms, struct error *e);

#endif
