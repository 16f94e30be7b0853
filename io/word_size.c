/* word_size.c - stops a build for another word size at once: indices are products of 64-bit numbers in 128 bits. */
#ifndef __SIZEOF_INT128__
#error librrm is for 64-bit machines only
#endif

typedef int word_size; /* a file of C has a declaration */
