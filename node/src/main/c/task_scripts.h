/*
 * The programs around a task, run as its user: prologs, whose output changes the task's environment, and epilogs; the
 * site's (TaskProlog, TaskEpilog) and those of srun's options. Part of the shepherd; see there for what is used here without being declared.
 */

/* Sets NAME=value in a list of such entries, the last of equal names; without a value the name is taken out. */
static void set_variable(struct list *list, const char *name, size_t length, const char *entry)
{
    size_t kept = 0;
    for (size_t i = 0; i < list->count; i++)
        if (strncmp(list->item[i], name, length) != 0 || list->item[i][length] != '=')
            list->item[kept++] = list->item[i];
    list->count = kept;
    if (list->item != NULL)
        list->item[kept] = NULL;
    if (entry != NULL)
        append(list, entry);
}

static void set_number(struct list *environment, const char *name, unsigned long number)
{
    char *entry = grown(NULL, strlen(name) + 24, 1);
    size_t length = strlen(name);
    sprintf(entry, "%s=%lu", name, number);
    set_variable(environment, name, length, entry);
}

static void add_variables(const struct list *entries)
{
    for (size_t i = 0; i < entries->count; i++)
        set_variable(&step.environment, entries->item[i], strcspn(entries->item[i], "="), entries->item[i]);
}

/* What a line of a prolog's output asks for; other lines mean nothing. */
static void heed(char *line)
{
    if (strncmp(line, "export ", 7) == 0) {
        char *entry = line + 7 + strspn(line + 7, " \t"), *equals = strchr(entry, '=');
        if (equals != NULL && equals > entry)
            set_variable(&step.environment, entry, equals - entry, entry);
    } else if (strncmp(line, "unset ", 6) == 0) {
        char *name = line + 6 + strspn(line + 6, " \t");
        name[strcspn(name, " \t\r")] = 0;
        if (*name != 0)
            set_variable(&step.environment, name, strlen(name), NULL);
    } else if (strncmp(line, "print ", 6) == 0)
        dprintf(1, "%s\n", line + 6);
}

/* All that can be read from the descriptor until its end, NUL-terminated. */
static char *read_all(int fd)
{
    size_t length = 0;
    char *text = grown(NULL, 0, 1);
    for (;;) {
        char part[4096];
        ssize_t got = read(fd, part, sizeof part);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            return text;
        text = realloc(text, length + got + 1);
        if (text == NULL)
            give_up("shepherd: no memory");
        memcpy(text + length, part, got);
        length += got;
        text[length] = 0;
    }
}

/* Whose a prolog or epilog is, and what says so when it fails. */
static const char *const owner[] = {"slurm", "user"};
static const char *const prolog_label[] = {"TaskProlog", "--task-prolog"};
static const char *const epilog_label[] = {"TaskEpilog", "--task-epilog"};

/* Executes a program in this process; one that cannot be is told by its exit status, as a shell tells it. */
static void __attribute__((noreturn)) execute_script(const char *path)
{
    const char *words[] = {path, NULL};
    execve(path, (char **)words, (char **)step.environment.item);
    _exit(127);
}

/* The task does not begin, and ends as its prolog did. */
static void __attribute__((noreturn)) refuse_task(int own, const char *reason, int code)
{
    if (reason != NULL)
        dprintf(2, "slurmstepd: error: %s task_prolog did not exit normally. reason: %s\n", owner[own], reason);
    dprintf(2, "slurmstepd: error: %s failed status=%d\n", prolog_label[own], code);
    _exit(code);
}

static void run_prolog(const char *path, int own)
{
    static const char unusable[] = "Run command failed - configuration error";
    int output[2], status = 0;
    if (path[0] != '/') {
        dprintf(2, "slurmstepd: error: run_command: %s task_prolog is not fully qualified pathname (%s)\n", owner[own],
                path);
        refuse_task(own, unusable, 1);
    }
    if (access(path, X_OK) < 0) {
        dprintf(2, "slurmstepd: error: run_command: %s task_prolog can not be executed (%s) %s\n", owner[own], path,
                strerror(errno));
        refuse_task(own, unusable, 1);
    }
    if (pipe2(output, O_CLOEXEC) < 0)
        refuse_task(own, strerror(errno), 1);
    pid_t child = fork();
    if (child < 0)
        refuse_task(own, strerror(errno), 1);
    if (child == 0) {
        dup2(output[1], 1);
        execute_script(path);
    }
    close(output[1]);
    char *text = read_all(output[0]);
    close(output[0]);
    while (waitpid(child, &status, 0) < 0 && errno == EINTR)
        ;
    for (char *rest = text, *line; (line = strsep(&rest, "\n")) != NULL;)
        heed(line);
    if (!WIFEXITED(status))
        refuse_task(own, "", 1);
    if (WEXITSTATUS(status) != 0)
        refuse_task(own, NULL, WEXITSTATUS(status));
}

/* Runs the prologs in the place of the task that is about to begin: the site's, and then the step's own. */
static void run_prologs(void)
{
    for (int i = 0; i < 2; i++)
        if (step.prolog[i] != NULL)
            run_prolog(step.prolog[i], i);
}

static int has_epilog(void)
{
    return step.epilog[0] != NULL || step.epilog[1] != NULL;
}

static void run_epilog(const char *path, int own)
{
    int status = -1;
    pid_t child = -1;
    if (path[0] != '/' || access(path, R_OK | X_OK) < 0)
        dprintf(2, "slurmstepd: error: Could not run %s task_epilog [%s]: access denied\n", owner[own], path);
    else if ((child = fork()) == 0)
        execute_script(path);
    while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR)
        ;
    if (status != 0)
        dprintf(2, "slurmstepd: error: %s failed status=%d\n", epilog_label[own], status);
}

/* This process is the task's user, where the task has ended: the step's own epilog runs, and then the site's. */
static void __attribute__((noreturn)) run_epilogs(void)
{
    for (int i = 0; i < 2; i++)
        if (step.epilog[i] != NULL)
            run_epilog(step.epilog[i], 1 - i);
    _exit(0);
}

/* Runs the epilogs of a script; their failure changes nothing. Orphans of the script are reaped on the way. */
static void end_script(pid_t shepherd)
{
    pid_t child = fork();
    if (child < 0)
        complain(errno, "shepherd: TaskEpilog");
    if (child == 0) {
        report_fd = -1;
        step.is_aside = step.ends_task = 1;
        become_step(shepherd);
    }
    for (pid_t ended = 0; child > 0 && ended != child;)
        ended = waitpid(-1, NULL, 0);
}
