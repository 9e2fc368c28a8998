/* The child of the shepherd on its way to become the step, or a task of it; part of the shepherd, see there. */

static int report_fd;                    /* where it says why it cannot begin */
static int ready_fd, release_fd = -1;    /* where a task says that it is ready, and waits; -1 in a batch step */
static int stream_end[3] = {-1, -1, -1}; /* what "s:" stands for as standard input, output and error */

static void __attribute__((noreturn, format(printf, 2, 3))) fail(const char *stage, const char *format, ...)
{
    struct failure failure = {.error = errno};
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(failure.text, sizeof failure.text - 128, format, arguments);
    length = length < (int)sizeof failure.text - 128 ? length : (int)sizeof failure.text - 129;
    if (failure.error != 0)
        snprintf(failure.text + length, 128, ": %s", strerror(failure.error));
    snprintf(failure.stage, sizeof failure.stage, "%s", stage);
    if (strcmp(stage, "exec") == 0) /* by now stderr is the job's own */
        dprintf(2, "slurmstepd: error: %s\n", failure.text);
    if (strcmp(stage, "exec") == 0 && release_fd >= 0)
        _exit(failure.error); /* a task of several ends as if it had run */
    _exit(write(report_fd, &failure, sizeof failure) == sizeof failure ? 127 : 126);
}

static int put(const char *path, const char *text)
{
    int fd = open(path, O_WRONLY | O_CLOEXEC);
    if (fd < 0)
        return -1;
    ssize_t wrote = write(fd, text, strlen(text));
    int error = errno;
    close(fd);
    errno = error;
    return wrote < 0 ? -1 : 0;
}

static int outside = -1; /* the root of the node, for a step whose job has directories of its own */

/* Files of the standard streams lie on the node, also where the job has its own directory of that name. */
static int open_on_node(const char *path, int flags)
{
    return outside < 0 ? open(path, flags, 0666) : openat(outside, path + strspn(path, "/"), flags, 0666);
}

static int container_program = -1; /* it lies beside the shepherd, which the user may not reach */

static void open_container(void)
{
    char path[PATH_MAX];
    ssize_t length = step.container.count == 0 ? -1 : readlink("/proc/self/exe", path, sizeof path - sizeof "container");
    if (length < 0)
        return;
    path[length] = 0;
    strcpy(strrchr(path, '/') + 1, "container");
    container_program = open(path, O_RDONLY | O_CLOEXEC);
}

static void enter_job(void)
{
    open_container();
    if (step.space == NULL)
        return;
    outside = open("/", O_PATH | O_DIRECTORY | O_CLOEXEC);
    if (outside < 0 || !enter_space(step.space))
        fail("space", "Could not enter %s", step.space);
}

/* spec: r:PATH, a:PATH (append), t:PATH (truncate), s: (a stream to the front end) */
static void open_as(int target, const char *spec, const char *name)
{
    if (spec[0] == 's') {
        if (dup2(stream_end[target], target) < 0)
            fail(name, "Could not give %s its stream", name);
        return;
    }
    /* O_APPEND always: the daemon writes lines into the same file, which the job must not overwrite. */
    int kept = spec[0] == 'a' || step.is_aside;
    int flags = spec[0] == 'r' ? O_RDONLY : O_WRONLY | O_CREAT | O_APPEND | (kept ? 0 : O_TRUNC);
    int fd = open_on_node(spec + 2, flags | O_NOCTTY | O_CLOEXEC);
    if (fd < 0 || dup2(fd, target) < 0)
        fail(name, "Could not open %s file %s", name, spec + 2);
}

static int *kept_open; /* what the program gets besides its standard streams */
static size_t kept_open_count;

static void keep_open(int fd)
{
    if (fd < 0)
        return;
    kept_open = grown(kept_open, kept_open_count, sizeof *kept_open);
    kept_open[kept_open_count++] = fd;
}

static void close_on_exec(void) /* every descriptor above stderr; close_range(2) is younger than the kernels at sites */
{
    DIR *dir = opendir("/proc/self/fd");
    for (struct dirent *entry; dir != NULL && (entry = readdir(dir)) != NULL;)
        if (atoi(entry->d_name) > 2)
            fcntl(atoi(entry->d_name), F_SETFD, FD_CLOEXEC);
    if (dir != NULL)
        closedir(dir);
    for (size_t i = 0; i < kept_open_count; i++)
        fcntl(kept_open[i], F_SETFD, 0);
}

static void take_limits(void)
{
    for (size_t i = 0; i < step.limits; i++) {
        struct rlimit wanted = step.limit[i].value, have;
        if (setrlimit(step.limit[i].resource, &wanted) == 0)
            continue;
        /* Not root, or above what the kernel allows (fs.nr_open): as much as there is. */
        if (getrlimit(step.limit[i].resource, &have) < 0)
            fail("limits", "getrlimit");
        wanted.rlim_max = wanted.rlim_max < have.rlim_max ? wanted.rlim_max : have.rlim_max;
        wanted.rlim_cur = wanted.rlim_cur < wanted.rlim_max ? wanted.rlim_cur : wanted.rlim_max;
        if (setrlimit(step.limit[i].resource, &wanted) < 0)
            fail("limits", "setrlimit");
    }
}

static void become_user(pid_t shepherd)
{
    if (geteuid() == 0 || step.uid != geteuid()) { /* a daemon without root runs steps as itself alone */
        if (setgroups(step.groups, step.group) < 0)
            fail("identity", "setgroups");
        if (setresgid(step.gid, step.gid, step.gid) < 0)
            fail("identity", "setresgid(%u)", (unsigned)step.gid);
        if (setresuid(step.uid, step.uid, step.uid) < 0)
            fail("identity", "setresuid(%u)", (unsigned)step.uid);
    }
    prctl(PR_SET_PDEATHSIG, SIGKILL); /* a change of user clears it, so it comes after */
    if (getppid() != shepherd)
        _exit(126);
}

/* Says that this task is ready and waits until all are; a shepherd that ends, or fails, lets none begin. */
static void await_others(void)
{
    char byte = 0;
    ssize_t got;
    if (write(ready_fd, &byte, 1) != 1)
        _exit(126);
    do
        got = read(release_fd, &byte, 1);
    while (got < 0 && errno == EINTR);
    if (got != 1)
        _exit(126);
}

/* Where a program may lie: whether it may be executed. What is only a file is kept for the message, if nothing better comes. */
static int is_program(char *path, char **found)
{
    struct stat facts;
    int is_file = stat(path, &facts) == 0 && S_ISREG(facts.st_mode);
    int is_it = is_file && access(path, X_OK) == 0;
    if (is_it || (is_file && *found == NULL))
        *found = path;
    return is_it;
}

/* A name without a directory is looked up as the user, on this node, with the task's PATH, and in the working directory at last. */
static void find_program(void)
{
    const char *name = step.argument.item[0], *path = "";
    char *found = NULL;
    for (size_t i = 0; i < step.environment.count; i++)
        if (strncmp(step.environment.item[i], "PATH=", 5) == 0)
            path = step.environment.item[i] + 5;
    for (int is_last = strchr(name, '/') != NULL; !is_last;) {
        size_t length = strcspn(path, ":");
        char *candidate = grown(NULL, length + strlen(name) + 3, 1);
        is_last = path[length] == 0;
        sprintf(candidate, "%.*s/%s", length > 0 ? (int)length : 1, length > 0 ? path : ".", name);
        if (is_program(candidate, &found))
            break;
        path += length + !is_last;
        if (is_last) {
            candidate = grown(NULL, strlen(name) + 3, 1);
            sprintf(candidate, "./%s", name);
            is_program(candidate, &found);
        }
    }
    if (found != NULL)
        step.argument.item[0] = found;
}

static void log_in(void);
static void run_prologs(void);
static void __attribute__((noreturn)) run_epilogs(void);

/* Takes memory from these domains alone, or from these first: "bind:0,1", "prefer:0". */
static void bind_memory(const char *spec)
{
    unsigned long domains[16] = {0};
    int mode = *spec == 'p' ? 1 /* MPOL_PREFERRED */ : 2 /* MPOL_BIND */;
    for (const char *at = strchr(spec, ':'); at != NULL; at = strchr(at, ',')) {
        unsigned long domain = strtoul(++at, NULL, 10);
        if (domain < sizeof domains * 8)
            domains[domain / (sizeof *domains * 8)] |= 1ul << domain % (sizeof *domains * 8);
    }
    if (syscall(SYS_set_mempolicy, mode, domains, sizeof domains * 8) < 0)
        dprintf(2, "slurmstepd: error: memory is not bound: %s\n", strerror(errno));
}

/* A line for the user; %p in it is this process. */
static void note(const char *line)
{
    const char *process = strstr(line, "%p");
    if (process == NULL)
        dprintf(2, "%s\n", line);
    else
        dprintf(2, "%.*s%d%s\n", (int)(process - line), line, (int)getpid(), process + 2);
}

/* What this task alone is told and bound to. */
static void take_own(void)
{
    for (size_t i = 0; i < step.note.count; i++)
        note(step.note.item[i]);
    if (step.fails)
        _exit(1);
    if (step.memory != NULL)
        bind_memory(step.memory);
}

/* The program that runs the task in its container takes its place, with what it is to run behind. */
static void enter_container(void)
{
    struct list words = {0};
    append(&words, "container");
    append(&words, "run");
    for (size_t i = 0; i < step.container.count; i++)
        append(&words, step.container.item[i]);
    append(&words, "--");
    for (size_t i = 0; i < step.argument.count; i++)
        append(&words, step.argument.item[i]);
    step.argument = words;
    step.program = container_program;
}

static void __attribute__((noreturn)) execute(void)
{
    char task[40], line[256] = "";
    snprintf(task, sizeof task, "SLURM_TASK_PID=%d", (int)getpid());
    for (size_t i = 0; i < step.environment.count; i++)
        if (strncmp(step.environment.item[i], "SLURM_TASK_PID=", 15) == 0)
            step.environment.item[i] = task;
    if (release_fd >= 0) {
        await_others();
        take_own();
        if (step.container.count == 0)
            find_program();
    }
    log_in();
    if (step.ends_task)
        run_epilogs();
    if (!step.is_aside)
        run_prologs();
    if (step.container.count > 0 && !step.is_aside)
        enter_container();
    const char *script = step.argument.item[0];
    if (step.program >= 0)
        fexecve(step.program, (char **)step.argument.item, (char **)step.environment.item);
    /* The daemon has closed the script, but a child that it forked meanwhile for another step may
       still hold it open for writing until its own exec: "text file busy" passes by itself. */
    for (int tries = 0; tries < 1000; tries++) {
        execve(script, (char **)step.argument.item, (char **)step.environment.item);
        if (errno != ETXTBSY)
            break;
        nanosleep(&(struct timespec){0, 2000000}, NULL);
    }
    int error = errno, fd = open(script, O_RDONLY | O_CLOEXEC);
    if (error == ENOENT && fd >= 0 && read(fd, line, sizeof line - 1) > 2 && memcmp(line, "#!", 2) == 0) {
        char *interpreter = line + 2 + strspn(line + 2, " \t");
        interpreter[strcspn(interpreter, " \t\r\n")] = 0;
        errno = error;
        fail("exec", "execve(): bad interpreter(%s)", interpreter);
    }
    errno = error;
    fail("exec", "execve(): %s", script);
}

/* Also of the two signals that the C library keeps for itself, which an ignoring parent hands on all the same. */
static void take_default(int sig)
{
    unsigned long none[8] = {0};
    syscall(SYS_rt_sigaction, sig, none, NULL, 8);
}

static void __attribute__((noreturn)) become_step(pid_t shepherd)
{
    char number[16];
    sigset_t none;
    /* As in Slurm a task of srun leads its process group alone, unless it has a terminal. */
    if (release_fd < 0 || step.pty_end >= 0)
        setsid();
    else
        setpgid(0, 0);
    if (step.pty_end >= 0 && ioctl(step.pty_end, TIOCSCTTY, 0) < 0)
        fail("shepherd", "no controlling terminal");
    for (int sig = 1; sig < NSIG; sig++)
        take_default(sig);
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    for (size_t i = 0; i < step.cgroup.count; i++) {
        char path[4096];
        snprintf(path, sizeof path, "%s/cgroup.procs", step.cgroup.item[i]);
        if (put(path, "0") < 0)
            fail("cgroup", "Could not join %s", step.cgroup.item[i]);
    }
    enter_job();
    if (step.has_cpus && sched_setaffinity(0, sizeof step.cpus, step.cpus) < 0)
        complain(errno, "shepherd: not bound to its CPUs");
    if (step.has_nice && setpriority(PRIO_PROCESS, 0, step.nice) < 0 && geteuid() == 0)
        fail("limits", "setpriority");
    snprintf(number, sizeof number, "%d", step.oom_score_adj);
    put("/proc/self/oom_score_adj", number);
    take_limits();
    become_user(shepherd);
    umask(step.umask);
    int lost_directory = chdir(step.cwd) < 0 ? errno : 0;
    if (lost_directory && chdir("/tmp") < 0)
        fail("chdir", "couldn't chdir to `%s' nor to /tmp", step.cwd);
    open_as(0, step.input, "stdin");
    open_as(1, step.output, "stdout");
    if (step.error == NULL || (step.error[0] != 's' && strcmp(step.error, step.output) == 0))
        dup2(1, 2); /* one file, one offset */
    else
        open_as(2, step.error, "stderr");
    if (lost_directory && !step.is_aside)
        dprintf(2, "slurmstepd: error: couldn't chdir to `%s': %s: going to /tmp instead\n", step.cwd,
                strerror(lost_directory));
    close_on_exec();
    execute();
}
