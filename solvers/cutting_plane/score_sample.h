/* score_sample.h - a sample of the rows, whose problem single passes solve in memory first (cutting_plane.h), and the
 * points of the cuts that its solution is made of. */
#ifndef RRM_SCORE_SAMPLE_H
#define RRM_SCORE_SAMPLE_H

#include "solvers/bundle/planes.h"
#include "solvers/cutting_plane/score_rows.h"
#include "solvers/row_sample.h"

/* Whether the rows are so many that a sample of them pays, and can be copied. */
bool score_sample_pays(const struct scalar_terms *terms);

/* Bytes of the sample and of its scores. */
double score_sample_bytes(const struct scalar_terms *terms);

/* Draws it, in one pass over all rows. 0, or -1 with the error set; to be freed in either case. */
int score_sample_init(struct row_sample *sample, const struct scalar_terms *terms, struct error *e);

/* The points at which a run took cuts, and of which point the plane of each slot is. */
struct cut_points {
    int64_t n; /* numbers of a point */
    int count, slots;
    double *point; /* count x n */
    int *of_slot;  /* slots */
};

/* Planes FROM and on are the cuts at W. 0, or -1 with the error set. */
int cut_points_add(struct cut_points *points, const struct planes *planes, int from,
                   const double *w, struct error *e);
void cut_points_free(struct cut_points *points);

/* The cuts of other rows to be taken at the points whose planes had weight lately, by part. They use the points. 0, or
 * -1 with the error set; to be freed by cuts_wanted_free in either case. */
int cuts_wanted_init(struct cuts_wanted *wanted, const struct cut_points *points,
                     const struct planes *planes, struct error *e);
void cuts_wanted_free(struct cuts_wanted *wanted);

#endif
