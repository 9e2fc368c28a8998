/* What the PMIx library is told of the step, and how it begins and ends. Part of the MPI server, see there. */

static void set_key(struct pmix_info *info, const char *key, int type)
{
    snprintf(info->key, sizeof info->key, "%s", key);
    info->value.type = type;
}

static void set_text(struct pmix_info *info, const char *key, const char *text)
{
    set_key(info, key, PMIX_IS_STRING);
    info->value.data.string = strdup(text);
}

static void set_uint32(struct pmix_info *info, const char *key, int type, uint32_t number)
{
    set_key(info, key, type);
    info->value.data.uint32 = number;
}

static void set_uint16(struct pmix_info *info, const char *key, uint16_t number)
{
    set_key(info, key, PMIX_IS_UINT16);
    info->value.data.uint16 = number;
}

static void set_array(struct pmix_info *info, const char *key, struct pmix_info *items, size_t count)
{
    struct pmix_array *array = room(1, sizeof *array);
    *array = (struct pmix_array){PMIX_IS_INFO, count, items};
    set_key(info, key, PMIX_IS_ARRAY);
    info->value.data.array = array;
}

static void describe_rank(struct pmix_info *info, uint32_t rank, uint32_t node, uint32_t local)
{
    struct pmix_info *items = room(9, sizeof *items);
    set_uint32(&items[0], "pmix.rank", PMIX_IS_RANK, rank);
    set_uint32(&items[1], "pmix.appnum", PMIX_IS_UINT32, 0);
    set_uint32(&items[2], "pmix.grank", PMIX_IS_RANK, rank);
    set_uint32(&items[3], "pmix.apprank", PMIX_IS_RANK, rank);
    set_uint16(&items[4], "pmix.lrank", local);
    set_uint16(&items[5], "pmix.nrank", local);
    set_text(&items[6], "pmix.hname", job.node[node].name);
    set_uint32(&items[7], "pmix.nodeid", PMIX_IS_UINT32, node);
    set_array(info, "pmix.pdata", items, 8);
}

/* Ranks of a node as "0,1,5". */
static void add_ranks(struct bytes *to, const struct node *node)
{
    for (size_t i = 0; i < node->ranks; i++) {
        char number[16];
        add(to, number, sprintf(number, "%s%u", i > 0 ? "," : "", node->rank[i]));
    }
}

/* A list as the library compresses it; as it is where that yields no plain text. */
static char *compressed(int (*by)(const char *, char **), const struct bytes *list)
{
    char *text = NULL;
    if (by((const char *)list->at, &text) == PMIX_GOOD && text != NULL && strncmp(text, "blob", 4) != 0)
        return text;
    text = room(list->length + 8, 1);
    sprintf(text, "raw:%s", (const char *)list->at);
    return text;
}

static void on_done(int status, void *what)
{
    (void)what;
    pmix.status = status;
    sem_post(&pmix.done);
}

/* Waits for what was begun by such a call, unless it was done at once; its status. */
static int outcome(int status)
{
    if (status == PMIX_DONE)
        return PMIX_GOOD;
    if (status != PMIX_GOOD)
        return status;
    while (sem_wait(&pmix.done) < 0)
        ;
    return pmix.status == PMIX_DONE ? PMIX_GOOD : pmix.status;
}

static int describe_job(void)
{
    struct pmix_info *info = room(16 + job.size, sizeof *info);
    struct bytes names = {0}, ranks = {0}, peers = {0};
    size_t count = 0;
    const struct node *here = &job.node[job.here];
    for (uint32_t n = 0; n < job.nodes; n++) {
        if (n > 0) {
            add(&names, ",", 1);
            add(&ranks, ";", 1);
        }
        add(&names, job.node[n].name, strlen(job.node[n].name));
        add_ranks(&ranks, &job.node[n]);
    }
    add_ranks(&peers, here);
    add(&names, "", 1);
    add(&ranks, "", 1);
    add(&peers, "", 1);
    set_text(&info[count++], "pmix.jobid", job.id);
    set_uint32(&info[count++], "pmix.univ.size", PMIX_IS_UINT32, job.size);
    set_uint32(&info[count++], "pmix.job.size", PMIX_IS_UINT32, job.size);
    set_uint32(&info[count++], "pmix.max.size", PMIX_IS_UINT32, job.size);
    set_uint32(&info[count++], "pmix.job.napps", PMIX_IS_UINT32, 1);
    set_uint32(&info[count++], "pmix.num.nodes", PMIX_IS_UINT32, job.nodes);
    set_uint32(&info[count++], "pmix.local.size", PMIX_IS_UINT32, here->ranks);
    set_uint32(&info[count++], "pmix.node.size", PMIX_IS_UINT32, here->ranks);
    set_uint32(&info[count++], "pmix.nodeid", PMIX_IS_UINT32, job.here);
    set_uint32(&info[count++], "pmix.lldr", PMIX_IS_RANK, here->rank[0]);
    set_text(&info[count++], "pmix.lpeers", (const char *)peers.at);
    set_text(&info[count++], "pmix.nmap", compressed(pmix.generate_regex, &names));
    set_text(&info[count++], "pmix.pmap", compressed(pmix.generate_ppn, &ranks));
    if (mapping[0] != 0)
        set_text(&info[count++], "pmix.anlmap", mapping);
    set_key(&info[count++], "pmix.spawned", PMIX_IS_BOOL);
    for (uint32_t n = 0; n < job.nodes; n++)
        for (size_t i = 0; i < job.node[n].ranks; i++)
            describe_rank(&info[count++], job.node[n].rank[i], n, i);
    return outcome(pmix.register_nspace(pmix.space, here->ranks, info, count, on_done, NULL));
}

/* Makes a task known, and gives it what it needs to find this server. */
static int describe_client(const struct client *one)
{
    struct pmix_proc proc = {.rank = one->rank};
    char **variables = NULL;
    strcpy(proc.space, pmix.space);
    int status = outcome(pmix.register_client(&proc, getuid(), getgid(), NULL, on_done, NULL));
    if (status == PMIX_GOOD)
        status = pmix.setup_fork(&proc, &variables);
    for (char **at = variables; status == PMIX_GOOD && at != NULL && *at != NULL; at++)
        give_variable(one->rank, *at);
    return status;
}

static int find_library(void)
{
    static const struct { const char *name; size_t at; } functions[] = {
#define USED(word, field) {"PMIx_" word, __builtin_offsetof(typeof(pmix), field)}
        USED("server_init", init), USED("server_finalize", finalize), USED("generate_regex", generate_regex),
        USED("generate_ppn", generate_ppn), USED("server_register_nspace", register_nspace),
        USED("server_register_client", register_client), USED("server_setup_fork", setup_fork),
        USED("server_dmodex_request", dmodex_request), USED("Register_event_handler", register_event),
        USED("Error_string", error_string),
#undef USED
    };
    char text[512];
    void *library = dlopen("libpmix.so.2", RTLD_NOW | RTLD_GLOBAL);
    const char *error = library == NULL ? dlerror() : NULL;
    for (size_t i = 0; error == NULL && i < sizeof functions / sizeof *functions; i++) {
        void *found = dlsym(library, functions[i].name);
        if (found == NULL)
            error = dlerror();
        memcpy((char *)&pmix + functions[i].at, &found, sizeof found);
    }
    if (error == NULL) {
        pmix.library = library;
        return 0;
    }
    snprintf(text, sizeof text, "mpi/pmix: the PMIx library was not found on this node: %s", error);
    send_text('F', text);
    return -1;
}

static int make_folder(void)
{
    char text[512];
    if (pmix_folder != NULL && mkdir(pmix_folder, 0700) == 0)
        return 0;
    snprintf(text, sizeof text, "mpi/pmix: %s: %s", pmix_folder == NULL ? "no folder" : pmix_folder, strerror(errno));
    send_text('F', text);
    pmix_folder = NULL; /* it is another's */
    return -1;
}

static int remove_one(const char *path, const struct stat *facts, int type, struct FTW *place)
{
    (void)facts, (void)type, (void)place;
    remove(path);
    return 0;
}

static void remove_folder(const char *folder)
{
    if (folder != NULL)
        nftw(folder, remove_one, 8, FTW_DEPTH | FTW_PHYS);
}

static void begin_pmix(void)
{
    struct pmix_info *info = room(4, sizeof *info);
    char text[256];
    if (find_library() < 0 || make_folder() < 0)
        return;
    describe_places();
    sem_init(&pmix.done, 0, 0);
    snprintf(pmix.space, sizeof pmix.space, "slurm.pmix.%s.%s", job.id, job.token == NULL ? "" : job.token);
    set_text(&info[0], "pmix.srvr.tmpdir", pmix_folder);
    set_text(&info[1], "pmix.sys.tmpdir", pmix_folder);
    set_text(&info[2], "pmix.hname", job.node[job.here].name);
    int status = pmix.init(&module, info, 3);
    const char *stage = "PMIx_server_init";
    if (status == PMIX_GOOD) {
        pmix.has_begun = 1;
        pmix.register_event(NULL, 0, NULL, 0, on_event, NULL, NULL);
        stage = "PMIx_server_register_nspace";
        status = describe_job();
    }
    for (size_t i = 0; status == PMIX_GOOD && i < clients; i++) {
        stage = "PMIx_server_register_client";
        status = describe_client(&client[i]);
    }
    snprintf(text, sizeof text, "mpi/pmix: %s: %s", stage, status == PMIX_GOOD ? "" : pmix.error_string(status));
    send_text(status == PMIX_GOOD ? 'R' : 'F', status == PMIX_GOOD ? "" : text);
}

static void end_pmix(void)
{
    pthread_mutex_unlock(&lock); /* the library ends its threads */
    if (pmix.has_begun)
        pmix.finalize();
    if (pmix.library != NULL)
        remove_folder(pmix_folder);
}
