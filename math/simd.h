/* simd.h - a function compiled for several widths of vectors, of which the machine's widest is
 * called.
 *
 *     static SIMD_BODY void add_body(double *x, int64_t n) { ... a plain loop ... }
 *     SIMD_CLONES(void, add, (double *x, int64_t n), (x, n))
 *
 * defines add(x, n). Chosen at run time, so that one program runs everywhere. */
#ifndef RRM_SIMD_H
#define RRM_SIMD_H

#ifdef __clang__ /* it makes no vectors of maxima, and says so; the result is the same */
#pragma clang diagnostic ignored "-Wpass-failed"
#endif

#define SIMD_BODY inline __attribute__((always_inline))

#ifdef __x86_64__

#define SIMD_512 __attribute__((target("avx512f,avx512dq,avx512vl,avx2,fma")))
#define SIMD_256 __attribute__((target("avx2,fma")))

/* 512, 256, or 0 for what the compiler was told. */
static inline int simd_width(void) {
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
        __builtin_cpu_supports("avx512vl"))
        return 512;
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") ? 256 : 0;
}

#define SIMD_CLONES(type, name, parameters, arguments)                                             \
    static SIMD_512 type name##_512 parameters {                                                   \
        name##_body arguments;                                                                     \
    }                                                                                              \
    static SIMD_256 type name##_256 parameters {                                                   \
        name##_body arguments;                                                                     \
    }                                                                                              \
    type name parameters {                                                                         \
        int width = simd_width();                                                                  \
        if (width == 512)                                                                          \
            name##_512 arguments;                                                                  \
        else if (width == 256)                                                                     \
            name##_256 arguments;                                                                  \
        else                                                                                       \
            name##_body arguments;                                                                 \
    }

#else

#define SIMD_CLONES(type, name, parameters, arguments)                                             \
    type name parameters {                                                                         \
        name##_body arguments;                                                                     \
    }

#endif

#endif
