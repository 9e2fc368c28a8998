/* What tasks of a parallel step write and read, between their pipes and the front end. Part of the shepherd, see there. */

#define PIPE_SIZE (1 << 20)
#define LONGEST_LINE (64 << 10) /* what is longer goes on in parts */
#define CHUNK (128 << 10)
#define LEAST_CHUNK (16 << 10)
#define END_OF_FILE 4 /* ctrl-d, for a terminal */

/* The input that is being passed on; there is one at a time. */
static struct { unsigned char bytes[LARGEST_INPUT]; size_t length; uint32_t rank; int is_pending; struct front *from; } input;

/* Writes lines to the stream's file, each with the number of its task; what does not fit there is lost. */
static void write_labelled(struct stream *stream, const char *bytes, size_t length)
{
    char label[24];
    int width = snprintf(label, sizeof label, "%*u: ", step.label, stream->rank);
    while (length > 0) {
        const char *end = memchr(bytes, '\n', length);
        size_t line = end == NULL ? length : (size_t)(end + 1 - bytes);
        struct iovec parts[2] = {{label, width}, {(char *)bytes, line}};
        if (writev(stream->file, parts, 2) < 0 && errno != EINTR)
            return;
        bytes += line;
        length -= line;
    }
}

static void pass_on(struct stream *stream, const char *bytes, size_t length)
{
    if (stream->file >= 0) {
        write_labelled(stream, bytes, length);
        return;
    }
    struct front *to = lead();
    unsigned char *at = to == NULL ? NULL : frame_for(to, stream->type, 4 + length);
    if (at == NULL)
        return;
    at = put32(at, stream->rank);
    if (length > 0)
        memcpy(at, bytes, length);
    sent(to, 4 + length);
    copy_frame(to, FRAME_HEAD + 4 + length);
}

static void end_stream(struct stream *stream)
{
    if (stream->held_length > 0)
        pass_on(stream, stream->held, stream->held_length);
    pass_on(stream, NULL, 0);
    close(stream->fd);
    if (stream->file >= 0)
        close(stream->file);
    free(stream->held);
    stream->held = NULL;
    stream->fd = stream->file = -1; /* what is said later goes to the front end */
}

/* Keeps the beginning of a line; what cannot be kept is passed on at once. Returns how much of the bytes was kept. */
static size_t keep(struct stream *stream, const unsigned char *bytes, size_t length)
{
    if (length > 0 && stream->held == NULL && (stream->held = malloc(LONGEST_LINE)) == NULL)
        length = 0;
    if (length > 0)
        memcpy(stream->held, bytes, length);
    stream->held_length = length;
    return length;
}

/* How many of the bytes, of which the last `fresh` are new, go out now: whole lines, and lines that are too long. */
static size_t length_of_lines(const unsigned char *bytes, size_t length, size_t fresh)
{
    const unsigned char *end = memrchr(bytes + length - fresh, '\n', fresh);
    size_t whole = end == NULL ? 0 : (size_t)(end + 1 - bytes);
    return length - whole < LONGEST_LINE ? whole : length;
}

/* Reads once, for a file; as pump(). */
static int pump_to_file(struct stream *stream)
{
    static unsigned char bytes[LONGEST_LINE + CHUNK];
    ssize_t got = read(stream->fd, bytes + stream->held_length, CHUNK);
    if (got < 0 && (errno == EAGAIN || errno == EINTR))
        return errno == EINTR;
    if (got <= 0) {
        end_stream(stream);
        return 0;
    }
    memcpy(bytes, stream->held, stream->held_length);
    size_t length = stream->held_length + got, out = length_of_lines(bytes, length, got);
    out = length - keep(stream, bytes + out, length - out);
    pass_on(stream, (const char *)bytes, out);
    return 1;
}

/*
 * Reads once, straight into the frame that goes to the front end. Whether there may be more: not at the end, nor while the
 * pipe is empty, nor where there is no room, so that a task waits for the reader of its output.
 */
static int pump(struct stream *stream)
{
    static char nowhere[CHUNK];
    if (stream->file >= 0)
        return pump_to_file(stream);
    struct front *to = lead();
    size_t left = room_left(), head = FRAME_HEAD + 4 + stream->held_length;
    unsigned char *frame = NULL;
    if (to != NULL && left < head + LEAST_CHUNK)
        return 0;
    size_t want = left - head < CHUNK ? left - head : CHUNK;
    if (to != NULL)
        frame = room_for(&to->out, head + want);
    unsigned char *bytes = frame == NULL ? (unsigned char *)nowhere : frame + FRAME_HEAD + 4;
    unsigned char *fresh = frame == NULL ? bytes : bytes + stream->held_length;
    ssize_t got = read(stream->fd, fresh, frame == NULL ? CHUNK : want);
    if (got < 0 && (errno == EAGAIN || errno == EINTR))
        return errno == EINTR;
    if (got <= 0) { /* of a terminal the end is an error */
        end_stream(stream);
        return 0;
    }
    if (frame == NULL)
        return 1;
    memcpy(bytes, stream->held, stream->held_length);
    size_t length = stream->held_length + got;
    size_t out = step.is_unbuffered || step.pty != NULL ? length : length_of_lines(bytes, length, got);
    out = length - keep(stream, bytes + out, length - out);
    if (out > 0) {
        put32(put_head(frame, stream->type, 4 + out), stream->rank);
        sent(to, 4 + out);
        copy_frame(to, FRAME_HEAD + 4 + out);
    }
    return 1;
}

/* ---------------------------------------------------------------- input */

static int is_terminal(const struct task *task)
{
    return step.pty != NULL && task == &step.task[0];
}

/* Prints a line where errors of the first task go. */
static void say(const char *line, size_t length)
{
    const struct task *first = &step.task[0];
    if (first->error != NULL && first->error[0] == 's' && !is_terminal(first))
        pass_on((struct stream *)&first->stream[1], line, length);
    else if (first->output != NULL && first->output[0] == 's')
        pass_on((struct stream *)&first->stream[0], line, length);
}

static void close_input(struct task *task)
{
    if (task->input_fd >= 0)
        close(task->input_fd);
    task->input_fd = -1;
    task->wants_input = 0;
}

/* Writes what the task's pipe takes of the input. */
static void feed(struct task *task)
{
    static const unsigned char end = END_OF_FILE;
    int ends = input.length == 0;
    const unsigned char *bytes = ends ? &end : input.bytes;
    size_t length = ends ? 1 : input.length;
    if (ends && !is_terminal(task)) {
        close_input(task);
        return;
    }
    while (task->taken < length) {
        ssize_t wrote = write(task->input_fd, bytes + task->taken, length - task->taken);
        if (wrote < 0 && errno == EINTR)
            continue;
        if (wrote < 0 && errno == EAGAIN)
            return;
        if (wrote < 0) {
            close_input(task);
            return;
        }
        task->taken += wrote;
    }
    task->wants_input = 0;
}

/* Says so once all tasks have taken the input, or will never. */
static void settle_input(void)
{
    if (!input.is_pending)
        return;
    for (size_t i = 0; i < step.tasks; i++)
        if (step.task[i].wants_input)
            return;
    input.is_pending = 0;
    send_numbers(input.from, 'i', &input.rank, 1);
}

static void give_input(struct front *from, uint32_t rank, const unsigned char *bytes, size_t length)
{
    input.from = from;
    memcpy(input.bytes, bytes, length);
    input.length = length;
    input.rank = rank;
    input.is_pending = 1;
    for (size_t i = 0; i < step.tasks; i++) {
        struct task *task = &step.task[i];
        if (task->input_fd < 0 || (rank != EVERY_TASK && rank != task->rank))
            continue;
        task->taken = 0;
        task->wants_input = 1;
        feed(task);
    }
    settle_input();
}

static void end_input(void)
{
    for (size_t i = 0; i < step.tasks; i++)
        close_input(&step.task[i]);
    input.is_pending = 0;
}

/* ---------------------------------------------------------------- pipes */

static int pipe_size(void)
{
    size_t size = PIPE_SIZE / step.tasks;
    return size < LONGEST_LINE ? LONGEST_LINE : (int)size;
}

/* The shepherd's end is 0 for an input, 1 for an output; it never waits there. */
static int make_pipe(int *task_end, int *own_end, int is_output)
{
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) < 0)
        return -1;
    *task_end = ends[is_output];
    *own_end = ends[!is_output];
    fcntl(*own_end, F_SETFL, O_NONBLOCK | (is_output ? O_RDONLY : O_WRONLY));
    fcntl(*own_end, F_SETPIPE_SZ, pipe_size()); /* where that many are not allowed, it stays small */
    return 0;
}

/* A terminal for the user: its leading end, and the task's; -1 with errno. */
static int open_terminal(int *task_end)
{
    int lead = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC | O_NONBLOCK), unlock = 0;
    if (lead < 0 || ioctl(lead, TIOCSPTLCK, &unlock) < 0 ||
        (*task_end = ioctl(lead, TIOCGPTPEER, O_RDWR | O_NOCTTY | O_CLOEXEC)) < 0)
        return -1;
    if (geteuid() == 0 && (fchown(*task_end, step.uid, -1) < 0 || fchmod(*task_end, 0620) < 0))
        return -1;
    return lead;
}

/* Output to a terminal, so that programs write each line when they have it; its bytes stay as they are. */
static int make_unbuffered(struct task *task)
{
    struct termios mode;
    task->stream[0].fd = open_terminal(&task->end[1]);
    if (task->stream[0].fd < 0 || tcgetattr(task->end[1], &mode) < 0)
        return -1;
    mode.c_oflag &= ~OPOST;
    return tcsetattr(task->end[1], TCSANOW, &mode);
}

/* ROWS:COLS */
static int make_terminal(struct task *task)
{
    struct winsize size = {0};
    int lead = open_terminal(&step.pty_end);
    if (lead < 0)
        return -1;
    if (sscanf(step.pty, "%hu:%hu", &size.ws_row, &size.ws_col) == 2)
        ioctl(lead, TIOCSWINSZ, &size);
    task->stream[0].fd = lead;
    task->input_fd = fcntl(lead, F_DUPFD_CLOEXEC, 0); /* each ends by itself */
    task->end[0] = task->end[1] = task->end[2] = step.pty_end;
    task->input = task->output = task->error = "s:";
    return 0;
}

/* A file of the user; -1 with errno. */
static int open_of_user(const char *spec)
{
    int is_root = geteuid() == 0, flags = O_WRONLY | O_CREAT | O_APPEND | O_NOCTTY | O_CLOEXEC | O_NONBLOCK;
    struct stat facts;
    if (is_root && setgroups(step.groups, step.group) < 0)
        return -1;
    setfsgid(step.gid);
    setfsuid(step.uid);
    mode_t mask = umask(step.umask);
    int fd = open(spec + 2, flags | (spec[0] == 't' ? O_TRUNC : 0), 0666), error = errno;
    umask(mask);
    setfsuid(geteuid());
    setfsgid(getegid());
    if (is_root && setgroups(0, NULL) < 0)
        give_up("shepherd: setgroups");
    if (fd >= 0 && (fstat(fd, &facts) < 0 || S_ISFIFO(facts.st_mode))) { /* its reader could hold all tasks up */
        close(fd);
        fd = -1;
        error = EINVAL;
    }
    errno = error;
    return fd;
}

/* Lets the stream's lines go to a file with their label. */
static int label_file(struct task *task, struct stream *stream, const char **spec, int target)
{
    if (step.label == 0 || *spec == NULL || **spec == 's' || strcmp(*spec + 2, "/dev/null") == 0)
        return 0;
    stream->file = open_of_user(*spec);
    *spec = "s:";
    return stream->file < 0 ? -1 : make_pipe(&task->end[target], &stream->fd, 1);
}

/* Makes the streams that the task is to have; 0, or -1 with errno. */
static int make_streams(struct task *task)
{
    task->stream[0].rank = task->stream[1].rank = task->rank;
    task->stream[0].type = 'O';
    task->stream[1].type = 'E';
    if (is_terminal(task))
        return make_terminal(task);
    task->input = task->input == NULL ? step.input : task->input;
    task->error = task->error == NULL ? step.error : task->error;
    task->output = task->output == NULL ? step.output : task->output;
    int same = task->error != NULL && task->output[0] != 's' && strcmp(task->error, task->output) == 0;
    if (step.label > 0 && same)
        task->error = NULL;
    if (task->input[0] == 's' && make_pipe(&task->end[0], &task->input_fd, 0) < 0)
        return -1;
    if (label_file(task, &task->stream[0], &task->output, 1) < 0 || label_file(task, &task->stream[1], &task->error, 2) < 0)
        return -1;
    if (task->output[0] == 's' && task->stream[0].file < 0 &&
        (step.is_unbuffered ? make_unbuffered(task) : make_pipe(&task->end[1], &task->stream[0].fd, 1)) < 0)
        return -1;
    if (task->error != NULL && task->error[0] == 's' && task->stream[1].file < 0 &&
        make_pipe(&task->end[2], &task->stream[1].fd, 1) < 0)
        return -1;
    return 0;
}
