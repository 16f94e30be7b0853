/* rrm.c - the public library: version, errors, data; see rrm.h. */
#include "rrm_parts.h"

#include "io/feature_hash.h"
#include "io/memory.h"
#include "io/svmlight/svmlight.h"
#include "training/request/setting_names.h"
#include "version.h"

#include <omp.h>
#include <stdlib.h>
#include <string.h>

const char *rrm_version(void) {
    return &RRM_VERSION[sizeof "librrm " - 1]; /* the number alone */
}

/* ---- errors */

static int code_of(enum error_kind kind) {
    switch (kind) {
    case ERROR_MEMORY:
        return RRM_MEMORY;
    case ERROR_USAGE:
        return RRM_USAGE;
    case ERROR_TIME:
        return RRM_TIME;
    case ERROR_INTERRUPTED:
        return RRM_STOPPED;
    default:
        return RRM_FAILURE;
    }
}

/* "FILE:LINE:COLUMN: " into TEXT, as far as they are known. */
static void place_of(const struct error *e, char *text, size_t size) {
    if (e->file[0] == '\0')
        text[0] = '\0';
    else if (e->line == 0)
        snprintf(text, size, "%s: ", e->file);
    else if (e->column == 0)
        snprintf(text, size, "%s:%lld: ", e->file, (long long)e->line);
    else
        snprintf(text, size, "%s:%lld:%lld: ", e->file, (long long)e->line, (long long)e->column);
}

int rrm_fail_as_is(struct rrm_error *error, const struct error *e) {
    if (error == NULL)
        return -1;
    place_of(e, error->message, sizeof error->message);
    size_t used = strlen(error->message);
    snprintf(error->message + used, sizeof error->message - used, "%s", e->words);
    error->code = code_of(e->kind);
    return -1;
}

int rrm_fail(struct rrm_error *error, const struct error *e) {
    struct error named = *e;
    setting_names(e->words, named.words, sizeof named.words);
    return rrm_fail_as_is(error, &named);
}

int rrm_fail_missing(struct rrm_error *error, const char *what) {
    struct error e = {0};
    error_usage(&e, "%s is NULL", what);
    return rrm_fail(error, &e);
}

int rrm_check_flag(const char *name, int value, struct error *e) {
    return value == 0 || value == 1 ? 0 : error_usage(e, "%s is %d; it may be 0 or 1", name, value);
}

/* ---- the caller's locale */

locale_t rrm_enter(void) {
    locale_t plain = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    return uselocale(plain);
}

void rrm_leave(locale_t before) {
    locale_t plain = uselocale(before);
    if (plain != before && plain != LC_GLOBAL_LOCALE)
        freelocale(plain);
}

/* ---- data */

static struct rrm_data *data_new(const char *name, bool zero_based, struct error *e) {
    struct rrm_data *data = memory_zeroed(1, sizeof *data, "data", e);
    if (data == NULL)
        return NULL;
    data->zero_based = zero_based;
    data->name = memory_text(name, (int64_t)strlen(name), "a file name", e);
    if (data->name != NULL)
        return data;
    rrm_data_free(data);
    return NULL;
}

/* The caller's, or NULL with his error. */
static struct rrm_data *data_finish(struct rrm_data *data, int status, const struct error *e,
                                    struct rrm_error *error) {
    if (status == 0)
        return data;
    rrm_data_free(data);
    rrm_fail(error, e);
    return NULL;
}

static struct rrm_data *data_of_arrays(const struct rrm_csr *csr, struct rrm_error *error) {
    struct error e = {0};
    const struct csr arrays = {.rows = csr->rows,
                               .features = csr->features,
                               .dense = csr->dense != 0,
                               .start = {.wide = csr->start, .narrow = csr->start32},
                               .column = {.wide = csr->column64, .narrow = csr->column},
                               .value = {.wide = csr->value, .narrow = csr->value32},
                               .label = csr->label,
                               .weight = csr->weight,
                               .group = csr->group};
    struct rrm_data *data = data_new("", csr->zero_based != 0, &e);
    int status = data == NULL || rrm_check_flag("dense", csr->dense, &e) != 0 ||
                         rrm_check_flag("zero_based", csr->zero_based, &e) != 0
                     ? -1
                     : csr_open(&arrays, &data->csr, &e);
    return data_finish(data, status, &e, error);
}

struct rrm_data *rrm_data_csr(const struct rrm_csr *csr, struct rrm_error *error) {
    if (csr != NULL)
        return data_of_arrays(csr, error);
    rrm_fail_missing(error, "csr");
    return NULL;
}

static struct rrm_data *read_data(const char *path, int zero_based, int bits,
                                  struct rrm_error *error) {
    struct error e = {0};
    if (path == NULL) {
        rrm_fail_missing(error, "path");
        return NULL;
    }
    const struct svmlight_options options = {.zero_based = zero_based != 0,
                                             .hash_bits = bits,
                                             .unlabeled = true,
                                             .threads = omp_get_max_threads()};
    struct rrm_data *data = data_new(path, options.zero_based, &e);
    int status = data == NULL || rrm_check_flag("zero_based", zero_based, &e) != 0
                     ? -1
                     : dataset_load(path, &options, &data->csr.owned, &e);
    if (status == 0) {
        data->csr.data = data->csr.owned;
        data->hash_bits = bits;
    }
    return data_finish(data, status, &e, error);
}

struct rrm_data *rrm_data_read(const char *path, int zero_based, int hash_bits,
                               struct rrm_error *error) {
    struct error e = {0};
    if (hash_bits >= 0 && hash_bits <= FEATURE_HASH_BITS_MOST)
        return read_data(path, zero_based, hash_bits, error);
    error_usage(&e, "%d bits of a hash; there may be 1 to %d, or 0 for none", hash_bits,
                FEATURE_HASH_BITS_MOST);
    rrm_fail(error, &e);
    return NULL;
}

void rrm_data_describe(const struct rrm_data *data, struct rrm_data_info *info) {
    const struct dataset *rows = &data->csr.data;
    *info = (struct rrm_data_info){.rows = rows->rows,
                                   .features = rows->features,
                                   .entries = rows->nonzeros,
                                   .groups = rows->groups,
                                   .label = rows->label,
                                   .start = rows->start,
                                   .column = rows->column,
                                   .value = rows->value,
                                   .weight = rows->weight,
                                   .group_start = rows->group_start,
                                   .group = rows->group_id,
                                   .value32 = rows->floats,
                                   .start32 = rows->narrow_start};
}

void rrm_data_free(struct rrm_data *data) {
    if (data == NULL)
        return;
    csr_close(&data->csr);
    free(data->name);
    free(data);
}
