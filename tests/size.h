/* size.h - how much a test does. Sanitized code is about ten times as slow, and what it touches shows in fewer or
 * smaller cases of each kind as well. Without sanitizers all cases run. */
#ifndef RRM_SIZE_H
#define RRM_SIZE_H

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define SANITIZED 1
#endif
#endif

/* ALL, or PART under sanitizers: a number of rows, steps or cases. Or a divisor that says which cases run, as in
 *     if ((loss + regularizer + variant) % PART(1, 3) != 0)
 *         continue;
 * where the sum of the cases' numbers keeps each loss, each regularizer and each variant in some case. */
#if defined(SANITIZED) || defined(__SANITIZE_ADDRESS__)
#define PART(all, part) (part)
#else
#define PART(all, part) (all)
#endif

#endif
