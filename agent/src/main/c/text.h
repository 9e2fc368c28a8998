/* Bytes that grow, and numbers in them, most significant byte first; part of the client, see there. */

struct text {
    unsigned char *bytes;
    size_t length, room;
};

static void put(struct text *text, const void *bytes, size_t length) {
    if (text->length + length > text->room) {
        text->room = (text->length + length) * 2 + 4096;
        text->bytes = realloc(text->bytes, text->room);
        if (!text->bytes) die("no memory");
    }
    memcpy(text->bytes + text->length, bytes, length);
    text->length += length;
}

static void put32(struct text *text, uint32_t value) {
    unsigned char bytes[4] = {value >> 24, value >> 16, value >> 8, value};
    put(text, bytes, 4);
}

static void put64(struct text *text, uint64_t value) {
    put32(text, value >> 32);
    put32(text, value);
}

static void put_string(struct text *text, const char *string) { put(text, string, strlen(string) + 1); }

static uint32_t get32(const unsigned char *b) { return (uint32_t)b[0] << 24 | b[1] << 16 | b[2] << 8 | b[3]; }

static int write_all(int to, const unsigned char *bytes, size_t length) {
    while (length > 0) {
        ssize_t done = write(to, bytes, length);
        if (done < 0 && errno == EAGAIN) poll(&(struct pollfd){to, POLLOUT, 0}, 1, -1);
        else if (done < 0 && errno != EINTR) return -1;
        bytes += done < 0 ? 0 : done;
        length -= done < 0 ? 0 : done;
    }
    return 0;
}
