/* rna.h - secondary structures of RNA: a structured SVM over all nested structures y of a sequence, with the
 * features phi of risk/rna/rna_features.h; y* is the true structure.
 *
 *     l(w) = max over y of Delta(y) + <w, phi(y) - phi(y*)>,   Delta(y) = positions whose partner is another
 *
 * y* is the data's structure without the pairs that are not A-U, C-G or G-U. So the maximum ranges over y*, too,
 * and l >= 0. Smoothed by an entropy over the N structures of the sequence,
 *
 *     l_mu = mu (log sum over y of exp((Delta(y) + <w, phi(y)>)/mu) - log N) - <w, phi(y*)>
 *     l - mu log N <= l_mu <= l
 *
 * with gradient E phi - phi(y*); the constant E Delta makes it a linearization of l itself. All weights belong to
 * phi: w has no weights of the data's columns. The norm of a subgradient is at most
 * (||phi(y)||^2 + ||phi(y*)||^2)^(1/2), as counts are >= 0; and -<w, subgradient> is at most max Delta, the length.
 * rna_fold.h evaluates the maximum and the sum, and lists the files of this folder.
 *
 * References: Do, Woods & Batzoglou 2006; Do, Le & Foo 2009, section 5.2; Taskar, Guestrin & Koller 2003. */
#ifndef RRM_RNA_H
#define RRM_RNA_H

#include "risk/risk_table.h"

/* RNA_WEIGHTS */
int64_t rna_shared(int64_t labels);

/* No constant feature and no offset. */
int rna_check(const struct risk_request *request, struct error *e);

/* NULL with the error set. */
struct risk *rna_risk_new(const struct risk_settings *settings, struct error *e);

#endif
