/*
 * PMIx: the installed library serves the tasks; what it needs from other nodes goes by gathers and messages. Part of the MPI
 * server, see there. Functions whose names begin with on_ are called by the library's thread.
 */

#include <ftw.h>
#include <semaphore.h>

#include "mpi_pmix_abi.h"

#define MOST_QUESTIONS 65536

static const char *pmix_folder;

static struct {
    void *library;
    int (*init)(struct pmix_module *, struct pmix_info *, size_t);
    int (*finalize)(void);
    int (*generate_regex)(const char *, char **);
    int (*generate_ppn)(const char *, char **);
    int (*register_nspace)(const char *, int, struct pmix_info *, size_t, pmix_op_done *, void *);
    int (*register_client)(const struct pmix_proc *, uid_t, gid_t, void *, pmix_op_done *, void *);
    int (*setup_fork)(const struct pmix_proc *, char ***);
    int (*dmodex_request)(const struct pmix_proc *, pmix_dmodex_answer *, void *);
    void (*register_event)(int *, size_t, struct pmix_info *, size_t, pmix_event *, void *, void *);
    const char *(*error_string)(int);
    char space[256];
    int has_begun;
    sem_t done;
    int status;
} pmix;

/* What the library waits for: data of a fence, or of a rank on another node. */
struct awaited {
    struct awaited *next;
    pmix_data_done *done;
    void *what;
    uint32_t id; /* of a question to another node */
    int status;
    struct bytes data;
};

static struct awaited *open_questions, *ready_answers;
static size_t open_count;

/* ---------------------------------------------------------------- answers to the library */

static void on_release(void *data) { free(data); }

/* Gives it what has come; not from within its own call, so the thread that waits does it. */
static void answer_library(void)
{
    while (ready_answers != NULL) {
        struct awaited *one = ready_answers;
        ready_answers = one->next;
        one->done(one->status, (const char *)one->data.at, one->data.length, one->what, on_release, one->data.at);
        free(one);
    }
}

static void make_ready(struct awaited *one, int status)
{
    one->status = status;
    one->next = ready_answers;
    ready_answers = one;
    wake();
}

static void end_fence(void *what, struct bytes *result)
{
    struct awaited *one = what;
    if (result != NULL)
        add(&one->data, result->at, result->length);
    make_ready(one, result == NULL ? PMIX_FAILED : PMIX_GOOD);
}

static int by_number(const void *a, const void *b)
{
    uint32_t one = *(const uint32_t *)a, other = *(const uint32_t *)b;
    return one < other ? -1 : one > other;
}

/* The nodes of processes, rising, and a number that is the same for the same processes in any order. */
static uint32_t *nodes_of(const struct pmix_proc *procs, size_t count, uint32_t *nodes, uint64_t *group)
{
    uint32_t *found = room(count > job.nodes ? count : job.nodes, sizeof *found), kept = 0;
    size_t all = count == 0;
    *nodes = 0;
    *group = count;
    for (size_t i = 0; i < count; i++) {
        uint64_t mixed = (procs[i].rank + 1ull) * 0x9e3779b97f4a7c15ull;
        *group += (mixed ^ mixed >> 29) * 0xbf58476d1ce4e5b9ull;
        all |= procs[i].rank >= job.size;
        found[(*nodes)++] = procs[i].rank < job.size ? job.node_of[procs[i].rank] : 0;
    }
    for (uint32_t n = 0; all && n < job.nodes; n++)
        found[n] = n;
    *nodes = all ? job.nodes : *nodes;
    qsort(found, *nodes, sizeof *found, by_number);
    for (uint32_t i = 0; i < *nodes; i++)
        if (kept == 0 || found[kept - 1] != found[i])
            found[kept++] = found[i];
    *nodes = kept;
    return found;
}

static int on_fence(const struct pmix_proc *procs, size_t count, const struct pmix_info *info, size_t infos, char *data,
                    size_t length, pmix_data_done *done, void *what)
{
    (void)info;
    (void)infos;
    pthread_mutex_lock(&lock);
    struct awaited *one = room(1, sizeof *one);
    uint32_t nodes;
    uint64_t group;
    uint32_t *list = nodes_of(procs, count, &nodes, &group);
    struct bytes part = {.at = (unsigned char *)data, .length = data == NULL ? 0 : length};
    one->done = done;
    one->what = what;
    gather(group, 0, list, nodes, &part, end_fence, one);
    free(data); /* it was made for this call */
    pthread_mutex_unlock(&lock);
    return PMIX_GOOD;
}

/* ---------------------------------------------------------------- data of single ranks */

static int on_direct_modex(const struct pmix_proc *proc, const struct pmix_info *info, size_t infos, pmix_data_done *done,
                           void *what)
{
    (void)info;
    (void)infos;
    if (proc->rank >= job.size || strcmp(proc->space, pmix.space) != 0)
        return PMIX_NOT_FOUND;
    pthread_mutex_lock(&lock);
    int has_room = open_count < MOST_QUESTIONS;
    if (has_room) {
        struct awaited *one = room(1, sizeof *one);
        *one = (struct awaited){.done = done, .what = what, .id = ++questions, .next = open_questions};
        open_questions = one;
        open_count++;
        send_message(job.node_of[proc->rank], 'Q', proc->rank, one->id, 0, NULL, 0);
    }
    pthread_mutex_unlock(&lock);
    return has_room ? PMIX_GOOD : PMIX_FAILED;
}

struct question { uint32_t from, id; };

static void on_dmodex_answer(int status, char *data, size_t length, void *what)
{
    struct question *question = what;
    pthread_mutex_lock(&lock);
    send_message(question->from, 'S', (uint32_t)status, question->id, 0, data, data == NULL ? 0 : length);
    pthread_mutex_unlock(&lock);
    free(question);
}

/* Another node asks for what a task here has put. */
static void take_question(uint32_t from, uint32_t rank, uint32_t id)
{
    struct pmix_proc proc = {.rank = rank};
    struct question *question = room(1, sizeof *question);
    *question = (struct question){from, id};
    strcpy(proc.space, pmix.space);
    int status = pmix.dmodex_request(&proc, on_dmodex_answer, question);
    if (status != PMIX_GOOD) {
        send_message(from, 'S', (uint32_t)status, id, 0, NULL, 0);
        free(question);
    }
}

static void take_data(int status, uint32_t id, int is_last, const unsigned char *bytes, size_t length)
{
    for (struct awaited **at = &open_questions, *one; (one = *at) != NULL; at = &one->next) {
        if (one->id != id)
            continue;
        if (one->data.length + length > MOST_BYTES)
            end_step("mpi/pmix: a task has put more than %d MiB", MOST_BYTES >> 20);
        else
            add(&one->data, bytes, length);
        if (is_last) {
            *at = one->next;
            open_count--;
            make_ready(one, status);
        }
        return;
    }
}

/* Takes messages that only PMIx has. */
static int is_of_pmix(char kind, uint32_t from, uint64_t group, uint32_t turn, int is_last, const unsigned char *bytes,
                      size_t length)
{
    if (pmix.library == NULL || (kind != 'Q' && kind != 'S'))
        return 0;
    if (kind == 'Q')
        take_question(from, group, turn);
    else
        take_data((int32_t)group, turn, is_last, bytes, length);
    return 1;
}

/* ---------------------------------------------------------------- what becomes of tasks */

static void set_done(uint32_t rank, int is_done)
{
    pthread_mutex_lock(&lock);
    for (size_t i = 0; i < clients; i++)
        if (client[i].rank == rank) {
            client[i].has_begun = 1;
            client[i].is_done = is_done;
        }
    pthread_mutex_unlock(&lock);
}

static int on_connected(const struct pmix_proc *proc, void *object, pmix_op_done *done, void *what)
{
    (void)object;
    (void)done;
    (void)what;
    set_done(proc->rank, 0);
    return PMIX_DONE;
}

static int on_finalized(const struct pmix_proc *proc, void *object, pmix_op_done *done, void *what)
{
    (void)object;
    (void)done;
    (void)what;
    set_done(proc->rank, 1);
    return PMIX_DONE;
}

static int on_abort(const struct pmix_proc *proc, void *object, int status, const char *message, struct pmix_proc *procs,
                    size_t count, pmix_op_done *done, void *what)
{
    (void)proc, (void)object, (void)status, (void)message, (void)procs, (void)count, (void)done, (void)what;
    pthread_mutex_lock(&lock);
    end_step("%s", "");
    pthread_mutex_unlock(&lock);
    return PMIX_DONE;
}

static void on_event(size_t id, int status, const struct pmix_proc *source, struct pmix_info *info, size_t count,
                     struct pmix_info *results, size_t result_count, pmix_event_done *done, void *what)
{
    (void)id, (void)info, (void)count, (void)results, (void)result_count;
    int is_end = status == PMIX_CONNECTION_LOST || status == PMIX_PEER_LOST || status == PMIX_CLIENT_LOST ||
                 status == PMIX_PROC_GONE || status == PMIX_LEFT_UNSYNCHRONISED;
    if (is_end && source != NULL && strcmp(source->space, pmix.space) == 0 && source->rank < job.size) {
        pthread_mutex_lock(&lock);
        end_step("mpi/pmix: task %u has ended without finalizing MPI: %s", source->rank, pmix.error_string(status));
        pthread_mutex_unlock(&lock);
    }
    if (done != NULL)
        done(PMIX_GOOD, NULL, 0, NULL, NULL, what);
}

static struct pmix_module module = {
    .connected = on_connected, .finalized = on_finalized, .abort = on_abort, .fence = on_fence,
    .direct_modex = on_direct_modex,
};

#include "mpi_pmix_job.h"
