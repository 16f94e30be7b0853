/* memory_limit.c - the memory that this process may use. */
#include "io/memory_limit.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>

enum { PATH_BYTES = 4096 };

static double resource_limit(int resource) {
    struct rlimit limit;
    return getrlimit(resource, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY
               ? INFINITY
               : (double)limit.rlim_cur;
}

/* The number in a file; infinite where there is none ("max"). */
static double number_in(const char *root, const char *group, const char *name) {
    char path[PATH_BYTES + 64];
    double value = INFINITY;
    snprintf(path, sizeof path, "%s%s/%s", root, group, name);
    FILE *file = fopen(path, "re");
    if (file == NULL)
        return INFINITY;
    if (fscanf(file, "%lf", &value) != 1)
        value = INFINITY;
    fclose(file);
    return value;
}

/* The least limit of a group and of those that it is in. A container sees its own as the root. */
static double group_limit(const char *root, char *group, const char *name) {
    double limit = number_in(root, "", name);
    for (char *slash = strrchr(group, '/'); slash != NULL; slash = strrchr(group, '/')) {
        limit = fmin(limit, number_in(root, group, name));
        *slash = '\0';
    }
    return limit;
}

/* A line of /proc/self/cgroup: "0::/GROUP", or of the older kind "5:memory:/GROUP". */
static double line_limit(char *line) {
    char *controllers = strchr(line, ':'),
         *group = controllers == NULL ? NULL : strchr(controllers + 1, ':');
    if (group == NULL)
        return INFINITY;
    *group++ = '\0';
    group[strcspn(group, "\n")] = '\0';
    if (controllers[1] == '\0')
        return group_limit("/sys/fs/cgroup", group, "memory.max");
    return strstr(controllers, "memory") == NULL
               ? INFINITY
               : group_limit("/sys/fs/cgroup/memory", group, "memory.limit_in_bytes");
}

static double groups_limit(void) {
    char line[PATH_BYTES];
    double limit = INFINITY;
    FILE *file = fopen("/proc/self/cgroup", "re");
    while (file != NULL && fgets(line, sizeof line, file) != NULL)
        limit = fmin(limit, line_limit(line));
    if (file != NULL)
        fclose(file);
    return limit;
}

double memory_limit_of_process(void) {
    return fmin(groups_limit(), fmin(resource_limit(RLIMIT_AS), resource_limit(RLIMIT_DATA)));
}
