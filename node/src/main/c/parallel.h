/* The tasks of a parallel step, and what the launch file says of them. Part of the shepherd, see there. */

#define MOST_TASKS 4096

/* What a task writes, on its way to the front end. */
struct stream {
    int fd;         /* -1 once it has ended */
    int file;       /* where its lines go with their label; -1 for the front end */
    char type;      /* of its frames: 'O' or 'E' */
    uint32_t rank;
    char *held;     /* the beginning of a line */
    size_t held_length;
};

struct task {
    uint32_t rank;
    pid_t pid, epilog;
    int status, has_ended, has_cpus, wanted_memory;
    struct used used;
    const char *input, *output, *error; /* NULL: as the step's */
    struct list argument, environment, mpi_environment, note;
    cpu_set_t *cpus;
    const char *memory; /* bind:0,1 or prefer:0 */
    int fails;
    int input_fd;            /* what it reads comes from here; -1 where it has no stream, or has had its end */
    size_t taken;            /* of the input that is being passed on */
    int wants_input;         /* there is still some for it */
    int mpi_end;             /* of its connection to the MPI server; -1 without one */
    int end[3];              /* its ends of the streams, as long as someone is to begin with them */
    struct stream stream[2]; /* output, error */
};

static int parse_mpi(const char *entry, const char *value);

static struct task *task_of_rank(uint32_t rank)
{
    for (size_t i = 0; i < step.tasks; i++)
        if (step.task[i].rank == rank)
            return &step.task[i];
    return NULL;
}

static int set_task_count(const char *value)
{
    unsigned long count = strtoul(value, NULL, 10);
    if (count < 1 || count > MOST_TASKS || step.tasks > 0)
        return -1;
    step.task = calloc(count, sizeof *step.task);
    if (step.task == NULL)
        give_up("shepherd: no memory");
    step.tasks = count;
    for (size_t i = 0; i < count; i++) {
        struct task *task = &step.task[i];
        task->rank = EVERY_TASK;
        task->mpi_end = task->input_fd = task->end[0] = task->end[1] = task->end[2] = task->stream[0].fd = task->stream[1].fd = -1;
        task->stream[0].file = task->stream[1].file = -1;
    }
    return 0;
}

static int set_rank(const char *value)
{
    struct task *next = task_of_rank(EVERY_TASK);
    if (next == NULL)
        return -1;
    next->rank = strtoul(value, NULL, 10);
    return next->rank == EVERY_TASK ? -1 : 0;
}

static int set_cpu(struct task *task, const char *value)
{
    unsigned long cpu = strtoul(value, NULL, 10);
    if (cpu >= CPU_WORDS * CPU_SETSIZE)
        return -1;
    if (task->cpus == NULL && (task->cpus = calloc(CPU_WORDS, sizeof *task->cpus)) == NULL)
        give_up("shepherd: no memory");
    task->has_cpus = 1;
    CPU_SET_S(cpu, CPU_WORDS * sizeof *task->cpus, task->cpus);
    return 0;
}

/* An entry LOCAL:VALUE of one task. */
static int parse_own(const char *entry, const char *value)
{
    char *rest;
    unsigned long local = strtoul(value, &rest, 10);
    if (rest == value || *rest != ':' || local >= step.tasks)
        return -1;
    struct task *task = &step.task[local];
    rest++;
    if (strncmp(entry, "task_arg=", 9) == 0) append(&task->argument, rest);
    else if (strncmp(entry, "task_env=", 9) == 0) append(&task->environment, rest);
    else if (strncmp(entry, "task_note=", 10) == 0) append(&task->note, rest);
    else if (strncmp(entry, "task_memory=", 12) == 0) task->memory = rest;
    else if (strncmp(entry, "task_fails=", 11) == 0) task->fails = 1;
    else if (strncmp(entry, "task_stdin=", 11) == 0) task->input = rest;
    else if (strncmp(entry, "task_stdout=", 12) == 0) task->output = rest;
    else if (strncmp(entry, "task_stderr=", 12) == 0) task->error = rest;
    else if (strncmp(entry, "task_cpu=", 9) == 0) return set_cpu(task, rest);
    else return -1;
    return 0;
}

/* Takes one entry that only parallel steps have. `tasks=` comes before those that name one. */
static int parse_task(const char *entry, const char *value)
{
    if (strncmp(entry, "tasks=", 6) == 0) return set_task_count(value);
    if (strncmp(entry, "rank=", 5) == 0) return set_rank(value);
    if (strncmp(entry, "node=", 5) == 0) step.node = strtoul(value, NULL, 10);
    else if (strncmp(entry, "unbuffered=", 11) == 0) step.is_unbuffered = atoi(value);
    else if (strncmp(entry, "label=", 6) == 0) step.label = atoi(value);
    else if (strncmp(entry, "killwait=", 9) == 0) step.kill_wait = atoll(value);
    else if (strncmp(entry, "pty=", 4) == 0) step.pty = value;
    else if (strncmp(entry, "mpi", 3) == 0) return parse_mpi(entry, value);
    else if (strcmp(entry, "children=await") == 0) step.awaits_children = 1;
    else if (strcmp(entry, "lost=keep") == 0) step.keeps_when_lost = 1;
    else if (strcmp(entry, "lost=kill") == 0) step.keeps_when_lost = 0;
    else return parse_own(entry, value);
    return 0;
}

/* Adds to the exit record how each task ended and what it used, as many as there is room for; its new length. */
static int add_tasks(char *record, int length, int room)
{
    for (size_t i = 0; i < step.tasks && length + USED_SPACE <= room; i++)
        if (step.task[i].pid > 0)
            length += put_used(record + length, step.task[i].rank, step.task[i].status, &step.task[i].used);
    if (step.tasks == 0 && length + USED_SPACE <= room)
        length += put_used(record + length, 0, 0, &script_used);
    return length;
}

/* The status that stands for all: that of a task that a signal ended, else the highest code. */
static int status_of_all(void)
{
    int all = 0;
    for (size_t i = 0; i < step.tasks; i++) {
        int status = step.task[i].status;
        if (!WIFSIGNALED(all) && (WIFSIGNALED(status) || WEXITSTATUS(status) > WEXITSTATUS(all)))
            all = status;
    }
    return all;
}
