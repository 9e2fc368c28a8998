/* What is said of a step that is being ended. Part of the shepherd, see there. */

static const char *variable(const char *name)
{
    size_t length = strlen(name);
    for (size_t i = 0; i < step.environment.count; i++)
        if (strncmp(step.environment.item[i], name, length) == 0 && step.environment.item[i][length] == '=')
            return step.environment.item[i] + length + 1;
    return "?";
}

/* A line about the end of the step, among the errors of the first task; once, and from the first node. */
static void tell_line(const char *line, size_t length)
{
    if (run.was_told || step.node != 0)
        return;
    run.was_told = 1;
    say(line, length);
}

/* The line by which Slurm says that a step was cancelled. */
static void tell_of_cancel(void)
{
    char when[32], line[512];
    time_t now = time(NULL);
    struct tm local;
    strftime(when, sizeof when, "%Y-%m-%dT%H:%M:%S", localtime_r(&now, &local));
    int length = snprintf(line, sizeof line, "slurmstepd: error: *** STEP %s.%s ON %s CANCELLED AT %s ***\n",
                          variable("SLURM_JOB_ID"), variable("SLURM_STEP_ID"), variable("SLURMD_NODENAME"), when);
    tell_line(line, length < (int)sizeof line ? length : (int)sizeof line - 1);
}

/* The line by which Slurm says on each node that the kernel has killed something of the step. */
static void tell_of_memory(void)
{
    char line[512];
    const char *number = variable("SLURM_STEP_ID");
    unsigned long long kills = memory_kills();
    if (kills == 0)
        return;
    int length = snprintf(line, sizeof line,
                          "slurmstepd: error: Detected %llu oom_kill event%s in StepId=%s.%s. "
                          "Some of the step tasks have been OOM Killed.\n",
                          kills, kills == 1 ? "" : "s", variable("SLURM_JOB_ID"),
                          strcmp(number, "4294967290") == 0 ? "interactive" : number);
    say(line, length < (int)sizeof line ? length : (int)sizeof line - 1);
}

/* What an MPI server says of tasks that are ended now is no news, and tasks that wait for it do not begin any more. */
static void end_before_begin(void)
{
    server.is_ignored = 1;
    if (run.forked == 0)
        fail_launch(ECANCELED, "cancelled", "The step was ended before it began");
}

/* The daemon is about to end the step. */
static void announce_end(struct front *from, const unsigned char *line, size_t length)
{
    server.is_ignored = 1;
    tell_line((const char *)line, length);
    send_numbers(&front[0], 'K', &step.node, 1);
    send_begun(from);
}
