/* What front ends say to a step that runs. Part of the shepherd, see there. */

/* One that attaches hears first of what it has missed. */
static void follow(struct front *from)
{
    from->follows = 1;
    if (!run.has_begun)
        return; /* it hears then */
    send_begun(from);
    send_ends(from);
}

/* Input of one that attached goes to the tasks as well; its end is not theirs. */
static void take_input(struct front *from, uint32_t rank, const unsigned char *bytes, size_t length)
{
    if (from != &front[0] && length == 0)
        send_numbers(from, 'i', &rank, 1);
    else
        give_input(from, rank, bytes, length);
}

static void obey_frame(struct front *from, char type, const unsigned char *payload, size_t length)
{
    if (type == 'G' && length == 8)
        obey_signal(get32(payload), get32(payload + 4));
    else if (type == 'Q')
        send_begun(from);
    else if (type == 'K' && from->is_daemon && length < LARGEST_FRAME)
        announce_end(from, payload, length);
    else if (from == &front[0] && type == 'M' && length >= 4)
        tell_server('M', payload, length);
    else if (type == 'T' && from != &front[0] && !from->follows)
        follow(from);
    else if (follows(from) && type == 'I' && length >= 4 && !input.is_pending)
        take_input(from, get32(payload), payload + 4, length - 4);
    else if (follows(from) && type == 'W' && length == 4 && step.pty != NULL && step.task[0].stream[0].fd >= 0) {
        struct winsize size = {.ws_row = payload[0] << 8 | payload[1], .ws_col = payload[2] << 8 | payload[3]};
        ioctl(step.task[0].stream[0].fd, TIOCSWINSZ, &size);
    } else if (type != 'W')
        from->in.length = SIZE_MAX; /* not a front end */
}

/* Obeys what has come, up to input for which it is not the turn; whether the connection is still good. */
static int obey_all(struct front *from)
{
    from->is_held = 0;
    while (from->in.length - from->in.done >= FRAME_HEAD) {
        unsigned char *frame = from->in.at + from->in.done;
        uint32_t length = get32(frame + 1);
        if (length > LARGEST_FRAME)
            return 0;
        if (*frame == 'I' && input.is_pending && input.from != from) {
            from->is_held = 1;
            break;
        }
        if (from->in.length - from->in.done - FRAME_HEAD < length)
            break;
        from->in.done += FRAME_HEAD + length;
        obey_frame(from, *frame, frame + FRAME_HEAD, length);
        if (from->in.length == SIZE_MAX)
            return 0;
    }
    return 1;
}

/* Whether the connection is still good. */
static int hear(struct front *from)
{
    unsigned char *at = room_for(&from->in, FRAME_HEAD + LARGEST_FRAME);
    ssize_t got = at == NULL ? 0 : recv(from->fd, at, FRAME_HEAD + LARGEST_FRAME, MSG_DONTWAIT);
    if (got < 0 && (errno == EAGAIN || errno == EINTR))
        return 1;
    if (got <= 0)
        return 0;
    from->in.length += got;
    return obey_all(from);
}

static void lose(struct front *one)
{
    if (one == &front[0])
        lose_front();
    else
        hang_up(one);
}
