/* What the tasks have put: names and values, which have no zero bytes. Part of the MPI server, see there. */

struct entry { struct entry *next; uint32_t hash; char *value; char name[]; };

struct store { struct entry **slot; size_t slots, count, bytes; };

static uint32_t hash_of(const char *name)
{
    uint32_t hash = 2166136261u;
    for (; *name != 0; name++)
        hash = (hash ^ (unsigned char)*name) * 16777619u;
    return hash;
}

static struct entry *entry_of(const struct store *store, const char *name)
{
    uint32_t hash = hash_of(name);
    struct entry *at = store->slots == 0 ? NULL : store->slot[hash % store->slots];
    while (at != NULL && (at->hash != hash || strcmp(at->name, name) != 0))
        at = at->next;
    return at;
}

static const char *value_of(const struct store *store, const char *name)
{
    const struct entry *entry = entry_of(store, name);
    return entry == NULL ? NULL : entry->value;
}

static void enlarge(struct store *store)
{
    struct store larger = {.slots = store->slots == 0 ? 64 : store->slots * 2};
    larger.slot = room(larger.slots, sizeof *larger.slot);
    for (size_t i = 0; i < store->slots; i++)
        for (struct entry *at = store->slot[i], *next; at != NULL; at = next) {
            next = at->next;
            at->next = larger.slot[at->hash % larger.slots];
            larger.slot[at->hash % larger.slots] = at;
        }
    free(store->slot);
    store->slot = larger.slot;
    store->slots = larger.slots;
}

/* Sets a value; -1 where that is more than a step may keep. */
static int put(struct store *store, const char *name, const char *value)
{
    struct entry *entry = entry_of(store, name);
    size_t more = strlen(value) + 1, overhead = entry == NULL ? sizeof *entry + strlen(name) + 1 : 0;
    if (store->bytes + more + overhead > MOST_BYTES)
        return -1;
    if (entry == NULL) {
        if (store->count >= store->slots)
            enlarge(store);
        entry = room(1, overhead);
        entry->hash = hash_of(name);
        strcpy(entry->name, name);
        entry->next = store->slot[entry->hash % store->slots];
        store->slot[entry->hash % store->slots] = entry;
        store->count++;
    } else
        store->bytes -= strlen(entry->value) + 1;
    free(entry->value);
    entry->value = room(more, 1);
    strcpy(entry->value, value);
    store->bytes += more + overhead;
    return 0;
}

/* Takes a name out; whether it was there. */
static int take_out(struct store *store, const char *name)
{
    struct entry *gone = entry_of(store, name), **at;
    if (gone == NULL)
        return 0;
    for (at = &store->slot[gone->hash % store->slots]; *at != gone; at = &(*at)->next)
        ;
    *at = gone->next;
    store->bytes -= sizeof *gone + strlen(gone->name) + 1 + strlen(gone->value) + 1;
    store->count--;
    free(gone->value);
    free(gone);
    return 1;
}
