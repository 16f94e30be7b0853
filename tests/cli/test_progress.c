/* test_progress.c - the live line: it fits the terminal, and forecasts the end. */
#include "cli/progress.h"

#include <fcntl.h>
#include <math.h>
#include <poll.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include "tests/skipped.h"

enum { TEXT = 4096 };

/* What is drawn on a terminal of so many columns, whose line is 0 columns wide where it does not tell. */
struct screen {
    int keyboard;
    FILE *terminal;
    char text[TEXT];
};

static void screen_open(struct screen *screen, int columns) {
    struct winsize size = {.ws_row = 24, .ws_col = (unsigned short)columns};
    screen->keyboard = posix_openpt(O_RDWR | O_NOCTTY);
    bool granted =
        screen->keyboard >= 0 && grantpt(screen->keyboard) == 0 && unlockpt(screen->keyboard) == 0;
    screen->terminal = granted ? fopen(ptsname(screen->keyboard), "w") : NULL;
    if (screen->terminal == NULL)
        SKIPPED("progress (this machine has no pseudo-terminals, /dev/pts)");
    assert_int_equal(ioctl(screen->keyboard, TIOCSWINSZ, &size), 0);
}

/* The last line drawn, without what clears the one before. */
static const char *screen_line(struct screen *screen) {
    static const char clear[] = "\r\033[K";
    struct pollfd request = {.fd = screen->keyboard, .events = POLLIN};
    const char *last = NULL;
    ssize_t length = 0;
    while (length < TEXT - 1 &&
           poll(&request, 1, 200) > 0) { /* what was written comes a little later */
        ssize_t got = read(screen->keyboard, screen->text + length, (size_t)(TEXT - 1 - length));
        assert_true(got > 0);
        length += got;
    }
    screen->text[length] = '\0';
    for (const char *at = screen->text; (at = strstr(at, clear)) != NULL; at++)
        last = at;
    assert_non_null(last);
    return last + strlen(clear);
}

static void screen_close(struct screen *screen) {
    fclose(screen->terminal);
    close(screen->keyboard);
}

static struct monitor_observer observe(struct progress *progress, const struct screen *screen) {
    *progress = (struct progress){.terminal = screen->terminal};
    return (struct monitor_observer){.context = progress,
                                     .begin = progress_begin,
                                     .report = progress_report,
                                     .wants = progress_wants,
                                     .end = progress_end};
}

static void wait_for(double seconds) {
    struct timespec time = {.tv_nsec = (long)(1e9 * seconds)};
    nanosleep(&time, NULL);
}

static void lines_fit_the_terminal(void **state) {
    static const int columns[] = {200, 60, 30, 7, 2, 0};
    (void)state;
    for (int i = 0; i < 6; i++) {
        struct screen screen;
        struct monitor monitor;
        struct progress progress;
        screen_open(&screen, columns[i]);
        monitor_init(&monitor, &(struct monitor_settings){.epsilon = 1e-3,
                                                          .passes = 1e5,
                                                          .time_limit = 1e5,
                                                          .observer = observe(&progress, &screen)});
        monitor_begin(&monitor, "proximal-bundle, fold 2, label 3.141592653589");
        monitor_report(&monitor,
                       &(struct report){.passes = 12, .objective = 1.0 / 3, .bound = 0.1});
        size_t length = strlen(screen_line(&screen));
        size_t max_length = columns[i] == 0 ? 79 : (size_t)columns[i] - 1;
        assert_true(length <= max_length && (length == max_length || columns[i] == 200));
        screen_close(&screen);
    }
}

/* The line after gaps that fall to a tenth in 0.15 s, 1 to 1e-3. */
static void run(const struct monitor_settings *settings, double step, char *line) {
    struct screen screen;
    struct monitor monitor;
    struct monitor_settings all = *settings;
    struct progress progress;
    screen_open(&screen, 200);
    all.observer = observe(&progress, &screen);
    monitor_init(&monitor, &all);
    monitor_begin(&monitor, NULL);
    for (int i = 0; i <= 3; i++) {
        if (i > 0)
            wait_for(0.15);
        monitor_report(
            &monitor,
            &(struct report){.passes = 10 * i + 10, .objective = 1, .bound = 1 - pow(step, i)});
    }
    strcpy(line, screen_line(&screen));
    screen_close(&screen);
}

/* Of ", about 14 s left", or minutes on a busy machine. */
static double seconds_left(const char *line) {
    const char *about = strstr(line, ", about ");
    assert_non_null(about);
    return atof(about + 8) * (strstr(about, " min left") != NULL ? 60 : 1);
}

static void lines_forecast_the_end(void **state) {
    char line[TEXT];
    (void)state;
    /* 97 tenths are left of 100, 0.15 s each and a little more: 14.55 s on an idle machine */
    run(&(struct monitor_settings){.epsilon = 1e-100, .passes = 1e5, .time_limit = INFINITY}, 0.1,
        line);
    assert_non_null(strstr(line, "pass 40, objective 1, gap 0.1%, "));
    assert_true(seconds_left(line) >= 12);
    /* no fall, no forecast; and the limit of -t */
    run(&(struct monitor_settings){.epsilon = 1e-3, .passes = 1e5, .time_limit = INFINITY}, 1,
        line);
    assert_null(strstr(line, "left"));
    run(&(struct monitor_settings){.epsilon = 1e-3, .passes = 1e5, .time_limit = 3600}, 1, line);
    assert_non_null(strstr(line, ", at most 60 min left"));
    /* passes are a forecast where the run ends with them */
    run(&(struct monitor_settings){.passes = 4000, .time_limit = INFINITY}, 1, line);
    assert_non_null(strstr(line, "pass 40 of 4000, "));
    assert_true(seconds_left(line) >= 44);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lines_fit_the_terminal),
        cmocka_unit_test(lines_forecast_the_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
