/*
 * A parallel step: its tasks begin together, their streams go to the front end, and their ends are told to it and written
 * down. One thread that waits for all of it at once. Part of the shepherd, see there.
 */

#define FIXED 5 /* descriptors that are polled before those of connections */
#define LAST_READS 16

/* What happens to tasks whose front end is lost, in this order. */
enum ending { GOING_ON, ASKED, KILLED };

static struct {
    int children, ready[2], release[2], report[2]; /* of pipes: the shepherd's end first */
    size_t waiting, forked, ended;
    int is_released, has_begun, was_told;
    enum ending ending;
    long long kill_at, started, ended_at;
    struct failure failure;
    struct rlimit files;
} run = {.ready = {-1, -1}, .release = {-1, -1}, .report = {-1, -1}};

static long long now_ns(void);

#include "mpi.h"

/* ---------------------------------------------------------------- how tasks begin */

/* Makes this process, a child of the shepherd, the task. */
static void __attribute__((noreturn)) become_task(struct task *task, pid_t lead)
{
    report_fd = run.report[1];
    ready_fd = run.ready[1];
    release_fd = run.release[1];
    close(run.release[0]); /* so that the end of the shepherd is seen there */
    setrlimit(RLIMIT_NOFILE, &run.files);
    memcpy(stream_end, task->end, sizeof stream_end);
    step.input = task->input;
    step.output = task->output;
    step.error = task->error;
    if (!is_terminal(task))
        step.pty_end = -1;
    if (task->argument.count > 0)
        step.argument = task->argument;
    if (task->has_cpus) {
        step.has_cpus = 1;
        memcpy(step.cpus, task->cpus, sizeof step.cpus);
    }
    step.note = task->note;
    step.memory = task->memory;
    step.fails = task->fails;
    add_variables(&task->environment);
    give_mpi(task);
    set_number(&step.environment, "SLURM_PROCID", task->rank);
    set_number(&step.environment, "SLURM_LOCALID", task - step.task);
    set_number(&step.environment, "SLURM_TASK_PID", getpid());
    become_step(lead);
}

static void close_ends(struct task *task)
{
    for (int i = 0; i < 3; i++) {
        if (task->end[i] >= 0 && (i == 0 || task->end[i] != task->end[i - 1]))
            close(task->end[i]);
    }
    task->end[0] = task->end[1] = task->end[2] = -1;
}

static void fail_launch(int error, const char *stage, const char *text)
{
    if (run.failure.stage[0] == 0) {
        run.failure.error = error;
        snprintf(run.failure.stage, sizeof run.failure.stage, "%s", stage);
        snprintf(run.failure.text, sizeof run.failure.text, "%s%s%s", text, error == 0 ? "" : ": ",
                 error == 0 ? "" : strerror(error));
    }
    for (size_t i = 0; i < step.tasks; i++)
        if (step.task[i].pid > 0 && !step.task[i].has_ended)
            kill(step.task[i].pid, SIGKILL);
}

static int forked(struct task *task, pid_t lead)
{
    task->pid = fork();
    if (task->pid == 0)
        become_task(task, lead);
    return task->pid < 0 ? -1 : 0;
}

/* As many open files as there may be; a task gets the limit back that there was. */
static void raise_files(void)
{
    getrlimit(RLIMIT_NOFILE, &run.files);
    struct rlimit most = {run.files.rlim_max, run.files.rlim_max};
    setrlimit(RLIMIT_NOFILE, &most);
}

/* Makes all streams and processes; they wait for each other. */
static void fork_tasks(void)
{
    if (pipe2(run.ready, O_CLOEXEC) < 0 || pipe2(run.report, O_CLOEXEC) < 0 ||
        socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, run.release) < 0)
        give_up("shepherd: pipe");
    for (size_t i = 0; i < step.tasks && run.failure.stage[0] == 0; i++) {
        struct task *task = &step.task[i];
        if (make_streams(task) < 0)
            fail_launch(errno, "shepherd", "Could not make the streams of the tasks");
        else if (forked(task, getpid()) < 0)
            fail_launch(errno, "shepherd", "Could not start all tasks");
        else
            run.forked++;
    }
    for (size_t i = 0; i < step.tasks; i++)
        if (!has_epilog())
            close_ends(&step.task[i]);
    close_mpi_ends();
    close(run.ready[1]);
    close(run.report[1]);
    close(run.release[1]);
    run.waiting = step.tasks;
}

static void count_ready(void)
{
    char bytes[256];
    ssize_t got = read(run.ready[0], bytes, sizeof bytes);
    if (got > 0)
        run.waiting -= got;
    if (got == 0 || (run.waiting == 0 && got > 0)) {
        close(run.ready[0]);
        run.ready[0] = -1;
    }
    if (run.waiting > 0 || run.is_released || run.failure.stage[0] != 0)
        return;
    run.is_released = 1;
    for (size_t left = step.tasks, part; left > 0; left -= part) { /* a byte for each */
        memset(bytes, 0, sizeof bytes);
        part = left < sizeof bytes ? left : sizeof bytes;
        if (write(run.release[0], bytes, part) != (ssize_t)part)
            break;
    }
}

/* Which tasks have ended already. */
static void send_ends(struct front *to)
{
    for (size_t i = 0; i < step.tasks; i++)
        if (step.task[i].has_ended)
            send_numbers(to, 'X', (uint32_t[]){step.task[i].rank, step.task[i].status, step.task[i].wanted_memory}, 3);
}

/* A failure that a task reports, or the end of all reports: then all tasks have passed exec. */
static void hear_report(void)
{
    struct failure failure;
    ssize_t got = read(run.report[0], &failure, sizeof failure);
    if (got == sizeof failure) {
        failure.text[sizeof failure.text - 1] = 0;
        fail_launch(0, failure.stage, failure.text);
        run.failure.error = failure.error;
        return;
    }
    close(run.report[0]);
    run.report[0] = -1;
    if (!run.is_released || run.failure.stage[0] != 0)
        return;
    run.has_begun = 1;
    save_pids(step.task[0].pid);
    for (size_t i = 0; i < fronts; i++)
        if (follows(&front[i])) {
            send_begun(&front[i]);
            if (i > 0)
                send_ends(&front[i]); /* it may have attached too late for some of them */
        }
}

/* ---------------------------------------------------------------- how they end */

static void signal_tasks(int number, uint32_t rank)
{
    for (size_t i = 0; i < step.tasks; i++) {
        struct task *task = &step.task[i];
        if (task->pid > 0 && !task->has_ended && (rank == EVERY_TASK || rank == task->rank) &&
            kill(-task->pid, number) < 0)
            kill(task->pid, number); /* it does not lead its group yet */
    }
}

#include "cancel.h"

static void obey_signal(int number, uint32_t rank)
{
    if (number < 1 || number >= NSIG)
        return;
    if (rank == EVERY_TASK && (number == SIGKILL || number == SIGTERM)) {
        tell_of_cancel();
        end_before_begin();
    }
    if (rank == EVERY_TASK && number == SIGKILL)
        run.ending = KILLED;
    signal_tasks(number, rank);
}

/* The front end that launched the step is gone; what becomes of the tasks was said when they were launched. */
static void lose_front(void)
{
    hang_up(&front[0]);
    end_input();
    if (step.keeps_when_lost || run.ending != GOING_ON)
        return;
    signal_tasks(SIGCONT, EVERY_TASK);
    signal_tasks(SIGTERM, EVERY_TASK);
    run.ending = ASKED;
    end_before_begin();
    run.kill_at = monotonic_ms() + step.kill_wait * 1000;
}

static void start_epilog(struct task *task)
{
    if (!has_epilog() || !run.has_begun)
        return;
    pid_t lead = getpid();
    task->epilog = fork();
    if (task->epilog < 0)
        complain(errno, "shepherd: TaskEpilog");
    if (task->epilog == 0) {
        step.is_aside = step.ends_task = 1;
        task->input = "r:/dev/null";
        run.release[1] = run.report[1] = step.pty_end = -1;
        step.pty = NULL;
        become_task(task, lead);
    }
    close_ends(task);
}

/* What a task wrote before its end goes out before the word of its end, as far as there is room. */
static void conclude(struct task *task, int status, const struct used *used)
{
    for (int i = 0; i < 2; i++)
        for (int reads = 0; reads < LAST_READS && task->stream[i].fd >= 0 && pump(&task->stream[i]);)
            reads++;
    task->has_ended = 1;
    task->status = status;
    task->wanted_memory = wanted_memory();
    task->used = *used;
    run.ended++;
    close_input(task);
    tell_server_of_end(task->rank, status);
    if (run.failure.stage[0] == 0 && !run.is_released)
        fail_launch(0, "cancelled", "A task ended before all tasks could begin");
    if (run.failure.stage[0] == 0)
        tell_numbers('X', (uint32_t[]){task->rank, status, task->wanted_memory}, 3);
    start_epilog(task);
    run.ended_at = now_ns();
}

static void reap(void)
{
    struct signalfd_siginfo ignored;
    struct used used;
    int status;
    while (read(run.children, &ignored, sizeof ignored) > 0)
        ;
    for (pid_t pid; (pid = wait_for_end(&status, WNOHANG, &used)) > 0; note_server_end(pid, status))
        for (size_t i = 0; i < step.tasks; i++) {
            if (step.task[i].pid == pid && !step.task[i].has_ended)
                conclude(&step.task[i], status, &used);
            else if (step.task[i].epilog == pid)
                step.task[i].epilog = 0;
        }
}

#include "hearing.h"

/* ---------------------------------------------------------------- waiting */

static struct pollfd *waits(void)
{
    static struct pollfd *ready;
    if (ready == NULL)
        ready = grown(NULL, FIXED + MOST_FRONTS + 3 * step.tasks, sizeof *ready);
    return ready;
}

/* Fills in what to wait for; returns how much that is. */
static size_t prepare(struct pollfd *ready)
{
    size_t left = room_left();
    struct pollfd *at = ready;
    *at++ = (struct pollfd){.fd = run.children, .events = POLLIN};
    *at++ = (struct pollfd){.fd = run.ready[0], .events = POLLIN};
    *at++ = (struct pollfd){.fd = run.report[0], .events = POLLIN};
    *at++ = (struct pollfd){.fd = control_fd, .events = POLLIN};
    *at++ = server_wait();
    for (size_t i = 0; i < MOST_FRONTS; i++) {
        int fd = i < fronts ? front[i].fd : -1, full = fd >= 0 && front[i].out.done < front[i].out.length;
        *at++ = (struct pollfd){.fd = fd, .events = (front[i].is_held ? 0 : POLLIN) | (full ? POLLOUT : 0)};
    }
    for (size_t i = 0; i < step.tasks; i++) {
        const struct task *task = &step.task[i];
        for (int s = 0; s < 2; s++) {
            const struct stream *stream = &task->stream[s];
            int has_room = lead() == NULL || stream->file >= 0 || left >= FRAME_HEAD + 4 + stream->held_length + LEAST_CHUNK;
            *at++ = (struct pollfd){.fd = has_room ? stream->fd : -1, .events = POLLIN};
        }
        *at++ = (struct pollfd){.fd = task->wants_input ? task->input_fd : -1, .events = POLLOUT};
    }
    return at - ready;
}

static void serve_fronts(const struct pollfd *ready)
{
    for (size_t i = 0; i < fronts; i++)
        if (front[i].fd >= 0 && (ready[i].revents & ~POLLOUT ? !hear(&front[i])
                                                             : front[i].is_held && !obey_all(&front[i])))
            lose(&front[i]);
}

static void serve_streams(const struct pollfd *ready)
{
    for (size_t i = 0; i < step.tasks; i++, ready += 3) {
        struct task *task = &step.task[i];
        for (int s = 0; s < 2; s++)
            if (ready[s].revents && task->stream[s].fd >= 0)
                pump(&task->stream[s]);
        if (ready[2].revents && task->wants_input)
            feed(task);
    }
    settle_input();
}

#include "children.h"

/* Whether what is left of the step may be ended: no task runs. What tasks have left behind holds nothing up, nor its output. */
static int is_over(void)
{
    if (run.ended < run.forked)
        return 0;
    for (size_t i = 0; i < step.tasks; i++)
        if (step.task[i].epilog > 0)
            return 0;
    return !step.awaits_children || run.ending == KILLED || !has_children();
}

static void serve(void)
{
    struct pollfd *ready = waits();
    size_t count = prepare(ready);
    long long patience = run.ending == ASKED ? run.kill_at - monotonic_ms() : -1;
    if (run.ending == ASKED && patience <= 0) {
        run.ending = KILLED;
        signal_tasks(SIGKILL, EVERY_TASK);
        patience = -1;
    }
    patience = server_patience(patience);
    if (poll(ready, count, patience < INT_MAX ? (int)patience : INT_MAX) < 0) {
        if (errno != EINTR)
            give_up("shepherd: poll");
        return;
    }
    if (ready[1].revents)
        count_ready();
    if (ready[2].revents)
        hear_report();
    if (ready[3].revents)
        accept_front();
    if (ready[4].revents & ~POLLOUT)
        serve_server();
    serve_streams(ready + FIXED + MOST_FRONTS);
    if (ready[0].revents)
        reap();
    serve_fronts(ready + FIXED);
    for (size_t i = 0; i < fronts; i++)
        flush(&front[i]);
    flush_server();
}

/* Sends what lies in the pipes, whose writers are gone; whether more is left there. */
static int empty_pipes(void)
{
    int is_open = 0;
    for (size_t i = 0; i < 2 * step.tasks; i++) {
        struct stream *stream = &step.task[i / 2].stream[i % 2];
        while ((lead() != NULL || stream->file >= 0) && stream->fd >= 0 && pump(stream))
            ;
        if (stream->fd >= 0 && stream->file >= 0)
            end_stream(stream);
        if (stream->fd >= 0 && room_left() >= FRAME_HEAD + 4 + stream->held_length + LEAST_CHUNK)
            end_stream(stream); /* empty, though somebody outside the step may hold it */
        is_open |= stream->fd >= 0;
    }
    return is_open;
}

/*
 * Sends what lies in the pipes and all that waits, for as long as front ends take it. One that does not read holds this up
 * until the daemon ends the step, which meanwhile may ask as before.
 */
static void drain(void)
{
    for (;;) {
        int is_open = empty_pipes();
        struct pollfd ready[1 + MOST_FRONTS] = {{.fd = control_fd, .events = POLLIN}};
        size_t waiting = 0, polled = fronts;
        for (size_t i = 0; i < polled; i++) {
            flush(&front[i]);
            int is_behind = front[i].fd >= 0 && front[i].out.done < front[i].out.length;
            ready[1 + i] = (struct pollfd){.fd = front[i].fd,
                                           .events = (front[i].is_held ? 0 : POLLIN) | (is_behind ? POLLOUT : 0)};
            waiting += is_behind && follows(&front[i]);
        }
        if (waiting == 0 && (!is_open || lead() == NULL))
            return;
        if (waiting > 0)
            poll(ready, 1 + polled, -1);
        if (ready[0].revents)
            accept_front();
        for (size_t i = 0; i < polled; i++)
            if (front[i].fd >= 0 && ready[1 + i].revents & ~POLLOUT && !hear(&front[i]))
                hang_up(&front[i]);
    }
}

/* Tells the front end why nothing was started. */
static void tell_failure(const struct failure *failure)
{
    for (size_t i = 0; i < fronts; i++)
        if (follows(&front[i]))
            send_failed(&front[i], failure);
    tell_numbers('Z', &step.node, 1);
    drain();
}

static void run_tasks(void)
{
    sigset_t child;
    sigemptyset(&child);
    sigaddset(&child, SIGCHLD);
    sigprocmask(SIG_BLOCK, &child, NULL);
    run.children = signalfd(-1, &child, SFD_CLOEXEC | SFD_NONBLOCK);
    run.started = run.ended_at = now_ns();
    if (run.children < 0)
        give_up("shepherd: signals");
    open_control();
    if (task_of_rank(EVERY_TASK) != NULL || (step.argument.count == 0 && step.task[0].argument.count == 0))
        fail_launch(EINVAL, "launch", "A task without a rank or a program");
    raise_files();
    start_server();
    fork_tasks();
    while (!is_over())
        serve();
    end_input();
    end_server();
    kill_remaining();
    tell_of_memory();
    write_exit(status_of_all(), run.started, run.ended_at, &run.failure);
    if (run.failure.stage[0] != 0) {
        tell_failure(&run.failure);
        return;
    }
    drain();
    close_control();
    tell_numbers('Z', &step.node, 1);
    drain();
}
