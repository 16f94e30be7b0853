/* skipped.h - a test that this machine cannot run says so: run.sh prints the line. Include after cmocka.h. */
#ifndef RRM_SKIPPED_H
#define RRM_SKIPPED_H

#define SKIPPED(what)                                                                              \
    do {                                                                                           \
        print_message("skipped: %s\n", what);                                                      \
        skip();                                                                                    \
    } while (0)

#endif
