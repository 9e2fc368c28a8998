/* PMI-1: lines "cmd=NAME key=value ...". Part of the MPI server, see there. */

static void reply(struct client *to, const char *format, ...)
{
    char text[512 + LONGEST_REQUEST];
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    add_out(to, text, length < (int)sizeof text ? (size_t)length : sizeof text - 1);
}

/* Where the value of a key begins in a line; NULL without it. */
static char *rest_of(char *line, const char *key)
{
    size_t length = strlen(key);
    for (char *at = line; at != NULL && *at != 0; at = strchr(at, ' ')) {
        at += strspn(at, " ");
        if (strncmp(at, key, length) == 0 && at[length] == '=')
            return at + length + 1;
    }
    return NULL;
}

/* That value, a word; NULL without it. The next call uses the same place if the name is the same. */
static const char *word_of(char *line, const char *key)
{
    static char words[2][LONGEST_REQUEST];
    static int last;
    const char *at = rest_of(line, key);
    if (at == NULL)
        return NULL;
    last = !last;
    snprintf(words[last], sizeof words[last], "%.*s", (int)strcspn(at, " "), at);
    return words[last];
}

static void get_1(struct client *from, char *line)
{
    const char *name = word_of(line, "key"), *value = name == NULL ? NULL : value_of(&store, name);
    if (value == NULL)
        reply(from, "cmd=get_result rc=-1 msg=key_%.256s_not_found value=unknown\n", name == NULL ? "" : name);
    else
        reply(from, "cmd=get_result rc=0 value=%s\n", value);
}

static void put_1(struct client *from, char *line)
{
    char *value = rest_of(line, "value"); /* the last, which may have blanks */
    const char *name = word_of(line, "key");
    if (name == NULL || value == NULL || put_for_all(name, value) < 0)
        reply(from, "cmd=put_result rc=-1 msg=not_put\n");
    else
        reply(from, "cmd=put_result rc=0\n");
}

static void name_1(struct client *from, char *line, char kind)
{
    const char *service = word_of(line, "service"), *port = kind == 'P' ? rest_of(line, "port") : "";
    if (service == NULL || port == NULL)
        answer_found(from, kind, NULL);
    else
        ask_first(from, kind, service, port);
}

static void answer_name_1(struct client *to, char kind, const char *value)
{
    const char *what = kind == 'P' ? "publish" : kind == 'G' ? "lookup" : "unpublish";
    if (value == NULL)
        reply(to, "cmd=%s_result rc=-1 info=unknown\n", what);
    else if (kind == 'G')
        reply(to, "cmd=lookup_result rc=0 info=ok port=%s\n", value);
    else
        reply(to, "cmd=%s_result rc=0 info=ok\n", what);
}

static void finalize_1(struct client *from)
{
    from->is_done = 1;
    reply(from, "cmd=finalize_ack rc=0\n");
}

static void obey_1(struct client *from, char *line)
{
    const char *command = word_of(line, "cmd");
    if (from->is_spawning || strncmp(line, "mcmd=spawn", 10) == 0) {
        from->is_spawning = strcmp(line, "endcmd") != 0;
        if (!from->is_spawning)
            reply(from, "cmd=spawn_result rc=-1\n");
        return;
    }
#define IS(name) (command != NULL && strcmp(command, name) == 0)
    if (IS("get_maxes"))
        reply(from, "cmd=maxes rc=0 kvsname_max=256 keylen_max=%d vallen_max=%d\n", LONGEST_NAME, LONGEST_VALUE);
    else if (IS("get_appnum")) reply(from, "cmd=appnum rc=0 appnum=-1\n");
    else if (IS("get_my_kvsname")) reply(from, "cmd=my_kvsname rc=0 kvsname=%s\n", job.id);
    else if (IS("get_universe_size")) reply(from, "cmd=universe_size rc=0 size=%u\n", job.size);
    else if (IS("barrier_in")) enter_barrier(from);
    else if (IS("put")) put_1(from, line);
    else if (IS("get")) get_1(from, line);
    else if (IS("publish_name")) name_1(from, line, 'P');
    else if (IS("lookup_name")) name_1(from, line, 'G');
    else if (IS("unpublish_name")) name_1(from, line, 'W');
    else if (IS("create_kvs")) reply(from, "cmd=newkvs rc=-1\n");
    else if (IS("destroy_kvs")) reply(from, "cmd=kvs_destroyed rc=-1\n");
    else if (IS("getbyidx")) reply(from, "cmd=getbyidx_results rc=-1 reason=no_more_keyvals\n");
    else if (IS("finalize")) finalize_1(from);
    else if (IS("abort")) end_step("%s", "");
    else refuse(from, "a request that PMI-1 does not have");
#undef IS
}
