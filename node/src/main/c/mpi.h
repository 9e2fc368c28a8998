/*
 * The shepherd's side of the step's MPI server, a child that serves PMI or PMIx to the tasks with their own rights: how it is
 * started, and how its messages reach the servers of other nodes, by the front end. What it sends is not trusted: a user may
 * have made it say anything. Part of the shepherd, see there, and mpi_server.c.
 */

#define MOST_FOR_SERVER (64 << 20) /* that waits for a server that does not read */
#define MOST_VARIABLES (16 << 20)
#define SERVER_PATIENCE_MS 2000 /* to tidy up in */

static struct {
    int fd;
    pid_t pid;
    long long patience_ends; /* no task is left, and it tidies up until then */
    char folder[PATH_MAX];   /* for a library's files */
    int status, has_ended;
    int is_ready, is_ignored; /* the step is being ended: what it says of tasks that die is no news */
    size_t variables; /* bytes of those of all tasks */
    struct bytes in, out;
} server = {.fd = -1};

static void fail_launch(int error, const char *stage, const char *text);
static void signal_tasks(int number, uint32_t rank);
static void serve(void);

/* Takes an entry of the launch file that begins with "mpi". */
static int parse_mpi(const char *entry, const char *value)
{
    if (strncmp(entry, "mpi=", 4) == 0) step.mpi = value;
    else if (strncmp(entry, "mpi_token=", 10) == 0) step.mpi_token = value;
    else if (strncmp(entry, "mpi_step=", 9) == 0) step.mpi_step = value;
    else if (strncmp(entry, "mpi_index=", 10) == 0) step.mpi_index = value;
    else if (strncmp(entry, "mpi_node=", 9) == 0) append(&step.mpi_nodes, value);
    else return -1;
    return 0;
}

static int server_is_awaited(void)
{
    return server.fd >= 0 && !server.is_ready;
}

static int is_pmi(void)
{
    return strcmp(step.mpi, "pmix") != 0;
}

/* ---------------------------------------------------------------- sending */

static void lose_server(void)
{
    if (server.fd >= 0)
        close(server.fd);
    server.fd = -1;
    forget(&server.in);
    forget(&server.out);
}

static void flush_server(void)
{
    while (server.fd >= 0 && server.out.done < server.out.length) {
        ssize_t done = send(server.fd, server.out.at + server.out.done, server.out.length - server.out.done,
                            MSG_NOSIGNAL | MSG_DONTWAIT);
        if (done < 0 && errno == EINTR)
            continue;
        if (done < 0 && errno == EAGAIN)
            return;
        server.out.done = done < 0 ? server.out.length : server.out.done + done; /* its end is seen where it is read */
    }
}

/* Ends the step: by the front end, which knows all nodes, or at least here. */
static void end_for_mpi(const char *text)
{
    size_t length = strlen(text) + 1;
    if (server.is_ignored)
        return;
    if (front[0].fd < 0)
        signal_tasks(SIGKILL, EVERY_TASK);
    unsigned char *at = frame_for(&front[0], 'A', 4 + length);
    if (at == NULL)
        return;
    memcpy(put32(at, step.node), text, length);
    sent(&front[0], 4 + length);
}

static void tell_server(char type, const unsigned char *payload, size_t length)
{
    if (server.fd < 0)
        return;
    unsigned char *at = server.out.length - server.out.done > MOST_FOR_SERVER ? NULL
                                                                            : room_for(&server.out, FRAME_HEAD + length);
    if (at == NULL) {
        lose_server();
        end_for_mpi("the step's MPI server does not read");
        return;
    }
    memcpy(put_head(at, type, length), payload, length);
    server.out.length += FRAME_HEAD + length;
    flush_server();
}

/* A task has ended. */
static void tell_server_of_end(uint32_t rank, int status)
{
    unsigned char numbers[8];
    put32(put32(numbers, rank), status);
    tell_server('X', numbers, sizeof numbers);
}

/* ---------------------------------------------------------------- starting */

static void add_word(struct bytes *to, const char *key, const char *value)
{
    size_t length = strlen(key) + strlen(value) + 1;
    unsigned char *at = room_for(to, length + to->length);
    if (at == NULL)
        give_up("shepherd: no memory");
    to->length += sprintf((char *)at, "%s%s", key, value) + 1;
}

static const char *variable(const char *name);

/* Tells it what step this is. */
static void introduce_step(const int *ends)
{
    struct bytes text = {0};
    char word[600];
    add_word(&text, "mode=", step.mpi);
    add_word(&text, "step=", step.mpi_step == NULL ? "" : step.mpi_step);
    add_word(&text, "token=", step.mpi_token == NULL ? "" : step.mpi_token);
    add_word(&text, "folder=", server.folder);
    add_word(&text, "node=", step.mpi_index == NULL ? "0" : step.mpi_index);
    for (size_t i = 0; i < step.mpi_nodes.count; i++)
        add_word(&text, "peer=", step.mpi_nodes.item[i]);
    for (size_t i = 0; i < step.tasks; i++) {
        snprintf(word, sizeof word, "%u:%d", step.task[i].rank, ends[i]);
        add_word(&text, "task=", word);
    }
    tell_server('L', text.at, text.length);
    forget(&text);
}

/* Makes this process, a child of the shepherd, the server. */
static void __attribute__((noreturn)) become_server(int own_end, int *ends, pid_t lead)
{
    static char path[PATH_MAX], number[16];
    ssize_t length = readlink("/proc/self/exe", path, sizeof path - sizeof "mpi-server");
    char *name = length < 0 ? NULL : strrchr(path, '/');
    if (name == NULL)
        _exit(126);
    strcpy(name + 1, "mpi-server"); /* it lies beside the shepherd, which the job may not see */
    step.program = open(path, O_RDONLY | O_CLOEXEC);
    snprintf(number, sizeof number, "%d", own_end);
    step.argument = (struct list){0};
    append(&step.argument, path);
    append(&step.argument, number);
    if (own_end < 0)
        append(&step.argument, server.folder);
    step.limits = 0;
    step.umask = 077;
    step.input = "r:/dev/null";
    step.output = "a:/dev/null";
    step.error = NULL;
    step.is_aside = 1;
    report_fd = -1;
    keep_open(own_end);
    for (size_t i = 0; ends != NULL && i < step.tasks; i++)
        keep_open(ends[i]);
    become_step(lead);
}

/*
 * Nobody can make it first, for nobody else knows its name: that has half of the token, and only half, because everybody sees
 * it later.
 */
static void name_folder(void)
{
    const char *above = variable("TMPDIR"), *token = step.mpi_token == NULL ? "" : step.mpi_token;
    snprintf(server.folder, sizeof server.folder, "%.3000s/dure-pmix.%.200s.%.200s.%u.%.*s",
             *above == '/' ? above : "/tmp", variable("SLURM_JOB_ID"), variable("SLURM_STEP_ID"), step.node,
             (int)strlen(token) / 2, token);
}

/* Starts it, with an end of each task's connection, and waits until it serves. */
static void start_server(void)
{
    int pair[2], *ends;
    pid_t lead = getpid();
    if (step.mpi == NULL || run.failure.stage[0] != 0)
        return;
    ends = grown(NULL, step.tasks, sizeof *ends);
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) < 0)
        give_up("shepherd: MPI server");
    for (size_t i = 0; i < step.tasks; i++) {
        int own[2] = {-1, -1};
        if (is_pmi() && socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, own) < 0)
            fail_launch(errno, "mpi", "Could not connect the tasks with the MPI server");
        step.task[i].mpi_end = own[0];
        ends[i] = own[1];
    }
    if (!is_pmi())
        name_folder();
    server.fd = pair[0];
    server.pid = fork();
    if (server.pid == 0)
        become_server(pair[1], ends, lead);
    if (server.pid < 0)
        fail_launch(errno, "mpi", "Could not start the MPI server");
    close(pair[1]);
    introduce_step(ends);
    for (size_t i = 0; i < step.tasks; i++)
        if (ends[i] >= 0)
            close(ends[i]);
    free(ends);
    while (server_is_awaited() && run.failure.stage[0] == 0)
        serve();
}

/* Gives a task, which this process is, what it needs to reach the server. */
static void give_mpi(const struct task *task)
{
    add_variables(&task->mpi_environment);
    if (task->mpi_end >= 0)
        set_number(&step.environment, "PMI_FD", task->mpi_end);
    keep_open(task->mpi_end);
}

static void close_mpi_ends(void)
{
    for (size_t i = 0; i < step.tasks; i++) {
        if (step.task[i].mpi_end >= 0)
            close(step.task[i].mpi_end);
        step.task[i].mpi_end = -1;
    }
}

/* ---------------------------------------------------------------- what it says */

/* A variable for a task: 4 bytes of rank, NAME=VALUE, a zero byte. */
static int take_variable(const unsigned char *payload, size_t length)
{
    struct task *task = length < 6 || payload[length - 1] != 0 ? NULL : task_of_rank(get32(payload));
    const char *entry = (const char *)payload + 4;
    if (task == NULL || server.is_ready || strchr(entry, '=') == NULL || server.variables + length > MOST_VARIABLES)
        return -1;
    server.variables += length;
    append(&task->mpi_environment, strdup(entry));
    return 0;
}

/* Whether the frame is one. */
static int obey_server(char type, const unsigned char *payload, size_t length)
{
    char text[512];
    snprintf(text, sizeof text, "%.*s", type == 'A' || type == 'F' ? (int)length : 0, (const char *)payload);
    for (char *at = text; *at != 0; at++)
        if ((unsigned char)*at < ' ')
            *at = '?'; /* one line */
    switch (type) {
    case 'V': return take_variable(payload, length) == 0;
    case 'R': server.is_ready = 1; return 1;
    case 'A': end_for_mpi(text); return 1;
    case 'F':
        if (!server.is_ready)
            fail_launch(0, "mpi", text);
        return !server.is_ready;
    case 'M': {
        unsigned char *at = length < 4 ? NULL : frame_for(&front[0], 'M', length);
        if (at != NULL) {
            memcpy(at, payload, length);
            sent(&front[0], length);
        }
        return length >= 4;
    }
    default: return 0;
    }
}

/* Reads once; whether it is still there, and speaks as it should. */
static int hear_server(void)
{
    unsigned char *at = room_for(&server.in, FRAME_HEAD + LARGEST_FRAME);
    ssize_t got = at == NULL ? 0 : recv(server.fd, at, FRAME_HEAD + LARGEST_FRAME, MSG_DONTWAIT);
    if (got < 0 && (errno == EAGAIN || errno == EINTR))
        return 1;
    if (got <= 0)
        return 0;
    server.in.length += got;
    while (server.in.length - server.in.done >= FRAME_HEAD) {
        unsigned char *frame = server.in.at + server.in.done;
        uint32_t length = get32(frame + 1);
        if (length > LARGEST_FRAME)
            return 0;
        if (server.in.length - server.in.done - FRAME_HEAD < length)
            break;
        server.in.done += FRAME_HEAD + length;
        if (!obey_server(*frame, frame + FRAME_HEAD, length))
            return 0;
    }
    return 1;
}

/* Takes the end of a child that may be the server. */
static void note_server_end(pid_t pid, int status)
{
    if (pid != server.pid || server.has_ended)
        return;
    server.has_ended = 1;
    server.status = status;
}

/* Waits so many milliseconds for its end; whether it has ended. */
static int server_ends(int patience)
{
    struct timespec pause = {.tv_nsec = 2000000};
    for (int waited = 0, status; !server.has_ended; waited += 2) {
        if (waitpid(server.pid, &status, WNOHANG) == server.pid)
            note_server_end(server.pid, status);
        else if (waited >= patience)
            return 0;
        else
            nanosleep(&pause, NULL);
    }
    return 1;
}

static int server_was_killed(void)
{
    return server_ends(20) && WIFSIGNALED(server.status) && WTERMSIG(server.status) == SIGKILL;
}

static void serve_server(void)
{
    if (server.fd < 0 || hear_server())
        return;
    lose_server();
    if (server.patience_ends > 0)
        return;
    if (!server.is_ready)
        fail_launch(0, "mpi", "The MPI server could not be started");
    else
        end_for_mpi(server_was_killed() ? "" : "the step's MPI server has ended"); /* killed as all of the step */
}

static struct pollfd server_wait(void)
{
    size_t needed = 2 * (FRAME_HEAD + LARGEST_FRAME); /* what one reading may bring */
    int has_room = front[0].fd < 0 || room_left() >= needed;
    int is_full = server.out.done < server.out.length;
    return (struct pollfd){.fd = server.fd, .events = (has_room ? POLLIN : 0) | (is_full ? POLLOUT : 0)};
}

/* How long it is waited for, in milliseconds; as long as the given time where it may take its own. */
static long long server_patience(long long patience)
{
    long long left = server.patience_ends - monotonic_ms();
    if (server.patience_ends == 0 || (patience >= 0 && patience < left))
        return patience;
    return left > 0 ? left : 0;
}

/* Has it say its last, tidy up and end, once no task is left. */
static void end_server(void)
{
    pid_t lead = getpid();
    if (server.fd >= 0) {
        server.patience_ends = monotonic_ms() + SERVER_PATIENCE_MS;
        shutdown(server.fd, SHUT_WR);
    }
    while (server.fd >= 0 && server_patience(-1) > 0)
        serve();
    lose_server();
    if (server.pid <= 0 || (server_ends(100) && server.status == 0) || server.folder[0] == 0)
        return;
    if (!server.has_ended)
        kill(server.pid, SIGKILL);
    server.pid = fork(); /* another tidies up */
    server.has_ended = 0;
    if (server.pid == 0)
        become_server(-1, NULL, lead);
    if (server.pid > 0 && !server_ends(SERVER_PATIENCE_MS))
        kill(server.pid, SIGKILL);
}
