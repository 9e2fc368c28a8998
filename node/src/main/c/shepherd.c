/*
 * The shepherd: runs one batch step as its user, outlives the node daemon, and never loses the step's exit status.
 *
 *     shepherd STEPDIR
 *
 * Files in STEPDIR, each a list of "key=value" entries that end with a NUL byte:
 *   launch   in   what to run; consumed (unlinked), so that a step is started at most once
 *   environ  in   the step's environment; consumed as well
 *   alive    out  this process, which holds a POSIX lock on the file until it ends, however it ends
 *   pid      out  shepherd and child with their start times, once exec has succeeded
 *   exit     out  how the step ended; written only when no process of the step is left
 *
 * Signals for the job come from the daemon, never through here. See docs/decisions/0004-shepherd.md.
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <endian.h>
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <sys/xattr.h>
#include <time.h>
#include <unistd.h>

#define CPU_WORDS 16 /* cpu_set_t holds 1,024 CPUs; this many of them hold 16,384 */
#define RECORD_SPACE 8192

struct limit { int resource; struct rlimit value; };
struct list { const char **item; size_t count; };

/* What the launch file says; every pointer points into the file's text. */
static struct {
    uid_t uid;
    gid_t gid;
    mode_t umask;
    int nice, oom_score_adj, memlock, has_cpus, is_epilog;
    long long login_ms;
    const char *cwd, *input, *output, *error, *task_prolog, *task_epilog, *login_shell, *login_home;
    gid_t *group;
    size_t groups, limits;
    struct limit *limit;
    struct list cgroup, argument, environment, login_environment, fallback;
    cpu_set_t cpus[CPU_WORDS];
} step = {.cwd = "/", .input = "r:/dev/null", .output = "a:/dev/null"};

/* Why a step could not be started: sent by the child through a pipe, written to the exit record by the parent. */
struct failure { int error; char stage[16]; char text[4000]; };

static int step_dir;

static void __attribute__((noreturn, format(printf, 1, 2))) give_up(const char *format, ...)
{
    int error = errno;
    va_list arguments;
    va_start(arguments, format);
    vfprintf(stderr, format, arguments);
    fprintf(stderr, ": %s\n", strerror(error));
    exit(error == ENOSPC ? 2 : 1); /* where there is no room, that text may be lost */
}

static void *grown(void *array, size_t count, size_t size)
{
    void *larger = realloc(array, (count + 2) * size); /* one to add and a closing zero */
    if (larger == NULL)
        give_up("shepherd: no memory");
    memset((char *)larger + count * size, 0, 2 * size);
    return larger;
}

static void append(struct list *list, const char *item)
{
    list->item = grown(list->item, list->count, sizeof *list->item);
    list->item[list->count++] = item;
}

/* Reads a file of NUL-terminated entries; a missing file is NULL. */
static struct list *read_entries(const char *name)
{
    struct list *entries = grown(NULL, 0, sizeof *entries);
    int fd = openat(step_dir, name, O_RDONLY | O_CLOEXEC);
    struct stat status;
    if (fd < 0 && errno == ENOENT)
        return NULL;
    if (fd < 0 || fstat(fd, &status) < 0)
        give_up("shepherd: %s", name);
    char *text = grown(NULL, status.st_size, 1);
    if (read(fd, text, status.st_size) != status.st_size)
        give_up("shepherd: %s", name);
    close(fd);
    entries->item = grown(NULL, 0, sizeof *entries->item);
    for (char *at = text, *end = text + status.st_size; at < end; at += strlen(at) + 1)
        append(entries, at);
    return entries;
}

/* Writes the whole text at the start of the file; 0, or -1 with errno. */
static int write_all(int fd, const char *text, size_t length)
{
    for (size_t done = 0; done < length;) {
        ssize_t wrote = pwrite(fd, text + done, length - done, done);
        if (wrote < 0 && errno != EINTR)
            return -1;
        done += wrote > 0 ? wrote : 0;
    }
    return ftruncate(fd, length);
}

/*
 * Replaces STEPDIR/name in one piece. The temporary file is not truncated first: its blocks were reserved. A durable
 * record is either whole or absent after a power failure.
 */
static int save(const char *name, const char *text, size_t length, int durable)
{
    char temporary[32];
    snprintf(temporary, sizeof temporary, "%s.tmp", name);
    int fd = openat(step_dir, temporary, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
    if (fd < 0)
        return -1;
    int failed = write_all(fd, text, length) < 0 || (durable && fsync(fd) < 0), error = errno;
    close(fd);
    errno = error;
    return failed || renameat(step_dir, temporary, step_dir, name) < 0 ? -1 : 0;
}

/* A number of /proc/PID/stat, by its place in proc(5): 4 is the parent, 22 the start in clock ticks; 0 when it is gone. */
static unsigned long long stat_field(pid_t pid, int wanted)
{
    char path[40], stat[1024];
    snprintf(path, sizeof path, "/proc/%d/stat", (int)pid);
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t length = fd < 0 ? -1 : read(fd, stat, sizeof stat - 1);
    if (fd >= 0)
        close(fd);
    stat[length < 0 ? 0 : length] = 0;
    char *at = strrchr(stat, ')'); /* the name in parentheses may hold anything */
    for (int field = 2; at != NULL && field < wanted; field++)
        at = strchr(at + 1, ' ');
    return at == NULL ? 0 : strtoull(at, NULL, 10);
}

/* Takes one entry of the launch file; an entry it does not know is an error, so that two releases cannot mix. */
static int parse(const char *entry)
{
    const char *value = strchr(entry, '=');
    size_t key = value == NULL ? 0 : (size_t)(value++ - entry);
#define IS(name) (key == sizeof name - 1 && memcmp(entry, name, key) == 0)
    if (IS("uid")) step.uid = strtoul(value, NULL, 10);
    else if (IS("gid")) step.gid = strtoul(value, NULL, 10);
    else if (IS("umask")) step.umask = strtoul(value, NULL, 8);
    else if (IS("nice")) step.nice = atoi(value);
    else if (IS("oom_score_adj")) step.oom_score_adj = atoi(value);
    else if (IS("memlock")) step.memlock = atoi(value);
    else if (IS("cwd")) step.cwd = value;
    else if (IS("stdin")) step.input = value;
    else if (IS("stdout")) step.output = value;
    else if (IS("stderr")) step.error = value;
    else if (IS("task_prolog")) step.task_prolog = value;
    else if (IS("task_epilog")) step.task_epilog = value;
    else if (IS("cgroup")) append(&step.cgroup, value);
    else if (IS("arg")) append(&step.argument, value);
    else if (IS("login")) step.login_shell = value;
    else if (IS("login_home")) step.login_home = value;
    else if (IS("login_ms")) step.login_ms = atoll(value);
    else if (IS("login_env")) append(&step.login_environment, value);
    else if (IS("fallback")) append(&step.fallback, value);
    else if (IS("group")) {
        step.group = grown(step.group, step.groups, sizeof *step.group);
        step.group[step.groups++] = strtoul(value, NULL, 10);
    } else if (IS("cpu") && strtoul(value, NULL, 10) < CPU_WORDS * CPU_SETSIZE) {
        step.has_cpus = 1;
        CPU_SET_S(strtoul(value, NULL, 10), sizeof step.cpus, step.cpus);
    } else if (IS("rlimit")) { /* RESOURCE:SOFT:HARD by number; unlimited is 2^64-1, which is RLIM_INFINITY */
        char *at;
        step.limit = grown(step.limit, step.limits, sizeof *step.limit);
        struct limit *limit = &step.limit[step.limits++];
        limit->resource = strtoul(value, &at, 10);
        limit->value.rlim_cur = strtoull(at + 1, &at, 10);
        limit->value.rlim_max = strtoull(at + 1, NULL, 10);
    } else
        return -1;
    return 0;
}

/* ---------------------------------------------------------------- the child, on its way to become the step */

static int report_fd;

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
    if (strcmp(stage, "exec") == 0 || strcmp(stage, "task_prolog") == 0) /* by now stderr is the job's own */
        dprintf(2, "slurmstepd: error: %s\n", failure.text);
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

static void open_as(int target, const char *spec, const char *name) /* spec: r:PATH, a:PATH (append), t:PATH (truncate) */
{
    /* O_APPEND always: the daemon writes lines into the same file, which the job must not overwrite. */
    int kept = spec[0] == 'a' || step.is_epilog;
    int flags = spec[0] == 'r' ? O_RDONLY : O_WRONLY | O_CREAT | O_APPEND | (kept ? 0 : O_TRUNC);
    int fd = open(spec + 2, flags | O_NOCTTY | O_CLOEXEC, 0666);
    if (fd < 0 || dup2(fd, target) < 0)
        fail(name, "Could not open %s file %s", name, spec + 2);
}

static void close_on_exec(void) /* every descriptor above stderr; close_range(2) is younger than the kernels at sites */
{
    DIR *dir = opendir("/proc/self/fd");
    for (struct dirent *entry; dir != NULL && (entry = readdir(dir)) != NULL;)
        if (atoi(entry->d_name) > 2)
            fcntl(atoi(entry->d_name), F_SETFD, FD_CLOEXEC);
    if (dir != NULL)
        closedir(dir);
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

static void log_in(void);
static void run_task_prolog(void);

static void __attribute__((noreturn)) execute(void)
{
    char task[40], line[256] = "";
    snprintf(task, sizeof task, "SLURM_TASK_PID=%d", (int)getpid());
    for (size_t i = 0; i < step.environment.count; i++)
        if (strncmp(step.environment.item[i], "SLURM_TASK_PID=", 15) == 0)
            step.environment.item[i] = task;
    log_in();
    if (step.task_prolog != NULL)
        run_task_prolog();
    const char *script = step.argument.item[0];
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

static void __attribute__((noreturn)) become_step(pid_t shepherd)
{
    char number[16];
    sigset_t none;
    setsid();
    for (int sig = 1; sig < NSIG; sig++)
        signal(sig, SIG_DFL);
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    for (size_t i = 0; i < step.cgroup.count; i++) {
        char path[4096];
        snprintf(path, sizeof path, "%s/cgroup.procs", step.cgroup.item[i]);
        if (put(path, "0") < 0)
            fail("cgroup", "Could not join %s", step.cgroup.item[i]);
    }
    if (step.has_cpus && sched_setaffinity(0, sizeof step.cpus, step.cpus) < 0)
        dprintf(2, "shepherd: not bound to its CPUs: %s\n", strerror(errno));
    if (step.nice != 0 && setpriority(PRIO_PROCESS, 0, step.nice) < 0 && geteuid() == 0)
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
    if (step.error == NULL || strcmp(step.error, step.output) == 0)
        dup2(1, 2); /* one file, one offset */
    else
        open_as(2, step.error, "stderr");
    if (lost_directory && !step.is_epilog)
        dprintf(2, "slurmstepd: error: couldn't chdir to `%s': %s: going to /tmp instead\n", step.cwd,
                strerror(lost_directory));
    close_on_exec();
    execute();
}

#include "task_scripts.h"
#include "login.h"

/* ---------------------------------------------------------------- the parent */

#include "remaining.h"
#include "script.h"

static long long now_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    return now.tv_sec * 1000000000LL + now.tv_nsec;
}

static long long microseconds(struct timeval time)
{
    return time.tv_sec * 1000000LL + time.tv_usec;
}

/* Writes the exit record and does not return before it stands, unless the directory itself was removed. */
static void write_exit(int status, long long started, long long ended, const struct failure *failure)
{
    char record[RECORD_SPACE];
    struct rusage usage;
    getrusage(RUSAGE_CHILDREN, &usage);
    int length = snprintf(record, sizeof record,
        "code=%d%csignal=%d%ccore=%d%cstarted_ns=%lld%cended_ns=%lld%cuser_us=%lld%csystem_us=%lld%cmaxrss_kib=%ld%c",
        WIFEXITED(status) ? WEXITSTATUS(status) : 0, 0, WIFSIGNALED(status) ? WTERMSIG(status) : 0, 0,
        WIFSIGNALED(status) && WCOREDUMP(status), 0, started, 0, ended, 0, microseconds(usage.ru_utime), 0,
        microseconds(usage.ru_stime), 0, usage.ru_maxrss, 0);
    if (failure->stage[0] != 0)
        length += snprintf(record + length, sizeof record - length, "failed=%s%cerrno=%d%ctext=%s%c", failure->stage, 0,
                           failure->error, 0, failure->text, 0);
    for (long pause = 100; save("exit", record, length, 1) < 0; pause = pause < 10000 ? pause * 2 : 10000) {
        fprintf(stderr, "shepherd: exit record: %s\n", strerror(errno));
        if (errno == ENOENT)
            exit(1);
        nanosleep(&(struct timespec){.tv_sec = pause / 1000, .tv_nsec = pause % 1000 * 1000000}, NULL);
    }
}

/* Reads what the child sends before exec; nothing means that exec succeeded, and then says so in STEPDIR/pid. */
static void await_exec(int pipe_fd, pid_t child, struct failure *failure)
{
    char record[256];
    ssize_t got;
    do
        got = read(pipe_fd, failure, sizeof *failure);
    while (got < 0 && errno == EINTR);
    close(pipe_fd);
    if (got == sizeof *failure)
        return;
    *failure = (struct failure){0};
    int length = snprintf(record, sizeof record, "shepherd=%d%cshepherd_start=%llu%cchild=%d%cchild_start=%llu%c",
                          (int)getpid(), 0, stat_field(getpid(), 22), 0, (int)child, 0, stat_field(child, 22), 0);
    if (save("pid", record, length, 0) < 0)
        fprintf(stderr, "shepherd: pid record: %s\n", strerror(errno));
}

static void run_step(void)
{
    int pipe_fd[2], status = 0;
    struct failure failure = {0};
    pid_t shepherd = getpid();
    long long started = now_ns();
    if (pipe2(pipe_fd, O_CLOEXEC) < 0)
        give_up("shepherd: pipe");
    pid_t child = fork();
    if (child < 0)
        give_up("shepherd: fork");
    if (child == 0) {
        report_fd = pipe_fd[1];
        close(pipe_fd[0]);
        become_step(shepherd);
    }
    close(pipe_fd[1]);
    await_exec(pipe_fd[0], child, &failure);
    for (pid_t ended = 0; ended != child;)
        ended = waitpid(-1, &status, 0); /* orphans are reaped on the way */
    long long ended = now_ns();
    if (step.task_epilog != NULL && failure.stage[0] == 0)
        run_task_epilog(shepherd);
    kill_remaining();
    write_exit(status, started, ended, &failure);
}

/* Takes the lock that tells the daemon of this process's life, and the space for the exit record. */
static void claim(void)
{
    char text[80];
    struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    int fd = openat(step_dir, "alive", O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    if (fd < 0 || fcntl(fd, F_SETLKW, &lock) < 0)
        give_up("shepherd: alive");
    int length = snprintf(text, sizeof text, "shepherd=%d%cshepherd_start=%llu%c", (int)getpid(), 0,
                          stat_field(getpid(), 22), 0);
    int reserve = openat(step_dir, "exit.tmp", O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
    if (write_all(fd, text, length) < 0 || reserve < 0 || (errno = posix_fallocate(reserve, 0, RECORD_SPACE)) != 0)
        give_up("shepherd: no space for the exit record");
    close(reserve); /* the lock's descriptor stays open */
}

int main(int argc, char **argv)
{
    if (argc != 2 || (step_dir = open(argv[1], O_RDONLY | O_DIRECTORY | O_CLOEXEC)) < 0 || chdir("/") < 0)
        give_up("usage: shepherd STEPDIR");
    setsid();
    umask(077);
    for (int sig = 1; sig < NSIG; sig++)
        signal(sig, sig == SIGCHLD ? SIG_DFL : SIG_IGN);
    prctl(PR_SET_CHILD_SUBREAPER, 1);
    put("/proc/self/oom_score_adj", "-1000");
    claim();
    struct list *launch = read_entries("launch"), *environment = read_entries("environ");
    if (launch == NULL || environment == NULL)
        return 0; /* withdrawn: the daemon gave up on this start before the lock was taken */
    step.environment = *environment;
    unlinkat(step_dir, "environ", 0);
    unlinkat(step_dir, "launch", 0);
    for (size_t i = 0; i < launch->count; i++)
        if (parse(launch->item[i]) < 0) {
            struct failure unknown = {.error = EINVAL, .stage = "launch"};
            snprintf(unknown.text, sizeof unknown.text, "Launch entry not understood: %s", launch->item[i]);
            write_exit(0, now_ns(), now_ns(), &unknown);
            return 1;
        }
    if (step.memlock && mlockall(MCL_CURRENT | (step.memlock > 1 ? MCL_FUTURE : 0)) < 0)
        fprintf(stderr, "shepherd: memory is not locked: %s\n", strerror(errno));
    lend_script();
    run_step();
    return 0;
}
