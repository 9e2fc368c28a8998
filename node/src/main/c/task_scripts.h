/*
 * The administrator's programs around a task, run as its user: TaskProlog, whose output changes the task's environment,
 * and TaskEpilog. Part of the shepherd; see there for what is used here without being declared.
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

/* What a line of TaskProlog's output asks for; other lines mean nothing. */
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

/*
 * Runs TaskProlog in the place of the task that is about to begin. It succeeds with exit status 0, else the task does not
 * begin. The child that fails to execute it is told by its exit status, as a shell tells it.
 */
static void run_task_prolog(void)
{
    int output[2], status = 0;
    if (pipe2(output, O_CLOEXEC) < 0)
        fail("task_prolog", "pipe");
    pid_t child = fork();
    if (child < 0)
        fail("task_prolog", "fork");
    if (child == 0) {
        const char *words[] = {step.task_prolog, NULL};
        dup2(output[1], 1);
        execve(step.task_prolog, (char **)words, (char **)step.environment.item);
        dprintf(2, "slurmstepd: error: TaskProlog %s: %s\n", step.task_prolog, strerror(errno));
        _exit(127);
    }
    close(output[1]);
    char *text = read_all(output[0]);
    close(output[0]);
    while (waitpid(child, &status, 0) < 0 && errno == EINTR)
        ;
    if (status != 0) {
        errno = 0;
        fail("task_prolog", "TaskProlog failed status=%d", status);
    }
    for (char *rest = text, *line; (line = strsep(&rest, "\n")) != NULL;)
        heed(line);
}

/* Runs TaskEpilog where the task has ended; its failure changes nothing. Orphans of the task are reaped on the way. */
static void run_task_epilog(pid_t shepherd)
{
    pid_t child = fork();
    if (child < 0)
        complain(errno, "shepherd: TaskEpilog");
    if (child == 0) {
        report_fd = -1;
        step.argument = (struct list){0};
        append(&step.argument, step.task_epilog);
        step.task_prolog = NULL;
        step.is_epilog = 1;
        become_step(shepherd);
    }
    for (pid_t ended = 0; child > 0 && ended != child;)
        ended = waitpid(-1, NULL, 0);
}
