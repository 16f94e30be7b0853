/* train_preview.c - what train --dry-run prints. */
#include "cli/train_preview.h"

#include "io/memory.h"

#include <inttypes.h>

static void print_data(const struct preview *p, FILE *stream) {
    fprintf(stream, "examples %" PRId64 ", features %" PRId64 ", nonzeros %" PRId64, p->rows,
            p->features, p->nonzeros);
    if (p->features > 0)
        fprintf(stream, " (%.3g%%)",
                100 * (double)p->nonzeros / ((double)p->rows * (double)p->features));
    if (p->labels > 0)
        fprintf(stream, ", labels %" PRId64, p->labels);
    if (p->groups > 0)
        fprintf(stream, ", groups %" PRId64, p->groups);
    fputc('\n', stream);
}

static void print_sizes(const struct feature_sizes *sizes, FILE *stream) {
    if (sizes->largest == 0)
        return;
    fprintf(stream, "values of features are of sizes from %.3g to %.3g%s\n", sizes->smallest,
            sizes->largest,
            feature_sizes_differ(sizes)
                ? ": far apart; `scale` brings them together, and training takes fewer passes"
                : "");
}

/* "3.25 MB", "1250 MB" */
static void print_bytes(const char *before, double bytes, FILE *stream) {
    double size = bytes / MEGABYTE;
    fprintf(stream, size < 100 ? "%s%.3g MB" : "%s%.0f MB", before, size);
}

static void print_memory(const struct preview *p, FILE *stream) {
    const struct session_memory *memory = &p->memory;
    print_bytes("memory about ", memory->all, stream);
    print_bytes(" of ", memory_of_machine(), stream);
    print_bytes(": examples ", memory->examples, stream);
    print_bytes(", weights ", memory->weights, stream);
    if (memory->solver.known) /* of kernel machines the rows that they need are not known before */
        print_bytes(p->solver->is_kernel_expansion ? ", solver at most " : ", solver ",
                    memory->solver.base, stream);
    else
        fputs(", and what the solver takes, which is not known", stream);
    if (memory->solver.pass > 0)
        print_bytes(", and more in each pass, at most ", memory->solver.pass, stream);
    fputc('\n', stream);
    if (p->largest_bytes > 0) {
        print_bytes("this is process 0; the largest process takes about ", p->largest_bytes,
                    stream);
        fputc('\n', stream);
    }
    if (p->exceeds)
        fprintf(stream, "this is more than there is: %s\n", p->remedy);
    if (memory->window == 0)
        return;
    print_bytes("examples of ", memory->window, stream);
    fputs(" do not stay in memory (--memory)\n", stream);
}

static void print_solver(const struct train_command *command, const struct preview *p,
                         FILE *stream) {
    if (command->request.solver_given)
        fprintf(stream, "solver %s (-s); by default ", p->solver->name);
    else
        fputs("solver ", stream);
    fprintf(stream, "%s: %s\n", p->by_default != NULL ? p->by_default->name : "none",
            p->by_default == NULL ? "no solver can do this"
            : p->why != NULL      ? p->why
                                  : "the first that can do this");
    for (int i = 0; i < TRIALS_MOST && p->trial[i].solver != NULL; i++) {
        const struct trial *trial = &p->trial[i];
        if (trial->solver == p->by_default) /* the last one */
            fprintf(stream, "it has at most %.0f passes; then %s follows\n", trial->passes,
                    p->solver->name);
        else
            fprintf(stream, "before it %s, for at most %.0f passes\n", trial->solver->name,
                    trial->passes);
    }
}

void train_preview(const struct train_command *command, const struct preview *preview,
                   FILE *stream) {
    print_data(preview, stream);
    print_sizes(&preview->sizes, stream);
    print_memory(preview, stream);
    print_solver(command, preview, stream);
}
