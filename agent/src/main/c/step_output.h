/* What the front end of a step prints: output of tasks, and how they ended; part of it, see step.h. */

/*
 * With labels, each line and each part of a longer one is given out with the number of its task. What is no line yet is
 * kept, unless it is wanted at once or nothing more comes.
 */
static void step_labelled(int to, uint32_t rank, struct text *held, int all) {
    int width = snprintf(NULL, 0, "%d", run.tasks - 1);
    struct text text = {0};
    size_t at = 0;
    while (at < held->length) {
        const unsigned char *bytes = held->bytes + at, *newline = memchr(bytes, '\n', held->length - at);
        size_t part = newline ? (size_t)(newline - bytes) : held->length - at;
        char label[24];
        if (!newline && part <= STEP_LINE && !all) break; /* its end may follow at once */
        if (part > STEP_LINE) part = STEP_LINE;
        put(&text, label, sprintf(label, "%*u: ", width, rank));
        put(&text, bytes, part);
        put(&text, "\n", 1);
        at += part;
        at += at < held->length && held->bytes[at] == '\n';
    }
    memmove(held->bytes, held->bytes + at, held->length - at);
    held->length -= at;
    step_write(to, text.bytes, text.length);
    free(text.bytes);
}

static void step_output(uint32_t rank, int is_error, const unsigned char *bytes, size_t length) {
    const struct step_sinks *sinks = &run.node[run.node_of[rank]].sinks;
    int to = is_error ? sinks->error : sinks->output;
    uint32_t only = is_error ? sinks->error_rank : sinks->output_rank;
    if (only != STEP_EVERY && only != rank) return;
    if (!run.label) {
        step_write(to, bytes, length);
        return;
    }
    struct text *held = &run.held[2 * rank + is_error];
    put(held, bytes, length);
    step_labelled(to, rank, held, length == 0 || run.unbuffered);
}

static int step_by_rank(const void *one, const void *other) {
    uint32_t a = *(const uint32_t *)one, b = *(const uint32_t *)other;
    return a < b ? -1 : a > b;
}

/* "0-3,8" of ranks in any order. */
static char *step_list(uint32_t *ranks, size_t count, uint32_t from) {
    struct text text = {0};
    qsort(ranks, count, sizeof *ranks, step_by_rank);
    for (size_t i = 0; i < count; i++) {
        char part[32];
        size_t last = i;
        while (last + 1 < count && ranks[last + 1] == ranks[last] + 1) last++;
        int length = sprintf(part, "%s%u", text.length ? "," : "", ranks[i] - from);
        if (last > i) length += sprintf(part + length, "-%u", ranks[last] - from);
        put(&text, part, length);
        i = last;
    }
    put(&text, "", 1);
    return (char *)text.bytes;
}

static int step_by_signal(int status) { return status != STEP_NO_MEMORY && WIFSIGNALED(status); }

/* To one that only looks on, each by itself. */
static void step_tell_onlooker(const struct step_end *end) {
    for (size_t i = 0; i < end->count; i++)
        if (end->status == STEP_NO_MEMORY) step_say("error: task %u: Out Of Memory", end->ranks[i]);
        else if (WIFSIGNALED(end->status))
            step_say("error: task %u killed by signal %d", end->ranks[i], WTERMSIG(end->status));
        else step_say("error: task %u exited with exit code %d", end->ranks[i], WEXITSTATUS(end->status));
}

/* Says how the tasks of a node ended of which that was not said. */
static void step_tell(struct step_node *node) {
    for (int i = 0; i < node->kinds; i++) {
        struct step_end *end = &node->ended[i];
        const char *several = end->count > 1 ? "s" : "";
        char *list = step_list(end->ranks, end->count, node->first); /* as its own component numbers them */
        if (run.quiet > 1 || (step_hushed && step_by_signal(end->status))) {
            /* so quiet that not even this is wanted */
        } else if (run.attached) {
            step_tell_onlooker(end);
        } else if (end->status == STEP_NO_MEMORY) {
            step_say("error: %s: task%s %s: Out Of Memory", node->name, several, list);
        } else if (WIFSIGNALED(end->status)) {
            step_say("error: %s: task%s %s: %s%s", node->name, several, list, strsignal(WTERMSIG(end->status)),
                     WCOREDUMP(end->status) ? " (core dumped)" : "");
        } else
            step_say("error: %s: task%s %s: Exited with exit code %d", node->name, several, list,
                     WEXITSTATUS(end->status));
        free(list);
        free(end->ranks);
    }
    node->kinds = 0;
    node->told_from = 0;
}

static void step_note_end(struct step_node *node, uint32_t rank, int status) {
    int i = 0;
    while (i < node->kinds && node->ended[i].status != status) i++;
    if (i == STEP_CODES) {
        step_tell(node);
        i = 0;
    }
    struct step_end *end = &node->ended[i];
    if (i == node->kinds) {
        *end = (struct step_end){.status = status};
        node->kinds++;
    }
    end->ranks = realloc(end->ranks, (end->count + 1) * sizeof *end->ranks);
    if (!end->ranks) die("no memory");
    end->ranks[end->count++] = rank;
    if (!node->told_from) node->told_from = step_clock();
    if (!run.tell_at) run.tell_at = node->told_from + STEP_GROUP_MS;
}

static int step_killed; /* a task ended as those of cancelled steps do */

static void step_exited(struct step_node *node, uint32_t rank, int status) {
    int by_signal = step_by_signal(status);
    int code = status == STEP_NO_MEMORY ? 1 : by_signal ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
    if (run.exited[rank]) return;
    run.exited[rank] = status == 0 ? 1 : 2;
    node->left--;
    /* That a signal ended a task says more than any code. */
    if (by_signal != run.by_signal ? by_signal : code > run.highest) run.highest = code;
    run.by_signal |= by_signal;
    if (!run.first_end) run.first_end = step_clock();
    step_killed |= by_signal && (WTERMSIG(status) == SIGKILL || WTERMSIG(status) == SIGTERM);
    if (code != 0) step_note_end(node, rank, status);
    if (node->left == 0) step_tell(node);
    if (code != 0 && run.kill_on_bad_exit && !run.terminating) {
        step_tell(node);
        step_info("launch/slurm: _step_signal: Terminating StepId=%s", run.id);
        step_terminate();
    }
}
