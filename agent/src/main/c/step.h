/*
 * The front end of a step, part of the client (see there): connects to the nodes that the agent names, sends them the
 * launch, passes input, output and signals on, and says how the tasks ended. Frames are described in docs/step-wire.md.
 *
 * It goes on when the agent ends: nothing but the exit code is owed to it.
 */
#define STEP_CHUNK 65536
#define STEP_EVERY UINT32_MAX
#define STEP_PATIENCE_MS 10000 /* for a node daemon that is being restarted */
#define STEP_GROUP_MS 100      /* tasks of a node that end so close together are told of in one line */
#define STEP_CODES 64
#define STEP_NO_MEMORY (-1) /* in place of a status: the kernel has killed processes of the step for want of memory */
#define STEP_LINE 1024 /* of a longer line each part has its label */

/* Where output and errors go, and the tasks that they are of, STEP_EVERY for all. */
struct step_sinks { int output, error; uint32_t output_rank, error_rank; };

#define STEP_USUAL_SINKS {STDOUT_FILENO, STDERR_FILENO, STEP_EVERY, STEP_EVERY}

struct step_end { int status; uint32_t *ranks; size_t count; };

struct step_node {
    const char *name, *place;
    int connection, relayed; /* relayed: it is reached by the trunk, which then is its connection */
    int tasks, left, over, taken; /* taken: it waits for more input */
    struct step_sinks sinks;
    int hung;          /* while output is not read: its connection has ended (1), before all was told (2) */
    int launch, first; /* which launch it gets; number of the first task of its component */
    struct text in;
    struct step_end ended[STEP_CODES];
    int kinds;
    long long told_from; /* when the first task ended that was not told of */
};

static struct {
    const char *id;
    int attached; /* to a step that another launched */
    int tasks, label, unbuffered, quiet, kill_on_bad_exit, no_kill, no_status, quits, pty, killwait;
    uint64_t ignored; /* signals that are for nobody, a bit for each */
    long long wait_ms;
    uint32_t input_rank; /* STEP_EVERY for all */
    int input, input_open, input_node;
    struct step_sinks sinks; /* of the nodes that are named next */
    struct step_node *node;
    int trunk, width; /* a connection for all nodes of other machines, to how many each relay passes on */
    struct text trunk_in;
    int nodes, *node_of, *exited;
    int left, awaited; /* nodes that are not over, and those of them that have not asked for more input */
    int news;          /* an epoll of the nodes that are not over, for a step may have thousands */
    long long tell_at; /* when the next node is due whose ends are told of together, 0 for never */
    struct text *held; /* unfinished lines, two for each task */
    int highest, by_signal, failed, lost, aborted, begun, terminating, forced;
    long long first_end, interrupted, kill_at;
    int launching; /* between the frames of a launch no others go out: these signals have to wait, a bit for each */
    uint64_t late;
} run;

static long long step_clock(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * 1000LL + now.tv_nsec / 1000000;
}

#include "step_print.h"

/* ---- what the agent says of the step ---- */

static void step_bad_order(void) { die("the agent of this machine sent a step that is not understood"); }

#include "step_files.h"

/* Walks "0-3,8" and notes whose those ranks are. */
static void step_ranks(int node, const char *at) {
    while (*at) {
        char *end;
        long first = strtol(at, &end, 10), last = *end == '-' ? strtol(end + 1, &end, 10) : first;
        for (long rank = first; rank <= last && rank >= 0 && rank < run.tasks; rank++) {
            run.node_of[rank] = node;
            run.node[node].tasks++;
        }
        at = *end == ',' ? end + 1 : "";
    }
}

static void step_node(char *value) {
    char *name = strchr(value, ':'), *place = name ? strchr(name + 1, ':') : NULL;
    if (!place) step_bad_order();
    *place = 0;
    run.node = realloc(run.node, (run.nodes + 1) * sizeof *run.node);
    if (!run.node) die("no memory");
    run.node[run.nodes++] = (struct step_node){.name = name + 1, .place = place + 1, .connection = -1,
                                               .sinks = run.sinks};
}

static void step_entry(char *entry) {
    char *value = strchr(entry, '=');
    if (!value) step_bad_order();
    *value++ = 0;
#define KEY(word) (strcmp(entry, word) == 0)
    if (KEY("step")) run.id = value;
    else if (KEY("ntasks")) {
        run.tasks = atoi(value);
        if (run.tasks < 1) step_bad_order();
        run.node_of = calloc(run.tasks, sizeof(int));
        run.exited = calloc(run.tasks, sizeof(int));
        run.held = calloc(2 * (size_t)run.tasks, sizeof *run.held);
        if (!run.node_of || !run.exited || !run.held) die("no memory");
    } else if (KEY("attach")) run.attached = 1;
    else if (KEY("label")) run.label = 1;
    else if (KEY("unbuffered")) run.unbuffered = 1;
    else if (KEY("quiet")) run.quiet = atoi(value);
    else if (KEY("kill_on_bad_exit")) run.kill_on_bad_exit = 1;
    else if (KEY("no_kill")) run.no_kill = 1;
    else if (KEY("disable_status")) run.no_status = 1;
    else if (KEY("quit_on_interrupt")) run.quits = 1;
    else if (KEY("pty")) run.pty = 1;
    else if (KEY("ignore_signal")) run.ignored |= 1ULL << (atoi(value) & 63);
    else if (KEY("wait")) run.wait_ms = 1000LL * atoi(value);
    else if (KEY("width")) run.width = atoi(value);
    else if (KEY("killwait")) run.killwait = atoi(value);
    else if (KEY("stdin")) {
        run.input_open = strcmp(value, "none") != 0;
        run.input_rank = value[0] >= '0' && value[0] <= '9' ? strtoul(value, NULL, 10) : STEP_EVERY;
    } else if (KEY("stdout")) run.sinks.output_rank = strtoul(value, NULL, 10);
    else if (KEY("stderr")) run.sinks.error_rank = strtoul(value, NULL, 10);
    else if (KEY("stdin_file")) run.input = step_file(value, O_RDONLY);
    else if (KEY("stdout_file")) run.sinks.output = run.sinks.error = step_output_file(value);
    else if (KEY("stderr_file")) run.sinks.error = step_output_file(value);
    else if (KEY("component")) run.sinks = (struct step_sinks)STEP_USUAL_SINKS;
    else if (KEY("node")) step_node(value);
    else if (KEY("launch") && run.nodes) run.node[run.nodes - 1].launch = atoi(value);
    else if (KEY("first") && run.nodes) run.node[run.nodes - 1].first = atoi(value);
    else if (KEY("node_ranks")) {
        char *ranks = strchr(value, ':');
        if (!ranks || atoi(value) >= run.nodes || run.tasks < 1) step_bad_order();
        step_ranks(atoi(value), ranks + 1);
    } /* others are for nodes, or for later front ends */
}

/* ---- launch ---- */

#include "step_links.h"

static char step_first_failure[512];

static void step_over(struct step_node *node) {
    if (node->over) return;
    node->over = 1;
    run.left--;
    run.awaited -= !node->taken;
    if (node->connection >= 0 && !node->relayed) epoll_ctl(run.news, EPOLL_CTL_DEL, node->connection, NULL);
}

static void step_take(struct step_node *node, int taken) {
    if (!node->over) run.awaited += node->taken - taken;
    node->taken = taken;
}

static void step_node_failed(struct step_node *node, const char *why) {
    if (run.attached) step_say("Node %s: no tasks running", node->name);
    else if (!run.aborted)
        step_say("error: Task launch for StepId=%s failed on node %s: %s", run.id, node->name, why);
    if (run.failed == 0) snprintf(step_first_failure, sizeof step_first_failure, "%s", why);
    step_over(node);
    if (node->connection >= 0 && !node->relayed) close(node->connection);
    node->connection = -1;
    run.failed++;
    if (run.highest < 1) run.highest = 1;
}

/* Several launches, each behind its length: those of the components of a heterogeneous step. */
static void step_launch(const unsigned char *launches, size_t length) {
    step_open_all();
    run.launching = 1;
    for (int which = 0; length >= 4; which++) {
        size_t own = get32(launches);
        if (own > length - 4) step_bad_order();
        step_send_group(which, run.attached ? 'A' : 'L', launches + 4, own);
        if (run.attached) step_send_group(which, 'T', "", 0);
        launches += 4 + own;
        length -= 4 + own;
    }
    step_launched();
}

#include "step_signals.h"
#include "step_output.h"

/* ---- frames of nodes ---- */

/* Passes a message of a node's MPI server on: to one node, or to all others. The first number becomes its sender's. */
static void step_forward(struct step_node *from, uint32_t to, const unsigned char *payload, size_t length) {
    struct text message = {0};
    uint32_t first = to == STEP_EVERY ? 0 : to, end = to == STEP_EVERY ? (uint32_t)run.nodes : to + 1;
    put32(&message, from - run.node);
    put(&message, payload + 4, length - 4);
    for (uint32_t i = first; i < end && i < (uint32_t)run.nodes; i++) {
        struct step_node *node = &run.node[i];
        if (node != from && !node->over && node->connection >= 0) step_send(node, 'M', message.bytes, message.length);
    }
    free(message.bytes);
}

/* Of a step that is lost on a node the rest ends, but with --no-kill. */
static void step_lost(struct step_node *node, const char *why) {
    int is_lost = !node->over && node->left > 0;
    step_over(node);
    if (is_lost) {
        step_tell(node);
        step_say("error: %s: the step was lost: %s", node->name, why);
        if (run.highest < 1) run.highest = 1;
        run.lost = 1;
        if (!run.attached && !run.no_kill) step_abort();
    }
}

/* Where a part of the step cannot begin, none goes on. */
static void step_launch_failed(struct step_node *node, const char *why) {
    step_node_failed(node, why);
    if (run.failed < run.nodes && !run.attached) step_abort();
}

static void step_obey(struct step_node *node, unsigned char type, const unsigned char *payload, size_t length) {
    uint32_t first = length >= 4 ? get32(payload) : 0;
    int is_rank = length >= 4 && first < (uint32_t)run.tasks;
    switch (type) {
    case 'B': run.begun = 1; break;
    case 'O': case 'E':
        if (is_rank) step_output(first, type == 'E', payload + 4, length - 4);
        break;
    case 'i': step_take(node, 1); break;
    case 'M':
        if (length >= 4) step_forward(node, first, payload, length);
        break;
    case 'A':
        if (!run.aborted && length > 4 && payload[4]) step_print("slurmstepd: error: %s\n", payload + 4);
        step_abort();
        break;
    case 'X':
        if (is_rank && length >= 8)
            step_exited(node, first, length >= 12 && get32(payload + 8) & 1 ? STEP_NO_MEMORY : (int)get32(payload + 4));
        break;
    case 'R':
        step_launch_failed(node, length > 4 ? (const char *)payload + 4 : "refused");
        break;
    case 'F': {
        const char *stage = length > 8 ? (const char *)payload + 8 : "";
        step_launch_failed(node, length > 8 + strlen(stage) + 1 ? stage + strlen(stage) + 1 : stage);
        break;
    }
    case 'K': step_cancelled(); break;
    case 'Z': step_over(node); break;
    case 'Q': step_lost(node, length > 1 ? (const char *)payload : strerror(ECONNRESET)); break;
    default: break;
    }
}

/* Takes what has come on a connection; whether it goes on. */
static int step_read(int connection, struct text *in) {
    if (in->room - in->length < 4 * STEP_CHUNK) {
        in->room = in->room * 2 + 8 * STEP_CHUNK;
        in->bytes = realloc(in->bytes, in->room);
        if (!in->bytes) die("no memory");
    }
    ssize_t got = recv(connection, in->bytes + in->length, in->room - in->length - 1, 0);
    if (got < 0 && errno == EINTR) return 1;
    if (got <= 0) return 0;
    in->length += got;
    return 1;
}

static void step_taken(struct text *in, size_t count) {
    memmove(in->bytes, in->bytes + count, in->length - count);
    in->length -= count;
}

/* Payloads end with a zero byte while they are looked at. */
static void step_hear(struct step_node *node, unsigned char type, unsigned char *payload, size_t length) {
    step_kept_at = payload + length;
    step_kept = *step_kept_at;
    *step_kept_at = 0;
    if (!node->over) step_obey(node, type, payload, length);
    *step_kept_at = step_kept;
    step_kept_at = NULL;
}

static void step_receive(struct step_node *node) {
    struct text *in = &node->in;
    size_t at = 0;
    if (!step_read(node->connection, in)) {
        step_lost(node, strerror(ECONNRESET));
        return;
    }
    while (!node->over && in->length - at >= 5 && in->length - at - 5 >= get32(in->bytes + at + 1)) {
        size_t length = get32(in->bytes + at + 1);
        step_hear(node, in->bytes[at], in->bytes + at + 5, length);
        at += 5 + length;
    }
    step_taken(in, at);
}

/* Frames of all nodes of other machines: length, node, type, payload. */
static void step_receive_trunk(void) {
    struct text *in = &run.trunk_in;
    size_t at = 0;
    if (!step_read(run.trunk, in)) {
        for (int i = 0; i < run.nodes; i++)
            if (run.node[i].relayed) step_lost(&run.node[i], strerror(ECONNRESET));
        close(run.trunk);
        run.trunk = -1;
        return;
    }
    while (in->length - at >= 9 && in->length - at - 4 >= get32(in->bytes + at)) {
        size_t length = get32(in->bytes + at);
        uint32_t node = get32(in->bytes + at + 4);
        if (length >= 5 && node < (uint32_t)run.nodes && run.node[node].relayed)
            step_hear(&run.node[node], in->bytes[at + 8], in->bytes + at + 9, length - 5);
        at += 4 + length;
    }
    step_taken(in, at);
}

/* ---- input ---- */

static int step_wants_input(void) {
    if (!run.input_open || !run.begun) return 0;
    if (run.input_rank == STEP_EVERY) return run.awaited == 0;
    return run.input_node < 0 || run.node[run.input_node].over || run.node[run.input_node].taken;
}

static void step_give(const unsigned char *bytes, size_t length) {
    struct text frame = {0};
    put32(&frame, run.input_rank);
    put(&frame, bytes, length);
    for (int i = 0; i < run.nodes; i++)
        if (run.input_rank == STEP_EVERY || run.input_node == i) step_take(&run.node[i], 0);
    if (run.input_rank == STEP_EVERY) step_send_all('I', frame.bytes, frame.length);
    else if (run.input_node >= 0) step_send(&run.node[run.input_node], 'I', frame.bytes, frame.length);
    free(frame.bytes);
}

static void step_input(void) {
    unsigned char chunk[STEP_CHUNK];
    ssize_t got = read(run.input, chunk, sizeof chunk);
    if (got < 0 && (errno == EINTR || errno == EAGAIN)) return;
    if (got <= 0) run.input_open = 0;
    step_give(chunk, got < 0 ? 0 : got);
}

static void step_close_input(void) {
    for (int i = 0; i < run.nodes; i++) step_take(&run.node[i], 1);
    if (run.attached) {
        run.input_node = run.input_rank < (uint32_t)run.tasks ? run.node_of[run.input_rank] : -1;
    } else if (!run.input_open) {
        run.input_rank = STEP_EVERY;
        step_give((const unsigned char *)"", 0);
    } else if (run.input_rank != STEP_EVERY) {
        uint32_t only = run.input_rank;
        run.input_node = only < (uint32_t)run.tasks ? run.node_of[only] : -1;
        for (uint32_t rank = 0; rank < (uint32_t)run.tasks; rank++) {
            struct text none = {0};
            put32(&none, rank);
            if (rank != only) step_send(&run.node[run.node_of[rank]], 'I', none.bytes, none.length);
            free(none.bytes);
        }
    }
}

/* ---- the loop ---- */

static void step_hear_agent(void) {
    unsigned char drop[4096];
    ssize_t got = recv(agent, drop, sizeof drop, MSG_DONTWAIT); /* that it is at work: nothing else comes now */
    if (got == 0 || (got < 0 && errno != EINTR && errno != EAGAIN)) {
        close(agent);
        agent = -1;
    }
}

/* Tells of the ends of nodes whose time has come, and notes when the next one's does. */
static void step_tell_due(long long now) {
    run.tell_at = 0;
    for (int i = 0; i < run.nodes; i++) {
        struct step_node *node = &run.node[i];
        if (!node->told_from) continue;
        long long at = node->told_from + STEP_GROUP_MS;
        if (now >= at) step_tell(node);
        else if (!run.tell_at || at < run.tell_at) run.tell_at = at;
    }
}

/* Whether a task is known to run: output, or processes that tasks have left, may keep a step longer. */
static int step_has_tasks(void) {
    for (int i = 0; i < run.nodes; i++)
        if (!run.node[i].over && run.node[i].left > 0) return 1;
    return 0;
}

/* Does what is due; how long nothing else is, in milliseconds. */
static int step_due(void) {
    long long now = step_clock(), next = now + 3600000;
    if (run.tell_at && now >= run.tell_at) step_tell_due(now);
    if (run.tell_at && run.tell_at < next) next = run.tell_at;
    if (run.wait_ms && run.first_end && !run.terminating) {
        if (now >= run.first_end + run.wait_ms && !step_has_tasks()) run.wait_ms = 0;
        else if (now >= run.first_end + run.wait_ms) {
            step_info("First task exited %llds ago", (now - run.first_end) / 1000);
            step_status();
            step_info("launch/slurm: _step_signal: Terminating StepId=%s", run.id);
            step_abort();
        } else if (run.first_end + run.wait_ms < next) next = run.first_end + run.wait_ms;
    }
    if (run.terminating && run.kill_at) {
        if (now >= run.kill_at) {
            step_signal(SIGKILL);
            run.kill_at = 0;
        } else if (run.kill_at < next) next = run.kill_at;
    }
    return next - now > 60000 ? 60000 : (int)(next - now);
}

static void step_loop(void) {
    struct epoll_event news[64];
    while (run.left > 0 && !step_given_up()) {
        int due = step_due(); /* before what it says is waited for */
        struct pollfd wait[] = {{run.news, POLLIN, 0},
                                {signals[0], POLLIN, 0},
                                {agent, POLLIN, 0},
                                {step_wants_input() ? run.input : -1, POLLIN, 0},
                                {run.trunk, POLLIN, 0},
                                {step_flush() ? -1 : step_sink(STDERR_FILENO)->fd, POLLOUT, 0}};
        int ready = poll(wait, 6, step_patience(due));
        if (ready <= 0) continue;
        if (wait[1].revents) step_signals();
        if (wait[2].revents) step_hear_agent();
        int count = wait[0].revents ? epoll_wait(run.news, news, 64, 0) : 0;
        for (int i = 0; i < count; i++) {
            struct step_node *node = &run.node[news[i].data.u32];
            if (!node->over) step_receive(node);
        }
        if (wait[4].revents) step_receive_trunk();
        if (wait[3].revents) step_input();
    }
    if (run.left > 0) {
        step_say("error: Timed out waiting for job step to complete");
        if (run.highest == 0) run.highest = 1;
    }
}

/* Runs the step of an 'L' frame; the exit code. */
static void run_step(unsigned char *ask, size_t length) {
    uint32_t entries = get32(ask);
    unsigned char *at = ask + 4, *end = ask + length;
    run = (typeof(run)){.input = STDIN_FILENO, .sinks = STEP_USUAL_SINKS, .input_open = 1,
                        .input_rank = STEP_EVERY, .killwait = 30, .input_node = -1,
                        .trunk = -1, .width = 16, .news = epoll_create1(EPOLL_CLOEXEC)};
    if (run.news < 0) die("no memory");
    step_forget_sinks();
    heard = 1;
    for (; entries > 0; entries--) {
        size_t left = end - at;
        if (strnlen((char *)at, left) == left) step_bad_order();
        unsigned char *next = at + strlen((char *)at) + 1;
        step_entry((char *)at);
        at = next;
    }
    if (!run.id || !run.tasks || !run.nodes) step_bad_order();
    run.left = run.awaited = run.nodes;
    if (!run.attached) step_catch();
    step_launch(at, end - at);
    if (run.pty && isatty(STDIN_FILENO)) {
        set_terminal(1);
        step_window();
    }
    step_close_input();
    if (run.failed && run.failed < run.nodes && !run.attached) step_abort();
    step_loop();
    for (int i = 0; i < run.nodes; i++) step_tell(&run.node[i]);
    cook();
    if (step_killed && !run.forced && !run.attached) step_info("Force Terminated StepId=%s", run.id);
    if (run.failed == run.nodes && !run.attached) step_say("error: Application launch failed: %s", step_first_failure);
    step_finish();
    step_forget_sinks();
    if (agent < 0) exit(run.highest);
    if (run.failed < run.nodes) step_code = run.highest;
    struct text result = {0};
    put32(&result, run.highest);
    put32(&result, (run.failed == run.nodes || run.lost ? 1 : 0) | (run.aborted ? 2 : 0));
    send_frame('l', result.bytes, result.length);
    free(result.bytes);
    if (step_pipe != SIG_ERR) signal(SIGPIPE, step_pipe); /* an epilog of srun gets it as it was */
}
