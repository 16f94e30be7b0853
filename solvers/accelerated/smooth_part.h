/* smooth_part.h - the smooth part f of a composite objective f + Psi, as an accelerated method uses it.
 *
 * f depends on a point x through its image, a linear function of x: the scores X w of weights, or the
 * combination X'(p a) of dual variables. The method keeps the images of its points and combines them like the
 * points, so that a step costs one image and one gradient: one pass over the data. */
#ifndef RRM_SMOOTH_PART_H
#define RRM_SMOOTH_PART_H

#include <stdint.h>

struct smooth_part {
    int64_t dimension; /* of a point */
    int64_t images;    /* length of an image; 0: f has no images and reads the points */
    double passes;     /* over the data so far, counted here */

    /* image = (linear map) x; NULL where images = 0. Half a pass. */
    void (*image)(struct smooth_part *part, const double *x, double *image);

    /* f(x), and its gradient in the metric of the proximal problem (NULL: not needed). */
    double (*value)(struct smooth_part *part, const double *x, const double *image,
                    double *gradient);

    /* Called when the step with the latest gradient is accepted: with eta in (0, 1], average <- (1 - eta)
     * average + eta (the dual variables or weights of that gradient), the certificate of [ZSV] (22) and (35). */
    void (*average)(struct smooth_part *part, double eta);
};

#endif
