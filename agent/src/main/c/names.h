/*
 * What a command is, by the name that it was called by; part of the client, see there.
 */

/* Those that do not only show something. */
#define ACTING \
    "sbatch scancel scontrol scrontab srun salloc sattach sbcast sgather sjobexitmod " \
    "qsub qdel qhold qrls qrerun qalter pbsnodes bsub bkill"

static int is_among(const char *names) {
    const char *found = strstr(names, name);
    size_t length = strlen(name);
    return found && (found == names || found[-1] == ' ') && (!found[length] || found[length] == ' ');
}

/* Whether it is a command of PBS or LSF that is to run something at this terminal. */
static int is_interactive(void) {
    if (!is_among("qsub bsub")) return 0;
    for (char **word = words + 1; *word; word++)
        if (strncmp(*word, "-I", 2) == 0) return 1;
    return 0;
}
