/* Numbers and frames of the step's wire: a type, the length of the payload, the payload; see docs/step-wire.md. */

#define FRAME_HEAD 5
#define EVERY_TASK 0xffffffffu

static inline uint32_t get32(const unsigned char *at)
{
    return (uint32_t)at[0] << 24 | (uint32_t)at[1] << 16 | (uint32_t)at[2] << 8 | at[3];
}

static inline unsigned char *put32(unsigned char *at, uint32_t value)
{
    at[0] = value >> 24;
    at[1] = value >> 16;
    at[2] = value >> 8;
    at[3] = value;
    return at + 4;
}

static inline unsigned char *put_head(unsigned char *at, char type, uint32_t length)
{
    *at = type;
    return put32(at + 1, length);
}

/* Bytes that wait to be sent, or came and wait to be understood; those before `done` are dealt with. */
struct bytes { unsigned char *at; size_t done, length, room; };

/* Makes room for so many more bytes and returns where they go, or NULL. */
static inline unsigned char *room_for(struct bytes *bytes, size_t more)
{
    if (bytes->done > 0 && bytes->done == bytes->length)
        bytes->done = bytes->length = 0;
    if (bytes->length + more > bytes->room && bytes->done > 0) {
        memmove(bytes->at, bytes->at + bytes->done, bytes->length - bytes->done);
        bytes->length -= bytes->done;
        bytes->done = 0;
    }
    if (bytes->length + more > bytes->room) {
        size_t room = bytes->length + more + 1024;
        unsigned char *larger = realloc(bytes->at, room);
        if (larger == NULL)
            return NULL;
        bytes->at = larger;
        bytes->room = room;
    }
    return bytes->at + bytes->length;
}

static inline void forget(struct bytes *bytes)
{
    free(bytes->at);
    *bytes = (struct bytes){0};
}
