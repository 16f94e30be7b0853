/* gamma_text.h - the text of --gamma-kernel: a value, or several to choose from. */
#ifndef RRM_GAMMA_TEXT_H
#define RRM_GAMMA_TEXT_H

#include "training/request/settings.h"

/* Fills in gammas, each_gamma and gamma from gamma_text. 0, or a usage error. */
int gamma_text_read(struct kernel_settings *settings, struct error *e);

#endif
