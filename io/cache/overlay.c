/* overlay.c - by O_DIRECT and mremap; other systems have no overlay. */
#include "io/cache/overlay.h"

#include "io/memory.h"
#include "io/pages.h"

#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#if defined O_DIRECT && defined MREMAP_FIXED

enum { LEAST_UNITS = 8, LEAST_PAGE = 4096, MOST_READERS = 2 };

enum unit_state { UNIT_ABSENT, UNIT_ASKED, UNIT_BEING_READ, UNIT_PRESENT };

struct unit {
    enum unit_state state;
    int holders;
    bool used;     /* held since it was read */
    int64_t stamp; /* when it was read or released */
};

struct overlay {
    int descriptor;    /* O_DIRECT */
    bool knows_cached; /* what is in the system's cache of files */
    char *base;        /* of the first unit; the map of so many bytes of the file */
    int64_t offset, units;
    pthread_mutex_t lock;    /* of what follows */
    pthread_cond_t was_read; /* or could not be */
    struct unit *unit;
    int64_t *present, present_count, capacity; /* the units that are there or being read */
    int64_t clock;
    bool fails; /* the disk or the memory refused: no more units are read */

    pthread_t reader[MOST_READERS]; /* of what was asked for; one leaves the disk idle at times */
    int readers;
    bool ends;
    pthread_cond_t was_asked;
    int64_t *asked, first_asked, asked_count; /* a ring of `capacity` units */
};

static char *address(const struct overlay *o, int64_t u) {
    return o->base + u * OVERLAY_UNIT;
}

static off_t offset(const struct overlay *o, int64_t u) {
    return (off_t)(o->offset + u * OVERLAY_UNIT);
}

/* ---- memory */

/* A large page, at a multiple of its size; NULL: there is none. */
static char *new_page(void) {
    char *room = mmap(NULL, 2 * (size_t)OVERLAY_UNIT, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (room == MAP_FAILED)
        return NULL;
    size_t before = (OVERLAY_UNIT - (uintptr_t)room % OVERLAY_UNIT) % OVERLAY_UNIT;
    if (before > 0)
        munmap(room, before);
    munmap(room + before + OVERLAY_UNIT, OVERLAY_UNIT - before);
#ifdef MADV_HUGEPAGE
    (void)madvise(room + before, OVERLAY_UNIT, MADV_HUGEPAGE);
#endif
    return room + before;
}

/* Reads a unit and puts it over the map. Whoever reads these bytes meanwhile sees the pages of the map. */
static bool lay_over(const struct overlay *o, int64_t u) {
    char *page = new_page();
    if (page == NULL)
        return false;
    if (pread(o->descriptor, page, OVERLAY_UNIT, offset(o, u)) == OVERLAY_UNIT &&
        mremap(page, OVERLAY_UNIT, OVERLAY_UNIT, MREMAP_MAYMOVE | MREMAP_FIXED, address(o, u)) !=
            MAP_FAILED)
        return true;
    munmap(page, OVERLAY_UNIT);
    return false;
}

/* Who reads a page of the map has the system read this page alone: with those around it, several MB on some disks, the
 * next units would come into the cache of files. */
static void read_alone(const struct overlay *o, int64_t u, int64_t units) {
#ifdef MADV_RANDOM
    (void)madvise(address(o, u), (size_t)(units * OVERLAY_UNIT), MADV_RANDOM);
#endif
}

/* The pages of the map again, and the memory is free. */
static bool uncover(const struct overlay *o, int64_t u) {
    if (mmap(address(o, u), OVERLAY_UNIT, PROT_READ, MAP_SHARED | MAP_FIXED, o->descriptor,
             offset(o, u)) == MAP_FAILED)
        return false;
    read_alone(o, u, 1);
    return true;
}

/* For a file of another user that we may not write, Linux reports every page as cached. */
static bool may_know_cached(int descriptor) {
    struct stat status;
    return (fstat(descriptor, &status) == 0 && status.st_uid == geteuid()) ||
           faccessat(descriptor, "", W_OK, AT_EMPTY_PATH | AT_EACCESS) == 0;
}

/* Whether another program, or a time with more memory, left the unit in the system's cache of files. */
static bool is_cached(const struct overlay *o, int64_t u) {
    unsigned char there[OVERLAY_UNIT / LEAST_PAGE];
    size_t pages = OVERLAY_UNIT / (size_t)sysconf(_SC_PAGESIZE), k = 0;
    if (!o->knows_cached || pages > sizeof there ||
        mincore(address(o, u), OVERLAY_UNIT, there) != 0)
        return false;
    while (k < pages && (there[k] & 1) != 0)
        k++;
    return k == pages;
}

/* ---- under the lock */

/* Whether unit V leaves rather than W: one that was used, else the oldest. */
static bool leaves_before(const struct overlay *o, int64_t v, int64_t w) {
    const struct unit *a = &o->unit[v], *b = &o->unit[w];
    return a->used != b->used ? a->used : a->stamp < b->stamp;
}

/* The place in `present` of the unit to leave; -1: none. UNUSED: one that was read in vain may leave, too. */
static int64_t find_leaving(const struct overlay *o, bool unused) {
    int64_t found = -1;
    for (int64_t k = 0; k < o->present_count; k++) {
        const struct unit *unit = &o->unit[o->present[k]];
        if (unit->state == UNIT_PRESENT && unit->holders == 0 && (unit->used || unused) &&
            (found < 0 || leaves_before(o, o->present[k], o->present[found])))
            found = k;
    }
    return found;
}

/* Whether unit U may be read now: it has a place in `present`. */
static bool make_room(struct overlay *o, int64_t u, bool unused) {
    if (o->fails)
        return false;
    if (o->present_count < o->capacity) {
        o->present[o->present_count++] = u;
        return true;
    }
    int64_t k = find_leaving(o, unused);
    if (k < 0 || !uncover(o, o->present[k]))
        return false;
    o->unit[o->present[k]] = (struct unit){.state = UNIT_ABSENT};
    o->present[k] = u;
    return true;
}

static void take_place_away(struct overlay *o, int64_t u) {
    for (int64_t k = 0; k < o->present_count; k++)
        if (o->present[k] == u)
            o->present[k--] = o->present[--o->present_count];
}

/* Reads unit U, unless the map has it in memory, if there is room. The lock is free meanwhile. */
static void read_unit(struct overlay *o, int64_t u, bool unused) {
    struct unit *unit = &o->unit[u];
    unit->state = UNIT_ABSENT;
    if (is_cached(o, u) || !make_room(o, u, unused))
        return;
    unit->state = UNIT_BEING_READ;
    unit->used = false;
    pthread_mutex_unlock(&o->lock);
    bool there = lay_over(o, u);
    pthread_mutex_lock(&o->lock);
    unit->state = there ? UNIT_PRESENT : UNIT_ABSENT;
    unit->stamp = ++o->clock;
    if (!there) {
        o->fails = true;
        take_place_away(o, u);
    }
    pthread_cond_broadcast(&o->was_read);
}

/* ---- the readers */

static void *work(void *argument) {
    struct overlay *o = argument;
    pthread_mutex_lock(&o->lock);
    while (!o->ends) {
        if (o->asked_count == 0) {
            pthread_cond_wait(&o->was_asked, &o->lock);
            continue;
        }
        int64_t u = o->asked[o->first_asked];
        o->first_asked = (o->first_asked + 1) % o->capacity;
        o->asked_count--;
        if (o->unit[u].state == UNIT_ASKED)
            read_unit(o, u, false);
    }
    pthread_mutex_unlock(&o->lock);
    return NULL;
}

/* Signals are for the threads of the caller. Without readers all is read when it is held. */
static void start_readers(struct overlay *o) {
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    while (o->readers < MOST_READERS && pthread_create(&o->reader[o->readers], NULL, work, o) == 0)
        o->readers++;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
}

static void stop_readers(struct overlay *o) {
    pthread_mutex_lock(&o->lock);
    o->ends = true;
    pthread_cond_broadcast(&o->was_asked);
    pthread_mutex_unlock(&o->lock);
    while (o->readers > 0)
        pthread_join(o->reader[--o->readers], NULL);
}

/* ---- its users */

/* Another descriptor of the same open file, which bypasses the cache of files: its name may be another file's by now.
 * -1: there is none. */
static int open_direct(int file) {
    int descriptor = fcntl(file, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
    if (descriptor < 0 || fcntl(descriptor, F_SETFL, O_DIRECT) == 0)
        return descriptor;
    close(descriptor);
    return -1;
}

int overlay_new(int file, const char *map, int64_t bytes, int64_t memory, struct overlay **out,
                struct error *e) {
    int64_t before = (OVERLAY_UNIT - (int64_t)((uintptr_t)map % OVERLAY_UNIT)) % OVERLAY_UNIT;
    int64_t units = (bytes - before) / OVERLAY_UNIT, capacity = memory / OVERLAY_UNIT;
    int descriptor = capacity < LEAST_UNITS || units < LEAST_UNITS ? -1 : open_direct(file);
    *out = NULL;
    if (descriptor < 0)
        return 0;
    struct overlay *o = memory_zeroed(1, sizeof *o, "parts of a cache", e);
    struct unit *unit = memory_zeroed(units, sizeof *unit, "parts of a cache", e);
    int64_t *lists = memory_new(2 * capacity, sizeof *lists, "parts of a cache", e);
    if (o == NULL || unit == NULL || lists == NULL) {
        close(descriptor);
        free(o);
        free(unit);
        free(lists);
        return -1;
    }
    *o = (struct overlay){.descriptor = descriptor,
                          .knows_cached = may_know_cached(descriptor),
                          .base = (char *)map + before,
                          .offset = before,
                          .units = units,
                          .unit = unit,
                          .present = lists,
                          .asked = lists + capacity,
                          .capacity = capacity};
    pthread_mutex_init(&o->lock, NULL);
    pthread_cond_init(&o->was_read, NULL);
    pthread_cond_init(&o->was_asked, NULL);
    read_alone(o, 0, units);
    start_readers(o);
    *out = o;
    return 0;
}

void overlay_free(struct overlay *o) {
    if (o == NULL)
        return;
    stop_readers(o);
    pthread_cond_destroy(&o->was_asked);
    pthread_cond_destroy(&o->was_read);
    pthread_mutex_destroy(&o->lock);
    close(o->descriptor);
    free(o->present);
    free(o->unit);
    free(o);
}

/* The whole units that these bytes touch: *from <= u < *to. */
static void find_units(const struct overlay *o, const void *bytes, int64_t length, int64_t *from,
                       int64_t *to) {
    int64_t begin = (const char *)bytes - o->base, end = begin + length;
    *from = begin <= 0 ? 0 : begin / OVERLAY_UNIT;
    *to = end <= 0 || length == 0 ? 0 : (end - 1) / OVERLAY_UNIT + 1;
    *to = *to < o->units ? *to : o->units;
}

void overlay_ask(struct overlay *o, const void *bytes, int64_t length) {
    int64_t from, to;
    find_units(o, bytes, length, &from, &to);
    pthread_mutex_lock(&o->lock);
    for (int64_t u = from; u < to && o->readers > 0 && o->asked_count < o->capacity; u++)
        if (o->unit[u].state == UNIT_ABSENT) {
            o->unit[u].state = UNIT_ASKED;
            o->asked[(o->first_asked + o->asked_count++) % o->capacity] = u;
            pthread_cond_signal(&o->was_asked);
        }
    pthread_mutex_unlock(&o->lock);
}

void overlay_hold(struct overlay *o, const void *bytes, int64_t length) {
    int64_t from, to;
    find_units(o, bytes, length, &from, &to);
    pthread_mutex_lock(&o->lock);
    for (int64_t u = from; u < to; u++) {
        struct unit *unit = &o->unit[u];
        unit->holders++;
        while (unit->state == UNIT_BEING_READ)
            pthread_cond_wait(&o->was_read, &o->lock);
        if (unit->state != UNIT_PRESENT)
            read_unit(o, u, true);
        if (unit->state == UNIT_ABSENT)
            pages_read_ahead(address(o, u), OVERLAY_UNIT);
        unit->used = true;
    }
    pthread_mutex_unlock(&o->lock);
}

void overlay_release(struct overlay *o, const void *bytes, int64_t length) {
    int64_t from, to;
    find_units(o, bytes, length, &from, &to);
    pthread_mutex_lock(&o->lock);
    for (int64_t u = from; u < to; u++) {
        struct unit *unit = &o->unit[u];
        unit->holders--;
        unit->stamp = ++o->clock;
        if (unit->state == UNIT_ABSENT)
            pages_drop(address(o, u), OVERLAY_UNIT);
    }
    pthread_mutex_unlock(&o->lock);
}
#else
int overlay_new(int file, const char *map, int64_t bytes, int64_t memory, struct overlay **out,
                struct error *e) {
    (void)file, (void)map, (void)bytes, (void)memory, (void)e;
    *out = NULL;
    return 0;
}

void overlay_free(struct overlay *overlay) {
    (void)overlay;
}

void overlay_ask(struct overlay *overlay, const void *bytes, int64_t length) {
    (void)overlay, (void)bytes, (void)length;
}

void overlay_hold(struct overlay *overlay, const void *bytes, int64_t length) {
    (void)overlay, (void)bytes, (void)length;
}

void overlay_release(struct overlay *overlay, const void *bytes, int64_t length) {
    (void)overlay, (void)bytes, (void)length;
}
#endif
