/*
 * pam_slurm_adopt.so: lets a user log in to a node only while a job of the user's runs there, and makes the login part
 * of that job. The node daemon decides which job it is and moves the process that calls; this module asks it by its
 * socket (docs/step-wire.md), does what the options say about each outcome, and tells the user.
 *
 *     account required pam_slurm_adopt.so [OPTION=VALUE ...]
 *
 * As a session module it does the same, unless this very process has joined: sshd asks for the account in a process of
 * its own where it lets PAM converse with the user.
 */
#define _GNU_SOURCE
#define PAM_SM_ACCOUNT
#define PAM_SM_SESSION
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pwd.h>
#include <sched.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <syslog.h>
#include <time.h>
#include <unistd.h>

#include <security/pam_ext.h>
#include <security/pam_modules.h>

#include "wire.h"
#include "space.h"

#define DENIED "Access denied by pam_slurm_adopt: "
#define LONGEST_ANSWER 4096
#define PATIENCE_S 60 /* the prolog of a job may have to run first */
#define JOIN 'J'
#define JOINED_AS "pam_slurm_adopt"
#define NEWEST 1

enum action { IGNORE, ALLOW, DENY, USE_NEWEST };
enum outcome { JOINED, NO_JOBS, SEVERAL, NOT_JOINED, UNREACHABLE };

struct options {
    enum action no_jobs, unknown, adopt_failure, generic_failure;
    int ignore_root, log_level, stays_outside;
    const char *service, *node, *conf, *spool;
};

struct answer {
    enum outcome outcome;
    uint32_t job;
    char text[LONGEST_ANSWER + 256];
    char space[LONGEST_ANSWER]; /* what keeps the namespace of the job, empty where it has none */
};

/* Slurm's levels, from quiet to debug5; a message is written if its level is not above log_level. */
enum level { LOG_FATAL = 1, LOG_ERROR = 2, LOG_INFORMATION = 3, LOG_DETAILS = 5 };

static void __attribute__((format(printf, 4, 5)))
tell_log(pam_handle_t *pam, const struct options *options, enum level level, const char *format, ...)
{
    va_list words;
    if ((int)level > options->log_level)
        return;
    va_start(words, format);
    pam_vsyslog(pam, level <= LOG_ERROR ? LOG_ERR : level == LOG_INFORMATION ? LOG_INFO : LOG_DEBUG, format, words);
    va_end(words);
}

/* ---------------------------------------------------------------- options */

static int level_of(const char *word)
{
    static const char *const names[] = {"quiet", "fatal", "error", "info", "verbose", "debug"};
    char *end;
    long number = strtol(word, &end, 10);
    if (*word != 0 && *end == 0)
        return number < 0 ? 0 : number > 9 ? 9 : (int)number;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcasecmp(word, names[i]) == 0)
            return (int)i;
    return strncasecmp(word, "debug", 5) == 0 ? 9 : -1;
}

/* Sets an action to the word that it is called by, if that is one of those allowed. Whether it is. */
static int set_action(enum action *action, const char *word, const char *allowed)
{
    static const char *const names[] = {"ignore", "allow", "deny", "newest"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcasecmp(word, names[i]) == 0 && strchr(allowed, names[i][0]) != NULL) {
            *action = (enum action)i;
            return 1;
        }
    return 0;
}

/* The value behind NAME=, NULL if the option is another one. */
static const char *value_of(const char *option, const char *name)
{
    size_t length = strlen(name);
    return strncasecmp(option, name, length) == 0 && option[length] == '=' ? option + length + 1 : NULL;
}

/* Whether the option is known and its value one that it may have. */
static int take_option(struct options *options, const char *option)
{
    const char *value;
    if ((value = value_of(option, "action_no_jobs")))
        return set_action(&options->no_jobs, value, "id");
    if ((value = value_of(option, "action_unknown")))
        return set_action(&options->unknown, value, "nad");
    if ((value = value_of(option, "action_adopt_failure")))
        return set_action(&options->adopt_failure, value, "ad");
    if ((value = value_of(option, "action_generic_failure")))
        return set_action(&options->generic_failure, value, "iad");
    if ((value = value_of(option, "log_level")))
        return (options->log_level = level_of(value)) >= 0;
    if ((value = value_of(option, "ignore_root")))
        return options->ignore_root = atoi(value), strlen(value) == 1 && strchr("01", *value) != NULL;
    if ((value = value_of(option, "service")))
        return options->service = value, *value != 0;
    if ((value = value_of(option, "nodename")))
        return options->node = value, *value != 0;
    if ((value = value_of(option, "conf")))
        return options->conf = value, *value == '/';
    if ((value = value_of(option, "spool")))
        return options->spool = value, *value == '/';
    if ((value = value_of(option, "join_container")))
        return options->stays_outside = strchr("0nfNF", *value) != NULL, *value != 0;
    return value_of(option, "disable_x11") != NULL; /* there is no --x11 that it could act on */
}

static struct options read_options(pam_handle_t *pam, int argc, const char **argv)
{
    struct options options = {
        .no_jobs = DENY,
        .unknown = USE_NEWEST,
        .adopt_failure = ALLOW,
        .generic_failure = IGNORE,
        .ignore_root = 1,
        .log_level = LOG_INFORMATION,
        .service = "sshd",
        .conf = "/etc/slurm/slurm.conf",
    };
    for (int i = 0; i < argc; i++) {
        struct options before = options;
        if (!take_option(&options, argv[i])) {
            options = before;
            pam_syslog(pam, LOG_ERR, "option %s is unknown or has no such value, and is ignored", argv[i]);
        }
    }
    return options;
}

/* ---------------------------------------------------------------- the daemon's socket */

/* The value of a key in a line of a configuration file, with what follows it; NULL if it is not there. */
static const char *value_in(const char *line, const char *key)
{
    size_t length = strlen(key);
    for (const char *at = line; (at = strcasestr(at, key)) != NULL; at += length) {
        const char *equals = at + length + strspn(at + length, " \t");
        if ((at == line || at[-1] == ' ' || at[-1] == '\t') && *equals == '=')
            return equals + 1 + strspn(equals + 1, " \t");
    }
    return NULL;
}

/* The last value of a key in a configuration file, in room; whether there is one. */
static int find_value(const char *path, const char *key, char *room, size_t size)
{
    char *line = NULL;
    size_t length = 0;
    int found = 0;
    FILE *file = fopen(path, "re");
    if (file == NULL)
        return 0;
    while (getline(&line, &length, file) > 0) {
        line[strcspn(line, "#\n")] = 0;
        const char *value = value_in(line, key);
        if (value == NULL)
            continue;
        int quoted = *value == '"';
        value += quoted;
        found = snprintf(room, size, "%.*s", (int)strcspn(value, quoted ? "\"" : " \t"), value) < (int)size;
    }
    free(line);
    fclose(file);
    return found;
}

/* The daemon's socket: %h and %n in its folder stand for the host and the node. Whether that has room. */
static int socket_path(const struct options *options, char *path, size_t size)
{
    char host[256] = "", folder[256] = "/var/spool/slurmd";
    size_t at = 0;
    gethostname(host, sizeof host - 1);
    host[strcspn(host, ".")] = 0;
    if (options->spool == NULL)
        find_value(options->conf, "SlurmdSpoolDir", folder, sizeof folder);
    for (const char *from = options->spool == NULL ? folder : options->spool; *from != 0; from++) {
        const char *part = NULL;
        if (from[0] == '%' && from[1] == 'h')
            part = host;
        if (from[0] == '%' && from[1] == 'n')
            part = options->node == NULL ? host : options->node;
        int wrote = part == NULL ? snprintf(path + at, size - at, "%c", *from)
                                 : snprintf(path + at, size - at, "%s", part);
        from += part != NULL;
        at += wrote;
        if (at >= size)
            return 0;
    }
    return snprintf(path + at, size - at, "/step.sock") < (int)(size - at);
}

/* A connection to the daemon, with root at its other end; -1 with errno. */
static int reach(const char *path)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    struct ucred who;
    socklen_t size = sizeof who;
    if (strlen(path) >= sizeof address.sun_path) {
        errno = ENAMETOOLONG;
        return -1;
    }
    memcpy(address.sun_path, path, strlen(path) + 1);
    int daemon = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (daemon < 0)
        return -1;
    int error = 0;
    if (connect(daemon, (struct sockaddr *)&address, sizeof address) < 0 ||
        getsockopt(daemon, SOL_SOCKET, SO_PEERCRED, &who, &size) < 0)
        error = errno;
    else if (who.uid != 0)
        error = EPERM; /* somebody else's socket in the daemon's place */
    if (error == 0)
        return daemon;
    close(daemon);
    errno = error;
    return -1;
}

static long long now_ms(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * 1000LL + now.tv_nsec / 1000000;
}

/* Reads exactly that much before the deadline; whether it came. */
static int take(int daemon, unsigned char *to, size_t length, long long deadline)
{
    while (length > 0) {
        long long left = deadline - now_ms();
        struct pollfd ready = {.fd = daemon, .events = POLLIN};
        if (left <= 0 || (poll(&ready, 1, (int)left) == 0 && (errno = ETIMEDOUT)))
            return 0;
        ssize_t got = recv(daemon, to, length, MSG_DONTWAIT);
        if (got < 0 && (errno == EINTR || errno == EAGAIN))
            continue;
        if (got <= 0) {
            errno = got == 0 ? ECONNRESET : errno;
            return 0;
        }
        to += got;
        length -= got;
    }
    return 1;
}

static void say(struct answer *answer, const char *what, const char *text)
{
    snprintf(answer->text, sizeof answer->text, "%s: %s", what, text);
}

/* Understands the daemon's frame: J with a status, a job and a text, or R with an error and a text. */
static void understand(struct answer *answer, int type, const unsigned char *payload, size_t length)
{
    if (type == JOIN && length >= 8 && get32(payload) <= NOT_JOINED) {
        answer->outcome = (enum outcome)get32(payload);
        answer->job = get32(payload + 4);
        const char *text = (const char *)payload + 8; /* and perhaps one more behind its NUL, which is not the last */
        size_t known = strlen(text) + 1;
        snprintf(answer->text, sizeof answer->text, "%s", text);
        if (known < length - 8)
            snprintf(answer->space, sizeof answer->space, "%s", text + known);
    } else if (type == 'R' && length >= 4) {
        say(answer, "slurmd refuses", (const char *)payload + 4);
    } else {
        say(answer, "slurmd", "an answer that is none");
    }
}

/* Has the daemon make this process part of a job of the user. */
static void ask(const struct options *options, uid_t uid, struct answer *answer)
{
    char path[sizeof((struct sockaddr_un *)NULL)->sun_path + 1];
    unsigned char frame[FRAME_HEAD + 5];
    unsigned char head[FRAME_HEAD], payload[LONGEST_ANSWER];
    long long deadline = now_ms() + PATIENCE_S * 1000;
    *answer = (struct answer){.outcome = UNREACHABLE};
    if (!socket_path(options, path, sizeof path)) {
        say(answer, "SlurmdSpoolDir", strerror(ENAMETOOLONG));
        return;
    }
    int daemon = reach(path);
    if (daemon < 0) {
        say(answer, path, strerror(errno));
        return;
    }
    *put32(put_head(frame, JOIN, 5), uid) = options->unknown == USE_NEWEST ? NEWEST : 0;
    size_t length;
    if (send(daemon, frame, sizeof frame, MSG_NOSIGNAL) == sizeof frame && take(daemon, head, sizeof head, deadline) &&
        (length = get32(head + 1)) < sizeof payload && take(daemon, payload, length, deadline)) {
        payload[length] = 0;
        understand(answer, *head, payload, length);
    } else {
        say(answer, path, strerror(errno));
    }
    close(daemon);
}

/* ---------------------------------------------------------------- what becomes of the login */

static int decide(pam_handle_t *pam, enum action action, const char *why)
{
    if (action == IGNORE)
        return PAM_IGNORE;
    if (action == ALLOW)
        return PAM_SUCCESS;
    pam_error(pam, DENIED "%s", why);
    return PAM_PERM_DENIED;
}

static void release(pam_handle_t *pam, void *joined, int status)
{
    (void)pam;
    (void)status;
    free(joined);
}

/* The login's processes carry the job, by which they are known where there are no control groups. */
static void mark(pam_handle_t *pam, const struct answer *answer)
{
    char variable[LONGEST_ANSWER + 512];
    pid_t *joined = malloc(sizeof *joined);
    if (joined != NULL) {
        *joined = getpid();
        if (pam_set_data(pam, JOINED_AS, joined, release) != PAM_SUCCESS)
            free(joined);
    }
    snprintf(variable, sizeof variable, "SLURM_JOB_ID=%u", answer->job);
    pam_putenv(pam, variable);
    snprintf(variable, sizeof variable, "DURE_LOGIN=%s", answer->text);
    pam_putenv(pam, variable);
}

static int admit(pam_handle_t *pam, const struct options *options, const struct passwd *user)
{
    struct answer answer;
    ask(options, user->pw_uid, &answer);
    switch (answer.outcome) {
    case JOINED:
        tell_log(pam, options, LOG_INFORMATION, "process %d of user %s joined job %u", getpid(), user->pw_name,
                 answer.job);
        if (answer.space[0] != 0 && !options->stays_outside && !enter_space(answer.space)) {
            tell_log(pam, options, LOG_ERROR, "user %s cannot enter %s of job %u: %s", user->pw_name, answer.space,
                     answer.job, strerror(errno));
            if (options->adopt_failure != ALLOW)
                return decide(pam, options->adopt_failure, "unable to adopt this process into your job");
        }
        mark(pam, &answer);
        return PAM_SUCCESS;
    case NO_JOBS:
        tell_log(pam, options, LOG_INFORMATION, "user %s has no job on this node", user->pw_name);
        return decide(pam, options->no_jobs, "you have no active jobs on this node");
    case SEVERAL:
        tell_log(pam, options, LOG_INFORMATION, "user %s has several jobs on this node", user->pw_name);
        return decide(pam, options->unknown, "unable to determine source job");
    case NOT_JOINED:
        tell_log(pam, options, LOG_ERROR, "user %s did not join job %u: %s", user->pw_name, answer.job, answer.text);
        return decide(pam, options->adopt_failure, "unable to adopt this process into your job");
    case UNREACHABLE:
        break;
    }
    tell_log(pam, options, LOG_ERROR, "the node daemon did not answer for user %s: %s", user->pw_name, answer.text);
    return decide(pam, options->generic_failure, "the node daemon did not answer");
}

static int consider(pam_handle_t *pam, int argc, const char **argv)
{
    struct options options = read_options(pam, argc, argv);
    const void *service = NULL;
    const char *name = NULL;
    struct passwd entry, *user = NULL;
    char room[16384];
    if (pam_get_item(pam, PAM_SERVICE, &service) != PAM_SUCCESS || service == NULL)
        service = "";
    if (strcmp(options.service, "*") != 0 && strcmp(options.service, service) != 0) {
        tell_log(pam, &options, LOG_DETAILS, "not for service %s", (const char *)service);
        return PAM_IGNORE;
    }
    if (pam_get_user(pam, &name, NULL) != PAM_SUCCESS || name == NULL ||
        getpwnam_r(name, &entry, room, sizeof room, &user) != 0 || user == NULL) {
        pam_syslog(pam, LOG_ERR, "no such user: %s", name == NULL ? "" : name);
        return PAM_USER_UNKNOWN;
    }
    if (user->pw_uid == 0 && options.ignore_root)
        return PAM_IGNORE;
    return admit(pam, &options, user);
}

PAM_EXTERN int pam_sm_acct_mgmt(pam_handle_t *pam, int flags, int argc, const char **argv)
{
    (void)flags;
    return consider(pam, argc, argv);
}

PAM_EXTERN int pam_sm_open_session(pam_handle_t *pam, int flags, int argc, const char **argv)
{
    const void *joined = NULL;
    (void)flags;
    if (pam_get_data(pam, JOINED_AS, &joined) == PAM_SUCCESS && joined != NULL && *(const pid_t *)joined == getpid())
        return PAM_SUCCESS;
    return consider(pam, argc, argv);
}

/* What the session leaves belongs to the job. */
PAM_EXTERN int pam_sm_close_session(pam_handle_t *pam, int flags, int argc, const char **argv)
{
    (void)pam;
    (void)flags;
    (void)argc;
    (void)argv;
    return PAM_SUCCESS;
}
