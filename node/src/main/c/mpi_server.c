/*
 * The MPI server of a step on one node: answers the PMI-1, PMI-2 or PMIx requests of the step's tasks. A child of the
 * shepherd, it runs as the step's user and in the step's control groups, so that what a task sends is never read with more
 * rights than the task's own, and the memory for it is the step's.
 *
 *     mpi-server FD [FOLDER]
 *
 * FD is a socket to the shepherd, by which it is told of the step, hears its fellows on the other nodes, and asks for the
 * step's end. With -1 for FD it removes the FOLDER that another one has left, and does nothing else. Frames are described in docs/step-wire.md. It ends when the socket does.
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "wire.h"

#define EVERY_NODE 0xffffffffu
#define LARGEST_FRAME (4 + 65536)
#define MOST_BYTES (64 << 20) /* of what tasks have stored, or exchange at a time, on one node */

/* A node of the step, and the ranks that it has there. */
struct node { const char *name; uint32_t *rank; size_t ranks; };

static struct {
    const char *id, *token; /* JOB.STEP; what nobody but the step's tasks knows */
    uint32_t here, size;    /* this node's index; number of tasks */
    struct node *node;
    uint32_t nodes;
    uint32_t *node_of;
    int uses_pmix;
} job;

/* Libraries call from threads of their own; whoever holds this may touch what is declared in these files. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void __attribute__((noreturn)) no_memory(void)
{
    exit(1); /* the shepherd sees the end of the socket, and ends the step */
}

static void *room(size_t count, size_t size)
{
    void *at = calloc(count == 0 ? 1 : count, size);
    if (at == NULL)
        no_memory();
    return at;
}

/* Adds to bytes that grow. */
static void add(struct bytes *to, const void *bytes, size_t length)
{
    if (length == 0)
        return;
    size_t needed = to->length - to->done + length;
    unsigned char *at = room_for(to, needed > to->room ? needed : length); /* twice as much, not again for each */
    if (at == NULL)
        no_memory();
    memcpy(at, bytes, length);
    to->length += length;
}

#include "mpi_link.h"
#include "mpi_gather.h"
#include "mpi_store.h"
#include "mpi_pmi.h"
#include "mpi_pmix.h"

/* ---------------------------------------------------------------- what the shepherd says */

/* NAME:0-3,8 */
static void take_node(char *entry)
{
    char *at = strrchr(entry, ':');
    job.node = realloc(job.node, (job.nodes + 1) * sizeof *job.node);
    if (job.node == NULL)
        no_memory();
    struct node *node = &job.node[job.nodes++];
    *node = (struct node){.name = entry};
    if (at == NULL)
        return;
    *at++ = 0;
    while (*at != 0) {
        unsigned long first = strtoul(at, &at, 10), last = *at == '-' ? strtoul(at + 1, &at, 10) : first;
        for (; first <= last && node->ranks < 1 << 20; first++) {
            if ((node->ranks & (node->ranks - 1)) == 0) /* full at each power of two */
                node->rank = realloc(node->rank, (node->ranks == 0 ? 1 : 2 * node->ranks) * sizeof *node->rank);
            if (node->rank == NULL)
                no_memory();
            node->rank[node->ranks++] = first;
            job.size++;
        }
        at += *at == ',';
    }
}

static void take_entry(char *entry)
{
    char *value = strchr(entry, '=');
    if (value == NULL)
        return;
    *value++ = 0;
    if (strcmp(entry, "mode") == 0) job.uses_pmix = strcmp(value, "pmix") == 0;
    else if (strcmp(entry, "step") == 0) job.id = value;
    else if (strcmp(entry, "token") == 0) job.token = value;
    else if (strcmp(entry, "folder") == 0) pmix_folder = value;
    else if (strcmp(entry, "node") == 0) job.here = strtoul(value, NULL, 10);
    else if (strcmp(entry, "peer") == 0) take_node(value);
    else if (strcmp(entry, "task") == 0) add_client(value);
}

/* The first frame: what step this is. */
static void begin(const unsigned char *payload, size_t length)
{
    char *entries = room(length + 1, 1);
    memcpy(entries, payload, length);
    for (char *at = entries; at < entries + length; ) {
        char *next = at + strlen(at) + 1;
        take_entry(at);
        at = next;
    }
    job.node_of = room(job.size, sizeof *job.node_of);
    for (uint32_t n = 0; n < job.nodes; n++)
        for (size_t i = 0; i < job.node[n].ranks; i++)
            if (job.node[n].rank[i] < job.size)
                job.node_of[job.node[n].rank[i]] = n;
    if (job.id == NULL || job.here >= job.nodes || job.node[job.here].ranks != clients) {
        send_text('F', "the shepherd said nothing of the step");
        return;
    }
    if (job.uses_pmix)
        begin_pmix();
    else
        begin_pmi();
}

static void obey(char type, unsigned char *payload, size_t length)
{
    static int has_begun;
    if (type == 'L' && !has_begun) {
        has_begun = 1;
        begin(payload, length);
    } else if (type == 'M' && has_begun && length >= 5)
        take_message(get32(payload), payload + 4, length - 4);
    else if (type == 'X' && has_begun && length >= 8)
        note_end(get32(payload), get32(payload + 4));
}

/* Whether the shepherd is still there. */
static int hear_shepherd(void)
{
    unsigned char *at = room_for(&link_in, FRAME_HEAD + LARGEST_FRAME);
    ssize_t got = at == NULL ? 0 : recv(link_fd, at, FRAME_HEAD + LARGEST_FRAME, MSG_DONTWAIT);
    if (got < 0 && (errno == EAGAIN || errno == EINTR))
        return 1;
    if (got <= 0)
        return 0;
    link_in.length += got;
    while (link_in.length - link_in.done >= FRAME_HEAD) {
        unsigned char *frame = link_in.at + link_in.done;
        size_t length = get32(frame + 1);
        if (link_in.length - link_in.done - FRAME_HEAD < length)
            break;
        link_in.done += FRAME_HEAD + length;
        obey(*frame, frame + FRAME_HEAD, length);
    }
    return 1;
}

int main(int argc, char **argv)
{
    struct rlimit files;
    if (argc < 2) {
        fprintf(stderr, "usage: mpi-server FD [FOLDER]; the shepherd starts it\n");
        return 2;
    }
    for (int sig = 1; sig < NSIG; sig++)
        signal(sig, SIG_IGN); /* those for the step are for its tasks */
    link_fd = atoi(argv[1]);
    if (link_fd < 0) { /* tidies up for one that was killed */
        remove_folder(argv[2]); /* NULL without it */
        return 0;
    }
    fcntl(link_fd, F_SETFD, FD_CLOEXEC);
    if (getrlimit(RLIMIT_NOFILE, &files) == 0) {
        files.rlim_cur = files.rlim_max; /* poll(2) refuses to wait for more */
        setrlimit(RLIMIT_NOFILE, &files);
    }
    if (pipe2(link_wake, O_CLOEXEC | O_NONBLOCK) < 0)
        return 1;
    pthread_mutex_lock(&lock);
    for (int is_there = 1; is_there;) {
        struct pollfd *ready = client_waits(2);
        size_t polled = clients;
        ready[0] = (struct pollfd){.fd = link_fd, .events = POLLIN | (link_out.done < link_out.length ? POLLOUT : 0)};
        ready[1] = (struct pollfd){.fd = link_wake[0], .events = POLLIN};
        pthread_mutex_unlock(&lock);
        int events = poll(ready, 2 + polled, -1);
        pthread_mutex_lock(&lock);
        if (events < 0)
            continue;
        if (ready[1].revents)
            while (read(link_wake[0], (char[64]){0}, 64) > 0)
                ;
        if (ready[0].revents & ~POLLOUT)
            is_there = hear_shepherd();
        serve_clients(ready + 2, polled);
        answer_library();
        flush_link();
    }
    end_gathers();
    fcntl(link_fd, F_SETFL, fcntl(link_fd, F_GETFL) & ~O_NONBLOCK);
    while (link_out.done < link_out.length && poll(&(struct pollfd){.fd = link_fd, .events = POLLOUT}, 1, 1000) > 0)
        flush_link();
    end_pmix();
    return 0;
}
