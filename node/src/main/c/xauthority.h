/*
 * The file in which X clients find the cookie of a display, in the form of Xau(3). Part of display.c, see there.
 */

#define FAMILY_LOCAL 256 /* "localhost" is looked up under the machine's own name */
#define LARGEST_XAUTHORITY (4 << 20)
#define LOCK_TRIES 50
#define LOCK_PAUSE_MS 100
#define LOCK_STALE 60 /* seconds */
#define COOKIE_KIND "MIT-MAGIC-COOKIE-1"

static char xauthority[PATH_MAX];
static int is_shared; /* with other displays: the entry goes, the file stays */
static char display_number[12];
static char machine[256];

static unsigned char *put_counted(unsigned char *at, const void *bytes, size_t length)
{
    *at++ = length >> 8;
    *at++ = length;
    memcpy(at, bytes, length);
    return at + length;
}

/* The next part of an entry behind `at`; NULL at the end. */
static const unsigned char *counted(const unsigned char *at, const unsigned char *end, const unsigned char **part, size_t *length)
{
    if (at == NULL || end - at < 2)
        return NULL;
    *length = (size_t)at[0] << 8 | at[1];
    *part = at + 2;
    return (size_t)(end - *part) < *length ? NULL : *part + *length;
}

/* Whether an entry is for this display of this machine; `next` is where it ends, NULL where there is none. */
static int is_mine(const unsigned char *at, const unsigned char *end, const unsigned char **next)
{
    const unsigned char *address = NULL, *display = NULL, *rest;
    size_t address_length = 0, display_length = 0, length;
    unsigned family = end - at < 2 ? 0 : (unsigned)at[0] << 8 | at[1];
    at = end - at < 2 ? NULL : counted(at + 2, end, &address, &address_length);
    at = counted(at, end, &display, &display_length);
    at = counted(at, end, &rest, &length);
    *next = counted(at, end, &rest, &length);
    return *next != NULL && family == FAMILY_LOCAL && address_length == strlen(machine) &&
           memcmp(address, machine, address_length) == 0 && display_length == strlen(display_number) &&
           memcmp(display, display_number, display_length) == 0;
}

static size_t make_entry(unsigned char *entry, const unsigned char *cookie, size_t length)
{
    unsigned char *at = entry;
    *at++ = FAMILY_LOCAL >> 8;
    *at++ = FAMILY_LOCAL & 255;
    at = put_counted(at, machine, strlen(machine));
    at = put_counted(at, display_number, strlen(display_number));
    at = put_counted(at, COOKIE_KIND, strlen(COOKIE_KIND));
    return put_counted(at, cookie, length) - entry;
}

static int write_file(int fd, const unsigned char *at, size_t length)
{
    while (length > 0) {
        ssize_t wrote = write(fd, at, length);
        if (wrote < 0 && errno == EINTR)
            continue;
        if (wrote < 0)
            return -1;
        at += wrote;
        length -= wrote;
    }
    return 0;
}

/* Locks a shared file as xauth(1) does; one that was left behind is broken. */
static int lock(const char *creat_name, const char *link_name)
{
    for (int tries = 0; tries < LOCK_TRIES; tries++) {
        struct stat facts;
        int fd = open(creat_name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
        if (fd >= 0)
            close(fd);
        if (fd >= 0 || errno == EEXIST) {
            if (link(creat_name, link_name) == 0)
                return 0;
            if (errno != EEXIST && errno != ENOENT)
                return -1;
        }
        if (stat(creat_name, &facts) == 0 && time(NULL) - facts.st_ctime > LOCK_STALE) {
            unlink(creat_name);
            unlink(link_name);
        }
        poll(NULL, 0, LOCK_PAUSE_MS);
    }
    errno = EAGAIN;
    return -1;
}

/* What the file has, which may not be there; the length, or -1 with errno. */
static ssize_t read_xauthority(unsigned char *bytes)
{
    int from = open(xauthority, O_RDONLY | O_CLOEXEC);
    size_t length = 0;
    ssize_t got = 1;
    if (from < 0)
        return errno == ENOENT ? 0 : -1;
    while (got > 0 && length < LARGEST_XAUTHORITY) {
        got = read(from, bytes + length, LARGEST_XAUTHORITY - length);
        if (got < 0 && errno == EINTR)
            got = 1;
        else if (got > 0)
            length += got;
    }
    int error = errno;
    close(from);
    errno = got > 0 ? EFBIG : error;
    return got == 0 ? (ssize_t)length : -1;
}

/* Replaces the file's entries of this display by that one, which may be none; 0, or -1 with errno. */
static int rewrite(const unsigned char *entry, size_t length)
{
    char name[PATH_MAX + 4];
    unsigned char *bytes = malloc(LARGEST_XAUTHORITY);
    snprintf(name, sizeof name, "%s-n", xauthority);
    int to = open(name, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    ssize_t got = bytes == NULL ? -1 : read_xauthority(bytes);
    int failed = to < 0 || got < 0 || write_file(to, entry, length) < 0;
    for (const unsigned char *at = bytes, *next; !failed && at < bytes + got; at = next) {
        int mine = is_mine(at, bytes + got, &next);
        if (next == NULL)
            next = bytes + got; /* what is no entry stays as it is */
        failed = !mine && write_file(to, at, next - at) < 0;
    }
    failed = (to >= 0 && close(to) < 0) || failed || rename(name, xauthority) < 0;
    int error = errno;
    if (failed)
        unlink(name);
    errno = error;
    free(bytes);
    return failed ? -1 : 0;
}

static int rewrite_locked(const unsigned char *entry, size_t length)
{
    char creat_name[PATH_MAX + 4], link_name[PATH_MAX + 4];
    snprintf(creat_name, sizeof creat_name, "%s-c", xauthority);
    snprintf(link_name, sizeof link_name, "%s-l", xauthority);
    if (lock(creat_name, link_name) < 0)
        return -1;
    int failed = rewrite(entry, length), error = errno;
    unlink(creat_name);
    unlink(link_name);
    errno = error;
    return failed;
}

/* Writes the cookie down for this user alone. */
static void keep_cookie(const char *path, int shared, const unsigned char *cookie, size_t length)
{
    static unsigned char entry[MOST_COOKIE + 512];
    if (gethostname(machine, sizeof machine - 1) < 0)
        refuse(errno, "gethostname");
    snprintf(display_number, sizeof display_number, "%d", number);
    is_shared = shared;
    size_t size = make_entry(entry, cookie, length);
    if (snprintf(xauthority, sizeof xauthority, shared ? "%s" : "%s/.Xauthority-XXXXXX", path) >= (int)sizeof xauthority - 4)
        refuse(ENAMETOOLONG, path);
    if (shared) {
        if (rewrite_locked(entry, size) < 0)
            refuse(errno, xauthority);
        return;
    }
    int fd = mkostemp(xauthority, O_CLOEXEC);
    if (fd < 0 || write_file(fd, entry, size) < 0 || close(fd) < 0)
        refuse(errno, xauthority);
}

static void forget_cookie(void)
{
    if (is_shared)
        rewrite_locked(NULL, 0);
    else
        unlink(xauthority);
}
