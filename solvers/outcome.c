/* outcome.c - what a run reached, and what ended its progress. */
#include "solvers/solver.h"

#include <math.h>
struct obstacle obstacle_of(const char *what, const char *remedy) {
    struct obstacle obstacle;
    snprintf(obstacle.what, sizeof obstacle.what, "%s", what);
    snprintf(obstacle.remedy, sizeof obstacle.remedy, "%s", remedy);
    return obstacle;
}

void outcome_visit(struct outcome *outcome, struct state *state) {
    STATE_REALS(state, &outcome->objective, &outcome->bound, &outcome->passes, &outcome->margin);
    outcome->iterations = state_integer(state, outcome->iterations, 0, INT64_MAX);
    outcome->verdict =
        (enum verdict)state_integer(state, outcome->verdict, VERDICT_GO_ON, VERDICT_INTERRUPTED);
    state_text(state, outcome->obstacle.what, sizeof outcome->obstacle.what);
    state_text(state, outcome->obstacle.remedy, sizeof outcome->obstacle.remedy);
    outcome->sought = state_flag(state, outcome->sought);
    state_text(state, outcome->note, sizeof outcome->note);
    state_text(state, outcome->finished_by, sizeof outcome->finished_by);
}

double outcome_gap(const struct outcome *outcome) {
    return (outcome->objective - outcome->bound) / fabs(outcome->objective);
}
