/*
 * Lets X clients on nodes reach the X server of this program's user: --x11, part of the client, see there. A child of its
 * own passes their bytes on, for as long as this program lives; it connects to the server, opens no port, and has no
 * say in what the command does. Frames are described in docs/step-wire.md.
 */
#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/prctl.h>

#include "../../../../host/src/main/c/channels.h"

#define MOST_SERVERS 8
#define MOST_COOKIE 512
#define COOKIE_KIND "MIT-MAGIC-COOKIE-1"
#define X_PATIENCE_SECONDS 5

enum display_answer { DISPLAY_FINE, DISPLAY_NO_XAUTH, DISPLAY_NO_COOKIE, DISPLAY_NO_NODE, DISPLAY_NO_SERVER };

static struct {
    const char *lack; /* what is wrong with xauth, or the socket that is not there */
    const char *xauth, *server[MOST_SERVERS]; /* what xauth calls the display; "/PATH" or "ADDRESS/PORT" */
    int servers, nodes;
    struct target *node;
    unsigned char cookie[MOST_COOKIE];
    size_t cookie_length;
} display;

static struct tunnel *tunnels;

static void display_answer(enum display_answer how, const char *node, const char *why) {
    struct text result = {0};
    put32(&result, how);
    put(&result, node, strlen(node));
    if (*node) put(&result, ": ", 2);
    put(&result, why, strlen(why));
    send_frame('d', result.bytes, result.length);
    free(result.bytes);
}

/* ---- the cookie ---- */

static int hex_digit(char letter) {
    static const char digits[] = "0123456789abcdef";
    const char *at = letter ? strchr(digits, letter | 0x20) : NULL;
    return at ? (int)(at - digits) : -1;
}

/* Takes the cookie that stands at the end of a line of xauth. */
static void take_cookie(const char *at) {
    size_t length = 0;
    for (at += strspn(at, " \t"); length < MOST_COOKIE && hex_digit(at[0]) >= 0 && hex_digit(at[1]) >= 0; at += 2)
        display.cookie[length++] = hex_digit(at[0]) << 4 | hex_digit(at[1]);
    display.cookie_length = length;
}

/* Asks xauth, as the user, what the X server wants to hear. */
static enum display_answer find_cookie(void) {
    int ends[2], status = 0;
    if (pipe2(ends, O_CLOEXEC)) return DISPLAY_NO_XAUTH;
    pid_t child = fork();
    if (child == 0) {
        int null = open("/dev/null", O_RDWR);
        dup2(null, STDIN_FILENO);
        dup2(ends[1], STDOUT_FILENO);
        dup2(null, STDERR_FILENO);
        execlp("xauth", "xauth", "list", display.xauth, NULL);
        _exit(127);
    }
    close(ends[1]);
    FILE *list = fdopen(ends[0], "r");
    char line[2 * MOST_COOKIE + 1024];
    display.cookie_length = 0;
    while (list && fgets(line, sizeof line, list)) {
        const char *kind = strstr(line, COOKIE_KIND);
        if (kind && display.cookie_length == 0) take_cookie(kind + strlen(COOKIE_KIND));
    }
    if (list) fclose(list);
    while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR) continue;
    display.lack = child < 0 || (WIFEXITED(status) && WEXITSTATUS(status) == 127) ? strerror(ENOENT) : "It failed";
    if (child < 0 || !WIFEXITED(status) || WEXITSTATUS(status) != 0) return DISPLAY_NO_XAUTH;
    return display.cookie_length > 0 ? DISPLAY_FINE : DISPLAY_NO_COOKIE;
}

/* ---- the X server ---- */

static int connect_server(const char *server) {
    struct sockaddr_un local = {.sun_family = AF_UNIX};
    struct sockaddr_in old = {.sin_family = AF_INET};
    struct sockaddr_in6 new = {.sin6_family = AF_INET6};
    struct timeval patience = {.tv_sec = X_PATIENCE_SECONDS};
    const struct sockaddr *address = (const struct sockaddr *)&local;
    socklen_t size = sizeof local;
    char host[64];
    const char *port = strrchr(server, '/');
    if (*server == '/') {
        snprintf(local.sun_path, sizeof local.sun_path, "%s", server);
    } else {
        snprintf(host, sizeof host, "%.*s", (int)(port - server), server);
        old.sin_port = new.sin6_port = htons(atoi(port + 1));
        int is_old = inet_pton(AF_INET, host, &old.sin_addr) == 1;
        if (!is_old && inet_pton(AF_INET6, host, &new.sin6_addr) != 1) return -1;
        address = is_old ? (const struct sockaddr *)&old : (const struct sockaddr *)&new;
        size = is_old ? sizeof old : sizeof new;
    }
    int fd = socket(address->sa_family, SOCK_STREAM | SOCK_CLOEXEC, 0), yes = 1;
    if (fd < 0) return -1;
    setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof patience); /* bounds the connecting, too */
    if (connect(fd, address, size) == 0) {
        if (address->sa_family != AF_UNIX) setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
        return fd;
    }
    close(fd);
    return -1;
}

static int channel_target(void) {
    int fd = -1;
    for (int i = 0; i < display.servers && fd < 0; i++) fd = connect_server(display.server[i]);
    return fd;
}

/* ---- the child ---- */

static void serve_displays(void) {
    size_t each = 1 + MOST_CHANNELS;
    struct pollfd *ready = calloc(display.nodes * each, sizeof *ready);
    for (int left = display.nodes; ready && left > 0;) {
        for (int i = 0; i < display.nodes; i++) tunnel_prepare(&tunnels[i], ready + i * each);
        if (poll(ready, display.nodes * each, -1) < 0 && errno != EINTR) return;
        left = 0;
        for (int i = 0; i < display.nodes; i++)
            if (tunnels[i].fd >= 0 && tunnel_serve(&tunnels[i], ready + i * each) == 0) left++;
    }
}

/* Goes on in a child that ends with this program, or with the last of its tunnels. */
static int start_displays(void) {
    pid_t parent = getpid(), child = fork();
    if (child != 0) return child < 0 ? -1 : 0;
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent) _exit(0);
    setsid(); /* what the terminal sends is for the command */
    for (int number = 1; number < NSIG; number++) signal(number, number == SIGPIPE ? SIG_IGN : SIG_DFL);
    int null = open("/dev/null", O_RDWR);
    for (int stream = 0; stream <= STDERR_FILENO; stream++) dup2(null, stream);
    if (chdir("/")) _exit(1);
    close(agent);
    serve_displays();
    _exit(0);
}

/* ---- before it ---- */

static void display_entry(char *entry) {
    char *value = strchr(entry, '='), *place;
    if (!value) step_bad_order();
    *value++ = 0;
    if (strcmp(entry, "xauth") == 0) display.xauth = value;
    else if (strcmp(entry, "server") == 0 && strchr(value, '/') && display.servers < MOST_SERVERS)
        display.server[display.servers++] = value;
    else if (strcmp(entry, "node") == 0 && (place = strchr(value, ':')) != NULL && display.nodes < MOST_TARGETS) {
        *place = 0;
        display.node[display.nodes++] = (struct target){value, place + 1, -1, 0};
    }
}

/* Asks a node for a display; NULL, or why there is none. */
static const char *ask_display(struct target *node, const unsigned char *order, size_t length) {
    node->connection = step_connect_place(node->place);
    if (node->connection < 0 || send_part(node, 'X', order, length) ||
        send_part(node, 'k', display.cookie, display.cookie_length))
        return strerror(errno);
    return NULL;
}

/* What the node says to it; NULL where the display is there. */
static const char *hear_display(struct target *node) {
    size_t length = 0;
    char type = next_frame(node->connection, &length);
    if (type == 'y') return NULL;
    return type == 'R' && length > 4 ? (const char *)move.part + 4 : "Connection reset by peer";
}

/* Whether all nodes have a display now, which first are all asked; what is wrong is answered. */
static int open_displays(const unsigned char *order, size_t length) {
    for (int i = 0; i < 2 * display.nodes; i++) {
        struct target *node = &display.node[i % display.nodes];
        const char *why = i < display.nodes ? ask_display(node, order, length) : hear_display(node);
        if (!why) continue;
        display_answer(DISPLAY_NO_NODE, node->name, why);
        return 0;
    }
    return 1;
}

/* The displays of a 'D' frame: number of entries, the entries, what nodes are asked. Without nodes it is a question. */
static void open_display(unsigned char *ask, size_t length) {
    unsigned char *at = ask + 4, *end = ask + length;
    display.node = calloc(MOST_TARGETS, sizeof *display.node);
    move.part = malloc(PART + 1);
    if (!display.node || !move.part) die("no memory");
    for (uint32_t entries = get32(ask); entries > 0; entries--) {
        if (strnlen((char *)at, end - at) == (size_t)(end - at)) step_bad_order();
        unsigned char *next = at + strlen((char *)at) + 1;
        display_entry((char *)at);
        at = next;
    }
    if (!display.xauth || display.servers == 0) step_bad_order();
    struct stat facts;
    enum display_answer how = find_cookie();
    if (*display.server[0] == '/' && stat(display.server[0], &facts)) {
        how = DISPLAY_NO_SERVER;
        display.lack = display.server[0];
    }
    if (how == DISPLAY_FINE && display.nodes > 0) {
        heard = 1;
        void (*before)(int) = signal(SIGPIPE, SIG_IGN);
        int opened = open_displays(at, end - at);
        signal(SIGPIPE, before);
        if (!opened) return;
        tunnels = calloc(display.nodes, sizeof *tunnels);
        for (int i = 0; tunnels && i < display.nodes; i++) tunnels[i].fd = display.node[i].connection;
        if (!tunnels || start_displays()) die("no memory for X11 forwarding");
        for (int i = 0; i < display.nodes; i++) close(display.node[i].connection);
    }
    display_answer(how, how == DISPLAY_NO_XAUTH ? "xauth" : "", how == DISPLAY_NO_XAUTH || how == DISPLAY_NO_SERVER ? display.lack : "");
    display.nodes = display.servers = 0;
}
