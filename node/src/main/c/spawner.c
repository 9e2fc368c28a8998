/*
 * The spawner: takes the connections of front ends on a unix socket, tells the node daemon of them, and starts the
 * shepherds to which the daemon gives them. So the bytes of a step never pass through the daemon, and starting a process
 * does not cost a fork of it.
 *
 *     spawner SOCKET SHEPHERD
 *
 * Orders come by standard input, news go to standard output; it ends when its input does. Everybody may connect, so it
 * trusts nothing that comes by a connection, waits for none of them, and holds a bounded number of bytes for them. Frames
 * are described in docs/step-wire.md.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "wire.h"

#define MOST_PEERS 4096
#define MOST_PEERS_OF_USERS 3840    /* the rest is for root */
#define MOST_PEERS_OF_ONE_USER 1024 /* as many as steps may wait on a node until its prolog is over */
#define MOST_SERVED_OF_ONE_USER 64  /* of these; the next one has its turn when one of them is gone */
#define LARGEST_FIRST_FRAME (16 << 20)
#define MOST_BYTES (64 << 20)
#define LARGEST_ORDER (16 << 20)
#define PATIENCE_MS 10000
#define PAUSE_MS 100
#define FIXED 4 /* descriptors that are polled before those of peers */

/*
 * QUEUED behind others of its user, nothing of it is read; READING its first frame, WAITING for the daemon's decision,
 * LEAVING once its answer has been taken.
 */
enum state { QUEUED, READING, WAITING, LEAVING };

struct peer {
    int fd;
    enum state state;
    uint32_t id;
    struct ucred who;
    long long deadline;
    unsigned char head[FRAME_HEAD];
    size_t got;                /* of head and frame */
    struct bytes frame, reply; /* the payload as it comes; what it is told */
};

static struct peer peers[MOST_PEERS];
static size_t count;
static uint32_t last_id;
static struct bytes news, orders;
static size_t undecided; /* bytes of first frames */
static const char *shepherd;
static int listener, children;
static long long accept_from;
static struct rlimit files;
static sigset_t usual_mask;

static void __attribute__((noreturn)) give_up(const char *what)
{
    fprintf(stderr, "spawner: error: %s: %s\n", what, strerror(errno));
    exit(1);
}

static long long now_ms(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * 1000LL + now.tv_nsec / 1000000;
}

/* ---------------------------------------------------------------- news */

static void tell(char type, const uint32_t *numbers, size_t amount, const void *rest, size_t length)
{
    unsigned char *at = room_for(&news, FRAME_HEAD + amount * 4 + length);
    if (at == NULL)
        give_up("no memory for what the daemon does not read");
    news.length += FRAME_HEAD + amount * 4 + length;
    at = put_head(at, type, amount * 4 + length);
    for (size_t i = 0; i < amount; i++)
        at = put32(at, numbers[i]);
    if (length > 0)
        memcpy(at, rest, length);
}

static void send_news(void)
{
    while (news.done < news.length) {
        ssize_t wrote = write(1, news.at + news.done, news.length - news.done);
        if (wrote < 0 && errno == EINTR)
            continue;
        if (wrote < 0 && errno != EAGAIN)
            give_up("the daemon does not listen"); /* its end will be seen by standard input too */
        if (wrote < 0)
            return;
        news.done += wrote;
    }
    if (news.room > 1 << 20)
        forget(&news);
}

/* ---------------------------------------------------------------- peers */

#include "queue.h"

static void drop(struct peer *peer)
{
    uid_t uid = peer->who.uid;
    int was_served = peer->state != QUEUED;
    if (peer->fd >= 0)
        close(peer->fd);
    undecided -= peer->frame.room;
    forget(&peer->frame);
    forget(&peer->reply);
    *peer = peers[--count];
    if (was_served && uid != 0)
        serve_next(uid);
}

#include "answers.h"

static void accept_peers(void)
{
    for (int fd; (fd = accept4(listener, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK)) >= 0;) {
        struct peer peer = {.fd = fd, .deadline = now_ms() + PATIENCE_MS};
        socklen_t size = sizeof peer.who;
        int known = getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer.who, &size) == 0;
        if (known && count < MOST_PEERS && !is_one_too_many(peer.who.uid, 0)) {
            peer.state = is_one_too_many(peer.who.uid, 1) ? QUEUED : READING;
            peer.id = last_id = last_id == UINT32_MAX ? 1 : last_id + 1;
            peers[count++] = peer;
            continue;
        }
        unsigned char frame[256];
        size_t length = refusal(frame, EAGAIN, "too many steps are being started on this node, try again later");
        send(fd, frame, length, MSG_NOSIGNAL | MSG_DONTWAIT);
        close(fd);
    }
    if (errno == EMFILE || errno == ENFILE || errno == ENOMEM || errno == ENOBUFS)
        accept_from = now_ms() + PAUSE_MS; /* those that wait keep the socket readable */
}

/* The head has come: makes room for the rest. Whether the peer is gone. */
static int expect_frame(struct peer *peer)
{
    uint32_t length = get32(peer->head + 1);
    if (length > LARGEST_FIRST_FRAME)
        return refuse(peer, EMSGSIZE, "a step's launch is too long (at most 16 MiB), or this is none");
    if (undecided + news.length - news.done + length > MOST_BYTES)
        return refuse(peer, EAGAIN, "too many steps are being started on this node, try again later");
    if (room_for(&peer->frame, 1 + length) == NULL)
        return refuse(peer, ENOMEM, "no memory on this node to start the step");
    *peer->frame.at = *peer->head; /* the daemon gets type and payload */
    undecided += peer->frame.room;
    return 0;
}

/*
 * Another program of the daemon's user speaks for a user of another machine: who that is, and then the first frame (1),
 * perhaps later (3). Who has too many is refused, and may be gone (-1) or not (2). 0 where it is none of this.
 */
static int is_for_another(struct peer *peer)
{
    if (*peer->frame.at != 'V' || peer->got != FRAME_HEAD + 8 || peer->who.uid != geteuid())
        return 0;
    uid_t uid = get32(peer->frame.at + 1);
    int is_other = uid != peer->who.uid; /* else it is counted already */
    int is_refused = is_other && is_one_too_many(uid, 0), is_late = is_other && is_one_too_many(uid, 1);
    peer->who = (struct ucred){.uid = uid, .gid = get32(peer->frame.at + 5)};
    undecided -= peer->frame.room;
    forget(&peer->frame);
    peer->got = 0;
    if (is_refused)
        return refuse(peer, EAGAIN, "too many steps are being started on this node, try again later") ? -1 : 2;
    peer->state = is_late ? QUEUED : READING;
    return is_late ? 3 : 1;
}

static void report(struct peer *peer)
{
    tell('C', (uint32_t[]){peer->id, peer->who.uid, peer->who.gid, peer->who.pid}, 4, peer->frame.at,
         1 + peer->got - FRAME_HEAD);
    undecided -= peer->frame.room;
    forget(&peer->frame);
    peer->state = WAITING;
}

/* Reads of the first frame what is there and not a byte more: the rest is for the shepherd. Whether the peer is gone. */
static int read_peer(struct peer *peer)
{
    for (;;) {
        size_t whole = peer->got < FRAME_HEAD ? FRAME_HEAD : FRAME_HEAD + (size_t)get32(peer->head + 1);
        if (peer->got >= FRAME_HEAD && peer->got == whole) {
            int is_other = is_for_another(peer);
            if (is_other == 1)
                continue;
            if (is_other != 0)
                return is_other < 0;
            report(peer);
            return 0;
        }
        unsigned char *at = peer->got < FRAME_HEAD ? peer->head + peer->got : peer->frame.at + 1 + peer->got - FRAME_HEAD;
        ssize_t got = recv(peer->fd, at, whole - peer->got, MSG_DONTWAIT);
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0 && errno == EAGAIN)
            return 0;
        if (got <= 0) {
            drop(peer);
            return 1;
        }
        peer->got += got;
        if (peer->got == FRAME_HEAD && expect_frame(peer))
            return 1;
        if (peer->state != READING)
            return 0;
    }
}

/* Whether the peer is gone now. */
static int serve(struct peer *peer, int events, long long now)
{
    switch (peer->state) {
    case QUEUED:
        if (!(events & (POLLHUP | POLLERR)))
            return 0;
        drop(peer);
        return 1;
    case READING:
        if (events & (POLLIN | POLLHUP | POLLERR))
            return read_peer(peer);
        return now >= peer->deadline && refuse(peer, ETIMEDOUT, "no launch came within 10 seconds");
    case WAITING:
        if (!(events & (POLLHUP | POLLERR)))
            return 0;
        tell('D', &peer->id, 1, NULL, 0);
        drop(peer);
        return 1;
    default:
        if (events & (POLLOUT | POLLHUP | POLLERR))
            return send_reply(peer);
        if (now >= peer->deadline)
            drop(peer);
        return now >= peer->deadline;
    }
}

/* ---------------------------------------------------------------- orders */

#include "handover.h"

static struct peer *peer_of(uint32_t id)
{
    for (size_t i = 0; i < count; i++)
        if (peers[i].id == id && peers[i].state == WAITING)
            return &peers[i];
    return NULL;
}

static void start(uint32_t id, const char *directory)
{
    struct peer *peer = id == 0 ? NULL : peer_of(id);
    pid_t child = -1;
    errno = ENOTCONN;
    if (id == 0 || peer != NULL)
        child = start_shepherd(directory, peer == NULL ? -1 : peer->fd);
    if (child < 0) {
        tell('N', (uint32_t[]){id, errno}, 2, directory, strlen(directory));
        return; /* the daemon answers the connection */
    }
    tell('P', (uint32_t[]){id, child}, 2, directory, strlen(directory));
    if (peer != NULL)
        drop(peer);
}

/* Starts a program that serves the peer; its pid, or -1. */
static pid_t serve_by(const char *program, struct peer *peer, char *words, const char *end)
{
    pid_t child = start_beside(program, words, end, peer->fd);
    if (child > 0)
        drop(peer);
    else
        refuse(peer, errno, strerror(errno));
    return child;
}

/* An order's payload ends with a zero byte that is not part of it. */
static void obey(char type, unsigned char *payload, size_t length)
{
    if (length < 4) {
        errno = EPROTO;
        give_up("order of the daemon");
    }
    uint32_t id = get32(payload);
    struct peer *peer = peer_of(id);
    const char *text = (const char *)payload + 4;
    switch (type) {
    case 'S':
        start(id, text);
        break;
    case 'J':
        if (peer != NULL && join(peer, text) == 0)
            drop(peer);
        else if (peer != NULL)
            refuse(peer, ESRCH, "the step has ended on this node");
        break;
    case 'F':
    case 'X': {
        const char *program = type == 'F' ? "transfer" : "display";
        pid_t child = peer == NULL ? -1 : serve_by(program, peer, (char *)payload + 4, (char *)payload + length);
        tell('X', (uint32_t[]){id, child}, 2, NULL, 0);
        break;
    }
    case 'A':
        if (peer != NULL)
            answer(peer, text, length - 4);
        break;
    default:
        errno = EPROTO;
        give_up("order of the daemon");
    }
}

/* Reads and carries out orders; whether there may be more. */
static int take_orders(void)
{
    unsigned char *at = room_for(&orders, 65536);
    ssize_t got = at == NULL ? -1 : read(0, at, 65535); /* a byte stays free behind the last one */
    if (at == NULL)
        give_up("no memory");
    if (got < 0 && (errno == EINTR || errno == EAGAIN))
        return 1;
    if (got <= 0)
        return 0;
    orders.length += got;
    while (orders.length - orders.done >= FRAME_HEAD) {
        unsigned char *frame = orders.at + orders.done;
        uint32_t length = get32(frame + 1);
        if (length > LARGEST_ORDER) {
            errno = EMSGSIZE;
            give_up("order of the daemon");
        }
        if (orders.length - orders.done - FRAME_HEAD < length)
            break;
        unsigned char after = frame[FRAME_HEAD + length];
        frame[FRAME_HEAD + length] = 0;
        obey(*frame, frame + FRAME_HEAD, length);
        frame[FRAME_HEAD + length] = after;
        orders.done += FRAME_HEAD + length;
    }
    return 1;
}

static void reap(void)
{
    struct signalfd_siginfo ignored;
    int status;
    if (read(children, &ignored, sizeof ignored) < 0 && errno != EAGAIN && errno != EINTR)
        give_up("signals");
    for (pid_t pid; (pid = waitpid(-1, &status, WNOHANG)) > 0;)
        tell('W', (uint32_t[]){pid, status}, 2, NULL, 0);
}

/* ---------------------------------------------------------------- its life */

/* Fills in what to wait for; returns for how long, -1 for ever. */
static int prepare(struct pollfd *ready, long long now)
{
    long long next = -1;
    int is_full = news.length - news.done > MOST_BYTES / 2; /* the daemon is behind: first it reads what there is */
    int paused = now < accept_from || is_full;
    ready[0] = (struct pollfd){.fd = 0, .events = POLLIN};
    ready[1] = (struct pollfd){.fd = news.done < news.length ? 1 : -1, .events = POLLOUT};
    ready[2] = (struct pollfd){.fd = children, .events = POLLIN};
    ready[3] = (struct pollfd){.fd = paused ? -1 : listener, .events = POLLIN};
    if (now < accept_from)
        next = accept_from;
    for (size_t i = 0; i < count; i++) {
        int events = peers[i].state == LEAVING ? POLLOUT : peers[i].state == READING && !is_full ? POLLIN : 0;
        ready[FIXED + i] = (struct pollfd){.fd = peers[i].fd, .events = events};
        int is_timed = peers[i].state == READING || peers[i].state == LEAVING;
        if (is_timed && (next < 0 || peers[i].deadline < next))
            next = peers[i].deadline;
    }
    return next < 0 ? -1 : next <= now ? 0 : (int)(next - now);
}

static void run(void)
{
    static struct pollfd ready[FIXED + MOST_PEERS];
    for (;;) {
        int patience = prepare(ready, now_ms());
        if (poll(ready, FIXED + count, patience) < 0 && errno != EINTR)
            give_up("poll");
        long long now = now_ms();
        for (size_t i = count; i-- > 0;) /* from the end, where a peer that is dropped is replaced by the last */
            serve(&peers[i], ready[FIXED + i].revents, now);
        if (ready[2].revents)
            reap();
        if (ready[3].revents)
            accept_peers();
        if (ready[0].revents && !take_orders())
            return;
        send_news();
    }
}

/* The socket appears under its name when it takes connections already, in the place of an old one. */
static void listen_at(const char *path, struct stat *made)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    size_t room = sizeof address.sun_path;
    errno = ENAMETOOLONG;
    if (snprintf(address.sun_path, room, "%s.new", path) >= (int)room)
        give_up(path);
    listener = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (unlink(address.sun_path) < 0 && errno != ENOENT)
        give_up(path);
    if (listener < 0 || bind(listener, (struct sockaddr *)&address, sizeof address) < 0 ||
        chmod(address.sun_path, 0666) < 0 || listen(listener, MOST_PEERS) < 0 ||
        lstat(address.sun_path, made) < 0 || rename(address.sun_path, path) < 0)
        give_up(path);
}

int main(int argc, char **argv)
{
    sigset_t child;
    struct stat made, found;
    if (argc != 3) {
        fprintf(stderr, "usage: spawner SOCKET SHEPHERD\n");
        return 2;
    }
    shepherd = argv[2];
    signal(SIGPIPE, SIG_IGN);
    sigemptyset(&child);
    sigaddset(&child, SIGCHLD);
    sigprocmask(SIG_SETMASK, &child, NULL);
    sigemptyset(&usual_mask);
    getrlimit(RLIMIT_NOFILE, &files);
    struct rlimit most = {files.rlim_max, files.rlim_max};
    setrlimit(RLIMIT_NOFILE, &most);
    fcntl(0, F_SETFL, fcntl(0, F_GETFL) | O_NONBLOCK);
    fcntl(1, F_SETFL, fcntl(1, F_GETFL) | O_NONBLOCK);
    children = signalfd(-1, &child, SFD_CLOEXEC | SFD_NONBLOCK);
    listen_at(argv[1], &made);
    run();
    if (lstat(argv[1], &found) == 0 && found.st_ino == made.st_ino && found.st_dev == made.st_dev)
        unlink(argv[1]); /* not that of another spawner, which has taken this one's place */
    return 0;
}
