/*
 * Connections of the front end of a step to its nodes; part of it, see step.h. A node's place is the path of its
 * socket, or, where it is on another machine, "PORT/HOST/NODE" and the path of the gateway of this machine. One gateway
 * connection, the trunk, does for all nodes of other machines; where there is only one, it is as if it were here.
 */
#define STEP_GROUP 0x80000000u

static int step_connect(const char *path) {
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    if (strlen(path) >= sizeof address.sun_path) {
        errno = ENAMETOOLONG;
        return -1;
    }
    strcpy(address.sun_path, path);
    for (long long until = step_clock() + STEP_PATIENCE_MS;;) {
        int connection = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
        if (connection >= 0 && connect(connection, (struct sockaddr *)&address, sizeof address) == 0) return connection;
        int error = errno;
        if (connection >= 0) close(connection);
        errno = error;
        if ((error != ENOENT && error != ECONNREFUSED && error != EAGAIN) || step_clock() >= until) return -1;
        poll(NULL, 0, 20);
    }
}

/* A connection to the gateway, which has heard that it is for these nodes. */
static int step_gateway(const char *path, unsigned char mode, const struct text *nodes) {
    struct text request = {0};
    int connection = step_connect(path);
    if (connection < 0) return -1;
    put32(&request, 5 + nodes->length);
    put(&request, &mode, 1);
    put32(&request, run.width > 0 ? run.width : 16);
    put(&request, nodes->bytes, nodes->length);
    if (write_all(connection, request.bytes, request.length)) {
        close(connection);
        connection = -1;
    }
    free(request.bytes);
    return connection;
}

/* Says which node that place is: its path at the gateway, NULL for a socket of this machine or a place that is none. */
static const char *step_remote(struct text *nodes, const char *place, int index, int group) {
    const char *host = strchr(place, '/'), *node = host ? strchr(host + 1, '/') : NULL;
    const char *gateway = node ? strchr(node + 1, '/') : NULL;
    char word[1024];
    if (*place == '/' || !gateway) return NULL;
    int length = snprintf(word, sizeof word, "%d:%d:%.*s:%.*s:%.*s", index, group, (int)(host - place), place,
                          (int)(gateway - node - 1), node + 1, (int)(node - host - 1), host + 1);
    if (length >= (int)sizeof word) return NULL;
    put(nodes, word, length + 1);
    return gateway;
}

/* A connection to a place, over which a node's plain frames go. */
static int step_connect_place(const char *place) {
    struct text node = {0};
    const char *gateway = step_remote(&node, place, 0, 0);
    int connection = gateway ? step_gateway(gateway, 'R', &node) : step_connect(place);
    free(node.bytes);
    return connection;
}

static void step_node_failed(struct step_node *node, const char *why);

static void step_open_all(void) {
    struct text nodes = {0};
    const char *gateway = NULL;
    int remote = 0;
    for (int i = 0; i < run.nodes; i++) remote += *run.node[i].place != '/';
    for (int i = 0; i < run.nodes; i++) {
        struct step_node *node = &run.node[i];
        node->left = node->tasks;
        node->relayed = *node->place != '/' && remote > 1;
        if (node->relayed) gateway = step_remote(&nodes, node->place, i, node->launch);
        else if ((node->connection = step_connect_place(node->place)) < 0) step_node_failed(node, strerror(errno));
        else {
            struct epoll_event event = {.events = EPOLLIN, .data.u32 = i};
            if (epoll_ctl(run.news, EPOLL_CTL_ADD, node->connection, &event) < 0) die("no memory");
        }
    }
    if (gateway) run.trunk = step_gateway(gateway, 'T', &nodes);
    for (int i = 0; i < run.nodes; i++) {
        struct step_node *node = &run.node[i];
        if (!node->relayed) continue;
        node->connection = run.trunk;
        if (run.trunk < 0) step_node_failed(node, strerror(errno));
    }
    free(nodes.bytes);
}

/*
 * Sends a frame. No more of a launch may fit into the connection before it has its turn on its node: signals are heard
 * meanwhile, and where the step is aborted the rest is not sent, so that no task of it begins there.
 */
static int step_transmit(int connection, const struct text *frame) {
    size_t at = 0;
    while (at < frame->length) {
        if (run.launching && run.aborted) {
            errno = ECANCELED;
            break;
        }
        int flags = MSG_NOSIGNAL | (run.launching ? MSG_DONTWAIT : 0);
        ssize_t done = send(connection, frame->bytes + at, frame->length - at, flags);
        if (done < 0 && errno == EAGAIN) {
            struct pollfd wait[] = {{connection, POLLOUT, 0}, {signals[0], POLLIN, 0}};
            if (poll(wait, 2, -1) < 0 || wait[1].revents) step_signals();
        } else if (done < 0 && errno != EINTR) break;
        at += done > 0 ? done : 0;
    }
    return at == frame->length ? 0 : -1;
}

static int step_send_trunk(uint32_t to, char type, const void *payload, size_t length) {
    struct text frame = {0};
    put32(&frame, 5 + length);
    put32(&frame, to);
    put(&frame, &type, 1);
    put(&frame, payload, length);
    int result = run.trunk < 0 ? -1 : step_transmit(run.trunk, &frame);
    free(frame.bytes);
    return result;
}

static int step_send(struct step_node *node, char type, const void *payload, size_t length) {
    struct text frame = {0};
    if (node->relayed) return step_send_trunk(node - run.node, type, payload, length);
    put(&frame, &type, 1);
    put32(&frame, length);
    put(&frame, payload, length);
    int result = step_transmit(node->connection, &frame);
    free(frame.bytes);
    return result;
}

/* Whether a node that takes no more has said why; that is read in its turn. */
static int step_was_refused(const struct step_node *node) {
    char type;
    return recv(node->connection, &type, 1, MSG_PEEK | MSG_DONTWAIT) == 1 && type == 'R';
}

/* A part of a launch lies there: what goes by the trunk has no front end any more, and ends. */
static void step_cut_trunk(const char *why) {
    for (int i = 0; i < run.nodes; i++)
        if (run.node[i].relayed && !run.node[i].over) step_node_failed(&run.node[i], why);
    close(run.trunk);
    run.trunk = -1;
}

/* To all nodes of one launch. A node that does not take it has failed. */
static void step_send_group(int launch, char type, const void *payload, size_t length) {
    int relayed = 0;
    for (int i = 0; i < run.nodes; i++) {
        struct step_node *node = &run.node[i];
        if (node->launch != launch || node->connection < 0) continue;
        if (node->relayed) relayed = 1;
        else if (step_send(node, type, payload, length)) {
            int error = errno;
            if (!step_was_refused(node)) step_node_failed(node, strerror(error));
        }
    }
    if (relayed && step_send_trunk(STEP_GROUP | launch, type, payload, length) && run.aborted)
        step_cut_trunk(strerror(ECANCELED));
}

/* To all nodes that are not over. */
static void step_send_all(char type, const void *payload, size_t length) {
    for (int i = 0; i < run.nodes; i++) {
        struct step_node *node = &run.node[i];
        if (!node->over && !node->relayed && node->connection >= 0) step_send(node, type, payload, length);
    }
    if (run.trunk >= 0) step_send_trunk(STEP_EVERY, type, payload, length);
}
