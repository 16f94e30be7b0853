/* smooth_part.h - the smooth part f of a composite objective f + Psi, as an accelerated method sees it.
 *
 * f looks at a point x through its image, which is a linear function of x: the scores X w of weights,
 * or the combination X'(p a) of dual variables. The method keeps the images of its points and combines
 * them as it combines the points, so that a step costs one image and one gradient: a pass over the
 * data. */
#ifndef RRM_SMOOTH_PART_H
#define RRM_SMOOTH_PART_H

#include <stdint.h>

struct smooth_part {
    int64_t dimension; /* of a point */
    int64_t images;    /* numbers of an image; 0: f looks at the points alone */
    double passes;     /* over the data so far, counted here */

    /* image = (linear map) x; NULL where images = 0. Half a pass. */
    void (*image)(struct smooth_part *part, const double *x, double *image);

    /* f(x), and its gradient (NULL: not wanted) in the metric of the proximal problem. */
    double (*value)(struct smooth_part *part, const double *x, const double *image,
                    double *gradient);

    /* The step that took the latest gradient is accepted: with eta in (0, 1], average <- (1 - eta)
     * average + eta (what that gradient is made of), the certificate of [ZSV] (22) and (35). */
    void (*average)(struct smooth_part *part, double eta);
};

#endif
