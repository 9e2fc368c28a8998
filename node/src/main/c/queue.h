/*
 * How many connections of a user the spawner serves at a time; further ones wait for their turn. So what waits for a
 * prolog is bounded, and a user's launches do not fail for their number. Part of the spawner, see there.
 */

static size_t peers_of(uid_t uid, int are_served)
{
    size_t found = 0;
    for (size_t i = 0; i < count; i++)
        found += peers[i].who.uid == uid && (!are_served || peers[i].state != QUEUED);
    return found;
}

/* A user may have as many places as are free yet, so that however many users take all that they get, some are. */
static size_t most_of_one_user(void)
{
    size_t left = count < MOST_PEERS_OF_USERS ? MOST_PEERS_OF_USERS - count : 0;
    return left < MOST_PEERS_OF_ONE_USER ? left : MOST_PEERS_OF_ONE_USER;
}

static int is_one_too_many(uid_t uid, int is_served)
{
    return uid != 0 && peers_of(uid, is_served) >= (is_served ? MOST_SERVED_OF_ONE_USER : most_of_one_user());
}

/* One more of that user is served now, the one that came first. */
static void serve_next(uid_t uid)
{
    struct peer *next = NULL;
    for (size_t i = 0; i < count; i++)
        if (peers[i].state == QUEUED && peers[i].who.uid == uid && (next == NULL || (int32_t)(peers[i].id - next->id) < 0))
            next = &peers[i];
    if (next == NULL)
        return;
    next->state = READING;
    next->deadline = now_ms() + PATIENCE_MS;
}
