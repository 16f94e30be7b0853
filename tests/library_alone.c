/* library_alone.c DATA - trains and predicts by the public library in a process that cannot start a thread, for
 * tests/end-to-end/library.sh. OpenMP's runtime would end the program if it were asked for one. */
#include <rrm.h>

#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

/* In place of the system's: the limit of processes is reached. */
int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*start)(void *),
                   void *argument) {
    (void)thread;
    (void)attributes;
    (void)start;
    (void)argument;
    return EAGAIN;
}

int main(int argc, char **argv) {
    struct rrm_error error = {0};
    struct rrm_model *model = NULL;
    struct rrm_measure measure[RRM_MEASURES_MAX];
    struct rrm_data_info rows;
    struct rrm_data *data = argc == 2 ? rrm_data_read(argv[1], 0, 0, &error) : NULL;
    struct rrm_settings *settings = rrm_settings_new(&error);
    double *label = NULL;
    int status = -1;
    if (data != NULL && settings != NULL) {
        rrm_data_describe(data, &rows);
        label = calloc((size_t)rows.rows, sizeof *label);
        if (label != NULL && rrm_settings_set(settings, "loss", "crf", &error) == 0 &&
            rrm_settings_set(settings, "threads", "8", &error) == 0 &&
            rrm_train(data, settings, NULL, &model, NULL, &error) == 0 &&
            rrm_predict(model, data, label, NULL, NULL, &error) == 0 &&
            rrm_measures(model, data, measure, &error) > 0)
            status = 0;
    }
    if (status == 0)
        printf("%s %g\n", measure[0].name, measure[0].value);
    else
        fprintf(stderr, "%s\n", error.message);
    free(label);
    rrm_model_free(model);
    rrm_settings_free(settings);
    rrm_data_free(data);
    return status != 0;
}
