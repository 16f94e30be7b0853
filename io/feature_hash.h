/* feature_hash.h - the column of a feature that has a name instead of a number.
 *
 * A name that is not a number is hashed by MurmurHash3 (x86, 32 bits, seed 0); the low bits of the hash are its
 * column, from 0. A name of digits alone is a number: its column is the number less the first index, modulo 2^bits,
 * so that data of numbers keep their columns; 0, where the first index is 1, has the last column. Two names may share a
 * column, and then share a weight.
 *
 * Reference: Shi, Petterson, Dror, Langford, Smola & Vishwanathan 2009, *Hash kernels for structured data*, JMLR 10;
 * Appleby 2011, MurmurHash3 (public domain). */
#ifndef RRM_FEATURE_HASH_H
#define RRM_FEATURE_HASH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { FEATURE_HASH_BITS_MOST = 30 };

/* MurmurHash3_x86_32 of LENGTH bytes, below 2^32 of them. */
uint32_t murmur_hash(const char *bytes, size_t length, uint32_t seed);

/* The column of the name of LENGTH bytes among 2^BITS, 1 <= BITS <= FEATURE_HASH_BITS_MOST. ZERO_BASED: numbers count
 * from 0, else from 1. */
int32_t feature_hash(const char *name, size_t length, int bits, bool zero_based);

/* 2^BITS, the features of hashed data; 0 if BITS is 0: the data are not hashed. */
int32_t feature_hash_columns(int bits);

#endif
