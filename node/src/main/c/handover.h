/* How the spawner gives a connection away: to a shepherd that it starts, or to one that runs. Part of it, see there. */

/* Starts the shepherd; its pid, or -1 with errno. The child shares this memory until it has become the shepherd. */
static pid_t start_shepherd(const char *directory, int connection)
{
    volatile int error = 0;
    const char *words[] = {shepherd, directory, NULL}, *nothing[] = {NULL};
    int null = open("/dev/null", O_RDWR | O_CLOEXEC);
    pid_t child = null < 0 || access(directory, F_OK) < 0 ? -1 : vfork();
    if (child == 0) {
        setrlimit(RLIMIT_NOFILE, &files);
        sigprocmask(SIG_SETMASK, &usual_mask, NULL);
        if (dup2(null, 0) >= 0 && dup2(null, 1) >= 0 && dup2(null, 2) >= 0 &&
            (connection < 0 || dup2(connection, 3) >= 0))
            execve(shepherd, (char **)words, (char **)nothing);
        error = errno;
        _exit(127);
    }
    int failure = child < 0 ? errno : error;
    if (null >= 0)
        close(null);
    if (child > 0 && failure != 0)
        while (waitpid(child, NULL, 0) < 0 && errno == EINTR)
            ;
    errno = failure;
    return failure != 0 ? -1 : child;
}

/* Starts a program beside the shepherd, with the connection; its words end with a NUL each. */
static pid_t start_beside(const char *name, char *at, const char *end, int connection)
{
    volatile int error = 0;
    char program[4096], *words[10] = {program}, *nothing[] = {NULL};
    const char *slash = strrchr(shepherd, '/');
    size_t count = 1;
    int null = open("/dev/null", O_RDWR | O_CLOEXEC);
    snprintf(program, sizeof program, "%.*s%s", slash == NULL ? 0 : (int)(slash + 1 - shepherd), shepherd, name);
    for (; at < end && count < sizeof words / sizeof *words - 1; at += strlen(at) + 1)
        words[count++] = at;
    pid_t child = null < 0 ? -1 : vfork();
    if (child == 0) {
        setrlimit(RLIMIT_NOFILE, &files);
        sigprocmask(SIG_SETMASK, &usual_mask, NULL);
        if (dup2(null, 0) >= 0 && dup2(null, 1) >= 0 && dup2(null, 2) >= 0 && dup2(connection, 3) >= 0 &&
            fcntl(3, F_SETFL, fcntl(3, F_GETFL) & ~O_NONBLOCK) >= 0)
            execve(program, words, nothing);
        error = errno;
        _exit(127);
    }
    int failure = child < 0 ? errno : error;
    if (null >= 0)
        close(null);
    errno = failure;
    return failure != 0 ? -1 : child; /* one that could not become the program is reaped as any other */
}

/* Hands the connection to a shepherd that runs; 0, or -1 with errno. */
static int join(const struct peer *peer, const char *path)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    unsigned char uid[4];
    union { struct cmsghdr head; char space[CMSG_SPACE(sizeof(int))]; } control = {0};
    struct iovec data = {uid, sizeof uid};
    struct msghdr message = {.msg_iov = &data, .msg_iovlen = 1, .msg_control = &control,
                             .msg_controllen = sizeof control};
    /* By its descriptor, for a path may be longer than an address holds. */
    int file = open(path, O_PATH | O_CLOEXEC), to = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    snprintf(address.sun_path, sizeof address.sun_path, "/proc/self/fd/%d", file);
    put32(uid, peer->who.uid);
    control.head.cmsg_len = CMSG_LEN(sizeof(int));
    control.head.cmsg_level = SOL_SOCKET;
    control.head.cmsg_type = SCM_RIGHTS;
    memcpy(CMSG_DATA(&control.head), &peer->fd, sizeof(int));
    int failed = file < 0 || to < 0 || connect(to, (struct sockaddr *)&address, sizeof address) < 0 ||
                 sendmsg(to, &message, MSG_NOSIGNAL) < 0;
    int error = errno;
    if (file >= 0)
        close(file);
    if (to >= 0)
        close(to);
    errno = error;
    return failed ? -1 : 0;
}
