/* What goes to and from the shepherd, and by it to the MPI servers of other nodes. Part of the MPI server, see there. */

#define MESSAGE_PART 60000

static int link_fd, link_wake[2];
static struct bytes link_in, link_out;

/* Sends what there is room for. */
static void flush_link(void)
{
    while (link_out.done < link_out.length) {
        ssize_t done = send(link_fd, link_out.at + link_out.done, link_out.length - link_out.done,
                            MSG_NOSIGNAL | MSG_DONTWAIT);
        if (done < 0 && errno == EINTR)
            continue;
        if (done < 0 && errno == EAGAIN)
            return;
        link_out.done = done < 0 ? link_out.length : link_out.done + done; /* its end is seen where it is read */
    }
}

/* Lets the thread that waits go on. */
static void wake(void)
{
    if (write(link_wake[1], "", 1) < 0 && errno != EAGAIN)
        no_memory();
}

/* A frame in two parts; the thread that waits sends it. */
static void send_frame(char type, const void *head, size_t head_length, const void *rest, size_t length)
{
    unsigned char frame[FRAME_HEAD];
    put_head(frame, type, head_length + length);
    add(&link_out, frame, sizeof frame);
    add(&link_out, head, head_length);
    add(&link_out, rest, length);
    wake();
}

static void send_text(char type, const char *text)
{
    send_frame(type, NULL, 0, text, strlen(text) + 1);
}

/* Asks for the end of the step, and says why; once. */
static void __attribute__((format(printf, 1, 2))) end_step(const char *format, ...)
{
    static int is_asked;
    char text[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    if (!is_asked)
        send_text('A', text);
    is_asked = 1;
}

/* A variable for a task. */
static void give_variable(uint32_t rank, const char *entry)
{
    unsigned char head[4];
    put32(head, rank);
    send_frame('V', head, sizeof head, entry, strlen(entry) + 1);
}

/* A message to the servers of other nodes: its kind, what it is about, a part of its bytes. */
static void send_message(uint32_t to, char kind, uint64_t group, uint32_t turn, int flags, const void *bytes, size_t length)
{
    size_t at = 0;
    do {
        size_t part = length - at < MESSAGE_PART ? length - at : MESSAGE_PART;
        unsigned char head[22];
        unsigned char *end = put32(head, to);
        *end++ = kind;
        end = put32(put32(put32(end, group >> 32), group), turn);
        *end++ = flags;
        *end++ = at + part == length; /* the last part */
        send_frame('M', head, end - head, (const char *)bytes + at, part);
        at += part;
    } while (at < length);
}
