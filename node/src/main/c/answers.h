/* What the spawner says to a peer before it lets it go. Part of it, see there. */

/* Sends what the peer is told; whether it is gone now. */
static int send_reply(struct peer *peer)
{
    while (peer->reply.done < peer->reply.length) {
        ssize_t sent = send(peer->fd, peer->reply.at + peer->reply.done, peer->reply.length - peer->reply.done,
                            MSG_NOSIGNAL | MSG_DONTWAIT);
        if (sent < 0 && errno == EINTR)
            continue;
        if (sent < 0 && errno == EAGAIN)
            return 0;
        if (sent < 0)
            break;
        peer->reply.done += sent;
    }
    drop(peer);
    return 1;
}

/* Gives the peer its last bytes and lets it go when it has taken them; whether it is gone already. */
static int answer(struct peer *peer, const void *bytes, size_t length)
{
    unsigned char *at = room_for(&peer->reply, length);
    if (at != NULL) {
        memcpy(at, bytes, length);
        peer->reply.length += length;
    }
    undecided -= peer->frame.room;
    forget(&peer->frame);
    peer->state = LEAVING;
    peer->deadline = now_ms() + PATIENCE_MS;
    return send_reply(peer);
}

/* What a refused peer is told. */
static size_t refusal(unsigned char *frame, int error, const char *why)
{
    size_t length = strlen(why) + 1;
    memcpy(put32(put_head(frame, 'R', 4 + length), error), why, length);
    return FRAME_HEAD + 4 + length;
}

static int refuse(struct peer *peer, int error, const char *why)
{
    unsigned char frame[256];
    return answer(peer, frame, refusal(frame, error, why));
}
