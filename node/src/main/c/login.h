/*
 * The environment that the step's user has after a login, for a script that brings none. The login shell is a process of
 * the step like any other: in its control groups, below the shepherd, and ended with it. Part of the shepherd; see there.
 */

#define LARGEST_LOGIN (4 << 20)
#define LOGIN_BEGIN "XXXXDUREBEGINXXXX"
#define LOGIN_END "XXXXDUREENDXXXX"

static long long monotonic_ms(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * 1000LL + now.tv_nsec / 1000000;
}

/* Start files may print, ask and hang, so the variables stand between marks and there is nothing to read. */
static void __attribute__((noreturn)) become_login_shell(int output)
{
    char name[256];
    const char *slash = strrchr(step.login_shell, '/');
    const char *words[] = {
        name, "-c", "printf '%s' " LOGIN_BEGIN "; /usr/bin/env -0; printf '%s' " LOGIN_END, NULL};
    snprintf(name, sizeof name, "-%s", slash == NULL ? step.login_shell : slash + 1); /* that makes it a login shell */
    setpgid(0, 0);
    int null = open("/dev/null", O_RDWR | O_CLOEXEC);
    if (null < 0 || dup2(null, 0) < 0 || dup2(null, 2) < 0 || dup2(output, 1) < 0)
        _exit(127);
    if ((step.login_home == NULL || chdir(step.login_home) < 0) && chdir("/") < 0)
        _exit(127);
    execve(step.login_shell, (char **)words, (char **)step.login_environment.item);
    _exit(127);
}

/* What the login shell writes until the end mark, NUL-terminated; NULL if it closes or hangs before. */
static char *read_login(int fd, size_t *length)
{
    const size_t mark = sizeof LOGIN_END - 1;
    char *text = grown(NULL, LARGEST_LOGIN, 1);
    long long deadline = monotonic_ms() + step.login_ms;
    for (*length = 0; *length < LARGEST_LOGIN;) {
        long long left = deadline - monotonic_ms();
        struct pollfd ready = {.fd = fd, .events = POLLIN};
        int events = left <= 0 ? 0 : poll(&ready, 1, left);
        if (events < 0 && errno == EINTR)
            continue;
        ssize_t got = events <= 0 ? 0 : read(fd, text + *length, LARGEST_LOGIN - *length);
        if (got <= 0)
            break;
        *length += got;
        if (*length >= mark && memcmp(text + *length - mark, LOGIN_END, mark) == 0) {
            *length -= mark;
            text[*length] = 0;
            return text;
        }
    }
    free(text);
    return NULL;
}

/* Where the variables begin: behind the last mark, for a start file may print one; NULL without a mark. */
static char *behind_mark(char *text, size_t length)
{
    char *found = NULL;
    for (char *at = text; (at = memmem(at, text + length - at, LOGIN_BEGIN, sizeof LOGIN_BEGIN - 1)) != NULL;)
        found = at += sizeof LOGIN_BEGIN - 1;
    return found;
}

/* Whether a variable tells of the shell that was asked, not of its user. */
static int is_of_shell(const char *entry)
{
    static const char *const names[] = {"_=", "SHLVL=", "PWD=", "OLDPWD="};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strncmp(entry, names[i], strlen(names[i])) == 0)
            return 1;
    return 0;
}

static int has_variable(const struct list *list, const char *entry)
{
    size_t length = strcspn(entry, "=") + 1;
    for (size_t i = 0; i < list->count; i++)
        if (strncmp(list->item[i], entry, length) == 0)
            return 1;
    return 0;
}

/* Asks the user's shell, and puts what the script brings over what it says. */
static void take_login(void)
{
    int output[2];
    size_t length = 0;
    struct list merged = {0};
    if (pipe2(output, O_CLOEXEC) < 0)
        return;
    pid_t shell = fork();
    if (shell == 0)
        become_login_shell(output[1]);
    close(output[1]);
    char *text = shell < 0 ? NULL : read_login(output[0], &length), *begin = NULL;
    close(output[0]);
    if (shell > 0) { /* what start files have left in the background is the step's, and lives as long as that */
        setpgid(shell, shell);
        kill(text == NULL ? -shell : shell, SIGKILL);
        while (waitpid(shell, NULL, 0) < 0 && errno == EINTR)
            ;
    }
    if (text == NULL || (begin = behind_mark(text, length)) == NULL)
        return;
    for (const char *at = begin; at < text + length; at += strlen(at) + 1)
        if (strcspn(at, "=") > 0 && strchr(at, '=') != NULL && !is_of_shell(at))
            append(&merged, at);
    for (size_t i = 0; i < step.environment.count; i++)
        set_variable(&merged, step.environment.item[i], strcspn(step.environment.item[i], "="),
                     step.environment.item[i]);
    step.environment = merged;
}

/* Completes the environment of a script that asked for a login. */
static void log_in(void)
{
    if (step.login_shell != NULL && !step.is_aside)
        take_login();
    for (size_t i = 0; i < step.fallback.count; i++)
        if (!has_variable(&step.environment, step.fallback.item[i]))
            append(&step.environment, step.fallback.item[i]);
}
