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
    bool unregularized, search, has_lambda;
};

static const char value_letters[] = "sgtdrcnpem"; /* the options that a number follows */

static bool is_number(const char *text) {
    double value;
    return text != NULL && text_to_real(text, &value) == 0;
}

static bool is_option(const char *word, char letter) {
    return word[0] == '-' && word[1] == letter && word[2] == '\0';
}

/* The value of the option LETTER, one of value_letters. */
static const char **slot(struct given *given, char letter) {
    const char **slots[] = {&given->s, &given->g, &given->t, &given->d, &given->r,
                            &given->c, &given->n, &given->p, &given->e, &given->m};
    return slots[strchr(value_letters, letter) - value_letters];
}

/* Where the value of WORD is kept, if it is one of theirs with a number behind it. */
static const char **slot_of(struct given *given, const char *word, const char *next, bool svm) {
    bool one_letter = word[0] == '-' && word[1] != '\0' && word[2] == '\0';
    if (!one_letter || strchr(value_letters, word[1]) == NULL || !is_number(next) ||
        (!svm && strchr("gtdr", word[1]) != NULL))
        return NULL;
    return slot(given, word[1]);
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

static bool begins(const char *word, const char *start) {
    return strncmp(word, start, strlen(start)) == 0;
}

/* Whether one of the other WORDS says how much regularization there is, in the place of C. */
static bool has_lambda(int count, char **words) {
    for (int i = 0; i < count; i++) {
        const char *next = i + 1 < count ? words[i + 1] : "";
        if ((words[i][0] == '-' && words[i][1] == 'l') || begins(words[i], "--lambda") ||
            begins(words[i], "--ball") ||
            (begins(words[i], "--path") && !begins(words[i], "--path-") &&
             strchr(words[i][6] == '=' ? words[i] : next, ',') != NULL))
            return true;
    }
    return false;
}

static void add_cost(struct foreign_options *foreign, const struct given *given) {
    if (given->c != NULL || !given->has_lambda)
        add_pair(foreign, "-c", or_default(given->c, "1"));
}

/* Keeps for the user which of the options LETTERS were given: they have no effect. */
static void tell_unused(struct foreign_options *foreign, const struct given *given,
                        const char *letters) {
    size_t count = strlen(foreign->unused);
    for (; *letters != '\0'; letters++)
        if (*slot((struct given *)given, *letters) != NULL)
            foreign->unused[count++] = *letters;
    foreign->unused[count] = '\0';
}

static int translate_liblinear(struct foreign_options *foreign, const struct given *given,
                               struct error *e) {
    const char *usual = given->search ? "2" : "1", *type = or_default(given->s, usual);
    int64_t number = -1; /* no type */
    text_to_integer(type, &number);
    size_t k = 0, count = sizeof liblinear / sizeof *liblinear;
    while (k < count && liblinear[k].number != number)
        k++;
    if (k == count)
        return error_usage(e, "LIBLINEAR has no -s %s; -s names a solver here (-s help)", type);
    if (given->search && number == 21)
        return error_usage(e, "LIBLINEAR's -C is not for -s 21");
    add_pair(foreign, "-L", liblinear[k].loss);
    if (liblinear[k].regularizer != NULL)
        add_pair(foreign, "-r", liblinear[k].regularizer);
    foreign->drops_tolerance = given->e != NULL;
    if (given->m != NULL)
        add_pair(foreign, "-j", given->m);
    if (number == 21) {
        add_pair(foreign, "--kernel", "linear");
        add_pair(foreign, "--nu", or_default(given->n, "0.5"));
        tell_unused(foreign, given, "cp");
        return 0;
    }
    bool tube = number >= 11 && number <= 13;
    if (tube)
        add_pair(foreign, "--tube", or_default(given->p, "0.1"));
    if (given->search)
        add(foreign, "--search");
    else
        add_cost(foreign, given);
    if (given->unregularized)
        add(foreign, "--intercept");
    foreign->drops_start = given->search && given->c != NULL;
    tell_unused(foreign, given, tube ? "n" : "np");
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
    int type = number_to_4(given->s, 0), kernel = number_to_4(given->t, 2);
    if (type < 0)
        return error_usage(e, "LIBSVM has -s 0 to 4, not -s %s", given->s);
    if (kernel < 0)
        return error_usage(e,
                           "LIBSVM has -t 0 to 4, not -t %s; with our options, as --gamma-kernel "
                           "for -g, -t %s is a limit of time",
                           given->t, given->t);
    bool machine = kernel != 0 || type == 1 || type == 2 || type == 4; /* not a linear model */
    add_pair(foreign, "-L", libsvm[type]);
    add_kernel(foreign, given, kernel);
    tell_unused(foreign, given, kernel == 1 ? "" : kernel == 2 ? "dr" : kernel == 3 ? "d" : "gdr");
    if (type != 2)
        add_pair(foreign, "--basis", "1");
    if (type == 0 || type == 3 || type == 4)
        add_cost(foreign, given);
    if (type == 1 || type == 2 || type == 4)
        add_pair(foreign, "--nu", or_default(given->n, "0.5"));
    if (type == 3)
        add_pair(foreign, "--tube", or_default(given->p, "0.1"));
    static const char *const unused[] = {"np", "cp", "cp", "n", "p"};
    tell_unused(foreign, given, unused[type]);
    foreign->drops_tolerance = !machine && given->e != NULL;
    if (machine && given->e != NULL)
        add_pair(foreign, "-e", given->e);
    if (machine && given->m != NULL)
        add_pair(foreign, "--kernel-cache", given->m);
    else
        tell_unused(foreign, given, "m");
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

/* Whether WORD is one of the options that LIBSVM has, too, or an operand. */
static bool may_be_libsvm(const char *word) {
    return word[0] != '-' || word[1] == '\0' || (word[1] == 'w' && word[2] != '\0') ||
           (strchr("tcvbepq", word[1]) != NULL && word[2] == '\0');
}

static bool all_may_be_libsvm(int argc, char **argv) {
    for (int i = 1; i < argc; i++)
        if (!may_be_libsvm(argv[i]) && !is_number(argv[i]))
            return false;
    return true;
}

static bool has_word(int argc, char **argv, const char *text) {
    for (int i = 1; i < argc; i++)
        if (strcmp(argv[i], text) == 0)
            return true;
    return false;
}

/* Whether our loss or solver is named. */
static bool names_ours(int argc, char **argv) {
    for (int i = 1; i < argc; i++)
        if (is_option(argv[i], 'L') || strncmp(argv[i], "--loss", 6) == 0 ||
            is_option(argv[i], 's') || strncmp(argv[i], "--solver", 8) == 0)
            return true;
    return false;
}

/* The last -s with a number, as text, or NULL. */
static const char *type_number(int argc, char **argv) {
    const char *type = NULL;
    int64_t number;
    for (int i = 1; i + 1 < argc; i++)
        if (is_option(argv[i], 's') && text_to_integer(argv[i + 1], &number) == 0)
            type = argv[i + 1];
    return type;
}

/* Whether the number of -s is of LIBSVM, as -n, or -p beside -s 3, has no meaning for these numbers in LIBLINEAR. */
static bool has_libsvm_value(int argc, char **argv, const char *type) {
    int number = number_to_4(type, -1);
    return type != NULL && number >= 0 &&
           ((number != 0 && number != 3 && has_number(argc, argv, "n")) ||
            (number == 3 && has_number(argc, argv, "p")));
}

/* Whether an option is there that LIBLINEAR has and LIBSVM has not. */
static bool has_liblinear_option(int argc, char **argv) {
    return has_word(argc, argv, "-C") || has_word(argc, argv, "-R") || has_word(argc, argv, "-B");
}

/* A value of -p that looks more like the width of a tube than like a number of passes, or NULL. */
static const char *tube_width(int argc, char **argv) {
    double value;
    for (int i = 1; i + 1 < argc; i++)
        if (is_option(argv[i], 'p') && text_to_real(argv[i + 1], &value) == 0 && value < 1)
            return argv[i + 1];
    return NULL;
}

/* Whether the command line is theirs, and *svm: LIBSVM's. Without a number of -s, -t is theirs where another option is
 * that is none here; with one of LIBLINEAR alone, or with another value than a kernel's number, it is ours. -t 0 is no
 * limit of time. */
static bool is_foreign(int argc, char **argv, bool *svm) {
    const char *type = type_number(argc, argv), *kernel = kernel_number(argc, argv);
    bool liblinear_alone = type != NULL && number_to_4(type, 0) < 0;
    *svm = has_number(argc, argv, "gdrh") || (kernel != NULL && !liblinear_alone) ||
           has_libsvm_value(argc, argv, type);
    return type != NULL || has_number(argc, argv, "gh") ||
           (kernel != NULL && (has_number(argc, argv, "drm") ||
                               (atoi(kernel) == 0 && all_may_be_libsvm(argc, argv)))) ||
           (!*svm && has_word(argc, argv, "-C") && !names_ours(argc, argv));
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
                {'d', false, "LIBSVM's -d is --degree, of --kernel polynomial,"},
                {'r', true, "LIBSVM's -r is --shift, of --kernel polynomial or sigmoid,"}};
    const char *kernel = kernel_number(argc, argv);
    if (kernel != NULL && atoi(kernel) == 0)
        return error_usage(
            e, "-t %s: a limit of time is more than 0 s; LIBSVM's -t 0 is --kernel linear here",
            kernel);
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
        if (has_number(argc, argv, "cvb") || all_may_be_libsvm(argc, argv))
            foreign->kernel = kernel_number(argc, argv);
        foreign->tube = tube_width(argc, argv);
        return refuse_letters(argc, argv, e);
    }
    foreign->found = true;
    if (!svm && number_to_4(type_number(argc, argv), -1) >= 0 &&
        !has_liblinear_option(argc, argv) && !has_number(argc, argv, "t"))
        foreign->ambiguous = type_number(argc, argv);
    foreign->whose = svm ? "LIBSVM" : "LIBLINEAR";
    foreign->argv = memory_zeroed(2 * (int64_t)argc + MOST_WORDS, sizeof *argv, "options", e);
    others.argv = memory_zeroed(argc + 1, sizeof *argv, "options", e);
    int status = foreign->argv == NULL || others.argv == NULL ? -1 : 0;
    if (status == 0) {
        add(foreign, argv[0]);
        sort_words(argc, argv, svm, &given, &others);
        given.has_lambda = has_lambda(others.argc, others.argv);
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
