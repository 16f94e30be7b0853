/* risk.c - what all risks share. */
#include "risk/risk.h"

void risk_free(struct risk *risk) {
    if (risk != NULL)
        risk->kind->free(risk);
}
