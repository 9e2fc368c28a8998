/*
 * Signals while the agent has the call wait, and the program that runs meanwhile, of salloc, a prolog or epilog of srun or an editor of scrontab; part of the client, see there.
 */

#define LASTS_MS 250 /* what most programs in an allocation take longer than; some take less, and many of those come */

static struct {
    int lasts;          /* the agent knows that it takes a while */
    pid_t pid;          /* 0 while none runs */
    int has_foreground; /* it has the terminal, which is taken back when it ends */
    char *on_signal;    /* what a signal has this call say before it ends with 1; NULL: the signal ends it as usual */
} program;

static void caught(int signal) {
    unsigned char byte = signal;
    int error = errno;
    errno = write(signals[1], &byte, 1) < 0 ? error : error;
}

/* Has signals go to the loop, those aside that were ignored from the start. */
static void catch_signals(const int *numbers, size_t count, int flags) {
    struct sigaction action = {.sa_handler = caught, .sa_flags = flags}, before;
    if (signals[0] < 0 && pipe2(signals, O_CLOEXEC | O_NONBLOCK) != 0) die("no pipe for signals");
    for (size_t i = 0; i < count; i++)
        if (sigaction(numbers[i], NULL, &before) == 0 && before.sa_handler != SIG_IGN) sigaction(numbers[i], &action, NULL);
}

static const int ending_signals[] = {SIGHUP, SIGINT, SIGQUIT, SIGTERM};

/* The text has "%d" where the number of the signal is to stand. */
static void say_on_signal(const char *text) {
    free(program.on_signal);
    program.on_signal = *text ? strdup(text) : NULL;
    if (program.on_signal) catch_signals(ending_signals, 4, SA_RESTART);
}

static void end_by_signal(int number) {
    const char *at = program.on_signal, *mark;
    while ((mark = strstr(at, "%d"))) {
        dprintf(STDERR_FILENO, "%.*s%d", (int)(mark - at), at, number);
        at = mark + 2;
    }
    dprintf(STDERR_FILENO, "%s", at);
    exit(1);
}

static void give_foreground(pid_t group) {
    void (*before)(int) = signal(SIGTTOU, SIG_IGN);
    tcsetpgrp(STDIN_FILENO, group);
    signal(SIGTTOU, before);
}

/* It has ended, or has stopped: then this call stops, too, and goes on with it. */
static void reap_program(void) {
    int status;
    pid_t pid = waitpid(program.pid, &status, WNOHANG | (program.has_foreground ? WUNTRACED : 0));
    if (pid != program.pid) return;
    if (program.has_foreground) give_foreground(getpgrp());
    if (WIFSTOPPED(status)) {
        kill(0, SIGSTOP);
        give_foreground(program.pid);
        kill(-program.pid, SIGCONT);
        return;
    }
    program.pid = 0;
    answer('p', status, NULL, 0);
}

/* A number of words, a directory, the words, the environment. */
static void run_program(unsigned char *ask, size_t length) {
    static const int watched[] = {SIGCHLD};
    uint32_t count = get32(ask), strings = 0;
    char **list = calloc(length + 2, sizeof *list), *at = (char *)ask + 4, *end = (char *)ask + length;
    const char *work = at;
    volatile int error = 0;
    if (!list) die("no memory");
    for (at += strlen(at) + 1; at < end; at += strlen(at) + 1) {
        /* A gap behind the words parts them from the environment. */
        list[strings + (strings >= count)] = at;
        strings++;
    }
    heard = 1;
    catch_signals(watched, 1, SA_RESTART);
    catch_signals(ending_signals, 4, SA_RESTART);
    program.has_foreground = isatty(STDIN_FILENO) && tcgetpgrp(STDIN_FILENO) == getpgrp();
    program.pid = count > 0 && strings >= count ? vfork() : -1;
    if (program.pid == 0) {
        /* Until it is another program, or ends, it has this one's memory. */
        if (program.has_foreground) {
            setpgid(0, 0);
            give_foreground(getpid());
        }
        if (*work && chdir(work) != 0) _exit(1);
        execvpe(list[0], list, list + count + 1);
        error = errno;
        _exit(1);
    }
    int failed = program.pid < 0 || error != 0;
    free(list);
    if (!failed) return;
    if (program.pid > 0) waitpid(program.pid, NULL, 0);
    if (program.has_foreground) give_foreground(getpgrp());
    program.pid = 0;
    answer('p', UINT32_MAX, NULL, 0); /* there is no such program */
}

/* Nobody is to be told of its end. */
static void await_program(void) {
    while (program.pid > 0 && waitpid(program.pid, NULL, 0) < 0 && errno == EINTR) continue;
    if (program.pid > 0 && program.has_foreground) give_foreground(getpgrp());
    program.pid = 0;
}

static void signal_program(int number) {
    if (program.pid > 0 && number > 0) kill(program.has_foreground ? -program.pid : program.pid, number);
}

/* 0: the program takes a while. */
static void tell_signal(int number) {
    struct text told = {0};
    put32(&told, number);
    send_frame('G', told.bytes, told.length);
    free(told.bytes);
}

/* As poll(2): for however long both may be frozen, one second counts. -1 if the program has begun to last. */
static int await_events(struct pollfd *wait, nfds_t count) {
    if (program.pid <= 0 || program.lasts) return poll(wait, count, 1000);
    int ready = poll(wait, count, LASTS_MS);
    if (ready != 0) return ready;
    program.lasts = 1;
    tell_signal(0);
    return -1;
}

static void pass_signals(void) {
    unsigned char number;
    while (read(signals[0], &number, 1) == 1) {
        if (program.pid > 0 && number == SIGCHLD) {
            reap_program();
        } else if (program.pid > 0) {
            tell_signal(number);
        } else if (program.on_signal && number != SIGCHLD) {
            end_by_signal(number);
        }
    }
}

static void set_terminal(int raw) {
    if (!raw) cook();
    if (!raw || raw_terminal || tcgetattr(STDIN_FILENO, &cooked) != 0) return;
    struct termios mode = cooked;
    cfmakeraw(&mode);
    raw_terminal = tcsetattr(STDIN_FILENO, TCSANOW, &mode) == 0;
}
