/* regularizer_parameters.h - what a regularizer takes beside lambda. */
#ifndef RRM_REGULARIZER_PARAMETERS_H
#define RRM_REGULARIZER_PARAMETERS_H

struct regularizer_parameters {
    double elastic; /* rho of the elastic net, in (0, 1]; of its ball in (0, 1) */
    double ball;    /* Z of the balls, > 0 */
};

/* { w : ||w||_1 + k/2 ||w||^2 <= r }, of math/projections/ball.h */
struct ball {
    double k, r;
};

#endif
