/* The files that the front end of a step opens; part of it, see step.h. */

static int step_file(const char *spec, int flags) {
    int append = spec[0] == 'a';
    int file = open(flags == O_RDONLY ? spec : spec + 2,
                    flags | O_CLOEXEC | O_NOCTTY | (flags == O_RDONLY ? 0 : O_CREAT | (append ? O_APPEND : O_TRUNC)), 0666);
    if (file < 0) {
        unsigned char result[8] = {0, 0, 0, 1, 0, 0, 0, 1}; /* code 1, nothing was launched */
        step_say("error: Could not open %s file: %s", flags == O_RDONLY ? "stdin" : "stdout", strerror(errno));
        step_finish();
        send_frame('l', result, sizeof result);
        exit(1);
    }
    return file;
}

/* A file for output; one that is named again, for errors or by another component, is opened once. */
static int step_output_file(const char *spec) {
    static struct { char *spec; int file; } *opened;
    static size_t count;
    for (size_t i = 0; i < count; i++)
        if (strcmp(opened[i].spec, spec) == 0) return opened[i].file;
    opened = realloc(opened, (count + 1) * sizeof *opened);
    if (!opened || !(opened[count].spec = strdup(spec))) die("no memory");
    opened[count].file = step_file(spec, O_WRONLY);
    return opened[count++].file;
}
