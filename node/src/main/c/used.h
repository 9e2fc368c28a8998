/* What ended processes have used. Part of the shepherd, see there. */

#define USED_SPACE 160 /* of a task's entry in the exit record */

/* Of a process and those of its children that it waited for; memory is the most that one of them had. */
struct used { long long user_us, system_us; long memory_kib, faults; unsigned long long read, written; };

static long long microseconds(struct timeval time)
{
    return time.tv_sec * 1000000LL + time.tv_usec;
}

/* What it read and wrote, which the kernel tells until it is waited for. */
static void add_io(struct used *used, pid_t pid)
{
    char path[40], text[512];
    snprintf(path, sizeof path, "/proc/%d/io", (int)pid);
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t length = fd < 0 ? -1 : read(fd, text, sizeof text - 1);
    if (fd >= 0)
        close(fd);
    text[length < 0 ? 0 : length] = 0;
    if (length > 0)
        sscanf(text, "rchar: %llu wchar: %llu", &used->read, &used->written);
}

/* How many processes of the step the kernel has killed for want of memory; it counts one before it kills it. */
static unsigned long long memory_kills(void)
{
    unsigned long long kills = 0;
    static const char *const accounts[] = {"memory.events", "memory.oom_control"};
    for (size_t i = 0; i < 2 * step.cgroup.count; i++) {
        char path[PATH_MAX], text[1024];
        snprintf(path, sizeof path, "%s/%s", step.cgroup.item[i / 2], accounts[i % 2]);
        int fd = open(path, O_RDONLY | O_CLOEXEC);
        ssize_t length = fd < 0 ? -1 : read(fd, text, sizeof text - 1);
        if (fd >= 0)
            close(fd);
        text[length < 0 ? 0 : length] = 0;
        const char *count = strstr(text, "oom_kill ");
        unsigned long long here = count == NULL ? 0 : strtoull(count + strlen("oom_kill "), NULL, 10);
        if (here > kills)
            kills = here; /* groups of a step lie in one another, or are of other controllers */
    }
    return kills;
}

static int wanted_memory(void)
{
    return memory_kills() > 0;
}

/* As waitpid(-1, status, options), and says what it used. */
static pid_t wait_for_end(int *status, int options, struct used *used)
{
    siginfo_t ended = {.si_pid = 0};
    struct rusage usage;
    *used = (struct used){0};
    if (waitid(P_ALL, 0, &ended, WEXITED | WNOWAIT | options) < 0)
        return -1;
    if (ended.si_pid == 0)
        return 0;
    add_io(used, ended.si_pid);
    pid_t pid = wait4(ended.si_pid, status, 0, &usage);
    used->user_us = microseconds(usage.ru_utime);
    used->system_us = microseconds(usage.ru_stime);
    used->memory_kib = usage.ru_maxrss;
    used->faults = usage.ru_majflt;
    return pid;
}

/* Writes the entry of a task into the exit record; its length. */
static int put_used(char *at, uint32_t rank, int status, const struct used *used)
{
    return snprintf(at, USED_SPACE, "task=%u:%d:%lld:%lld:%ld:%ld:%llu:%llu", rank, status, used->user_us,
                    used->system_us, used->memory_kib, used->faults, used->read, used->written) + 1;
}
