/* kernel_lists.h - the texts of --gamma-kernel and --landmarks: a value, or several to choose from. */
#ifndef RRM_KERNEL_LISTS_H
#define RRM_KERNEL_LISTS_H

#include "training/request/settings.h"

/* Reads both texts, and takes the first values. 0, or a usage error. */
int kernel_lists_read(struct kernel_settings *settings, struct error *e);

/* The option that has several values, "--landmarks", with its list in *LIST; NULL: none has. */
const char *kernel_lists_several(const struct kernel_settings *settings,
                                 const struct kernel_list **list);

/* The pairs of a gamma and a number of landmarks; 1 where none has several values. */
int64_t kernel_lists_pairs(const struct kernel_settings *settings);

/* Takes the i-th pair as the values to train with. Gamma changes after all numbers of landmarks. */
void kernel_lists_take(struct kernel_settings *settings, int64_t i);

#endif
