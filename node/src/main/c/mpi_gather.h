/*
 * Exchanges between nodes: each gives a part, and gets all of them. The first of the nodes gathers and gives out, so that
 * there are two messages for each node. Part of the MPI server, see there.
 */

#define MOST_GATHERS 256
#define ALL_NODES 1 /* a flag of parts: every node of the step gives one */
#define PMI_GROUP 0

struct gather {
    struct gather *next;
    uint64_t group;
    uint32_t turn;           /* how many there were of the group before */
    int is_here, has_all;    /* this node has given its part; all nodes of the step take part */
    uint32_t nodes, *node;   /* those that take part, once that is known here */
    unsigned char *has_come; /* of each node of the step */
    struct bytes *part;      /* likewise, where it is gathered */
    struct bytes result;
    void (*done)(void *what, struct bytes *result); /* NULL result: it came to nothing */
    void *what;
};

static void answer_for_first(void);

static struct gather *gathers;
static size_t gather_bytes;

/*
 * Of each node, at the first one: a task that ended before it was done with the others, and whether it was killed. The other
 * nodes know it of the first alone, which gathers for them.
 */
static struct { uint32_t rank; uint8_t is_gone, was_killed; } *gone;

static struct gather *gather_of(uint64_t group, uint32_t turn)
{
    size_t count = 0;
    for (struct gather *at = gathers; at != NULL; at = at->next, count++)
        if (at->group == group && at->turn == turn)
            return at;
    if (count >= MOST_GATHERS) {
        end_step("mpi: more than %d exchanges at a time", MOST_GATHERS);
        return NULL;
    }
    struct gather *made = room(1, sizeof *made);
    made->group = group;
    made->turn = turn;
    made->has_come = room(job.nodes, 1);
    made->part = room(job.nodes, sizeof *made->part);
    made->next = gathers;
    gathers = made;
    return made;
}

static void end_gather(struct gather *gather, struct bytes *result)
{
    for (struct gather **at = &gathers; *at != NULL; at = &(*at)->next)
        if (*at == gather) {
            *at = gather->next;
            break;
        }
    gather_bytes -= gather->result.length; /* first: who gets the result may add to it */
    gather->done(gather->what, result);
    for (uint32_t n = 0; n < job.nodes; n++) {
        gather_bytes -= gather->part[n].length;
        forget(&gather->part[n]);
    }
    forget(&gather->result);
    free(gather->part);
    free(gather->has_come);
    free(gather->node);
    free(gather);
}

static int is_too_much(size_t more)
{
    gather_bytes += more;
    if (gather_bytes <= MOST_BYTES)
        return 0;
    gather_bytes -= more;
    end_step("mpi: tasks exchange more than %d MiB at a time", MOST_BYTES >> 20);
    return 1;
}

/* A task that is killed is told of anyway, maybe with all others. */
static void end_for_gone(uint32_t rank, int was_killed)
{
    if (was_killed)
        end_step("%s", "");
    else
        end_step("mpi/%s: task %u has ended, and others wait for it in a barrier", job.uses_pmix ? "pmix" : "pmi2", rank);
}

/* A task that has ended will not take part any more; who waits for it, waits in vain. */
static void check_gone(const struct gather *gather)
{
    for (uint32_t n = 0; gather->has_all && gone != NULL && n < job.nodes; n++)
        if (gone[n].is_gone && !gather->has_come[n]) {
            end_for_gone(gone[n].rank, gone[n].was_killed);
            return;
        }
}

/* Where parts are gathered: gives all to all, once they are there. */
static void give_out(struct gather *gather)
{
    struct bytes all = {0};
    check_gone(gather);
    for (uint32_t i = 0; i < gather->nodes; i++)
        if (!gather->has_come[gather->node[i]])
            return;
    for (uint32_t i = 0; i < gather->nodes; i++)
        add(&all, gather->part[gather->node[i]].at, gather->part[gather->node[i]].length);
    if (gather->nodes == job.nodes && job.nodes > 1)
        send_message(EVERY_NODE, 'U', gather->group, gather->turn, 0, all.at, all.length);
    for (uint32_t i = 0; i < gather->nodes && gather->nodes < job.nodes; i++)
        if (gather->node[i] != job.here)
            send_message(gather->node[i], 'U', gather->group, gather->turn, 0, all.at, all.length);
    end_gather(gather, &all);
    forget(&all);
}

/*
 * Gives this node's part. The nodes, rising, are those that take part, this one among them; the list is kept. Once all are
 * there, done is called with them, maybe at once.
 */
static void gather(uint64_t group, uint32_t turn, uint32_t *nodes, uint32_t count, const struct bytes *part,
                   void (*done)(void *what, struct bytes *result), void *what)
{
    struct gather *gather = is_too_much(part->length) ? NULL : gather_of(group, turn);
    if (gather == NULL || gather->is_here) {
        free(nodes);
        done(what, NULL);
        return;
    }
    gather->is_here = 1;
    gather->has_all = count == job.nodes;
    gather->node = nodes;
    gather->nodes = count;
    gather->done = done;
    gather->what = what;
    if (nodes[0] != job.here) {
        gather_bytes -= part->length;
        send_message(nodes[0], 'C', group, turn, gather->has_all ? ALL_NODES : 0, part->at, part->length);
        check_gone(gather);
        return;
    }
    gather->has_come[job.here] = 1;
    add(&gather->part[job.here], part->at, part->length);
    give_out(gather);
}

/* A part of another node, of which this may be only a piece. */
static void take_part(uint32_t from, uint64_t group, uint32_t turn, int flags, int is_last, const unsigned char *bytes,
                      size_t length)
{
    struct gather *gather = is_too_much(length) ? NULL : gather_of(group, turn);
    if (gather == NULL || gather->has_come[from])
        return;
    add(&gather->part[from], bytes, length);
    gather->has_come[from] = is_last;
    gather->has_all |= flags & ALL_NODES;
    check_gone(gather);
    if (is_last && gather->is_here)
        give_out(gather);
}

/* What all have given, from where it was gathered. */
static void take_union(uint64_t group, uint32_t turn, int is_last, const unsigned char *bytes, size_t length)
{
    struct gather *gather = is_too_much(length) ? NULL : gather_of(group, turn);
    if (gather == NULL || !gather->is_here)
        return;
    add(&gather->result, bytes, length);
    if (is_last)
        end_gather(gather, &gather->result);
}

/* A task of a node has ended without being done with the others. */
static void take_gone(uint32_t node, uint32_t rank, int was_killed)
{
    if (gone == NULL)
        gone = room(job.nodes, sizeof *gone);
    if (gone[node].is_gone)
        return;
    gone[node].is_gone = 1;
    gone[node].rank = rank;
    gone[node].was_killed = was_killed;
    for (const struct gather *at = gathers; at != NULL; at = at->next)
        check_gone(at);
    if (node == 0 && job.here != 0)
        answer_for_first();
}

static void take_answer(uint32_t from, char kind, uint64_t group, uint32_t turn, int flags, int is_last,
                        const unsigned char *bytes, size_t length);

static void take_message(uint32_t from, const unsigned char *message, size_t length)
{
    const unsigned char *bytes = message + 15;
    if (length < 15 || from >= job.nodes || from == job.here)
        return;
    uint64_t group = (uint64_t)get32(message + 1) << 32 | get32(message + 5);
    uint32_t turn = get32(message + 9);
    int flags = message[13], is_last = message[14];
    switch (message[0]) {
    case 'C': take_part(from, group, turn, flags, is_last, bytes, length - 15); break;
    case 'U': take_union(group, turn, is_last, bytes, length - 15); break;
    case 'D': take_gone(from, turn, flags); break;
    default: take_answer(from, message[0], group, turn, flags, is_last, bytes, length - 15); break;
    }
}

/* A task has ended here before it was done with the others. */
static void tell_gone(uint32_t rank, int was_killed)
{
    static int is_told; /* one is enough */
    if (is_told++ > 0)
        return;
    if (job.here == 0)
        take_gone(0, rank, was_killed);
    if (job.nodes > 1)
        send_message(job.here == 0 ? EVERY_NODE : 0, 'D', 0, rank, was_killed, NULL, 0);
}

/* No task is left here: what others still wait for here does not come. */
static void end_gathers(void)
{
    for (const struct gather *at = gathers; at != NULL; at = at->next)
        if (at->is_here && at->node[0] == job.here)
            end_step("%s", "");
    if (job.here == 0 && job.nodes > 1)
        tell_gone(job.node[0].rank[0], 0);
}
