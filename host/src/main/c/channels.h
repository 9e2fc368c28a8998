/*
 * Several streams over one connection: what X clients on a node and the X server of a front end say to each other. Both
 * ends include this, see docs/step-wire.md. A stream takes at most WINDOW bytes that its reader has not asked for, so one
 * that is not read holds up neither the others nor memory. Who includes it has get32().
 */

#define MOST_CHANNELS 256
#define WINDOW (256u << 10)
#define LARGEST_PART (32u << 10)
#define MOST_QUEUED (1u << 20) /* on the way to the other end, before streams are not read any more */
#define HEAD 9                 /* type, length, channel */

struct queue { unsigned char *at; size_t done, length, room; };

struct channel {
    int is_used, fd; /* -1 once it is closed, or where there was no server */
    uint32_t credit; /* how much the other end takes now */
    uint32_t taken;  /* how much was passed on since the other end was granted more */
    int said_end, heard_end, was_shut, said_over, heard_over;
    struct queue out; /* to the descriptor */
};

struct tunnel {
    int fd; /* -1 once it is lost */
    struct queue in, out;
    struct channel channel[MOST_CHANNELS];
};

/* Makes a stream's other side for a channel that the other end has opened: a descriptor that does not block, or -1. */
static int channel_target(void);

/* Where so many more bytes go; NULL without memory. */
static unsigned char *queue_room(struct queue *queue, size_t more)
{
    if (queue->done > 0 && (queue->done == queue->length || queue->length + more > queue->room)) {
        memmove(queue->at, queue->at + queue->done, queue->length - queue->done);
        queue->length -= queue->done;
        queue->done = 0;
    }
    if (queue->length + more > queue->room) {
        size_t room = queue->length + more + 4096;
        unsigned char *larger = realloc(queue->at, room);
        if (larger == NULL)
            return NULL;
        queue->at = larger;
        queue->room = room;
    }
    return queue->at + queue->length;
}

static void queue_forget(struct queue *queue)
{
    free(queue->at);
    *queue = (struct queue){0};
}

static size_t queue_left(const struct queue *queue)
{
    return queue->length - queue->done;
}

/* Writes what the descriptor takes; 0, or -1 where it takes nothing any more. */
static int queue_write(struct queue *queue, int fd)
{
    while (queue_left(queue) > 0) {
        ssize_t sent = send(fd, queue->at + queue->done, queue_left(queue), MSG_NOSIGNAL | MSG_DONTWAIT);
        if (sent < 0 && errno == EINTR)
            continue;
        if (sent < 0)
            return errno == EAGAIN ? 0 : -1;
        queue->done += sent;
    }
    return 0;
}

static void tunnel_lose(struct tunnel *tunnel)
{
    for (int i = 0; i < MOST_CHANNELS; i++) {
        struct channel *channel = &tunnel->channel[i];
        if (channel->is_used && channel->fd >= 0)
            close(channel->fd);
        queue_forget(&channel->out);
        channel->is_used = 0;
    }
    if (tunnel->fd >= 0)
        close(tunnel->fd);
    tunnel->fd = -1;
    queue_forget(&tunnel->in);
    queue_forget(&tunnel->out);
}

static unsigned char *put_number(unsigned char *at, uint32_t value)
{
    for (int shift = 24; shift >= 0; shift -= 8)
        *at++ = value >> shift;
    return at;
}

/* Makes room for a frame of the channel and returns where its bytes go; NULL where the tunnel is lost. */
static unsigned char *tunnel_frame(struct tunnel *tunnel, char type, uint32_t channel, size_t length)
{
    unsigned char *at = tunnel->fd < 0 ? NULL : queue_room(&tunnel->out, HEAD + length);
    if (at == NULL) {
        tunnel_lose(tunnel);
        return NULL;
    }
    *at = type;
    tunnel->out.length += HEAD + length;
    return put_number(put_number(at + 1, 4 + length), channel);
}

static void channel_close(struct channel *channel)
{
    if (channel->fd >= 0)
        close(channel->fd);
    channel->fd = -1;
    channel->taken += queue_left(&channel->out);
    queue_forget(&channel->out);
}

/* Goes on where both sides have ended, or what is to be written goes nowhere. */
static void channel_settle(struct tunnel *tunnel, uint32_t index)
{
    struct channel *channel = &tunnel->channel[index];
    if (!channel->is_used)
        return;
    if (channel->fd < 0 && !channel->said_end) {
        channel->said_end = 1;
        tunnel_frame(tunnel, 'e', index, 0);
    }
    if (channel->heard_end && channel->fd >= 0 && queue_left(&channel->out) == 0 && !channel->was_shut) {
        channel->was_shut = 1;
        shutdown(channel->fd, SHUT_WR);
    }
    if (channel->said_end && channel->heard_end && queue_left(&channel->out) == 0 && !channel->said_over) {
        channel_close(channel);
        channel->said_over = 1;
        tunnel_frame(tunnel, 'c', index, 0);
    }
    if (channel->said_over && channel->heard_over)
        channel->is_used = 0;
    else if (channel->taken >= WINDOW / 4 && !channel->heard_end) {
        unsigned char *at = tunnel_frame(tunnel, 'g', index, 4);
        if (at != NULL)
            put_number(at, channel->taken);
        channel->taken = 0;
    }
}

/* A descriptor becomes that channel's; without one the channel ends at once. */
static void channel_begin(struct tunnel *tunnel, uint32_t index, int fd)
{
    tunnel->channel[index] = (struct channel){.is_used = 1, .fd = fd, .credit = WINDOW};
    channel_settle(tunnel, index);
}

/* Reads once what the other end takes. */
static void channel_read(struct tunnel *tunnel, uint32_t index)
{
    struct channel *channel = &tunnel->channel[index];
    size_t most = channel->credit < LARGEST_PART ? channel->credit : LARGEST_PART;
    unsigned char *at = queue_room(&tunnel->out, HEAD + most);
    if (at == NULL) {
        tunnel_lose(tunnel);
        return;
    }
    ssize_t got = recv(channel->fd, at + HEAD, most, MSG_DONTWAIT);
    if (got < 0 && (errno == EINTR || errno == EAGAIN))
        return;
    if (got > 0) {
        tunnel_frame(tunnel, 'd', index, got); /* around the bytes, which are in their place */
        channel->credit -= got;
        return;
    }
    channel->said_end = 1;
    tunnel_frame(tunnel, 'e', index, 0);
    if (got < 0)
        channel_close(channel);
    channel_settle(tunnel, index);
}

static void channel_write(struct tunnel *tunnel, uint32_t index)
{
    struct channel *channel = &tunnel->channel[index];
    size_t before = queue_left(&channel->out);
    int failed = channel->fd >= 0 && queue_write(&channel->out, channel->fd) < 0;
    channel->taken += before - queue_left(&channel->out);
    if (failed)
        channel_close(channel);
    channel_settle(tunnel, index);
}

/* Takes bytes for a channel's descriptor; what nobody takes is as if it were taken. 0, or -1 for more than was granted. */
static int channel_take(struct tunnel *tunnel, uint32_t index, const unsigned char *bytes, size_t length)
{
    struct channel *channel = &tunnel->channel[index];
    if (channel->heard_end || queue_left(&channel->out) + channel->taken + length > WINDOW)
        return -1;
    if (channel->fd < 0) {
        channel->taken += length;
        channel_settle(tunnel, index);
        return 0;
    }
    unsigned char *at = queue_room(&channel->out, length);
    if (at == NULL)
        return -1;
    memcpy(at, bytes, length);
    channel->out.length += length;
    channel_write(tunnel, index);
    return 0;
}

/* Does what a frame says; 0, or -1 for one that the other end would not send. */
static int tunnel_obey(struct tunnel *tunnel, char type, const unsigned char *payload, size_t length)
{
    uint32_t index = length >= 4 ? get32(payload) : MOST_CHANNELS;
    if (index >= MOST_CHANNELS)
        return -1;
    struct channel *channel = &tunnel->channel[index];
    if (channel->is_used != (type != 'o') || (channel->is_used && channel->heard_over))
        return -1;
    switch (type) {
    case 'o':
        channel_begin(tunnel, index, channel_target());
        return 0;
    case 'd':
        return channel_take(tunnel, index, payload + 4, length - 4);
    case 'g':
        if (length != 8 || get32(payload + 4) > WINDOW - channel->credit)
            return -1;
        channel->credit += get32(payload + 4);
        return 0;
    case 'e':
        channel->heard_end = 1;
        channel_settle(tunnel, index);
        return 0;
    case 'c':
        if (!channel->heard_end)
            return -1;
        channel->heard_over = 1;
        channel_settle(tunnel, index);
        return 0;
    default:
        return -1;
    }
}

/* Reads what has come; 0, or -1 where the other end is gone, or talks nonsense. */
static int tunnel_read(struct tunnel *tunnel)
{
    struct queue *in = &tunnel->in;
    unsigned char *at = queue_room(in, 2 * LARGEST_PART);
    ssize_t got = at == NULL ? -1 : recv(tunnel->fd, at, 2 * LARGEST_PART, MSG_DONTWAIT);
    if (at != NULL && got < 0 && (errno == EINTR || errno == EAGAIN))
        return 0;
    if (got <= 0)
        return -1;
    in->length += got;
    while (queue_left(in) >= 5) {
        unsigned char *frame = in->at + in->done;
        size_t length = get32(frame + 1);
        if (length > 4 + LARGEST_PART)
            return -1;
        if (queue_left(in) < 5 + length)
            break;
        if (tunnel_obey(tunnel, *frame, frame + 5, length) < 0 || tunnel->fd < 0)
            return -1;
        in->done += 5 + length;
    }
    return 0;
}

/* ---- waiting ---- */

/* What the channel waits for; nothing: nobody looks at it, for its end would be seen again and again. */
static short channel_events(const struct tunnel *tunnel, const struct channel *channel)
{
    if (!channel->is_used || channel->fd < 0)
        return 0;
    int reads = !channel->said_end && channel->credit > 0 && queue_left(&tunnel->out) < MOST_QUEUED;
    return (reads ? POLLIN : 0) | (queue_left(&channel->out) > 0 ? POLLOUT : 0);
}

/* Fills in what to wait for, one for the tunnel and one for each channel. */
static void tunnel_prepare(const struct tunnel *tunnel, struct pollfd *ready)
{
    short events = POLLIN | (queue_left(&tunnel->out) > 0 ? POLLOUT : 0);
    ready[0] = (struct pollfd){.fd = tunnel->fd, .events = events};
    for (int i = 0; i < MOST_CHANNELS; i++) {
        const struct channel *channel = &tunnel->channel[i];
        events = tunnel->fd < 0 ? 0 : channel_events(tunnel, channel);
        ready[1 + i] = (struct pollfd){.fd = events ? channel->fd : -1, .events = events};
    }
}

/* Does what can be done now; 0, or -1 once the tunnel is lost. */
static int tunnel_serve(struct tunnel *tunnel, const struct pollfd *ready)
{
    for (uint32_t i = 0; i < MOST_CHANNELS && tunnel->fd >= 0; i++) {
        struct channel *channel = &tunnel->channel[i];
        short events = ready[1 + i].fd >= 0 && ready[1 + i].fd == channel->fd ? ready[1 + i].revents : 0;
        if (events & ~POLLIN && queue_left(&channel->out) > 0)
            channel_write(tunnel, i);
        if (events & ~POLLOUT && channel_events(tunnel, channel) & POLLIN)
            channel_read(tunnel, i);
    }
    if (tunnel->fd < 0 || (ready[0].revents & ~POLLOUT && tunnel_read(tunnel) < 0) ||
        queue_write(&tunnel->out, tunnel->fd) < 0)
        tunnel_lose(tunnel);
    return tunnel->fd < 0 ? -1 : 0;
}
