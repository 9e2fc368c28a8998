/*
 * The shepherd: runs one step as its user, outlives the node daemon, and never loses the step's exit status. A batch step
 * is one script; a parallel step (`tasks=` in its launch file) has several tasks, whose streams go to a front end.
 *
 *     shepherd STEPDIR
 *
 * Files in STEPDIR, each a list of "key=value" entries that end with a NUL byte:
 *   launch   in   what to run; consumed (unlinked), so that a step is started at most once
 *   environ  in   the step's environment; consumed as well
 *   alive    out  this process with its start time, which holds a POSIX lock on the file until it ends, however it ends;
 *                 behind it the child with its start time, once exec has succeeded
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
#include <limits.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/fsuid.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <sys/xattr.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

#define CPU_WORDS 16 /* cpu_set_t holds 1,024 CPUs; this many of them hold 16,384 */
#define RECORD_SPACE 8192

struct limit { int resource; struct rlimit value; };
struct list { const char **item; size_t count; };
struct task;

/* What the launch file says; every pointer points into the file's text. */
static struct {
    uid_t uid;
    gid_t gid;
    mode_t umask;
    int has_nice, nice, oom_score_adj, memlock, has_cpus, is_aside, ends_task;
    long long login_ms;
    const char *prolog[2], *epilog[2]; /* the site's and the step's own; the step's own and the site's */
    const char *space; /* what keeps the namespace of the job, where it has one */
    int program;       /* what is executed instead of the first argument, or -1 */
    const char *cwd, *input, *output, *error, *login_shell, *login_home;
    gid_t *group;
    size_t groups, limits;
    struct limit *limit;
    struct list container, cgroup, argument, environment, login_environment, fallback, note;
    cpu_set_t cpus[CPU_WORDS];
    struct task *task; /* the tasks of a parallel step; a batch step has none */
    size_t tasks;
    uint32_t node;
    long long kill_wait;
    int is_unbuffered, keeps_when_lost, awaits_children, pty_end, label; /* width of the label in files, 0 for none */
    const char *memory; /* of the task that this process becomes, as the next one */
    int fails;
    const char *pty, *mpi, *mpi_token, *mpi_step, *mpi_index; /* of an MPI server, where the step has one */
    struct list mpi_nodes;
} step = {.program = -1, .pty_end = -1, .cwd = "/", .input = "r:/dev/null", .output = "a:/dev/null"};

/* Why a step could not be started: sent by the child through a pipe, written to the exit record by the parent. */
struct failure { int error; char stage[16]; char text[4000]; };

static int step_dir, alive_fd;

#include "files.h"

#include "wire.h"
#include "used.h"

static struct used script_used; /* the script of a batch step */

#include "parallel.h"

/* Takes one entry of the launch file; an entry it does not know is an error, so that two releases cannot mix. */
static int parse(const char *entry)
{
    const char *value = strchr(entry, '=');
    size_t key = value == NULL ? 0 : (size_t)(value++ - entry);
#define IS(name) (key == sizeof name - 1 && memcmp(entry, name, key) == 0)
    if (IS("uid")) step.uid = strtoul(value, NULL, 10);
    else if (IS("gid")) step.gid = strtoul(value, NULL, 10);
    else if (IS("umask")) step.umask = strtoul(value, NULL, 8);
    else if (IS("nice")) step.nice = atoi(value), step.has_nice = 1;
    else if (IS("oom_score_adj")) step.oom_score_adj = atoi(value);
    else if (IS("memlock")) step.memlock = atoi(value);
    else if (IS("cwd")) step.cwd = value;
    else if (IS("stdin")) step.input = value;
    else if (IS("stdout")) step.output = value;
    else if (IS("stderr")) step.error = value;
    else if (IS("task_prolog")) step.prolog[0] = value;
    else if (IS("own_prolog")) step.prolog[1] = value;
    else if (IS("own_epilog")) step.epilog[0] = value;
    else if (IS("task_epilog")) step.epilog[1] = value;
    else if (IS("container")) append(&step.container, value);
    else if (IS("space")) step.space = value;
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
        return parse_task(entry, value);
    return 0;
}

/* ---------------------------------------------------------------- the child */

#include "space.h"
#include "child.h"
#include "task_scripts.h"
#include "login.h"

/* ---------------------------------------------------------------- the parent */

#include "remaining.h"
#include "script.h"

static void write_exit(int status, long long started, long long ended, const struct failure *failure);
static void save_pids(pid_t child);

#include "fronts.h"
#include "streams.h"
#include "tasks.h"

static long long now_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    return now.tv_sec * 1000000000LL + now.tv_nsec;
}

/* Writes the exit record and does not return before it stands, unless the directory itself was removed. */
static void write_exit(int status, long long started, long long ended, const struct failure *failure)
{
    static char reserve[RECORD_SPACE];
    size_t room = RECORD_SPACE + (step.tasks + 1) * USED_SPACE;
    char *record = malloc(room);
    struct rusage usage;
    if (record == NULL) {
        record = reserve;
        room = sizeof reserve;
    }
    getrusage(RUSAGE_CHILDREN, &usage);
    int length = snprintf(record, room,
        "code=%d%csignal=%d%ccore=%d%cstarted_ns=%lld%cended_ns=%lld%cuser_us=%lld%csystem_us=%lld%cmaxrss_kib=%ld%c",
        WIFEXITED(status) ? WEXITSTATUS(status) : 0, 0, WIFSIGNALED(status) ? WTERMSIG(status) : 0, 0,
        WIFSIGNALED(status) && WCOREDUMP(status), 0, started, 0, ended, 0, microseconds(usage.ru_utime), 0,
        microseconds(usage.ru_stime), 0, usage.ru_maxrss, 0);
    if (failure->stage[0] != 0)
        length += snprintf(record + length, room - length, "failed=%s%cerrno=%d%ctext=%s%c", failure->stage, 0,
                           failure->error, 0, failure->text, 0);
    int least = length; /* for which there is space on the disk */
    length = add_tasks(record, length, room);
    for (long pause = 100; save("exit", record, length, step.tasks == 0) < 0; pause = pause < 10000 ? pause * 2 : 10000) {
        int error = errno;
        complain(error, "shepherd: exit record");
        if (error == ENOENT)
            exit(1);
        if (error == ENOSPC || error == EDQUOT)
            length = least;
        nanosleep(&(struct timespec){.tv_sec = pause / 1000, .tv_nsec = pause % 1000 * 1000000}, NULL);
    }
}

/* Says in STEPDIR/alive that the step runs. */
static void save_pids(pid_t child)
{
    char record[RECORD_SPACE]; /* begins like what stands there */
    int length = snprintf(record, sizeof record, "shepherd=%d%cshepherd_start=%llu%cchild=%d%cchild_start=%llu%c",
                          (int)getpid(), 0, stat_field(getpid(), 22), 0, (int)child, 0, stat_field(child, 22), 0);
    if (write_all(alive_fd, record, length) < 0)
        complain(errno, "shepherd: child's record");
}

/* Reads what the child sends before exec; nothing means that exec succeeded, and then says so. */
static void await_exec(int pipe_fd, pid_t child, struct failure *failure)
{
    ssize_t got;
    do
        got = read(pipe_fd, failure, sizeof *failure);
    while (got < 0 && errno == EINTR);
    close(pipe_fd);
    if (got == sizeof *failure)
        return;
    *failure = (struct failure){0};
    save_pids(child);
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
        ended = wait_for_end(&status, 0, &script_used); /* orphans are reaped on the way */
    long long ended = now_ns();
    if (has_epilog() && failure.stage[0] == 0)
        end_script(shepherd);
    kill_remaining();
    write_exit(status, started, ended, &failure);
}

/* Takes the lock that tells the daemon of this process's life, and the space for the exit record. */
static void claim(void)
{
    char text[80];
    struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    int fd = alive_fd = openat(step_dir, "alive", O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    if (fd < 0 || fcntl(fd, F_SETLKW, &lock) < 0)
        give_up("shepherd: alive");
    int length = snprintf(text, sizeof text, "shepherd=%d%cshepherd_start=%llu%c", (int)getpid(), 0,
                          stat_field(getpid(), 22), 0);
    if (write_all(fd, text, length) < 0) /* the lock's descriptor stays open */
        give_up("shepherd: no space for its record");
}

/* The file of the launch becomes that of the exit record, with room for it and nothing of the environment. */
static void reserve_exit(void)
{
    static const char nothing[RECORD_SPACE];
    int fd = openat(step_dir, "launch", O_WRONLY | O_CLOEXEC);
    if (fd < 0 || (errno = posix_fallocate(fd, 0, RECORD_SPACE)) != 0)
        give_up("shepherd: no space for the exit record");
    if (renameat(step_dir, "launch", step_dir, "exit.tmp") < 0 || write_all(fd, nothing, sizeof nothing) < 0)
        give_up("shepherd: exit record");
    close(fd);
}

/* The environment stands behind an empty entry. */
static struct list *environment_of(struct list *launch)
{
    for (size_t i = 0; i < launch->count; i++)
        if (launch->item[i][0] == 0) {
            struct list *environment = grown(NULL, 0, sizeof *environment);
            environment->item = grown(NULL, 0, sizeof *environment->item);
            for (size_t at = i + 1; at < launch->count; at++)
                append(environment, launch->item[at]);
            launch->count = i;
            return environment;
        }
    return grown(NULL, 0, sizeof *launch);
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
    struct list *launch = read_entries("launch");
    if (launch == NULL)
        return 0; /* withdrawn: the daemon gave up on this start before the lock was taken */
    step.environment = *environment_of(launch);
    reserve_exit();
    take_first_front();
    for (size_t i = 0; i < launch->count; i++)
        if (parse(launch->item[i]) < 0) {
            struct failure unknown = {.error = EINVAL, .stage = "launch"};
            snprintf(unknown.text, sizeof unknown.text, "Launch entry not understood: %s", launch->item[i]);
            write_exit(0, now_ns(), now_ns(), &unknown);
            tell_failure(&unknown);
            return 1;
        }
    if (step.memlock && mlockall(MCL_CURRENT | (step.memlock > 1 ? MCL_FUTURE : 0)) < 0)
        complain(errno, "shepherd: memory is not locked");
    if (step.tasks > 0) {
        run_tasks();
        return 0;
    }
    lend_script();
    run_step();
    return 0;
}
