/*
 * Writes one file that comes by a connection, or sends one, as a job's user: for sbcast and sgather.
 *
 *     transfer UID GID GROUP,... [NAMESPACE]      the connection is descriptor 3
 *
 * Frames are described in docs/step-wire.md. It becomes the user before it reads the first one, so that nothing is read or
 * written with other rights. It waits for the other side however long that takes, which may have other nodes to fetch from first,
 * or be suspended with its job: the end of the connection ends it, and that of the run.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "wire.h"
#include "space.h"
#include "user.h"

#define CONNECTION 3
#define CHUNK (1 << 20)
#define FACTS 29 /* mode, then seconds and nanoseconds of access and change, flags; a path follows */
#define FORCE 1  /* flags: overwrites what is there */
#define TIMES 2  /* keeps the times */
#define FOLDER 4 /* makes the folder that the file is in */

static unsigned char chunk[FRAME_HEAD + CHUNK];
static const char *volatile made; /* a file that is not whole yet, which did not exist before */
static char draft[PATH_MAX];      /* what takes the place of a file that exists, once it is whole */
static char replaced[PATH_MAX];   /* that file */
static int overwritten = -1;      /* or the file, where its folder takes no other */

static int read_all(unsigned char *at, size_t length)
{
    while (length > 0) {
        ssize_t got = read(CONNECTION, at, length);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            return -1;
        at += got;
        length -= got;
    }
    return 0;
}

static int write_all(int to, const unsigned char *at, size_t length)
{
    while (length > 0) {
        ssize_t wrote = write(to, at, length);
        if (wrote < 0 && errno == EINTR)
            continue;
        if (wrote < 0)
            return -1;
        at += wrote;
        length -= wrote;
    }
    return 0;
}

/* Says how it ended; the other side may still be sending, and is told to stop. */
static void __attribute__((noreturn)) finish(int error)
{
    unsigned char result[FRAME_HEAD + 4];
    if (error != 0 && made != NULL)
        unlink(made);
    if (error != 0 && overwritten >= 0 && ftruncate(overwritten, 0) < 0)
        error = errno;
    put32(put_head(result, 'r', 4), error);
    if (write_all(CONNECTION, result, sizeof result) == 0)
        shutdown(CONNECTION, SHUT_RDWR);
    exit(error != 0);
}

/* Its run is over. */
static void end_now(int number)
{
    (void)number;
    if (made != NULL)
        unlink(made);
    if (overwritten >= 0 && ftruncate(overwritten, 0) < 0)
        _exit(2);
    _exit(1);
}

static uint64_t get64(const unsigned char *at) { return (uint64_t)get32(at) << 32 | get32(at + 4); }

static void put64(unsigned char *at, uint64_t value) { put32(put32(at, value >> 32), value); }

/* Makes the folder of the path, for its owner alone; one that exists is as good. */
static void make_folder(const char *path)
{
    char folder[PATH_MAX];
    const char *slash = strrchr(path, '/');
    if (slash == NULL || (size_t)(slash - path) >= sizeof folder)
        return;
    memcpy(folder, path, slash - path);
    folder[slash - path] = 0;
    mkdir(folder, 0700);
}

/* Its folder takes no other file. Nothing of it goes unless it can be made what it is to be. */
static int open_in_place(mode_t mode)
{
    int file = open(replaced, O_WRONLY | O_NOCTTY | O_CLOEXEC);
    if (file >= 0 && (fchmod(file, mode & 07777) < 0 || ftruncate(file, 0) < 0))
        return -1;
    overwritten = file;
    return file;
}

/* For the time until it is whole a file lies beside the one that it replaces; a link goes on pointing to that one. */
static int open_draft(const char *path)
{
    struct stat facts;
    if (realpath(path, replaced) == NULL || stat(replaced, &facts) < 0)
        return -1;
    if (!S_ISREG(facts.st_mode)) {
        errno = S_ISDIR(facts.st_mode) ? EISDIR : EINVAL;
        return -1;
    }
    int folder = strrchr(replaced, '/') + 1 - replaced;
    if (snprintf(draft, sizeof draft, "%.*s.sbcast.XXXXXX", folder, replaced) >= (int)sizeof draft) {
        errno = ENAMETOOLONG;
        return -1;
    }
    int file = mkostemp(draft, O_CLOEXEC);
    if (file >= 0)
        made = draft;
    else if (errno == EACCES || errno == EPERM)
        file = open_in_place(facts.st_mode);
    return file;
}

/* The end of its run waits until what was made is known, so that it is removed then. */
static int open_target(const char *path, int flags)
{
    sigset_t ends, before;
    sigemptyset(&ends);
    sigaddset(&ends, SIGTERM);
    if (flags & FOLDER)
        make_folder(path);
    sigprocmask(SIG_BLOCK, &ends, &before);
    int file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOCTTY | O_CLOEXEC, 0600);
    if (file >= 0)
        made = path;
    else if (flags & FORCE && errno == EEXIST)
        file = open_draft(path);
    int error = errno;
    sigprocmask(SIG_SETMASK, &before, NULL);
    if (file < 0)
        finish(error);
    return file;
}

static void receive(const unsigned char *facts, const char *path)
{
    int flags = facts[28], file = open_target(path, flags);
    for (;;) {
        uint32_t length;
        if (read_all(chunk, FRAME_HEAD) < 0 || *chunk != 'D' || (length = get32(chunk + 1)) > CHUNK ||
            read_all(chunk + FRAME_HEAD, length) < 0)
            finish(EPROTO); /* who sent it is gone, or no sbcast */
        if (length == 0)
            break;
        if (write_all(file, chunk + FRAME_HEAD, length) < 0)
            finish(errno);
    }
    struct timespec times[2] = {{get64(facts + 4), get32(facts + 12)}, {get64(facts + 16), get32(facts + 24)}};
    if (fchmod(file, get32(facts) & 0777) < 0 || (flags & TIMES && futimens(file, times) < 0) || close(file) < 0 ||
        (made == draft && rename(draft, replaced) < 0))
        finish(errno);
    made = NULL;
    overwritten = -1;
    finish(0);
}

static void send_file(const char *path)
{
    struct stat facts;
    unsigned char head[FRAME_HEAD + FACTS], *at = put_head(head, 'M', FACTS);
    int file = open(path, O_RDONLY | O_NOCTTY | O_NONBLOCK | O_CLOEXEC);
    if (file < 0 || fstat(file, &facts) < 0)
        finish(errno);
    if (!S_ISREG(facts.st_mode))
        finish(S_ISDIR(facts.st_mode) ? EISDIR : EINVAL);
    put32(at, facts.st_mode);
    put64(at + 4, facts.st_atim.tv_sec);
    put32(at + 12, facts.st_atim.tv_nsec);
    put64(at + 16, facts.st_mtim.tv_sec);
    put32(at + 24, facts.st_mtim.tv_nsec);
    at[28] = 0;
    if (write_all(CONNECTION, head, sizeof head) < 0)
        exit(1);
    for (ssize_t got = 1; got > 0;) {
        got = read(file, chunk + FRAME_HEAD, CHUNK);
        if (got < 0 && errno == EINTR)
            got = 1;
        else if (got < 0)
            finish(errno);
        else {
            put_head(chunk, 'D', got);
            if (write_all(CONNECTION, chunk, FRAME_HEAD + got) < 0)
                exit(1);
        }
    }
    finish(0);
}

int main(int argc, char **argv)
{
    static unsigned char ask[FACTS + PATH_MAX + 1];
    if (argc != 4 && argc != 5) {
        fprintf(stderr, "usage: transfer UID GID GROUPS [NAMESPACE]\n");
        return 2;
    }
    signal(SIGPIPE, SIG_IGN);
    signal(SIGTERM, end_now);
    umask(077);
    if ((argc == 5 && !enter_space(argv[4])) || chdir("/") < 0)
        finish(errno);
    int denied = become_user(argv[1], argv[2], argv[3]);
    if (denied != 0)
        finish(denied);
    if (read_all(chunk, FRAME_HEAD) < 0)
        return 1;
    uint32_t length = get32(chunk + 1);
    if (length >= sizeof ask || length < FACTS || read_all(ask, length) < 0)
        finish(ENAMETOOLONG);
    if (*chunk == 'P')
        receive(ask, (const char *)ask + FACTS);
    else if (*chunk == 'G')
        send_file((const char *)ask + FACTS);
    finish(EPROTO);
}
