/*
 * How the front end of a step writes. It never sleeps in a write: a reader that does not read keeps neither signals nor
 * the end of the step from it; part of it, see step.h.
 */

/* A descriptor, and how it is written without waiting. */
struct step_sink {
    int to, fd; /* the one that was asked for, and the one that is written: the same pipe or terminal, but non-blocking */
    enum { STEP_FILE, STEP_NONBLOCKING, STEP_SOCKET, STEP_BLOCKING } kind;
};

static struct text step_said;     /* messages that standard error has not taken yet */
static unsigned char step_kept, *step_kept_at; /* what a zero byte stands for while a payload is looked at */

static int step_given_up(void);
static int step_patience(int due);
static int step_due(void);
static void step_signals(void);
static void step_launched(void);
static void step_cancelled(void);

static struct step_sink step_opened(int to) {
    struct step_sink sink = {.to = to, .fd = to, .kind = STEP_BLOCKING};
    struct stat facts;
    char path[32];
    snprintf(path, sizeof path, "/proc/self/fd/%d", to);
    if (fstat(to, &facts) != 0 || S_ISREG(facts.st_mode) || (S_ISCHR(facts.st_mode) && !isatty(to))) sink.kind = STEP_FILE;
    else if (fcntl(to, F_GETFL) & O_NONBLOCK) sink.kind = STEP_NONBLOCKING;
    else if (S_ISSOCK(facts.st_mode)) sink.kind = STEP_SOCKET;
    else {
        /* Of its own, for others that have the same one open do not expect it to be non-blocking. */
        int fd = open(path, O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
        if (fd >= 0) sink = (struct step_sink){.to = to, .fd = fd, .kind = STEP_NONBLOCKING};
    }
    return sink;
}

static struct step_sink **step_sinks; /* of the standard streams and of files; each stays where it is */
static size_t step_sinks_known;

static struct step_sink *step_sink(int to) {
    for (size_t i = 0; i < step_sinks_known; i++)
        if (step_sinks[i]->to == to) return step_sinks[i];
    step_sinks = realloc(step_sinks, (step_sinks_known + 1) * sizeof *step_sinks);
    struct step_sink *sink = malloc(sizeof *sink);
    if (!step_sinks || !sink) die("no memory");
    *sink = step_opened(to);
    return step_sinks[step_sinks_known++] = sink;
}

/* The next step may have others under the same numbers. */
static void step_forget_sinks(void) {
    for (size_t i = 0; i < step_sinks_known; i++) {
        if (step_sinks[i]->fd != step_sinks[i]->to) close(step_sinks[i]->fd);
        free(step_sinks[i]);
    }
    step_sinks_known = 0;
}

/* Writes what can be written now. */
static ssize_t step_try(const struct step_sink *sink, const unsigned char *bytes, size_t length) {
    struct pollfd ready = {sink->fd, POLLOUT, 0};
    if (sink->kind == STEP_SOCKET) return send(sink->fd, bytes, length, MSG_DONTWAIT | MSG_NOSIGNAL);
    if (sink->kind == STEP_BLOCKING) { /* what is ready takes so much at least */
        if (poll(&ready, 1, 0) == 0) {
            errno = EAGAIN;
            return -1;
        }
        length = length < PIPE_BUF ? length : PIPE_BUF;
    }
    return write(sink->fd, bytes, length);
}

/* Prints what standard error takes of the messages; whether none is left. */
static int step_flush(void) {
    while (step_said.length > 0) {
        ssize_t done = step_try(step_sink(STDERR_FILENO), step_said.bytes, step_said.length);
        if (done < 0 && errno == EAGAIN) return 0;
        if (done < 0 && errno == EINTR) continue;
        if (done < 0) done = step_said.length; /* whoever read it is gone */
        memmove(step_said.bytes, step_said.bytes + done, step_said.length - done);
        step_said.length -= done;
    }
    return 1;
}

static void __attribute__((format(printf, 1, 2))) step_print(const char *format, ...) {
    va_list values;
    char *line;
    va_start(values, format);
    int length = vasprintf(&line, format, values);
    va_end(values);
    if (length < 0) die("no memory");
    put(&step_said, line, length);
    free(line);
    step_flush();
}

#define step_say(format, ...) step_print("%s: " format "\n", name, ##__VA_ARGS__)

/*
 * Whether the connection of a node has ended before all was told: no 'Z' is in what has been read of it and in what lies
 * there. Nothing is taken from it, for what was read may be being looked at.
 */
static int step_is_cut(const struct step_node *node) {
    int waiting = 0, is_cut = 1;
    if (ioctl(node->connection, FIONREAD, &waiting) != 0 || waiting < 0) waiting = 0;
    size_t length = node->in.length + waiting;
    unsigned char *all = malloc(length + 1);
    if (!all) die("no memory");
    if (node->in.length > 0) memcpy(all, node->in.bytes, node->in.length);
    if (step_kept_at >= node->in.bytes && step_kept_at < node->in.bytes + node->in.length)
        all[step_kept_at - node->in.bytes] = step_kept;
    ssize_t got = waiting > 0 ? recv(node->connection, all + node->in.length, waiting, MSG_PEEK | MSG_DONTWAIT) : 0;
    length = node->in.length + (got > 0 ? got : 0);
    for (size_t at = 0; is_cut && length - at >= 5 && length - at - 5 >= get32(all + at + 1); at += 5 + get32(all + at + 1))
        is_cut = all[at] != 'Z';
    free(all);
    return is_cut;
}

/*
 * Whether all that is left of the step was ended by its nodes' daemons, as the ends of its connections say. With --no-kill
 * a part that ends well says that the others were only lost.
 */
static int step_was_cut(const struct pollfd *wait, int count) {
    int open = 0, well = 0, cut = 0;
    for (int i = 0, at = 0; i < run.nodes; i++) {
        struct step_node *node = &run.node[i];
        well += node->over && node->left == 0;
        if (node->over) continue;
        if (at < count && wait[at].fd == node->connection && wait[at++].revents) node->hung = step_is_cut(node) ? 2 : 1;
        open += node->hung == 0;
        well += node->hung == 1;
        cut += node->hung == 2;
    }
    return cut > 0 && open == 0 && !run.attached && !(run.no_kill && well > 0);
}

/* Waits until it takes more, a signal comes, something is due, or the step has been ended under it. */
static void step_await(const struct step_sink *sink) {
    struct pollfd *wait = malloc((2 + run.nodes) * sizeof *wait);
    int count = 2, due = step_due();
    if (!wait) die("no memory");
    wait[0] = (struct pollfd){sink->fd, POLLOUT, 0};
    wait[1] = (struct pollfd){signals[0], POLLIN, 0};
    for (int i = 0; i < run.nodes; i++) {
        const struct step_node *node = &run.node[i];
        if (!node->over && !node->relayed && !node->hung && node->connection >= 0)
            wait[count++] = (struct pollfd){node->connection, 0, 0};
    }
    int ready = poll(wait, count, step_patience(due));
    int is_signal = ready < 0 || wait[1].revents;
    if (ready > 0 && step_was_cut(wait + 2, count - 2)) step_cancelled();
    free(wait);
    if (is_signal) step_signals();
}

/* Waits until standard error has taken all messages, but not for longer than for the step. */
static void step_finish(void) {
    while (!step_flush() && !step_given_up()) step_await(step_sink(STDERR_FILENO));
}

static void step_write(int to, const unsigned char *bytes, size_t length) {
    while (length > 0) {
        int is_said = step_flush(); /* what was said before is printed before */
        struct step_sink *sink = step_sink(is_said ? to : STDERR_FILENO);
        ssize_t done = is_said ? step_try(sink, bytes, length) : 0;
        if (done < 0 && errno != EINTR && errno != EAGAIN) return; /* whoever read it is gone; the tasks go on */
        if (done > 0) {
            bytes += done;
            length -= done;
        } else if (step_given_up()) return;
        else step_await(sink);
    }
}
