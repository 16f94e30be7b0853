/* resumption.c - the lines that a checkpoint and the command that goes on from it have in common. */
#include "training/run/resumption.h"

#include "io/cache/checksum.h"
#include "io/memory.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Seconds between two states, where none are given. */
static const double usual_seconds = 60;

int resumption_find(const char *text, struct resumption *resumption, struct error *e) {
    const char *sign = strrchr(text, ':');
    double seconds;
    *resumption = (struct resumption){.seconds = usual_seconds};
    if (sign == NULL || text_to_real(sign + 1, &seconds) != 0)
        sign = text + strlen(text);
    else
        resumption->seconds = seconds;
    if (sign == text || resumption->seconds < 0)
        return error_usage(e, "--checkpoint %.80s: FILE or FILE:SECONDS is expected", text);
    resumption->path = memory_text(text, sign - text, "a file name", e);
    return resumption->path == NULL ? -1 : 0;
}

void resumption_free(struct resumption *resumption) {
    checkpoint_free(resumption->checkpoint);
    free(resumption->path);
    free(resumption->command);
    *resumption = (struct resumption){0};
}

/* ---- the lines */

/* Whether the numbers of a run depend on the option. */
static bool counts(const struct option_row *row) {
    static const char *const others[] = {"time-limit", "threads", "checkpoint"};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (strcmp(row->name, others[i]) == 0)
            return false;
    return row->kind != OPTION_CALL; /* what these set is written by write_more */
}

static void write_option(const struct option_row *row, const void *settings, FILE *stream) {
    const void *value = (const char *)settings + row->offset;
    const char *text;
    fprintf(stream, "--%s ", row->name);
    switch (row->kind) {
    case OPTION_INTEGER:
        fprintf(stream, "%" PRId64, *(const int64_t *)value);
        break;
    case OPTION_NATURAL:
        fprintf(stream, "%" PRIu64, *(const uint64_t *)value);
        break;
    case OPTION_REAL:
        fprintf(stream, "%.17g", *(const double *)value);
        break;
    case OPTION_TEXT:
        text = *(const char *const *)value;
        fputs(text == NULL ? "" : text, stream);
        break;
    case OPTION_CHOICE:
        fputs(row->choices[*(const int *)value], stream);
        break;
    default:
        fputs(*(const bool *)value ? "on" : "off", stream);
    }
    fputc('\n', stream);
}

static void write_group(const struct option_group *group, FILE *stream) {
    for (int i = 0; group != NULL && i < group->count; i++)
        if (group->rows[i].name != NULL && counts(&group->rows[i]))
            write_option(&group->rows[i], group->settings, stream);
}

static uint64_t checksum_of(const void *bytes, int64_t count) {
    struct checksum sum = {{0}, 0};
    if (bytes != NULL)
        checksum_add(&sum, bytes, count);
    return checksum_end(&sum);
}

/* The same for starts of any width. */
static uint64_t checksum_of_starts(const struct dataset *data) {
    enum { TOGETHER = 1024 }; /* whole blocks of a checksum */
    struct checksum sum = {{0}, 0};
    int64_t start[TOGETHER], count = 0;
    for (int64_t i = 0; i <= data->rows && dataset_is_read(data); i++) {
        start[count++] = dataset_start(data, i);
        if (count == TOGETHER || i == data->rows) {
            checksum_add(&sum, start, count * (int64_t)sizeof *start);
            count = 0;
        }
    }
    return checksum_end(&sum);
}

/* The mapped values of a window are made from what is written here. */
static uint64_t checksum_of_data(const struct dataset *data) {
    const int64_t word = sizeof(double), columns = data->dense ? data->features : data->nonzeros;
    const uint64_t sums[] = {
        checksum_of_starts(data),
        checksum_of(data->column, columns * (int64_t)sizeof *data->column),
        checksum_of(data->value, data->nonzeros * word),
        checksum_of(data->label, data->rows * word),
        checksum_of(data->weight, data->rows * word),
        checksum_of(data->group_start, (data->groups + 1) * word),
    };
    return checksum_of(sums, sizeof sums);
}

/* DATA NULL: a stream of this SIZE. */
static void write_data(const struct dataset *data, int64_t size, FILE *stream) {
    if (data == NULL) {
        fprintf(stream, "data: a stream of size %" PRId64 "\n", size);
        return;
    }
    fprintf(stream,
            "data: %" PRId64 " examples, %d features, %" PRId64 " nonzeros, checksum %016" PRIx64
            "\n",
            data->rows, (int)data->features, data->nonzeros, checksum_of_data(data));
}

/* What is no option, or follows from several. */
static void write_more(const struct training_request *request, const struct dataset *data,
                       int64_t size, const struct model *start, FILE *stream) {
    const struct train_settings *s = &request->settings;
    fprintf(stream, "--regularizer %s\n--ball %.17g\n", request->regularizer->name,
            s->regularizer_parameters.ball);
    write_data(data, size, stream);
    fprintf(stream, "start: %016" PRIx64 "\n",
            start == NULL
                ? 0
                : checksum_of(start->w, model_weights(start) * (int64_t)sizeof *start->w));
}

/* All lines, freed by the caller; NULL with the error set. DATA NULL: a stream of this SIZE. */
static char *write_command(const struct training_request *request, const struct dataset *data,
                           int64_t size, const struct model *start, struct error *e) {
    char *text = NULL;
    size_t bytes = 0;
    FILE *stream = open_memstream(&text, &bytes);
    if (stream != NULL) {
        write_group(&request->groups[0], stream);
        write_group(request_group(request, request->solver->name), stream);
        write_more(request, data, size, start, stream);
    }
    if (stream != NULL && fclose(stream) == 0)
        return text;
    free(text);
    error_memory(e, "a checkpoint", 1, 1);
    return NULL;
}

static int open_for(const struct training_request *request, const struct dataset *data,
                    int64_t size, const struct model *start, struct resumption *resumption,
                    struct error *e) {
    if (resumption_find(request->settings.checkpoint, resumption, e) != 0)
        return -1;
    resumption->command = write_command(request, data, size, start, e);
    if (resumption->command == NULL)
        return -1;
    const struct checkpoint_settings settings = {
        .path = resumption->path, .seconds = resumption->seconds, .command = resumption->command};
    resumption->checkpoint = checkpoint_new(&settings, e);
    return resumption->checkpoint == NULL ? -1 : 0;
}

int resumption_open(const struct training_request *request, const struct dataset *data,
                    const struct model *start, struct resumption *resumption, struct error *e) {
    return open_for(request, data, 0, start, resumption, e);
}

int resumption_open_stream(const struct training_request *request, int64_t size,
                           const struct model *start, struct resumption *resumption,
                           struct error *e) {
    return open_for(request, NULL, size, start, resumption, e);
}
