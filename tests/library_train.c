/* library_train.c DATA MODEL [NAME=TEXT | NAME]... - trains by the public library, for tests/end-to-end/library.sh:
 * with these settings, and writes the model. */
#include <rrm.h>

#include <stdio.h>
#include <string.h>

static int set(struct rrm_settings *settings, char *word, struct rrm_error *error) {
    char *sign = strchr(word, '=');
    if (sign != NULL)
        *sign = '\0';
    return rrm_settings_set(settings, word, sign == NULL ? NULL : sign + 1, error);
}

int main(int argc, char **argv) {
    struct rrm_error error = {0};
    struct rrm_model *model = NULL;
    struct rrm_data *data = rrm_data_read(argv[1], 0, 0, &error);
    struct rrm_settings *settings = rrm_settings_new(&error);
    int status = data == NULL || settings == NULL ? -1 : 0;
    for (int i = 3; i < argc && status == 0; i++)
        status = set(settings, argv[i], &error);
    if (status == 0)
        status = rrm_train(data, settings, NULL, &model, NULL, &error);
    if (status == 0)
        status = rrm_model_write(model, argv[2], &error);
    if (status != 0)
        fprintf(stderr, "%s\n", error.message);
    rrm_model_free(model);
    rrm_settings_free(settings);
    rrm_data_free(data);
    return status != 0;
}
