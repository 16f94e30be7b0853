/* ranking_decoder.h - predicts and measures rankings of the documents of queries (runs of rows with one qid).
 *
 * The prediction for a document is its score. The measures are means over queries. Documents with equal scores count as
 * randomly ordered: a measure is its mean over these orders (McSherry & Najork 2008,
 * "Computing information retrieval performance measures efficiently in the presence of tied scores").
 *
 *     NDCG@K          sum over j <= K of (2^g_j - 1)/log2(1 + j), divided by the maximum over orders; the first K is
 *                     that of the model's loss, or 10; 10, 1, 3, 5 and those of the settings' `measures` follow
 *     MAP             the mean of the precisions at the relevant documents; relevant: label > 0
 *     Pairwise error  share of the pairs of documents of different labels in the wrong order
 *
 * Queries for which a measure is not defined (no relevant document; no pair) are left out of its mean, as
 * trec_eval does; LETOR's script counts them as 0, which is this mean times the share of the others. NDCG
 * and MAP are for labels from 0 to RANKING_GRADE_MAX; with other labels they are not reported. */
#ifndef RRM_RANKING_DECODER_H
#define RRM_RANKING_DECODER_H

#include "prediction/decoder.h"

extern const struct decoder_kind ranking_decoder;

/* *K of a measure that is asked for as "ndcg@K", 0 if ASKED is another measure. 0, or a usage error if K is not an
 * integer from 1 to INT32_MAX, in decimal digits alone. */
int ranking_cutoff(const char *asked, int64_t *K, struct error *e);

#endif
