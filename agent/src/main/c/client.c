/*
 * Every command of Dure: hands the command line to the agent of this machine and does for it what
 * only the caller may: reads standard input, writes output, opens files, starts programs, dies by
 * signals. Where no agent serves, the command runs in a JVM of its own instead.
 *
 * Frames, both ways, are described in docs/agent-protocol.md.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/auxv.h>
#include <sys/epoll.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

#define MAGIC "DureAg01"
#define DEFAULT_CONF "/etc/slurm/slurm.conf"
#define FETCHED_CONF "/run/slurm/conf/slurm.conf" /* by a node daemon, where there is no other */
#define DEFAULT_SOCKET "/run/dure/agent.sock"
#define LAUNCHER "libexec/command"
#define DAEMON "sbin/dure-agent"
#define OWN "DURE_OWN_AGENT" /* set for the time of an exec */
#define FIRST_WORD_SECONDS 5
#define NEXT_WORD_SECONDS 20 /* it sends one each second */
#define LAST_WORD_SECONDS 60 /* where nobody else can do the rest */
#define AGAIN_SECONDS 10     /* for an agent that is being restarted */
#define MOST_CALLS 3
#define FILES 64

extern char **environ;

static const char *name;    /* of the file, or link, that was started; argv[0] may be anything */
static char **words;        /* the whole command line */
static int agent = -1;      /* the socket */
static int own;             /* the agent serves this call alone, and was started by it */
static int heard;           /* the agent has had the command do something that cannot be undone */
static int step_code = -1;  /* how a step that is over ended */
static int stdout_lost;     /* a write to standard output failed */
static int stdin_wanted;    /* the agent waits for a chunk of standard input */
static int files[FILES];    /* descriptors that the agent opened, -1 where none */
static char directory[PATH_MAX];
static char calls[2] = "0"; /* how often another agent took this call up */
static char request_id[33]; /* names this call, for a controller that must not do it twice */
static int signals[2] = {-1, -1};
static struct termios cooked;
static int raw_terminal;

#include "names.h"

static void cook(void) {
    if (raw_terminal) tcsetattr(STDIN_FILENO, TCSANOW, &cooked);
    raw_terminal = 0;
}

static void die(const char *what) {
    cook();
    dprintf(STDERR_FILENO, "%s: error: %s\n", name, what);
    exit(1);
}

/* ---- where no agent serves ---- */

static void find_home(char home[PATH_MAX]) {
    ssize_t length = readlink("/proc/self/exe", home, PATH_MAX - 1);
    if (length < 0) die("cannot find its own program below /proc");
    home[length] = 0;
    for (int i = 0; i < 3; i++) dirname(home); /* HOME/target/client/command */
}

/* In a JVM of its own the command runs as it would in the agent; what needs this program gets an agent for this call. */
static void fall_back(void) {
    char home[PATH_MAX], launcher[PATH_MAX + sizeof LAUNCHER + 1];
    cook();
    setenv("DURE_REQUEST_ID", request_id, 1);
    if (agent >= 0) close(agent);
    if (!own && (is_interactive() || is_among("srun salloc sattach sbcast sgather"))) {
        setenv(OWN, "1", 1);
        execv((const char *)getauxval(AT_EXECFN), words);
        unsetenv(OWN);
    }
    find_home(home);
    snprintf(launcher, sizeof launcher, "%s/%s", home, LAUNCHER);
    setenv("DURE_HOME", home, 1);
    setenv("DURE_COMMAND", name, 1);
    execv(launcher, words);
    dprintf(STDERR_FILENO, "%s: error: cannot start %s: %s\n", name, launcher, strerror(errno));
    exit(127);
}

static void await_program(void);
static int reach_agent(void);

static int waits_for_resources(void) { return is_among("srun salloc"); }

/* Has the next agent take up a call that waited for resources: its id makes it the same call. */
static void call_again(void) {
    if (calls[0]++ >= '0' + MOST_CALLS) return;
    for (int tries = 0; tries < 20 * AGAIN_SECONDS; tries++) {
        close(agent);
        if (reach_agent() == 0) {
            setenv("DURE_REQUEST_ID", request_id, 1);
            setenv("DURE_CALLS", calls, 1);
            execv((const char *)getauxval(AT_EXECFN), words);
            return;
        }
        poll(NULL, 0, 50);
    }
}

/* The agent is gone, hangs or talks nonsense. What has begun must not begin again. */
static void lost(const char *how) {
    char what[128];
    if (!heard && waits_for_resources()) call_again();
    if (!heard) fall_back();
    await_program();
    if (step_code >= 0) exit(step_code); /* it is over, and that is what its srun says of it */
    snprintf(what, sizeof what, "the agent of this machine %s while the command ran; "
             "what it was asked to do may be done", how);
    die(what);
}

/* ---- frames ---- */

#include "text.h"

/* Tries as often, of FIRST_WORD_SECONDS each, while the agent takes nothing. */
static int send_all(const unsigned char *bytes, size_t length, int tries) {
    for (ssize_t done; length > 0; bytes += done, length -= done) {
        done = send(agent, bytes, length, MSG_NOSIGNAL);
        if (done < 0 && errno != EINTR && (errno != EAGAIN || --tries <= 0)) return -1;
        done = done < 0 ? 0 : done;
    }
    return 0;
}

static void send_frame(char type, const void *payload, size_t length) {
    struct text frame = {0};
    put(&frame, &type, 1);
    put32(&frame, length);
    put(&frame, payload, length);
    if (send_all(frame.bytes, frame.length, LAST_WORD_SECONDS / FIRST_WORD_SECONDS))
        lost(errno == EAGAIN ? "fell silent" : "ended");
    free(frame.bytes);
}

/* ---- the call ---- */

static const int limits[] = {RLIMIT_CPU,  RLIMIT_FSIZE, RLIMIT_DATA,   RLIMIT_STACK,   RLIMIT_CORE,
                             RLIMIT_RSS,  RLIMIT_NPROC, RLIMIT_NOFILE, RLIMIT_MEMLOCK, RLIMIT_AS};

static void window(struct text *text) {
    struct winsize size = {0};
    if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0) ioctl(STDIN_FILENO, TIOCGWINSZ, &size);
    put32(text, size.ws_row);
    put32(text, size.ws_col);
}

static void put_call(struct text *call, int count) {
    mode_t mask = umask(0);
    umask(mask);
    put32(call, mask);
    put32(call, getsid(0));
    put32(call, isatty(0) | isatty(1) << 1 | isatty(2) << 2);
    window(call);
    for (size_t i = 0; i < sizeof limits / sizeof *limits; i++) {
        struct rlimit limit;
        int known = getrlimit(limits[i], &limit) == 0 && limit.rlim_cur != RLIM_INFINITY;
        put64(call, known ? limit.rlim_cur : UINT64_MAX);
    }
    put_string(call, request_id);
    put_string(call, directory);
    put_string(call, name);
    put32(call, count - 1);
    for (int i = 1; i < count; i++) put_string(call, words[i]);
    for (char **variable = environ; *variable; variable++) put_string(call, *variable);
}

static void send_call(int count) {
    struct text call = {0}, whole = {0};
    put_call(&call, count);
    put(&whole, MAGIC "A", 9);
    put32(&whole, call.length);
    put(&whole, call.bytes, call.length);
    if (send_all(whole.bytes, whole.length, own ? LAST_WORD_SECONDS / FIRST_WORD_SECONDS : 1)) fall_back();
}

static void make_request_id(void) {
    const char *given = getenv("DURE_REQUEST_ID"), *before = getenv("DURE_CALLS");
    unsigned char bytes[16];
    if (before) calls[0] = before[0];
    unsetenv("DURE_CALLS");
    if (given && strlen(given) == 32) {
        strcpy(request_id, given);
        unsetenv("DURE_REQUEST_ID"); /* not for what this call starts */
        return;
    }
    if (getrandom(bytes, sizeof bytes, 0) != sizeof bytes) die("no random numbers");
    for (int i = 0; i < 16; i++) sprintf(request_id + 2 * i, "%02x", bytes[i]);
}

/* An agent is trusted as far as its user: root, the caller, or who wrote the configuration. */
static int trusted(const char *conf) {
    struct ucred peer;
    socklen_t size = sizeof peer;
    struct stat owner;
    if (getsockopt(agent, SOL_SOCKET, SO_PEERCRED, &peer, &size) != 0) return 0;
    if (peer.uid == 0 || peer.uid == geteuid()) return 1;
    return stat(conf, &owner) == 0 && owner.st_uid == peer.uid;
}

/* It ends when the socket is closed. What a terminal sends is for this program alone. */
static void start_agent(void) {
    char home[PATH_MAX], daemon[PATH_MAX + sizeof DAEMON + 1];
    int pair[2];
    unsetenv(OWN);
    find_home(home);
    snprintf(daemon, sizeof daemon, "%s/%s", home, DAEMON);
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) != 0) die("no socket");
    pid_t pid = fork();
    if (pid < 0) die("no process for an agent of its own");
    if (pid == 0) {
        int null = open("/dev/null", O_WRONLY | O_CLOEXEC);
        setsid();
        if (dup2(pair[1], STDIN_FILENO) < 0 || dup2(null, STDOUT_FILENO) < 0) _exit(127);
        execl(daemon, daemon, "-D", "--single-call", (char *)NULL);
        _exit(127);
    }
    close(pair[1]);
    agent = pair[0];
}

/* 0, or -1 where there is none to be trusted. */
static int reach_agent(void) {
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    struct timeval patience = {FIRST_WORD_SECONDS, 0};
    const char *conf = getenv("SLURM_CONF"), *path = getenv("DURE_AGENT");
    if (!conf || !*conf) conf = DEFAULT_CONF;
    int named = strcmp(conf, DEFAULT_CONF) != 0 && strcmp(conf, FETCHED_CONF) != 0, length;
    agent = -1;
    if (path && !*path) return -1;
    if (path || !named) {
        length = snprintf(address.sun_path, sizeof address.sun_path, "%s", path ? path : DEFAULT_SOCKET);
    } else {
        const char *slash = strrchr(conf, '/');
        length = snprintf(address.sun_path, sizeof address.sun_path, "%.*srun/agent.sock",
                          slash ? (int)(slash + 1 - conf) : 0, conf);
    }
    if (length >= (int)sizeof address.sun_path) return -1;
    agent = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    int reached = agent >= 0 && setsockopt(agent, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof patience) == 0 &&
                  connect(agent, (struct sockaddr *)&address, sizeof address) == 0 && trusted(conf);
    return reached ? 0 : -1;
}

/* ---- what the agent asks for ---- */

static void answer(char type, uint32_t error, const void *bytes, size_t length) {
    struct text reply = {0};
    put32(&reply, error);
    put(&reply, bytes, length);
    send_frame(type, reply.bytes, reply.length);
    free(reply.bytes);
}

/* File number, wishes (1 read, 2 write, 4 create, 8 empty, 16 append, 32 only look), mode, path. */
static void open_file(const unsigned char *ask) {
    uint32_t number = get32(ask), wishes = get32(ask + 4);
    int flags = O_CLOEXEC | O_NOCTTY;
    flags |= (wishes & 3) == 3 ? O_RDWR : wishes & 2 ? O_WRONLY : O_RDONLY;
    flags |= (wishes & 4 ? O_CREAT : 0) | (wishes & 8 ? O_TRUNC : 0) | (wishes & 16 ? O_APPEND : 0);
    if (number >= FILES || files[number] >= 0) {
        answer('o', EMFILE, NULL, 0);
        return;
    }
    struct stat facts;
    struct text reply = {0};
    const char *path = (const char *)ask + 12;
    int file = wishes & 32 ? -1 : open(path, flags, (mode_t)get32(ask + 8));
    if (wishes & 32 ? stat(path, &facts) : file < 0 || fstat(file, &facts)) {
        answer('o', errno, NULL, 0);
        if (file >= 0) close(file);
        return;
    }
    files[number] = file;
    put32(&reply, facts.st_mode);
    put64(&reply, facts.st_size);
    answer('o', 0, reply.bytes, reply.length);
    free(reply.bytes);
}

/* Its descriptor, -1 if no such file is open. */
static int file_of(const unsigned char *ask) { return get32(ask) < FILES ? files[get32(ask)] : -1; }

static void read_file(const unsigned char *ask) {
    uint32_t most = get32(ask + 4);
    unsigned char chunk[65536];
    ssize_t got;
    do got = read(file_of(ask), chunk, most < sizeof chunk ? most : sizeof chunk);
    while (got < 0 && errno == EINTR);
    if (got > 0 && lseek(file_of(ask), 0, SEEK_CUR) < 0) heard = 1; /* of a pipe it is gone */
    answer('r', got < 0 ? errno : 0, chunk, got < 0 ? 0 : got);
}

static void write_file(const unsigned char *ask, size_t length) {
    answer('w', write_all(file_of(ask), ask + 4, length - 4) ? errno : 0, NULL, 0);
}

static void close_file(const unsigned char *ask) {
    if (file_of(ask) < 0) return;
    close(file_of(ask));
    files[get32(ask)] = -1;
}

#include "program.h"

static void pass_input(void) {
    unsigned char chunk[65536];
    ssize_t got = read(STDIN_FILENO, chunk, sizeof chunk);
    if (got < 0 && (errno == EINTR || errno == EAGAIN)) return;
    stdin_wanted = 0;
    heard = 1;
    send_frame('I', chunk, got < 0 ? 0 : got);
}

static void end(uint32_t code) {
    cook();
    if (code >= 256) {
        setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
        signal(code - 256, SIG_DFL);
        raise(code - 256);
    }
    exit(code == 0 && stdout_lost ? 1 : (int)code);
}

#include "step.h"
#include "question.h"
#include "transfer.h"
#include "display.h"

/* A command that only shows something has nothing more to do; one that acts goes on. */
static void lose_output(void) {
    stdout_lost = 1;
    if (!is_among(ACTING)) end(0);
}

/* The least payload of each frame that the agent may send, -1 for one that it may not. */
static int least(unsigned char type) {
    switch (type) {
    case '1': case '2': case 'S': case 'K': case 'F': return 0;
    case 'B': return is_among("sbcast sgather srun bsub") ? 4 : -1;
    case 'N': return is_among("scontrol sstat") ? 0 : -1;
    case 'X': case 'C': case 'W': return 4;
    case 'P': return is_among("salloc srun scrontab qsub bsub") ? 5 : -1;
    case 'Y': return is_among("salloc srun scrontab qsub bsub") ? 4 : -1;
    case 'H': return is_among("srun salloc qsub bsub") ? 0 : -1;
    case 'D': return is_among("srun salloc qsub bsub") ? 4 : -1;
    case 'L': return is_among("srun sattach bsub") ? 4 : -1;
    case 'R': return 8;
    case 'O': return 13;
    default: return -1;
    }
}

static void obey(unsigned char type, unsigned char *payload, size_t length) {
    switch (type) {
    case '1':
        heard |= !waits_for_resources(); /* what they say may be said twice */
        if (write_all(STDOUT_FILENO, payload, length)) lose_output();
        break;
    case '2': heard |= !waits_for_resources(); write_all(STDERR_FILENO, payload, length); break;
    case 'S': stdin_wanted = 1; break;
    case 'X': end(get32(payload)); break;
    case 'F': lost("ended"); break;
    case 'O': open_file(payload); break;
    case 'R': read_file(payload); break;
    case 'W': write_file(payload, length); break;
    case 'C': close_file(payload); break;
    case 'P': run_program(payload, length); break;
    case 'Y': signal_program(get32(payload)); break;
    case 'H': say_on_signal((char *)payload); break;
    case 'L': run_step(payload, length); break;
    case 'B': move_files(payload, length); break;
    case 'N': ask_socket(payload, length); break;
    case 'D': open_display(payload, length); break;
    default: break; /* K: it is at work */
    }
}

/* ---- the conversation ---- */

/* Does what whole frames ask; returns how many bytes they had. */
static size_t obey_all(struct text *in) {
    size_t at = 0;
    while (in->length - at >= 5) {
        unsigned char *frame = in->bytes + at, type = frame[0];
        uint32_t length = get32(frame + 1);
        if (least(type) < 0 || (int64_t)length < least(type) || length > (64u << 20)) lost("ended");
        if (in->length - at - 5 < length) break;
        /* Strings at the end of a frame end with it. */
        unsigned char after = frame[5 + length];
        frame[5 + length] = 0;
        obey(type, frame + 5, length);
        frame[5 + length] = after;
        at += 5 + length;
    }
    return at;
}

static void receive(struct text *in) {
    if (in->room - in->length < 65536) {
        in->room = in->room * 2 + 2 * 65536;
        in->bytes = realloc(in->bytes, in->room);
        if (!in->bytes) die("no memory");
    }
    /* A byte stays free for the zero behind the last frame. */
    ssize_t got = recv(agent, in->bytes + in->length, in->room - in->length - 1, 0);
    if (got < 0 && errno == EINTR) return;
    if (got <= 0) lost("ended");
    in->length += got;
    size_t done = obey_all(in);
    memmove(in->bytes, in->bytes + done, in->length - done);
    in->length -= done;
}

static void converse(void) {
    struct text in = {0};
    for (int patience = own ? LAST_WORD_SECONDS : FIRST_WORD_SECONDS;;) {
        struct pollfd wait[3] = {
            {agent, POLLIN, 0}, {stdin_wanted ? STDIN_FILENO : -1, POLLIN, 0}, {signals[0], POLLIN, 0}};
        int ready = await_events(wait, 3);
        if (ready == 0 && --patience <= 0) lost("fell silent");
        if (ready <= 0) continue;
        if (wait[2].revents) pass_signals();
        if (wait[1].revents) pass_input();
        if (!wait[0].revents) continue;
        receive(&in);
        patience = heard ? LAST_WORD_SECONDS : NEXT_WORD_SECONDS;
    }
}

/* A stream that the caller has closed goes nowhere and brings nothing; no file of ours takes its number. */
static void fill_streams(void) {
    int null;
    do null = open("/dev/null", O_RDWR);
    while (null >= 0 && null <= STDERR_FILENO);
    close(null);
}

/* In a directory that has been removed no job may be, and no JVM starts. */
static void find_directory(void) {
    if (getcwd(directory, sizeof directory)) return;
    if (is_among("sbatch")) die("getcwd failed: No such file or directory");
    if (is_among("srun")) {
        dprintf(STDERR_FILENO, "srun: error: getcwd failed: No such file or directory\n");
        exit(255);
    }
    strcpy(directory, chdir("/") == 0 ? "/" : "");
}

int main(int count, char **list) {
    if (count < 1) return 127;
    fill_streams();
    words = list;
    const char *path = (const char *)getauxval(AT_EXECFN), *slash = strrchr(path, '/');
    name = slash ? slash + 1 : path;
    memset(files, -1, sizeof files);
    find_directory();
    own = getenv(OWN) != NULL;
    make_request_id();
    if (own) start_agent();
    else if (reach_agent()) fall_back();
    send_call(count);
    converse();
}
