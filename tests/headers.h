/* headers.h - what most files include, read once for all of them where clang compiles the sanitized programs
 * (tests.mk). Each file names what it needs all the same: gcc does not read this one. Headers of C and OpenMP alone:
 * their names are no file's own. */
#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <omp.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
