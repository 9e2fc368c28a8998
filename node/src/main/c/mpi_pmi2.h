/* PMI-2: six digits of length, then "cmd=NAME;key=value;...", where ";;" is a semicolon. Part of the MPI server, see there. */

#define MOST_FIELDS 64

struct fields { char *key[MOST_FIELDS], *value[MOST_FIELDS]; int count; };

/* Takes a request apart, in its place; -1 where it is none. */
static int take_apart(char *at, struct fields *fields)
{
    fields->count = 0;
    while (*at != 0) {
        char *equals = strchr(at, '='), *from, *to;
        if (equals == NULL || fields->count == MOST_FIELDS)
            return -1;
        *equals = 0;
        for (from = to = equals + 1; *from != 0 && (*from != ';' || from[1] == ';'); from++) {
            from += *from == ';';
            *to++ = *from;
        }
        if (*from != ';')
            return -1;
        *to = 0;
        fields->key[fields->count] = at;
        fields->value[fields->count++] = equals + 1;
        at = from + 1;
    }
    return fields->count > 0 && strcmp(fields->key[0], "cmd") == 0 ? 0 : -1;
}

static const char *field(const struct fields *fields, const char *key)
{
    for (int i = 0; i < fields->count; i++)
        if (strcmp(fields->key[i], key) == 0)
            return fields->value[i];
    return NULL;
}

static void add_escaped(struct bytes *to, const char *value)
{
    for (; *value != 0; value++)
        add(to, *value == ';' ? ";;" : value, *value == ';' ? 2 : 1);
}

/* The answer to a command: fields that are ready, and maybe a value that is not. */
static void reply_2(struct client *to, const char *command, const char *fields, const char *value)
{
    struct bytes text = {0};
    char length[16];
    add(&text, "cmd=", 4);
    add(&text, command, strlen(command));
    add(&text, "-response;", 10);
    if (to->thread != NULL) {
        add(&text, "thrid=", 6);
        add_escaped(&text, to->thread);
        add(&text, ";", 1);
    }
    add(&text, fields, strlen(fields));
    if (value != NULL) {
        add(&text, "value=", 6);
        add_escaped(&text, value);
        add(&text, ";", 1);
    }
    snprintf(length, sizeof length, "%-6zu", text.length);
    add_out(to, length, 6);
    add_out(to, (const char *)text.at, text.length);
    forget(&text);
}

static void reply_value(struct client *to, const char *command, const char *value)
{
    reply_2(to, command, value == NULL ? "rc=0;found=FALSE;" : "rc=0;found=TRUE;", value);
}

static void introduce(struct client *from)
{
    char text[160];
    snprintf(text, sizeof text, "rc=0;pmi-version=2;pmi-subversion=0;rank=%u;size=%u;appnum=-1;debugged=FALSE;"
             "pmiverbose=FALSE;", from->rank, job.size);
    reply_2(from, "fullinit", text, NULL);
}

static void job_attribute(struct client *from, const char *name)
{
    char size[16];
    snprintf(size, sizeof size, "%u", job.size);
    if (name == NULL)
        reply_2(from, "info-getjobattr", "rc=1;errmsg=no key;", NULL);
    else
        reply_value(from, "info-getjobattr", strcmp(name, "universeSize") == 0 ? size : value_of(&store, name));
}

static void put_node_attribute(struct client *from, const char *name, const char *value)
{
    if (name == NULL || value == NULL || put(&node_store, name, value) < 0) {
        reply_2(from, "info-putnodeattr", "rc=1;errmsg=not put;", NULL);
        return;
    }
    reply_2(from, "info-putnodeattr", "rc=0;", NULL);
    for (size_t i = 0; i < clients; i++)
        if (client[i].awaited != NULL && strcmp(client[i].awaited, name) == 0) {
            free(client[i].awaited);
            client[i].awaited = NULL;
            reply_value(&client[i], "info-getnodeattr", value);
            client[i].waits = 0; /* what it has asked meanwhile is looked at in its turn */
        }
}

static void node_attribute(struct client *from, const char *name, const char *wait)
{
    const char *value = name == NULL ? NULL : value_of(&node_store, name);
    if (name == NULL || value != NULL || wait == NULL || strcmp(wait, "TRUE") != 0) {
        reply_value(from, "info-getnodeattr", value);
        return;
    }
    from->awaited = room(strlen(name) + 1, 1);
    strcpy(from->awaited, name);
    from->waits = 1;
}

static void put_2(struct client *from, const char *name, const char *value)
{
    int is_put = name != NULL && value != NULL && put_for_all(name, value) == 0;
    reply_2(from, "kvs-put", is_put ? "rc=0;" : "rc=1;errmsg=not put;", NULL);
}

static void name_2(struct client *from, char kind, const char *name, const char *port)
{
    if (name == NULL || port == NULL)
        answer_found(from, kind, NULL);
    else
        ask_first(from, kind, name, port);
}

static void answer_name_2(struct client *to, char kind, const char *value)
{
    const char *command = kind == 'P' ? "name-publish" : kind == 'G' ? "name-lookup" : "name-unpublish";
    reply_2(to, command, value == NULL ? "rc=1;errmsg=no such name;" : "rc=0;",
            kind == 'G' && value != NULL ? value : NULL);
}

static void finalize_2(struct client *from)
{
    from->is_done = 1;
    reply_2(from, "finalize", "rc=0;", NULL);
}

static void set_thread(struct client *from, const char *thread)
{
    free(from->thread);
    from->thread = NULL;
    if (thread != NULL) {
        from->thread = room(strlen(thread) + 1, 1);
        strcpy(from->thread, thread);
    }
}

static void obey_2(struct client *from, char *request)
{
    struct fields fields;
    if (take_apart(request, &fields) < 0) {
        refuse(from, "a request that PMI-2 does not have");
        return;
    }
    const char *command = fields.value[0], *key = field(&fields, "key");
    set_thread(from, field(&fields, "thrid"));
#define IS(name) (strcmp(command, name) == 0)
    if (IS("fullinit")) introduce(from);
    else if (IS("job-getid")) {
        char text[300];
        snprintf(text, sizeof text, "rc=0;jobid=%s;", job.id);
        reply_2(from, command, text, NULL);
    } else if (IS("kvs-put")) put_2(from, key, field(&fields, "value"));
    else if (IS("kvs-get")) reply_value(from, command, key == NULL ? NULL : value_of(&store, key));
    else if (IS("kvs-fence")) enter_barrier(from);
    else if (IS("info-getjobattr")) job_attribute(from, key);
    else if (IS("info-putnodeattr")) put_node_attribute(from, key, field(&fields, "value"));
    else if (IS("info-getnodeattr")) node_attribute(from, key, field(&fields, "wait"));
    else if (IS("name-publish")) name_2(from, 'P', field(&fields, "name"), field(&fields, "port"));
    else if (IS("name-lookup")) name_2(from, 'G', field(&fields, "name"), "");
    else if (IS("name-unpublish")) name_2(from, 'W', field(&fields, "name"), "");
    else if (IS("finalize")) finalize_2(from);
    else if (IS("abort")) end_step("%s", "");
    else reply_2(from, command, "rc=1;errmsg=not supported;", NULL);
#undef IS
}
