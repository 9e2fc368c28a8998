/*
 * The tasks as clients of PMI-1 and PMI-2, which are two dialects of one service: a store of names and values that all
 * tasks see after a barrier. Part of the MPI server, see there.
 */

#define LONGEST_REQUEST 65536
#define MOST_WAITING 65536 /* of answers to one client: more of its requests are read when it has read these */
#define LONGEST_NAME 256
#define LONGEST_VALUE 1024 /* as clients are told */
#define LONGEST_MAPPING 1000

enum dialect { UNKNOWN, PMI_1, PMI_2 };

struct client {
    uint32_t rank;
    int fd;                                    /* -1 where it has none, or has closed it */
    enum dialect dialect;
    int has_begun, is_done, has_ended, is_at_barrier, is_spawning;
    int waits; /* for an answer, so that it asks nothing else */
    char *awaited, *thread;                    /* the node's attribute that it waits for; what its answer names */
    uint32_t asked;                            /* number of its last question to another node */
    struct bytes in, out;
};

static struct client *client;
static size_t clients, at_barrier;
static uint32_t barriers, questions;
static struct store store, node_store, published; /* published: by the first node, for all */
static struct bytes fresh;                        /* what was put here since the last barrier */
static char mapping[LONGEST_MAPPING + 64];        /* on which node each rank is; empty where that takes too many words */

static void reply(struct client *to, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void answer_found(struct client *to, char kind, const char *value);
static void answer_barrier(struct client *to);
static void finish_wait(struct client *to);

/* RANK:FD */
static void add_client(const char *value)
{
    client = realloc(client, (clients + 1) * sizeof *client);
    if (client == NULL)
        no_memory();
    const char *fd = strchr(value, ':');
    client[clients++] = (struct client){.rank = strtoul(value, NULL, 10), .fd = fd == NULL ? -1 : atoi(fd + 1)};
}

/* ---------------------------------------------------------------- places of ranks */

/*
 * "(vector,(NODE,NODES,TASKS),...)": runs of nodes that have as many ranks each, from rank 0. A client without it asks all
 * others for the names of their machines.
 */
static void describe_places(void)
{
    size_t length = sprintf(mapping, "(vector");
    for (uint32_t rank = 0; rank < job.size;) {
        uint32_t first = job.node_of[rank], nodes = 0, tasks = 0;
        while (rank + tasks < job.size && job.node_of[rank + tasks] == first)
            tasks++;
        for (uint32_t same = tasks; same == tasks; ) {
            nodes++;
            rank += tasks;
            for (same = 0; rank + same < job.size && job.node_of[rank + same] == first + nodes; same++)
                ;
        }
        length += snprintf(mapping + length, sizeof mapping - length, ",(%u,%u,%u)", first, nodes, tasks);
        if (length > LONGEST_MAPPING) {
            mapping[0] = 0;
            return;
        }
    }
    strcpy(mapping + length, ")");
}

static void begin_pmi(void)
{
    describe_places();
    if (mapping[0] != 0)
        put(&store, "PMI_process_mapping", mapping);
    for (size_t i = 0; i < clients; i++) {
        char entry[600];
        fcntl(client[i].fd, F_SETFL, O_NONBLOCK);
        fcntl(client[i].fd, F_SETFD, FD_CLOEXEC);
        snprintf(entry, sizeof entry, "PMI_JOBID=%s", job.id);
        give_variable(client[i].rank, entry);
        snprintf(entry, sizeof entry, "PMI_RANK=%u", client[i].rank);
        give_variable(client[i].rank, entry);
        snprintf(entry, sizeof entry, "PMI_SIZE=%u", job.size);
        give_variable(client[i].rank, entry);
    }
    send_text('R', "");
}

/* ---------------------------------------------------------------- store and barrier */

/* Puts a name for all; 0 if there was room. */
static int put_for_all(const char *name, const char *value)
{
    if (*name == 0 || strlen(name) > LONGEST_NAME || fresh.length > MOST_BYTES || put(&store, name, value) < 0)
        return -1;
    add(&fresh, name, strlen(name) + 1);
    add(&fresh, value, strlen(value) + 1);
    return 0;
}

static void end_barrier(void *what, struct bytes *result)
{
    (void)what;
    if (result == NULL)
        return; /* the step is being ended */
    add(result, "\0", 2); /* so that names and values end, whatever came */
    const char *at = (const char *)result->at, *end = at + result->length - 2;
    while (at < end) {
        const char *value = at + strlen(at) + 1;
        if (value > end || put(&store, at, value) < 0) {
            end_step("mpi/pmi2: tasks have put more than %d MiB", MOST_BYTES >> 20);
            return;
        }
        at = value + strlen(value) + 1;
    }
    at_barrier = 0;
    for (size_t i = 0; i < clients; i++) {
        client[i].is_at_barrier = 0;
        answer_barrier(&client[i]);
    }
    for (size_t i = 0; i < clients; i++)
        finish_wait(&client[i]);
}

static void enter_barrier(struct client *from)
{
    from->waits = from->is_at_barrier = 1;
    if (++at_barrier < clients)
        return;
    uint32_t *nodes = room(job.nodes, sizeof *nodes);
    for (uint32_t n = 0; n < job.nodes; n++)
        nodes[n] = n;
    struct bytes part = fresh;
    fresh = (struct bytes){0};
    gather(PMI_GROUP, barriers++, nodes, job.nodes, &part, end_barrier, NULL);
    forget(&part);
}

/* A task has ended: nobody may wait for what it will not do. */
static void note_end(uint32_t rank, int status)
{
    int is_killed = WIFSIGNALED(status) && (WTERMSIG(status) == SIGKILL || WTERMSIG(status) == SIGTERM);
    for (size_t i = 0; i < clients; i++) {
        struct client *ended = &client[i];
        if (ended->rank != rank || ended->has_ended)
            continue;
        ended->has_ended = 1;
        if (ended->is_done)
            return;
        if (ended->has_begun && is_killed) /* is told of anyway, maybe with all others */
            end_step("%s", "");
        else if (ended->has_begun && (job.uses_pmix || status != 0))
            end_step("mpi/%s: task %u has ended without finalizing MPI", job.uses_pmix ? "pmix" : "pmi2", rank);
        else if (at_barrier > 0 && at_barrier < clients && !ended->is_at_barrier)
            end_for_gone(rank, is_killed);
        else
            tell_gone(rank, is_killed);
        return;
    }
}

/* ---------------------------------------------------------------- published names */

/* Asks the first node: publish, look up or withdraw a name. */
static void ask_first(struct client *from, char kind, const char *name, const char *value)
{
    struct bytes text = {0};
    add(&text, name, strlen(name) + 1);
    add(&text, value, strlen(value) + 1);
    if (text.length > MESSAGE_PART || (job.here != 0 && gone != NULL && gone[0].is_gone)) {
        answer_found(from, kind, NULL);
        forget(&text);
        return;
    }
    from->waits = 1;
    from->asked = ++questions;
    if (job.here == 0)
        take_answer(0, kind, 0, from->asked, 0, 1, text.at, text.length);
    else
        send_message(0, kind, 0, from->asked, 0, text.at, text.length);
    forget(&text);
}

/* What the first node says to such a question, or what it is asked. */
static void take_name(uint32_t from, char kind, uint32_t asked, int was_found, const unsigned char *bytes, size_t length)
{
    char *text = room(length + 2, 1); /* ends by two zero bytes */
    memcpy(text, bytes, length);
    const char *value = text + strlen(text) + 1, *found = "";
    if (kind == 'P')
        found = value_of(&published, text) == NULL && put(&published, text, value) == 0 ? "" : NULL;
    else if (kind == 'G')
        found = value_of(&published, text);
    else if (kind == 'W')
        found = take_out(&published, text) ? "" : NULL;
    else
        found = was_found ? text : NULL;
    if (kind >= 'a' || from == job.here) { /* an answer: lower case */
        for (size_t i = 0; i < clients; i++)
            if (client[i].asked == asked && client[i].waits) {
                client[i].asked = 0;
                answer_found(&client[i], kind >= 'a' ? kind - 'a' + 'A' : kind, found);
                finish_wait(&client[i]);
            }
    } else
        send_message(from, kind - 'A' + 'a', 0, asked, found != NULL, found == NULL ? "" : found,
                     found == NULL ? 1 : strlen(found) + 1);
    free(text);
}

/* The first node has gone. */
static void answer_for_first(void)
{
    for (size_t i = 0; i < clients; i++)
        if (client[i].waits && client[i].asked != 0) {
            client[i].asked = 0;
            answer_found(&client[i], 'G', NULL);
            finish_wait(&client[i]);
        }
}

static int is_of_pmix(char kind, uint32_t from, uint64_t group, uint32_t turn, int is_last, const unsigned char *bytes,
                      size_t length);

static void take_answer(uint32_t from, char kind, uint64_t group, uint32_t turn, int flags, int is_last,
                        const unsigned char *bytes, size_t length)
{
    if (is_of_pmix(kind, from, group, turn, is_last, bytes, length))
        return;
    if (!job.uses_pmix && strchr("PGWpgw", kind) != NULL && length > 0)
        take_name(from, kind, turn, flags, bytes, length);
}

/* ---------------------------------------------------------------- connections */

static struct pollfd *client_waits(size_t before)
{
    static struct pollfd *ready;
    static size_t space;
    if (space < before + clients)
        ready = realloc(ready, (space = before + clients) * sizeof *ready);
    if (ready == NULL)
        no_memory();
    for (size_t i = 0; i < clients; i++) {
        const struct client *one = &client[i];
        size_t waiting = one->out.length - one->out.done;
        ready[before + i] = (struct pollfd){.fd = one->fd};
        if (!one->waits && waiting < MOST_WAITING)
            ready[before + i].events |= POLLIN;
        if (waiting > 0)
            ready[before + i].events |= POLLOUT;
    }
    return ready;
}

static void hang_up(struct client *gone)
{
    if (gone->fd >= 0)
        close(gone->fd);
    gone->fd = -1;
    forget(&gone->in);
    forget(&gone->out);
}

/* What was sent is no request: the task hears no more, and the step ends, for others may wait for it. */
static void refuse(struct client *from, const char *what)
{
    end_step("mpi/pmi2: task %u sent %s", from->rank, what);
    hang_up(from);
}

static void add_out(struct client *to, const char *text, size_t length)
{
    if (to->fd >= 0)
        add(&to->out, text, length);
}

static void flush_client(struct client *to)
{
    while (to->fd >= 0 && to->out.done < to->out.length) {
        ssize_t done = send(to->fd, to->out.at + to->out.done, to->out.length - to->out.done, MSG_NOSIGNAL | MSG_DONTWAIT);
        if (done < 0 && errno == EINTR)
            continue;
        if (done < 0 && errno == EAGAIN)
            return;
        if (done < 0) {
            hang_up(to);
            return;
        }
        to->out.done += done;
    }
}

#include "mpi_pmi1.h"
#include "mpi_pmi2.h"

static void answer_found(struct client *to, char kind, const char *value)
{
    if (to->dialect == PMI_1)
        answer_name_1(to, kind, value);
    else
        answer_name_2(to, kind, value);
}

static void answer_barrier(struct client *to)
{
    if (to->dialect == PMI_1)
        reply(to, "cmd=barrier_out rc=0\n");
    else
        reply_2(to, "kvs-fence", "rc=0;", NULL);
}

/* "cmd=init pmi_version=V pmi_subversion=S" is the first line of either dialect. */
static void greet(struct client *from, char *line)
{
    const char *version = word_of(line, "pmi_version");
    int is_init = strncmp(line, "cmd=init ", 9) == 0 && version != NULL;
    if (!is_init) {
        refuse(from, "something that is neither PMI-1 nor PMI-2");
        return;
    }
    int number = atoi(version);
    if (number != 1 && number != 2)
        reply(from, "cmd=response_to_init rc=-1 pmi_version=2 pmi_subversion=0\n");
    else
        reply(from, "cmd=response_to_init rc=0 pmi_version=%d pmi_subversion=%d\n", number, number == 1);
    from->has_begun = number == 1 || number == 2;
    from->dialect = number == 1 ? PMI_1 : number == 2 ? PMI_2 : UNKNOWN;
}

/* How long the next request is, 0 where it is not whole, SIZE_MAX where it is none; the head is not part of it. */
static size_t request_length(const struct client *from, size_t *head)
{
    const char *at = (const char *)from->in.at + from->in.done;
    size_t there = from->in.length - from->in.done;
    *head = 0;
    if (from->dialect != PMI_2) {
        const char *end = there == 0 ? NULL : memchr(at, '\n', there);
        return end != NULL ? (size_t)(end + 1 - at) : there >= LONGEST_REQUEST ? SIZE_MAX : 0;
    }
    char number[7] = "", *end;
    *head = 6;
    if (there < 6)
        return 0;
    memcpy(number, at, 6);
    unsigned long length = strtoul(number, &end, 10);
    if (end == number || end[strspn(end, " ")] != 0 || length == 0 || length > LONGEST_REQUEST)
        return SIZE_MAX;
    return there - 6 < length ? 0 : length;
}

static void take_requests(struct client *from)
{
    size_t head, length;
    while (from->fd >= 0 && !from->waits && from->out.length - from->out.done < MOST_WAITING &&
           (length = request_length(from, &head)) > 0) {
        if (length == SIZE_MAX) {
            refuse(from, from->dialect == PMI_2 ? "no length of a request" : "a line without an end");
            return;
        }
        char *request = room(length + 1, 1);
        memcpy(request, from->in.at + from->in.done + head, length);
        from->in.done += head + length;
        if (from->dialect != PMI_2)
            request[length - 1] = 0;
        if (strlen(request) + (from->dialect != PMI_2) < length)
            refuse(from, "a request with a zero byte");
        else if (from->dialect == UNKNOWN)
            greet(from, request);
        else if (from->dialect == PMI_1)
            obey_1(from, request);
        else
            obey_2(from, request);
        free(request);
    }
}

/* Its answer has come: what it has asked meanwhile is looked at. */
static void finish_wait(struct client *to)
{
    to->waits = 0;
    take_requests(to);
    flush_client(to);
}

static void hear(struct client *from)
{
    unsigned char *at = room_for(&from->in, 8192);
    ssize_t got = at == NULL ? 0 : recv(from->fd, at, 8192, MSG_DONTWAIT);
    if (got < 0 && (errno == EAGAIN || errno == EINTR))
        return;
    if (got <= 0) {
        hang_up(from); /* what it owes to others is owed until the task ends */
        return;
    }
    from->in.length += got;
    take_requests(from);
}

static void serve_clients(const struct pollfd *ready, size_t polled)
{
    for (size_t i = 0; i < polled; i++) {
        if (client[i].fd < 0)
            continue;
        if (ready[i].revents & (POLLERR | POLLNVAL) || (ready[i].revents & POLLHUP && client[i].waits))
            hang_up(&client[i]);
        else if (ready[i].revents & (POLLIN | POLLHUP) && !client[i].waits)
            hear(&client[i]);
        flush_client(&client[i]);
        take_requests(&client[i]); /* that waited for room for their answers */
        flush_client(&client[i]);
    }
}
