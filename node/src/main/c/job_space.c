/*
 * Makes and removes what a job has for itself on a node: a mount namespace with directories of its own.
 *
 *     job-space make BASE JOB UID GID SLAVE INIT DIRECTORY...
 *     job-space remove BASE JOB
 *
 * SLAVE is 1 where later mounts of the node are to show in it, INIT a program that runs before, or nothing.
 * BASE/JOB/.ns is the namespace, BASE/JOB/.UID has the directories: `/tmp` is in `_tmp` there; /dev/shm is a tmpfs of its own.
 * BASE/JOB is mounted on itself, private, as a namespace can be kept in no other place. Both may be called again at any
 * time, whatever became of a call before. It says what went wrong on its standard error, and ends with 1.
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/wait.h>
#include <unistd.h>

#define NAMESPACE_FILES 0x6e736673 /* NSFS_MAGIC */
#define DEEPEST 64
#define SHARED_MEMORY "/dev/shm"

static char job[PATH_MAX / 2], keeper[PATH_MAX];

static void __attribute__((noreturn)) give_up(const char *what, const char *of)
{
    fprintf(stderr, "%s %s: %s\n", what, of, strerror(errno));
    exit(1);
}

/* BASE/JOB, locked as long as this process lives: one call at a time. */
static int lock_job(void)
{
    int fd = open(job, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (fd >= 0 && flock(fd, LOCK_EX) < 0)
        give_up("cannot lock", job);
    return fd;
}

static int is_namespace(void)
{
    struct statfs facts;
    return statfs(keeper, &facts) == 0 && facts.f_type == NAMESPACE_FILES;
}

static void unmount_all(const char *path)
{
    while (umount2(path, MNT_DETACH | UMOUNT_NOFOLLOW) == 0)
        ;
}

/* ---------------------------------------------------------------- making */

/* A directory below the user's: "/var/tmp" is "_var_tmp". */
static const char *source_of(const char *directory, const char *uid)
{
    static char path[PATH_MAX];
    int length = snprintf(path, sizeof path, "%s/.%s/", job, uid);
    snprintf(path + length, sizeof path - length, "%s", directory);
    for (char *at = path + length; *at != 0; at++)
        if (*at == '/')
            *at = '_';
    return path;
}

static void make_directory(const char *path, uid_t uid, gid_t gid)
{
    if ((mkdir(path, 0700) < 0 && errno != EEXIST) || chown(path, uid, gid) < 0 || chmod(path, 0700) < 0)
        give_up("cannot make", path);
}

static void mount_all(char **directory, int count, const char *uid)
{
    int source[count];
    char path[64];
    for (int i = 0; i < count; i++) /* before the first is covered, for BASE may lie below it */
        if (strcmp(directory[i], SHARED_MEMORY) != 0 &&
            (source[i] = open(source_of(directory[i], uid), O_PATH | O_DIRECTORY | O_CLOEXEC)) < 0)
            give_up("cannot open", source_of(directory[i], uid));
    for (int i = 0; i < count; i++) {
        snprintf(path, sizeof path, "/proc/self/fd/%d", source[i]);
        int failed = strcmp(directory[i], SHARED_MEMORY) == 0
                         ? mount("tmpfs", directory[i], "tmpfs", MS_NOSUID | MS_NODEV, "mode=1777")
                         : mount(path, directory[i], NULL, MS_BIND, NULL);
        if (failed < 0)
            give_up("cannot mount over", directory[i]);
    }
}

/* A process with the namespace, which lives until the end of its pipe is closed. */
static pid_t begin_namespace(int end, char **directory, int count, const char *uid, int is_slave)
{
    char byte;
    int ready[2];
    if (pipe2(ready, O_CLOEXEC) < 0)
        give_up("cannot make", "a pipe");
    pid_t child = fork();
    if (child < 0)
        give_up("cannot make", "a process");
    if (child > 0) {
        close(ready[1]);
        if (read(ready[0], &byte, 1) != 1) { /* it has said why */
            waitpid(child, NULL, 0);
            exit(1);
        }
        close(ready[0]);
        return child;
    }
    if (unshare(CLONE_NEWNS) < 0 || mount(NULL, "/", NULL, MS_REC | (is_slave ? MS_SLAVE : MS_PRIVATE), NULL) < 0)
        give_up("cannot make", "a mount namespace");
    mount_all(directory, count, uid);
    if (write(ready[1], "", 1) == 1 && read(end, &byte, 1) < 0)
        _exit(1);
    _exit(0);
}

/* The site's program, with the environment of this one; what it prints is told where it fails. */
static void run_init(const char *program)
{
    int status = 0;
    pid_t child = *program == 0 ? 0 : fork();
    if (child == 0 && *program != 0) {
        dup2(2, 1);
        execl(program, program, NULL);
        give_up("cannot run InitScript", program);
    }
    while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR)
        ;
    if (child < 0)
        give_up("cannot run InitScript", program);
    if (status != 0) {
        fprintf(stderr, "InitScript %s failed: %s %d\n", program, WIFSIGNALED(status) ? "signal" : "exit code",
                WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status));
        exit(1);
    }
}

static int make(char **argv, int count)
{
    const char *uid = argv[0], *gid = argv[1];
    char **directory = argv + 4, path[64];
    if (mkdir(job, 0700) < 0 && errno != EEXIST)
        give_up("cannot make", job);
    if (lock_job() < 0)
        give_up("cannot open", job);
    if (is_namespace())
        return 0;
    unmount_all(job);
    if (mount(job, job, NULL, MS_BIND, NULL) < 0 || mount(NULL, job, NULL, MS_PRIVATE, NULL) < 0)
        give_up("cannot mount", job);
    int fd = open(keeper, O_RDONLY | O_CREAT | O_CLOEXEC, 0400);
    if (fd < 0)
        give_up("cannot make", keeper);
    uid_t owner = strtoul(uid, NULL, 10);
    gid_t group = strtoul(gid, NULL, 10);
    char whole[PATH_MAX];
    snprintf(whole, sizeof whole, "%s/.%s", job, uid);
    make_directory(whole, owner, group);
    for (int i = 0; i < count; i++)
        if (strcmp(directory[i], SHARED_MEMORY) != 0)
            make_directory(source_of(directory[i], uid), owner, group);
    run_init(argv[3]);
    int end[2];
    if (pipe2(end, O_CLOEXEC) < 0)
        give_up("cannot make", "a pipe");
    pid_t child = begin_namespace(end[0], directory, count, uid, strcmp(argv[2], "1") == 0);
    snprintf(path, sizeof path, "/proc/%d/ns/mnt", (int)child);
    int failed = mount(path, keeper, NULL, MS_BIND, NULL), error = errno;
    kill(child, SIGKILL);
    waitpid(child, NULL, 0);
    errno = error;
    if (failed < 0)
        give_up("cannot keep the namespace at", keeper);
    return 0;
}

/* ---------------------------------------------------------------- removing */

static int root_fd; /* BASE/JOB */

/* A directory too deep to go on in gets a name right below BASE/JOB, where it is met again. */
static void move_up(int from, const char *name)
{
    static unsigned moved;
    char to[32];
    do
        snprintf(to, sizeof to, ".moved.%u", moved++);
    while (renameat(from, name, root_fd, to) < 0 && (errno == EEXIST || errno == ENOTEMPTY));
}

/* Empties the directory and closes it. Follows no link and enters no other file system; whether all went. */
static int empty(int fd, int depth, dev_t device)
{
    int all = 1;
    DIR *directory = fdopendir(fd);
    if (directory == NULL) {
        close(fd);
        return 0;
    }
    for (struct dirent *entry; (entry = readdir(directory)) != NULL;) {
        const char *name = entry->d_name;
        struct stat facts;
        if (strcmp(name, ".") == 0 || strcmp(name, "..") == 0 || unlinkat(fd, name, 0) == 0 || errno == ENOENT)
            continue;
        if (unlinkat(fd, name, AT_REMOVEDIR) == 0)
            continue;
        if (depth == DEEPEST) {
            move_up(fd, name);
            continue;
        }
        int below = openat(fd, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
        if (below >= 0 && (fstat(below, &facts) < 0 || facts.st_dev != device)) {
            close(below);
            below = -1;
        }
        all &= below >= 0 && empty(below, depth + 1, device);
        if (unlinkat(fd, name, AT_REMOVEDIR) < 0 && errno != ENOENT && errno != ENOTEMPTY)
            all = 0;
    }
    closedir(directory);
    return all;
}

static int remove_all(void)
{
    struct stat facts;
    int lock = lock_job();
    if (lock < 0 && errno == ENOENT)
        return 0;
    if (lock < 0)
        give_up("cannot open", job);
    unmount_all(keeper);
    unmount_all(job);
    root_fd = open(job, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (root_fd < 0 || fstat(root_fd, &facts) < 0)
        give_up("cannot open", job);
    /* What was moved up, or made meanwhile by a process that escaped, is met in the next round. */
    for (int round = 0; round < 10000; round++) {
        int again = openat(root_fd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
        if (again < 0 || !empty(again, 0, facts.st_dev))
            break;
        if (rmdir(job) == 0)
            return 0;
    }
    give_up("cannot remove", job);
}

int main(int argc, char **argv)
{
    umask(077);
    if (argc < 4 || (strcmp(argv[1], "make") == 0) != (argc > 7)) {
        fprintf(stderr, "usage: job-space make BASE JOB UID GID SLAVE INIT [DIRECTORY...] | remove BASE JOB\n");
        return 2;
    }
    snprintf(job, sizeof job, "%s/%s", argv[2], argv[3]);
    snprintf(keeper, sizeof keeper, "%s/.ns", job);
    return argc > 7 ? make(argv + 4, argc - 8) : remove_all();
}
