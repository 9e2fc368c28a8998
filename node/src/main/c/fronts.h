/*
 * The connections of a parallel step: to the front end that launched it, and to those that ask later by STEPDIR/control.
 * Part of the shepherd, see there.
 */

#define ROOM (256 << 10)         /* that waits for a front end at most, but for the small frames */
#define LARGEST_INPUT 65536
#define LARGEST_FRAME (4 + LARGEST_INPUT)
#define MOST_FRONTS 16
#define FIRST_CONNECTION 3

struct front {
    int fd, is_daemon; /* the node daemon itself, not somebody whom it lets in */
    int follows, is_held; /* it gets all output; what it says waits for the input of another */
    struct bytes out, in;
};

static struct front front[MOST_FRONTS]; /* the first is the one that launched the step */
static size_t fronts = 1;
static int control_fd = -1;

static void hang_up(struct front *gone)
{
    if (gone->fd >= 0)
        close(gone->fd);
    forget(&gone->out);
    forget(&gone->in);
    gone->fd = -1;
}

/* Where a frame of that length is to be written; it counts once the caller has called sent(). NULL if nobody is there. */
static unsigned char *frame_for(struct front *to, char type, size_t length)
{
    if (to->fd < 0)
        return NULL;
    unsigned char *at = room_for(&to->out, FRAME_HEAD + length);
    if (at == NULL)
        hang_up(to);
    return at == NULL ? NULL : put_head(at, type, length);
}

static void sent(struct front *to, size_t length)
{
    to->out.length += FRAME_HEAD + length;
}

/* Whether it gets what the tasks write, and hears of their ends. */
static int follows(const struct front *one)
{
    return one->fd >= 0 && (one == &front[0] || one->follows);
}

/* The first of those that follow, NULL if nobody does. */
static struct front *lead(void)
{
    for (size_t i = 0; i < fronts; i++)
        if (follows(&front[i]))
            return &front[i];
    return NULL;
}

/* What all that follow can still take: the slowest reader stops the tasks. */
static size_t room_left(void)
{
    size_t most = 0;
    for (size_t i = 0; i < fronts; i++) {
        size_t waiting = front[i].out.length - front[i].out.done;
        if (follows(&front[i]) && waiting > most)
            most = waiting;
    }
    return most < ROOM ? ROOM - most : 0;
}

static void send_numbers(struct front *to, char type, const uint32_t *numbers, size_t amount)
{
    unsigned char *at = frame_for(to, type, amount * 4);
    for (size_t i = 0; at != NULL && i < amount; i++)
        at = put32(at, numbers[i]);
    if (at != NULL)
        sent(to, amount * 4);
}

static void tell_numbers(char type, const uint32_t *numbers, size_t amount)
{
    for (size_t i = 0; i < fronts; i++)
        if (follows(&front[i]))
            send_numbers(&front[i], type, numbers, amount);
}

/* Gives the others that follow a frame which one of them has got. */
static void copy_frame(const struct front *from, size_t length)
{
    for (size_t i = 0; i < fronts; i++) {
        struct front *to = &front[i];
        unsigned char *at = to != from && follows(to) ? room_for(&to->out, length) : NULL;
        if (at == NULL) {
            if (to != from && follows(to))
                hang_up(to);
            continue;
        }
        memcpy(at, from->out.at + from->out.length - length, length);
        to->out.length += length;
    }
}

static void send_begun(struct front *to)
{
    size_t length = 8 + step.tasks * 8;
    unsigned char *at = frame_for(to, 'B', length);
    if (at == NULL)
        return;
    at = put32(put32(at, step.node), step.tasks);
    for (size_t i = 0; i < step.tasks; i++)
        at = put32(put32(at, step.task[i].rank), step.task[i].pid);
    sent(to, length);
}

static void send_failed(struct front *to, const struct failure *failure)
{
    size_t stage = strlen(failure->stage) + 1, text = strlen(failure->text) + 1;
    unsigned char *at = frame_for(to, 'F', 8 + stage + text);
    if (at == NULL)
        return;
    at = put32(put32(at, step.node), failure->error);
    memcpy(at, failure->stage, stage);
    memcpy(at + stage, failure->text, text);
    sent(to, 8 + stage + text);
}

/* Sends what there is room for. A connection that cannot be written is found lost when it is read. */
static void flush(struct front *to)
{
    while (to->fd >= 0 && to->out.done < to->out.length) {
        ssize_t done = send(to->fd, to->out.at + to->out.done, to->out.length - to->out.done,
                            MSG_NOSIGNAL | MSG_DONTWAIT);
        if (done < 0 && errno == EINTR)
            continue;
        if (done < 0 && errno == EAGAIN)
            return;
        to->out.done = done < 0 ? to->out.length : to->out.done + done;
    }
}

/* Makes STEPDIR/control. Without it the step runs, but nobody can attach to it. */
static void open_control(void)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    /* By the directory's descriptor, for its path may be longer than an address holds. */
    snprintf(address.sun_path, sizeof address.sun_path, "/proc/self/fd/%d/control", step_dir);
    control_fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (control_fd < 0 || bind(control_fd, (struct sockaddr *)&address, sizeof address) < 0 ||
        listen(control_fd, MOST_FRONTS) < 0)
        complain(errno, "shepherd: control"); /* 0600 by the umask */
}

/* Nobody can attach or ask any more. */
static void close_control(void)
{
    if (control_fd >= 0)
        close(control_fd);
    control_fd = -1;
}

/* The connection that the message brings, of the step's user or root; the one it came by if it brings none; or -1. */
static int taken_connection(int from)
{
    unsigned char uid[4];
    union { struct cmsghdr head; char space[CMSG_SPACE(sizeof(int))]; } control;
    struct iovec data = {uid, sizeof uid};
    struct msghdr message = {.msg_iov = &data, .msg_iovlen = 1, .msg_control = &control,
                             .msg_controllen = sizeof control};
    ssize_t got = recvmsg(from, &message, MSG_CMSG_CLOEXEC);
    struct cmsghdr *head = got < 0 ? NULL : CMSG_FIRSTHDR(&message);
    int fd = -1;
    if (head != NULL && head->cmsg_level == SOL_SOCKET && head->cmsg_type == SCM_RIGHTS)
        memcpy(&fd, CMSG_DATA(head), sizeof fd);
    else if (got == sizeof uid && get32(uid) == 0)
        return from;
    if (fd >= 0 && (got != sizeof uid || (get32(uid) != 0 && get32(uid) != step.uid))) {
        close(fd);
        fd = -1;
    }
    return fd;
}

/* Only root and the node daemon's user reach the socket; they send at once what they connect for. */
static void accept_front(void)
{
    int from = accept4(control_fd, NULL, NULL, SOCK_CLOEXEC);
    struct timeval patience = {.tv_sec = 1};
    if (from < 0)
        return;
    setsockopt(from, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    int fd = taken_connection(from);
    int is_daemon = fd == from;
    if (!is_daemon)
        close(from);
    size_t place = 1;
    while (place < fronts && front[place].fd >= 0)
        place++;
    if (fd < 0 || place == MOST_FRONTS) {
        if (fd >= 0)
            close(fd);
        return;
    }
    front[place] = (struct front){.fd = fd, .is_daemon = is_daemon};
    fronts = place < fronts ? fronts : place + 1;
}

/* The first connection, which the spawner gave; without one, what tasks write goes nowhere. */
static void take_first_front(void)
{
    struct stat facts;
    int size = 1 << 20;
    front[0].fd = -1;
    if (fstat(FIRST_CONNECTION, &facts) < 0 || !S_ISSOCK(facts.st_mode))
        return;
    front[0].fd = FIRST_CONNECTION;
    fcntl(front[0].fd, F_SETFD, FD_CLOEXEC);
    if (setsockopt(front[0].fd, SOL_SOCKET, SO_SNDBUFFORCE, &size, sizeof size) < 0)
        setsockopt(front[0].fd, SOL_SOCKET, SO_SNDBUF, &size, sizeof size);
    room_for(&front[0].out, ROOM + LARGEST_FRAME);
}
