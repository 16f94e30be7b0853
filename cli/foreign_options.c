/* foreign_options.c - translates the options of LIBLINEAR and LIBSVM; see foreign_options.h. */
#include "cli/foreign_options.h"

#include "io/memory.h"
#include "solvers/option.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_WORDS = 24 }; /* that are added to those of the caller */

static const struct {
    int number;
    const char *loss, *regularizer;
} liblinear[] = {
    {0, "logistic", NULL},         {1, "squared-hinge", NULL},
    {2, "squared-hinge", NULL},    {3, "hinge", NULL},
    {4, "crammer-singer", NULL},   {5, "squared-hinge", "l1"},
    {6, "logistic", "l1"},         {7, "logistic", NULL},
    {11, "squared-epsilon", NULL}, {12, "squared-epsilon", NULL},
    {13, "epsilon", NULL},         {21, "one-class", NULL},
};

static const char *const libsvm[] = {"hinge", "nu-hinge", "one-class", "epsilon", "nu-epsilon"};

static const char *const kernels[] = {"linear", "polynomial", "gaussian", "sigmoid", "precomputed"};

/* What was given, as text; NULL: not. */
struct given {
    const char *s, *t, *g, *d, *r, *c, *n, *p, *e, *m;
    bool unregularized, search;
};

static bool is_number(const char *text) {
    double value;
    return text != NULL && text_to_real(text, &value) == 0;
}

static bool is_option(const char *word, char letter) {
    return word[0] == '-' && word[1] == letter && word[2] == '\0';
}

/* Where the value of word I is kept, if it is one of theirs with a number behind it. */
static const char **slot_of(struct given *given, const char *word, const char *next, bool svm) {
    static const char letters[] = "sgtdrcnpem";
    const char *letter = strchr(letters, word[0] == '-' && word[1] != '\0' ? word[1] : '?');
    const char **slots[] = {&given->s, &given->g, &given->t, &given->d, &given->r,
                            &given->c, &given->n, &given->p, &given->e, &given->m};
    if (letter == NULL || word[2] != '\0' || !is_number(next) ||
        (!svm && strchr("gtdrm", *letter) != NULL))
        return NULL;
    return slots[letter - letters];
}

static void add(struct foreign_options *foreign, const char *word) {
    foreign->argv[foreign->argc++] = (char *)word;
}

static void add_pair(struct foreign_options *foreign, const char *name, const char *value) {
    add(foreign, name);
    add(foreign, value);
}

static const char *or_default(const char *given, const char *usual) {
    return given != NULL ? given : usual;
}

static int translate_liblinear(struct foreign_options *foreign, const struct given *given,
                               struct error *e) {
    int number = atoi(given->s);
    size_t k = 0, count = sizeof liblinear / sizeof *liblinear;
    while (k < count && liblinear[k].number != number)
        k++;
    if (k == count)
        return error_usage(e, "LIBLINEAR has no -s %s; -s names a solver here (-s help)", given->s);
    if (given->search && given->c != NULL)
        return error_usage(e, "LIBLINEAR's -C with -c: --path N,FROM,TO with --search has the ends "
                              "of the search, as lambda = 1/(C m)");
    if (given->search && number == 21)
        return error_usage(e, "LIBLINEAR's -C is not for -s 21");
    add_pair(foreign, "-L", liblinear[k].loss);
    if (liblinear[k].regularizer != NULL)
        add_pair(foreign, "-r", liblinear[k].regularizer);
    if (number == 21) {
        add_pair(foreign, "--kernel", "linear");
        add_pair(foreign, "--nu", or_default(given->n, "0.5"));
        return 0;
    }
    if (number >= 11 && number <= 13)
        add_pair(foreign, "--tube", or_default(given->p, "0.1"));
    if (given->search)
        add(foreign, "--search");
    else
        add_pair(foreign, "-c", or_default(given->c, "1"));
    if (given->unregularized)
        add(foreign, "--intercept");
    foreign->drops_tolerance = given->e != NULL;
    return 0;
}

static void add_kernel(struct foreign_options *foreign, const struct given *given, int t) {
    add_pair(foreign, "--kernel", kernels[t]);
    if (t == 1)
        add_pair(foreign, "--degree", or_default(given->d, "3"));
    if (t == 1 || t == 3)
        add_pair(foreign, "--shift", or_default(given->r, "0"));
    if (t >= 1 && t <= 3 && given->g != NULL)
        add_pair(foreign, "--gamma-kernel", given->g);
}

/* The number of an option of LIBSVM, from 0 to 4; -1: it is none of these. NULL: not given. */
static int number_to_4(const char *given, int usual) {
    int64_t number = usual;
    if (given != NULL && (text_to_integer(given, &number) != 0 || number < 0 || number > 4))
        return -1;
    return (int)number;
}

static int translate_libsvm(struct foreign_options *foreign, const struct given *given,
                            struct error *e) {
    int s = number_to_4(given->s, 0), t = number_to_4(given->t, 2);
    if (s < 0)
        return error_usage(e, "LIBSVM has -s 0 to 4, not -s %s", given->s);
    if (t < 0)
        return error_usage(e,
                           "LIBSVM has -t 0 to 4, not -t %s; with our options, as --gamma-kernel "
                           "for -g, -t %s is a limit of time",
                           given->t, given->t);
    add_pair(foreign, "-L", libsvm[s]);
    add_kernel(foreign, given, t);
    if (s != 2)
        add_pair(foreign, "--basis", "1");
    if (s == 0 || s == 3 || s == 4)
        add_pair(foreign, "-c", or_default(given->c, "1"));
    if (s == 1 || s == 2 || s == 4)
        add_pair(foreign, "--nu", or_default(given->n, "0.5"));
    if (s == 3)
        add_pair(foreign, "--tube", or_default(given->p, "0.1"));
    if (given->e != NULL)
        add_pair(foreign, "-e", given->e);
    if (given->m != NULL)
        add_pair(foreign, "--kernel-cache", given->m);
    return 0;
}

/* Whether a number follows one of the options LETTERS. */
static bool has_number(int argc, char **argv, const char *letters) {
    for (int i = 1; i + 1 < argc; i++)
        for (const char *letter = letters; *letter != '\0'; letter++)
            if (is_option(argv[i], *letter) && is_number(argv[i + 1]))
                return true;
    return false;
}

/* -t with the number of one of LIBSVM's kernels, or NULL: here it is a limit of time. */
static const char *kernel_number(int argc, char **argv) {
    for (int i = 1; i + 1 < argc; i++)
        if (is_option(argv[i], 't') && number_to_4(argv[i + 1], 0) >= 0)
            return argv[i + 1];
    return NULL;
}

/* Whether the command line is theirs, and *svm: LIBSVM's. Without a number of -s, -t is theirs where another option is
 * that is none here; with one of LIBLINEAR alone, or with another value than a kernel's number, it is ours. */
static bool is_foreign(int argc, char **argv, bool *svm) {
    bool numbered = false, liblinear_alone = false;
    int64_t number;
    for (int i = 1; i + 1 < argc; i++)
        if (is_option(argv[i], 's') && text_to_integer(argv[i + 1], &number) == 0) {
            numbered = true;
            liblinear_alone = number_to_4(argv[i + 1], 0) < 0;
        }
    *svm =
        has_number(argc, argv, "gdrh") || (kernel_number(argc, argv) != NULL && !liblinear_alone);
    return numbered || has_number(argc, argv, "g") ||
           (kernel_number(argc, argv) != NULL && has_number(argc, argv, "drhm"));
}

/* Puts what is theirs into *given, and the other words behind those that are there. */
static void sort_words(int argc, char **argv, bool svm, struct given *given,
                       struct foreign_options *foreign) {
    for (int i = 1; i < argc; i++)
        given->unregularized |= !svm && is_option(argv[i], 'R');
    for (int i = 1; i < argc; i++) {
        const char *next = i + 1 < argc ? argv[i + 1] : NULL;
        const char **slot = slot_of(given, argv[i], next, svm);
        bool shrinking = svm && is_option(argv[i], 'h') && is_number(next);
        if (slot != NULL)
            *slot = next;
        i += slot != NULL || shrinking;
        if (slot != NULL || shrinking)
            continue;
        if (!svm && is_option(argv[i], 'B') && given->unregularized)
            i++; /* the same offset */
        else if (!svm && is_option(argv[i], 'R'))
            continue;
        else if (!svm && is_option(argv[i], 'C'))
            given->search = true;
        else
            add(foreign, argv[i]);
    }
}

/* Refuses a letter of theirs among our words, by what it is here. */
static int refuse_letters(int argc, char **argv, struct error *e) {
    static const struct {
        char letter;
        bool number; /* that follows it; without one the letter is ours */
        const char *ours;
    } rows[] = {{'C', false, "LIBLINEAR's -C is --search"},
                {'R', false, "LIBLINEAR's -B with -R is --intercept"},
                {'n', false, "-n of LIBLINEAR and LIBSVM is --nu"},
                {'m', false, "LIBLINEAR's -m is -j, and LIBSVM's is --kernel-cache"},
                {'d', false, "LIBSVM's -d is --degree"},
                {'r', true, "LIBSVM's -r is --shift"}};
    for (int i = 1; i < argc; i++)
        for (size_t k = 0; k < sizeof rows / sizeof *rows; k++)
            if (is_option(argv[i], rows[k].letter) &&
                (!rows[k].number || (i + 1 < argc && is_number(argv[i + 1]))))
                return error_usage(e, "%s here; --help lists the options", rows[k].ours);
    return 0;
}

int foreign_options_translate(int argc, char **argv, struct foreign_options *foreign,
                              struct error *e) {
    struct given given = {0};
    struct foreign_options others = {0};
    bool svm;
    *foreign = (struct foreign_options){0};
    if (!is_foreign(argc, argv, &svm)) {
        if (has_number(argc, argv, "cv"))
            foreign->kernel = kernel_number(argc, argv);
        return refuse_letters(argc, argv, e);
    }
    foreign->found = true;
    foreign->whose = svm ? "LIBSVM" : "LIBLINEAR";
    foreign->argv = memory_zeroed(2 * (int64_t)argc + MOST_WORDS, sizeof *argv, "options", e);
    others.argv = memory_zeroed(argc + 1, sizeof *argv, "options", e);
    int status = foreign->argv == NULL || others.argv == NULL ? -1 : 0;
    if (status == 0) {
        add(foreign, argv[0]);
        sort_words(argc, argv, svm, &given, &others);
        status =
            svm ? translate_libsvm(foreign, &given, e) : translate_liblinear(foreign, &given, e);
    }
    for (int i = 0; status == 0 && i < others.argc; i++)
        add(foreign, others.argv[i]);
    free(others.argv);
    return status;
}

const char *foreign_options_kernel(const struct foreign_options *foreign) {
    return foreign->kernel == NULL ? NULL : kernels[atoi(foreign->kernel)];
}

void foreign_options_free(struct foreign_options *foreign) {
    free(foreign->argv);
    *foreign = (struct foreign_options){0};
}
