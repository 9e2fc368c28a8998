/* Asks another program of this machine for the agent, as this user: part of the client, see there. */

#define MOST_ANSWER (16u << 20)
#define QUESTION_SECONDS 30

static struct text told; /* what was answered, and of it what the agent has not had yet */
static size_t told_on;

static void pass_told(uint32_t error) {
    size_t part = told.length - told_on;
    struct text reply = {0};
    if (part > 65000) part = 65000;
    put32(&reply, error);
    put32(&reply, told.length - told_on - part);
    put(&reply, told.bytes + told_on, part);
    told_on += part;
    send_frame('n', reply.bytes, reply.length);
    free(reply.bytes);
}

/* A frame's type, a path, the frame's payload: sends it there, and gives back what comes. Nothing asks for the rest. */
static void ask_socket(const unsigned char *ask, size_t length) {
    struct timeval patience = {.tv_sec = QUESTION_SECONDS};
    struct text frame = {0};
    if (length == 0) {
        pass_told(0);
        return;
    }
    told.length = told_on = 0;
    const char *path = (const char *)ask + 1;
    const unsigned char *payload = ask + 2 + strlen(path);
    int to = step_connect_place(path), error = to < 0 ? errno : 0;
    put(&frame, ask, 1);
    put32(&frame, ask + length - payload);
    put(&frame, payload, ask + length - payload);
    if (error == 0 && (setsockopt(to, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience) != 0 ||
                       write_all(to, frame.bytes, frame.length)))
        error = errno;
    while (error == 0 && told.length < MOST_ANSWER) {
        unsigned char chunk[65536];
        ssize_t got = recv(to, chunk, sizeof chunk, 0);
        if (got == 0) break;
        if (got < 0 && errno != EINTR) error = errno == EAGAIN ? ETIMEDOUT : errno;
        put(&told, chunk, got < 0 ? 0 : got);
    }
    if (error != 0) told.length = 0;
    if (to >= 0) close(to);
    free(frame.bytes);
    pass_told(error);
}
