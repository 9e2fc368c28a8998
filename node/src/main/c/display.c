/*
 * Lets X clients of a job on this node reach the X server of the front end: for --x11. It listens as a display of this
 * machine, and passes each connection on by the one that it was given.
 *
 *     display UID GID GROUP,... RECORD private|home PATH [NAMESPACE]      the connection is descriptor 3
 *
 * It becomes the job's user before it reads a byte. The cookie goes to a new file in the directory PATH, or into the
 * file PATH beside those of other displays, and away at the end. RECORD is a file for the node daemon: display, process,
 * its start, and the file of the cookie. Frames are described in docs/step-wire.md.
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "wire.h"
#include "space.h"
#include "user.h"
#include "../../../../host/src/main/c/channels.h"

#define CONNECTION 3
#define FIRST_DISPLAY 10 /* below are X servers of this machine */
#define LAST_DISPLAY 1009
#define X_PORT 6000
#define MOST_COOKIE 1024
#define COOKIE_SECONDS 10 /* a front end that has stopped keeps no job from its end */

static struct tunnel tunnel = {.fd = CONNECTION};
static int listener, record = -1, number;

static void __attribute__((noreturn)) refuse(int error, const char *what)
{
    unsigned char frame[FRAME_HEAD + 4 + 512];
    char text[512];
    int length = snprintf(text, sizeof text, "%s%s%s", what, error == 0 ? "" : ": ", error == 0 ? "" : strerror(error)) + 1;
    length = length > (int)sizeof text ? (int)sizeof text : length;
    memcpy(put32(put_head(frame, 'R', 4 + length), error), text, length);
    send(CONNECTION, frame, FRAME_HEAD + 4 + length, MSG_NOSIGNAL);
    exit(1);
}

#include "xauthority.h"

/* ---------------------------------------------------------------- the display */

/* A socket at that port of this machine alone, -1 where another has it. */
static int bound_socket(int family, uint16_t port)
{
    struct sockaddr_in old = {.sin_family = AF_INET, .sin_port = htons(port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    struct sockaddr_in6 new = {.sin6_family = AF_INET6, .sin6_port = htons(port), .sin6_addr = in6addr_loopback};
    int fd = socket(family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0), yes = 1, is_old = family == AF_INET;
    if (fd < 0)
        return -1;
    if (!is_old)
        setsockopt(fd, IPPROTO_IPV6, IPV6_V6ONLY, &yes, sizeof yes);
    if (bind(fd, is_old ? (struct sockaddr *)&old : (struct sockaddr *)&new, is_old ? sizeof old : sizeof new) == 0)
        return fd;
    int error = errno;
    close(fd);
    errno = error;
    return -1;
}

/*
 * Listens as the first display that is free. "localhost" may mean ::1 first: that port is held without listening, so that
 * no other program gets what is meant for this one.
 */
static void open_display(void)
{
    for (number = FIRST_DISPLAY; number <= LAST_DISPLAY; number++) {
        listener = bound_socket(AF_INET, X_PORT + number);
        if (listener < 0)
            continue;
        int other = bound_socket(AF_INET6, X_PORT + number);
        if ((other >= 0 || errno != EADDRINUSE) && listen(listener, SOMAXCONN) == 0)
            return;
        close(listener);
        if (other >= 0)
            close(other);
    }
    refuse(0, "no display is free on this node");
}

/*
 * Whether the table names that peer's end of a connection to this display as a socket of this user. Its state does not
 * count: a client may have said all and shut down its side before it is accepted. What has no process has no inode.
 */
static int is_own_in(const char *table, const char *peer, const char *local)
{
    char line[512], from[80], to[80];
    unsigned uid;
    unsigned long inode;
    int is_own = 0;
    FILE *file = fopen(table, "re");
    while (file != NULL && !is_own && fgets(line, sizeof line, file) != NULL)
        is_own = sscanf(line, " %*[^:]: %79s %79s %*s %*s %*s %*s %u %*s %lu", from, to, &uid, &inode) == 4 &&
                 strcmp(from, peer) == 0 && strcmp(to, local) == 0 && uid == geteuid() && inode != 0;
    if (file != NULL)
        fclose(file);
    return is_own;
}

/* Whether the process at the other end is of this user; one that is closed already belongs to no process, and may count as root's. */
static int is_own(int fd)
{
    static const char mapped[] = "0000000000000000FFFF0000"; /* an IPv4 address in a socket of IPv6 */
    struct sockaddr_in peer, local;
    socklen_t size = sizeof peer, local_size = sizeof local;
    char from[40], to[40], from6[80], to6[80];
    if (getpeername(fd, (struct sockaddr *)&peer, &size) < 0 || getsockname(fd, (struct sockaddr *)&local, &local_size) < 0)
        return 0;
    snprintf(from, sizeof from, "%08X:%04X", peer.sin_addr.s_addr, ntohs(peer.sin_port));
    snprintf(to, sizeof to, "%08X:%04X", local.sin_addr.s_addr, ntohs(local.sin_port));
    snprintf(from6, sizeof from6, "%s%s", mapped, from);
    snprintf(to6, sizeof to6, "%s%s", mapped, to);
    return is_own_in("/proc/net/tcp", from, to) || is_own_in("/proc/net/tcp6", from6, to6);
}

static int channel_target(void)
{
    return -1; /* the other end opens none */
}

static int free_channel(void)
{
    for (int i = 0; i < MOST_CHANNELS; i++)
        if (!tunnel.channel[i].is_used)
            return i;
    return -1;
}

static void accept_client(void)
{
    int yes = 1, index = free_channel();
    int fd = accept4(listener, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
    if (fd < 0)
        return;
    if (index < 0 || !is_own(fd)) {
        close(fd);
        return;
    }
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
    tunnel_frame(&tunnel, 'o', index, 0);
    channel_begin(&tunnel, index, fd);
}

/* ---------------------------------------------------------------- its life */

static int read_all(unsigned char *at, size_t length)
{
    while (length > 0) {
        ssize_t got = recv(CONNECTION, at, length, 0);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            return -1;
        at += got;
        length -= got;
    }
    return 0;
}

/* The cookie, which is the first thing that the front end says, soon; its length. */
static size_t read_cookie(unsigned char *cookie)
{
    unsigned char head[FRAME_HEAD];
    uint32_t length;
    signal(SIGALRM, SIG_DFL);
    alarm(COOKIE_SECONDS);
    if (read_all(head, sizeof head) < 0 || *head != 'k' || (length = get32(head + 1)) > MOST_COOKIE ||
        read_all(cookie, length) < 0)
        exit(1);
    alarm(0);
    return length;
}

static unsigned long long start_time(void)
{
    char line[1024];
    unsigned long long start = 0;
    FILE *file = fopen("/proc/self/stat", "re");
    char *at = file != NULL && fgets(line, sizeof line, file) != NULL ? strrchr(line, ')') : NULL;
    if (at != NULL)
        sscanf(at + 1, " %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %llu", &start);
    if (file != NULL)
        fclose(file);
    return start;
}

static void say_ready(void)
{
    unsigned char frame[FRAME_HEAD + 4];
    char line[PATH_MAX + 100];
    int length = snprintf(line, sizeof line, "%d %d %llu %s\n", number, (int)getpid(), start_time(), xauthority);
    if (write(record, line, length) != length)
        refuse(errno, "SlurmdSpoolDir");
    put32(put_head(frame, 'y', 4), number);
    if (send(CONNECTION, frame, sizeof frame, MSG_NOSIGNAL) != sizeof frame)
        tunnel_lose(&tunnel);
}

/* That of the daemon is not for what serves a user. */
static void set_usual_oom_score(void)
{
    int fd = open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC);
    if (fd < 0)
        return;
    if (write(fd, "0", 1) < 0)
        errno = 0; /* without root it stays as it is */
    close(fd);
}

static int open_signals(void)
{
    sigset_t ending;
    sigemptyset(&ending);
    sigaddset(&ending, SIGTERM);
    sigaddset(&ending, SIGINT);
    sigaddset(&ending, SIGHUP);
    sigprocmask(SIG_BLOCK, &ending, NULL);
    return signalfd(-1, &ending, SFD_CLOEXEC);
}

static void serve(int signals)
{
    static struct pollfd ready[3 + MOST_CHANNELS];
    while (tunnel.fd >= 0) {
        int takes = free_channel() >= 0 && queue_left(&tunnel.out) < MOST_QUEUED;
        ready[0] = (struct pollfd){.fd = signals, .events = POLLIN};
        ready[1] = (struct pollfd){.fd = takes ? listener : -1, .events = POLLIN};
        tunnel_prepare(&tunnel, ready + 2);
        if (poll(ready, sizeof ready / sizeof *ready, -1) < 0 && errno != EINTR)
            return;
        if (ready[0].revents)
            return;
        if (tunnel_serve(&tunnel, ready + 2) == 0 && ready[1].revents)
            accept_client();
    }
}

int main(int argc, char **argv)
{
    static unsigned char cookie[MOST_COOKIE];
    if (argc != 7 && argc != 8) {
        fprintf(stderr, "usage: display UID GID GROUPS RECORD private|home PATH [NAMESPACE]\n");
        return 2;
    }
    signal(SIGPIPE, SIG_IGN);
    setsid();
    umask(077);
    set_usual_oom_score();
    int signals = open_signals();
    record = open(argv[4], O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0600);
    if (record < 0 || signals < 0)
        refuse(errno, "SlurmdSpoolDir");
    if ((argc == 8 && !enter_space(argv[7])) || chdir("/") < 0)
        refuse(errno, "mount namespace");
    int denied = become_user(argv[1], argv[2], argv[3]);
    if (denied != 0)
        refuse(denied, "setresuid");
    size_t length = read_cookie(cookie);
    open_display();
    keep_cookie(argv[6], strcmp(argv[5], "home") == 0, cookie, length);
    say_ready();
    serve(signals);
    forget_cookie();
    if (ftruncate(record, 0) < 0)
        return 1; /* the daemon sees that the process is gone */
    return 0;
}
