/* risk_table.c - the table of risks for -L. */
#include "risk/risk_table.h"

#include "risk/boost.h"
#include "risk/multiclass.h"
#include "risk/multivariate/f1.h"
#include "risk/multivariate/precision.h"
#include "risk/multivariate/rocarea.h"
#include "risk/ranking/ndcg.h"
#include "risk/ranking/pairwise.h"
#include "risk/ranking/ranking.h"
#include "risk/rna/rna.h"
#include "risk/rna/rna_data.h"
#include "risk/sequences/sequences.h"

#include <string.h>
#include <threads.h>

static const char constant[] = "-B 1 adds a constant feature";
static const char order[] = "an offset does not change the order of the scores";

/* The risks other than means of scalar losses. */
static const struct risk_row structured_risks[] = {
    {.name = "boost",
     .no_offset = constant,
     .summary = "LPBoost with an entropy; the features are the learners (--nu, --eta)",
     .regularizer = "simplex",
     .check = boost_check,
     .check_data = boost_check_data,
     .boosts = true,
     .make = boost_risk_new},
    {.name = "crammer-singer",
     .summary = "max_k [k != y] + u_k - u_y: multiclass SVM, all classes together",
     .task = TASK_CLASSES,
     .regularizer = "l2",
     .items = true,
     .margins = true,
     .needs_all_rows = true,
     .make = crammer_singer_risk_new},
    {.name = "softmax",
     .summary = "log sum_k exp(u_k) - u_y: multinomial logistic regression, with probabilities",
     .task = TASK_CLASSES,
     .probabilities = true,
     .smooth = true,
     .regularizer = "l2",
     .items = true,
     .needs_all_rows = true,
     .make = softmax_risk_new},
    {.name = "f1",
     .summary = "hinge bound of 1 - F1 of all predictions together",
     .measure = "F1",
     .regularizer = "l2",
     .make = f1_risk_new},
    {.name = "precision",
     .no_offset = order,
     .summary = "hinge bound of 1 - precision of the K highest scores (--at)",
     .measure = "precision",
     .regularizer = "l2",
     .cut = true,
     .make = precision_risk_new},
    {.name = "prbep",
     .no_offset = order,
     .summary = "hinge bound of 1 - precision at the point where it equals recall",
     .measure = "precision",
     .regularizer = "l2",
     .make = prbep_risk_new},
    {.name = "rocarea",
     .no_offset = order,
     .summary = "hinge over pairs of a positive and a negative: bounds 1 - ROC area",
     .measure = "AUC",
     .regularizer = "l2",
     .check = ranking_check,
     .make = rocarea_risk_new},
    {.name = "pairwise",
     .no_offset = order,
     .summary = "rankings (qid): hinge over pairs of documents of a query",
     .task = TASK_RANKING,
     .regularizer = "l2",
     .check = ranking_check,
     .items = true,
     .needs_all_rows = true,
     .make = pairwise_risk_new},
    {.name = "ndcg",
     .no_offset = order,
     .summary = "rankings (qid): hinge bound of 1 - NDCG@K (--at K), grades 0 to 30",
     .task = TASK_RANKING,
     .regularizer = "l2",
     .check = ranking_check,
     .check_data = ranking_check_grades,
     .items = true,
     .no_smooth_form = true,
     .needs_all_rows = true,
     .cut = true,
     .make = ndcg_risk_new},
    {.name = "m3n",
     .summary =
         "sequences (qid): hinge on the number of wrong labels, maximum-margin Markov network",
     .task = TASK_SEQUENCES,
     .regularizer = "l2",
     .items = true,
     .needs_all_rows = true,
     .shared = sequences_shared,
     .make = m3n_risk_new},
    {.name = "crf",
     .summary = "sequences (qid): -log p(labels), conditional random field, with probabilities",
     .task = TASK_SEQUENCES,
     .probabilities = true,
     .smooth = true,
     .regularizer = "l2",
     .items = true,
     .needs_all_rows = true,
     .shared = sequences_shared,
     .make = crf_risk_new},
    {.name = "rna",
     .no_offset = constant,
     .summary =
         "RNA (qid): hinge on the number of bases with a wrong partner, over all nested structures",
     .task = TASK_FOLDING,
     .regularizer = "l2",
     .features = 4, /* the bases */
     .check = rna_check,
     .check_data = rna_check_data,
     .items = true,
     .needs_all_rows = true,
     .shared = rna_shared,
     .make = rna_risk_new},
};

/* Losses with a margin that is learned; the scalar loss is named. */
static const struct {
    const char *name, *loss, *summary;
    enum loss_learned learned;
} learned_rows[] = {
    {"nu-hinge", "hinge",
     "max(0, rho - y u), minus nu rho: kernel machines (nu-SVM); rho is learned (--nu)",
     LEARNS_MARGIN},
    {"nu-epsilon", "epsilon",
     "max(0, |u - y| - tube), plus nu tube: kernel machines (nu-SVR); the tube is learned (--nu)",
     LEARNS_TUBE},
    {"one-class", "hinge",
     "max(0, rho - u), minus nu rho: kernel machines; is an example like those of training? Labels "
     "are ignored; rho is learned (--nu)",
     LEARNS_LEVEL},
};

enum { LEARNED_ROWS = sizeof learned_rows / sizeof *learned_rows };

enum { STRUCTURED_RISKS = sizeof structured_risks / sizeof *structured_risks, MAX_ROWS = 32 };

static struct risk_row rows[MAX_ROWS];
static int row_count;
static once_flag fill_once = ONCE_FLAG_INIT;

static struct risk *make_scalar(const struct risk_settings *settings, struct error *e) {
    return scalar_risk_new(&settings->scalar, e);
}

static void fill_table(void) {
    int losses;
    const struct loss *loss = loss_table(&losses);
    for (int i = 0; i < losses && i < MAX_ROWS - STRUCTURED_RISKS - LEARNED_ROWS; i++)
        rows[row_count++] = (struct risk_row){.name = loss[i].name,
                                              .summary = loss[i].summary,
                                              .task = loss[i].task,
                                              .probabilities = loss[i].probabilities,
                                              .scalar = &loss[i],
                                              .regularizer = "l2",
                                              .items = true,
                                              .make = make_scalar};
    for (int i = 0; i < LEARNED_ROWS; i++) {
        const struct loss *scalar = loss_by_name(learned_rows[i].loss);
        rows[row_count++] = (struct risk_row){.name = learned_rows[i].name,
                                              .summary = learned_rows[i].summary,
                                              .task = scalar->task,
                                              .scalar = scalar,
                                              .learned = learned_rows[i].learned,
                                              .regularizer = "l2",
                                              .items = true,
                                              .make = make_scalar};
    }
    for (int i = 0; i < STRUCTURED_RISKS; i++)
        rows[row_count++] = structured_risks[i];
}

const struct risk_row *risk_table(int *count) {
    call_once(&fill_once, fill_table);
    *count = row_count;
    return rows;
}

const struct risk_row *risk_row_by_name(const char *name) {
    int count;
    const struct risk_row *table = risk_table(&count);
    for (int i = 0; i < count; i++)
        if (strcmp(table[i].name, name) == 0)
            return &table[i];
    return NULL;
}
