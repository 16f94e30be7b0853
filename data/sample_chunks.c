/* sample_chunks.c - sentences of a small grammar.
 *
 * Chunks are noun phrases, verb phrases and the like, their first word tagged B-, the others I-. The part
 * of speech decides most tags. The neighbouring words decide where one noun phrase ends and the next begins, and
 * whether an adjective follows a verb. One part of speech in thirty is wrong, like a real tagger's. */
#include "data/sample_chunks.h"

enum { MAX_KIND_WORDS = 12 };

struct kind {
    const char *speech;
    const char *word[MAX_KIND_WORDS];
};

static const struct kind determiner = {"DT", {"the", "a", "this", "some", "every", "no"}};
static const struct kind adjective = {"JJ",
                                      {"old", "small", "quiet", "red", "cold", "late", "wide",
                                       "open", "long", "light", "plain", "dry"}};
static const struct kind noun = {"NN",
                                 {"garden", "river", "market", "letter", "light", "teacher",
                                  "train", "walk", "harbour", "door", "answer", "report"}};
static const struct kind plural = {
    "NNS", {"trains", "walks", "birds", "farmers", "answers", "reports", "lights", "roads"}};
static const struct kind name = {"NNP", {"Anna", "Lisbon", "Otto", "March", "Vera", "Turin"}};
static const struct kind pronoun = {"PRP", {"she", "he", "it", "they", "we"}};
static const struct kind verb = {
    "VBD",
    {"saw", "left", "found", "opened", "reached", "painted", "sent", "kept", "lost", "gave"}};
static const struct kind being = {"VBD", {"was", "seemed", "became", "remained"}};
static const struct kind modal = {"MD", {"will", "would", "may", "could", "must"}};
static const struct kind infinitive = {
    "VB", {"answer", "light", "report", "walk", "open", "train", "keep", "find", "send", "leave"}};
static const struct kind preposition = {"IN",
                                        {"in", "near", "from", "behind", "with", "after", "of"}};
static const struct kind particle = {"RP", {"up", "off", "down", "away"}};
static const struct kind adverb = {"RB", {"slowly", "again", "early", "often", "soon"}};
static const struct kind conjunction = {"IN", {"that", "because", "if", "while"}};
static const struct kind to = {"TO", {"to"}};
static const struct kind stop = {".", {"."}};

/* True with probability 1 / N. */
static int one_in(struct random *random, uint64_t n) {
    return random_below(random, n) == 0;
}

static void write_word(struct random *random, const struct kind *kind, const char *chunk,
                       FILE *file) {
    int words = 0;
    while (words < MAX_KIND_WORDS && kind->word[words] != NULL)
        words++;
    const char *speech = one_in(random, 30) ? "NN" : kind->speech;
    const char *word = kind->word[random_below(random, (uint64_t)words)];
    fprintf(file, "%s %s %s\n", word, speech, chunk);
}

static void write_noun_phrase(struct random *random, FILE *file) {
    switch (random_below(random, 6)) {
    case 0:
        write_word(random, &pronoun, "B-NP", file);
        return;
    case 1:
        write_word(random, &name, "B-NP", file);
        return;
    case 2:
        write_word(random, &plural, "B-NP", file);
        return;
    default:
        write_word(random, &determiner, "B-NP", file);
    }
    while (one_in(random, 3))
        write_word(random, &adjective, "I-NP", file);
    while (one_in(random, 5))
        write_word(random, &noun, "I-NP", file);
    write_word(random, one_in(random, 4) ? &plural : &noun, "I-NP", file);
}

static void write_verb_phrase(struct random *random, FILE *file) {
    const struct kind *first = one_in(random, 3) ? &modal : &verb;
    write_word(random, first, "B-VP", file);
    if (first == &modal)
        write_word(random, &infinitive, "I-VP", file);
    else if (one_in(random, 5)) {
        write_word(random, &to, "I-VP", file);
        write_word(random, &infinitive, "I-VP", file);
    }
    if (one_in(random, 6))
        write_word(random, &particle, "B-PRT", file);
    while (one_in(random, 2))
        write_noun_phrase(random, file);
}

static void write_clause(struct random *random, FILE *file) {
    write_noun_phrase(random, file);
    if (one_in(random, 4)) {
        write_word(random, &being, "B-VP", file);
        write_word(random, &adjective, "B-ADJP", file);
    } else
        write_verb_phrase(random, file);
    while (one_in(random, 2)) {
        write_word(random, &preposition, "B-PP", file);
        write_noun_phrase(random, file);
    }
    if (one_in(random, 4))
        write_word(random, &adverb, "B-ADVP", file);
}

void sample_chunks_write(struct random *random, FILE *file) {
    write_clause(random, file);
    while (one_in(random, 4)) {
        write_word(random, &conjunction, "B-SBAR", file);
        write_clause(random, file);
    }
    write_word(random, &stop, "O", file);
    fputc('\n', file);
}
