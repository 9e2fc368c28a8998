/* Reads, changes and writes a JSON document; part of the program that runs containers. What is not changed is kept as it was. */

#define DEEPEST_JSON 64

struct json {
    char kind;        /* '{', '[', '"', or 'x' for a number, true, false, null */
    char *key, *text; /* as they stand in the document, without their quotes */
    struct json *first, *next;
};

static void __attribute__((noreturn)) no_memory(void)
{
    fprintf(stderr, "slurmstepd: error: container: no memory\n");
    exit(1);
}

static void *room(size_t size)
{
    void *at = calloc(1, size);
    if (at == NULL)
        no_memory();
    return at;
}

static char *copied(const char *from, size_t length)
{
    char *to = room(length + 1);
    memcpy(to, from, length);
    return to;
}

static const char *after_space(const char *at)
{
    return at + strspn(at, " \t\r\n");
}

/* The end of a string whose first quote is passed already; NULL if it has none. */
static const char *end_of_string(const char *at)
{
    for (; *at != '"'; at++)
        if (*at == 0 || (*at == '\\' && *++at == 0))
            return NULL;
    return at;
}

static const char *parse_json(const char *at, struct json *to, int depth);

static const char *parse_members(const char *at, struct json *to, int depth)
{
    char end = to->kind == '{' ? '}' : ']';
    struct json **link = &to->first;
    at = after_space(at + 1);
    while (at != NULL && *at != end) {
        struct json *member = *link = room(sizeof *member);
        link = &member->next;
        if (end == '}') {
            const char *close = *at == '"' ? end_of_string(at + 1) : NULL;
            if (close == NULL)
                return NULL;
            member->key = copied(at + 1, close - at - 1);
            at = after_space(close + 1);
            if (*at++ != ':')
                return NULL;
        }
        at = parse_json(at, member, depth + 1);
        at = at == NULL ? NULL : after_space(at);
        if (at != NULL && *at == ',')
            at = after_space(at + 1);
        else if (at != NULL && *at != end)
            return NULL;
    }
    return at == NULL ? NULL : at + 1;
}

/* Reads a value; where it ends, or NULL if it is none. */
static const char *parse_json(const char *at, struct json *to, int depth)
{
    at = after_space(at);
    if (depth > DEEPEST_JSON)
        return NULL;
    if (*at == '{' || *at == '[') {
        to->kind = *at;
        return parse_members(at, to, depth);
    }
    size_t length = strcspn(at, ",]} \t\r\n");
    to->kind = *at == '"' ? '"' : 'x';
    if (to->kind == '"') {
        const char *end = end_of_string(++at);
        if (end == NULL)
            return NULL;
        to->text = copied(at, end - at);
        return end + 1;
    }
    to->text = copied(at, length);
    return length == 0 ? NULL : at + length;
}

static void write_json(FILE *to, const struct json *value)
{
    if (value->key != NULL)
        fprintf(to, "\"%s\":", value->key);
    if (value->kind == '"')
        fprintf(to, "\"%s\"", value->text);
    else if (value->kind == 'x')
        fputs(value->text, to);
    else {
        fputc(value->kind, to);
        for (const struct json *member = value->first; member != NULL; member = member->next) {
            write_json(to, member);
            if (member->next != NULL)
                fputc(',', to);
        }
        fputc(value->kind == '{' ? '}' : ']', to);
    }
}

static struct json *member_of(struct json *object, const char *key)
{
    struct json *member = object == NULL ? NULL : object->first;
    while (member != NULL && (member->key == NULL || strcmp(member->key, key) != 0))
        member = member->next;
    return member;
}

static struct json *add_member(struct json *to, const char *key, char kind)
{
    struct json **link = &to->first, *member = room(sizeof *member);
    while (*link != NULL)
        link = &(*link)->next;
    *link = member;
    member->key = key == NULL ? NULL : copied(key, strlen(key));
    member->kind = kind;
    return member;
}

/* That member, empty if it is not there or of another kind. */
static struct json *made_member(struct json *to, const char *key, char kind)
{
    struct json *member = member_of(to, key);
    if (member == NULL)
        return add_member(to, key, kind);
    if (member->kind != kind)
        member->first = NULL;
    member->kind = kind;
    return member;
}

/* Text as it stands in a document. */
static char *quoted_json(const char *text)
{
    char *to = room(6 * strlen(text) + 1), *at = to;
    for (; *text != 0; text++) {
        if ((unsigned char)*text < ' ')
            at += sprintf(at, "\\u%04x", *text);
        else {
            if (*text == '"' || *text == '\\')
                *at++ = '\\';
            *at++ = *text;
        }
    }
    return to;
}

static void set_text(struct json *value, const char *text)
{
    value->kind = '"';
    value->text = quoted_json(text);
}

/* The reverse, of what paths and variables have: other escapes stay. */
static char *plain_json(const char *text)
{
    char *to = copied(text, strlen(text)), *at = to;
    for (; *text != 0; text++) {
        if (*text == '\\' && text[1] != 0 && strchr("\"\\/", text[1]) != NULL)
            text++;
        *at++ = *text;
    }
    *at = 0;
    return to;
}
