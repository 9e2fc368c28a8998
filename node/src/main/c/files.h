/* What the shepherd reads and writes in its directory and in /proc; part of it, see there. */

/* Adds a line with the error to STEPDIR/shepherd.log, which most steps need not have. */
static void __attribute__((format(printf, 2, 3))) complain(int error, const char *format, ...)
{
    int log = step_dir < 0 ? -1 : openat(step_dir, "shepherd.log", O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600);
    int to = log < 0 ? 2 : log;
    va_list arguments;
    va_start(arguments, format);
    vdprintf(to, format, arguments);
    va_end(arguments);
    dprintf(to, ": %s\n", strerror(error));
    if (log >= 0)
        close(log);
}

/* Where there is no room, the complaint may be lost. */
#define give_up(...)                       \
    do {                                   \
        int give_up_error = errno;         \
        complain(give_up_error, __VA_ARGS__); \
        exit(give_up_error == ENOSPC ? 2 : 1); \
    } while (0)

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
