/*
 * Sends a file to the nodes of a job, or fetches one from each: sbcast and sgather, part of the client, see there. Frames are
 * described in docs/step-wire.md. A file goes through in parts of a megabyte, to all nodes at once as fast as the slowest takes it.
 */
#define PART (1 << 20)
#define FACTS 29
#define WITH_FOLDER 4
#define NOT_SENT 255
#define MOST_TARGETS 4096

struct target { const char *name, *place; int connection, failed; };

static struct {
    const char *source, *path, *excluded;
    int flags, gather, libraries, nodes, code;
    struct target *node;
    unsigned char *part;
} move;

#define move_say(format, ...) dprintf(STDERR_FILENO, "%s: error: " format "\n", name, ##__VA_ARGS__)

static void move_failed(struct target *node, int code, const char *why) {
    if (node->failed) return;
    if (move.gather) move_say("%s: %s: %s", node->name, move.source, why);
    else move_say("REQUEST_FILE_BCAST(%s): %s", node->name, why);
    node->failed = 1;
    move.code = (code & 0xff) == 0 ? 1 : code & 0xff;
}

static int read_whole(int from, unsigned char *at, size_t length) {
    while (length > 0) {
        ssize_t got = recv(from, at, length, 0);
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0) return -1;
        at += got;
        length -= got;
    }
    return 0;
}

/* Reads the next frame, at most a part long; its type, 0 if the connection is lost. */
static char next_frame(int from, size_t *length) {
    unsigned char head[5];
    if (read_whole(from, head, sizeof head)) return 0;
    *length = get32(head + 1);
    if (*length > PART || read_whole(from, move.part, *length)) return 0;
    move.part[*length] = 0;
    return head[0];
}

/* What a node says at the end, or why it did not begin. */
static void hear_end(struct target *node, char type, size_t length) {
    if (type == 'r' && length == 4 && get32(move.part) == 0) return;
    if (type == 'r' && length == 4) move_failed(node, get32(move.part), strerror(get32(move.part)));
    else if (type == 'R' && length > 4) move_failed(node, 1, (const char *)move.part + 4);
    else move_failed(node, 1, "Connection reset by peer");
}

static int send_part(struct target *node, char type, const unsigned char *bytes, size_t length) {
    unsigned char head[5] = {type, length >> 24, length >> 16, length >> 8, length};
    return write_all(node->connection, head, sizeof head) || write_all(node->connection, bytes, length) ? -1 : 0;
}

static void open_targets(const unsigned char *order, size_t length) {
    for (int i = 0; i < move.nodes; i++) {
        struct target *node = &move.node[i];
        node->failed = 0;
        node->connection = step_connect_place(node->place);
        if (node->connection < 0) move_failed(node, errno, strerror(errno));
        else if (send_part(node, 'F', order, length)) hear_end(node, next_frame(node->connection, &(size_t){0}), 0);
    }
}

static void close_target(struct target *node) {
    if (node->connection >= 0) close(node->connection);
    node->connection = -1;
}

/* The first frame of a file: its facts, what is to be done with it, its path there. */
static size_t file_facts(unsigned char *facts, const struct stat *of, int flags, const char *path) {
    uint64_t numbers[] = {of->st_atim.tv_sec, of->st_mtim.tv_sec};
    uint32_t fractions[] = {of->st_atim.tv_nsec, of->st_mtim.tv_nsec};
    struct text text = {0};
    put32(&text, of->st_mode);
    for (int i = 0; i < 2; i++) {
        put64(&text, numbers[i]);
        put32(&text, fractions[i]);
    }
    put(&text, &(unsigned char){flags}, 1);
    put(&text, path, strlen(path) + 1);
    size_t length = text.length;
    memcpy(facts, text.bytes, length);
    free(text.bytes);
    return length;
}

/* Sends a part to all that take it; whether there is one. */
static int send_to_all(char type, const unsigned char *bytes, size_t length) {
    int some = 0;
    for (int i = 0; i < move.nodes; i++) {
        struct target *node = &move.node[i];
        if (node->failed) continue;
        if (send_part(node, type, bytes, length) == 0) {
            some = 1;
            continue;
        }
        static unsigned char kept[PART + 1]; /* the part goes to the others yet */
        unsigned char *part = move.part;
        size_t said = 0;
        move.part = kept;
        char answer = next_frame(node->connection, &said);
        hear_end(node, answer == 'r' || answer == 'R' ? answer : 0, said);
        move.part = part;
    }
    return some;
}

static int send_one(const char *source, const char *path, int flags, const unsigned char *order, size_t length) {
    struct stat facts;
    unsigned char first[FACTS + PATH_MAX + 1];
    int file = open(source, O_RDONLY | O_CLOEXEC | O_NOCTTY);
    if (file < 0 || fstat(file, &facts)) {
        move_say("Can't open `%s`: %s", source, strerror(errno));
        return NOT_SENT;
    }
    if (S_ISDIR(facts.st_mode)) {
        move_say("Can't mmap file `%s`, No such device.", source);
        return NOT_SENT;
    }
    if (facts.st_size == 0) move_say("Warning: file `%s` is empty.", source);
    if (strlen(path) >= PATH_MAX) {
        move_say("Can't send `%s`: %s", source, strerror(ENAMETOOLONG));
        return NOT_SENT;
    }
    open_targets(order, length);
    int some = send_to_all('P', first, file_facts(first, &facts, flags, path));
    ssize_t got = some ? 1 : 0;
    while (some && got > 0) {
        got = read(file, move.part, PART);
        if (got < 0 && errno == EINTR) {
            got = 1;
            continue;
        }
        if (got < 0) {
            move_say("Can't read `%s`: %s", source, strerror(errno));
            close(file);
            for (int i = 0; i < move.nodes; i++) close_target(&move.node[i]); /* what is not whole is removed there */
            return NOT_SENT;
        }
        some = send_to_all('D', move.part, got);
    }
    close(file);
    for (int i = 0; i < move.nodes; i++) {
        struct target *node = &move.node[i];
        size_t said = 0;
        if (!node->failed) {
            char type = next_frame(node->connection, &said);
            hear_end(node, type, said);
        }
        close_target(node);
    }
    return move.code;
}

static int is_excluded(const char *path) {
    char *list = strdup(move.excluded ? move.excluded : ""), *rest = list;
    int found = 0;
    for (char *word; (word = strsep(&rest, ",")) != NULL;)
        found |= *word && strncmp(path, word, strlen(word)) == 0 && (path[strlen(word)] == '/' || path[strlen(word)] == 0);
    free(list);
    return found;
}

/* The shared objects that ldd names, into a folder beside the program. */
static int send_libraries(const unsigned char *order, size_t length) {
    int ends[2], code = 0;
    if (pipe2(ends, O_CLOEXEC)) return 1;
    pid_t child = fork();
    if (child == 0) {
        int null = open("/dev/null", O_RDWR);
        dup2(ends[1], STDOUT_FILENO);
        dup2(null, STDERR_FILENO);
        execlp("ldd", "ldd", move.source, NULL);
        _exit(127);
    }
    close(ends[1]);
    FILE *list = fdopen(ends[0], "r");
    char line[2 * PATH_MAX], library[PATH_MAX], path[2 * PATH_MAX];
    while (list && code == 0 && fgets(line, sizeof line, list)) {
        char *arrow = strstr(line, "=> /");
        if (!arrow || sscanf(arrow + 3, "%4095s", library) != 1 || is_excluded(library)) continue;
        snprintf(path, sizeof path, "%s_libs%s", move.path, strrchr(library, '/'));
        code = send_one(library, path, move.flags | WITH_FOLDER, order, length);
    }
    if (list) fclose(list);
    if (child > 0) waitpid(child, NULL, 0);
    return code;
}

/* ---- the other way ---- */

static void fetch_one(struct target *node, const unsigned char *order, size_t length) {
    char path[PATH_MAX + 256];
    unsigned char ask[FACTS + PATH_MAX + 1];
    struct stat none = {0};
    size_t said = 0;
    snprintf(path, sizeof path, "%s.%s", move.path, node->name);
    if (send_part(node, 'G', ask, file_facts(ask, &none, 0, move.source)) || next_frame(node->connection, &said) != 'M') {
        hear_end(node, said == 4 ? 'r' : said > 4 ? 'R' : 0, said);
        return;
    }
    mode_t mode = get32(move.part) & 0777;
    struct timespec times[2] = {{(int64_t)get32(move.part + 4) << 32 | get32(move.part + 8), get32(move.part + 12)},
                                {(int64_t)get32(move.part + 16) << 32 | get32(move.part + 20), get32(move.part + 24)}};
    int file = open(path, O_WRONLY | O_CREAT | O_NOCTTY | O_CLOEXEC | (move.flags & 1 ? O_TRUNC : O_EXCL), 0600);
    if (file < 0) {
        move_say("%s: %s", path, strerror(errno));
        node->failed = move.code = 1;
        return;
    }
    for (char type; (type = next_frame(node->connection, &said)) != 'r' || get32(move.part) != 0;)
        if (type != 'D') {
            hear_end(node, type, said);
            break;
        } else if (write_all(file, move.part, said)) {
            move_say("%s: %s", path, strerror(errno));
            node->failed = move.code = 1;
            break;
        }
    if (!node->failed && (fchmod(file, mode) || (move.flags & 2 && futimens(file, times)))) {
        move_say("%s: %s", path, strerror(errno));
        move.code = 1;
    }
    close(file);
    if (node->failed) unlink(path);
    (void)order, (void)length;
}

static int fetch_all(const unsigned char *order, size_t length) {
    open_targets(order, length);
    for (int i = 0; i < move.nodes; i++) {
        if (!move.node[i].failed) fetch_one(&move.node[i], order, length);
        close_target(&move.node[i]);
    }
    return move.code;
}

static void move_entry(char *entry) {
    char *value = strchr(entry, '='), *place;
    if (!value) step_bad_order();
    *value++ = 0;
    if (strcmp(entry, "source") == 0) move.source = value;
    else if (strcmp(entry, "path") == 0) move.path = value;
    else if (strcmp(entry, "flags") == 0) move.flags = atoi(value);
    else if (strcmp(entry, "gather") == 0) move.gather = 1;
    else if (strcmp(entry, "libraries") == 0) move.libraries = 1;
    else if (strcmp(entry, "exclude") == 0) move.excluded = value;
    else if (strcmp(entry, "node") == 0 && (place = strchr(value, ':')) != NULL && move.nodes < MOST_TARGETS) {
        *place = 0;
        move.node[move.nodes++] = (struct target){value, place + 1, -1, 0};
    }
}

/* Moves the files of a 'B' frame: number of entries, the entries, what allows it. */
static void move_files(unsigned char *ask, size_t length) {
    unsigned char *at = ask + 4, *end = ask + length;
    move.node = calloc(MOST_TARGETS, sizeof *move.node);
    move.part = malloc(PART + 1);
    if (!move.node || !move.part) die("no memory");
    heard = 1;
    signal(SIGPIPE, SIG_IGN);
    for (uint32_t entries = get32(ask); entries > 0; entries--) {
        if (strnlen((char *)at, end - at) == (size_t)(end - at)) step_bad_order();
        unsigned char *next = at + strlen((char *)at) + 1;
        move_entry((char *)at);
        at = next;
    }
    if (!move.source || !move.path) step_bad_order();
    int code = move.gather ? fetch_all(at, end - at) : send_one(move.source, move.path, move.flags, at, end - at);
    if (code == 0 && move.libraries) code = send_libraries(at, end - at);
    struct text result = {0};
    put32(&result, code);
    send_frame('b', result.bytes, result.length);
    free(result.bytes);
}
