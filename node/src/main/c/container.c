/*
 * Runs a task in a container that is described by an OCI bundle, by the commands of oci.conf (crun, runc).
 *
 *     container run KEY=VALUE... -- PROGRAM [ARGUMENT...]    as the task's user, in place of the program
 *     container clean UID GID GROUP,... [cgroup=DIR...] KEY=VALUE...    as root: removes what a killed task has left there
 *
 * It writes a copy of the bundle's config.json, with the task's program and environment, into a folder of its own
 * (ContainerPath), and has the runtime use that. It ends with the code of the container. Keys: see take().
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <limits.h>
#include <regex.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "json.h"
#include "user.h"

#define LARGEST_CONFIG (16 << 20)
#define SCRIPT "startup"
#define ENVIRONMENT "environment"
#define CALLER "caller-environment"

extern char **environ;

static struct {
    const char *bundle, *path, *job, *step, *node, *user, *uid, *rank, *inside;
    const char *create, *start, *run, *kill, *delete, *query;
    const char *ranks, *env_file, *env_exclude, *runtime_env_exclude;
    int is_script, ignores_config, keeps;
} given = {.rank = "0", .inside = "/var/run/slurm/"};

static char **program;
static char *folder, *root_path; /* ContainerPath and the bundle's root file system, absolute */
static pid_t init_pid;           /* of a container that was created and started, as the runtime says */
static int init_status = -1;     /* how it ended; -1 before */

static void __attribute__((noreturn, format(printf, 1, 2))) give_up(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    fprintf(stderr, "slurmstepd: error: container: ");
    vfprintf(stderr, format, arguments);
    fprintf(stderr, "\n");
    exit(1);
}

static int take(const char *entry)
{
    static const struct { const char *key; const char **to; } texts[] = {
        {"bundle", &given.bundle}, {"path", &given.path}, {"job", &given.job}, {"step", &given.step},
        {"node", &given.node}, {"user", &given.user}, {"uid", &given.uid}, {"rank", &given.rank}, {"ranks", &given.ranks},
        {"inside", &given.inside}, {"create", &given.create}, {"start", &given.start}, {"run", &given.run},
        {"kill", &given.kill}, {"delete", &given.delete}, {"query", &given.query}, {"env_file", &given.env_file},
        {"env_exclude", &given.env_exclude}, {"runtime_env_exclude", &given.runtime_env_exclude}};
    static const struct { const char *key; int *to; } flags[] = {
        {"script=1", &given.is_script}, {"ignore_config=1", &given.ignores_config}, {"keep=1", &given.keeps}};
    const char *value = strchr(entry, '=');
    for (size_t i = 0; value != NULL && i < sizeof texts / sizeof *texts; i++)
        if (strlen(texts[i].key) == (size_t)(value - entry) && strncmp(entry, texts[i].key, value - entry) == 0)
            return *texts[i].to = value + 1, 1;
    for (size_t i = 0; i < sizeof flags / sizeof *flags; i++)
        if (strcmp(entry, flags[i].key) == 0)
            return *flags[i].to = 1;
    return 0;
}

/* ---------------------------------------------------------------- patterns */

static void put_text(FILE *to, const char *text, int for_shell)
{
    if (!for_shell || (*text != 0 && strspn(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                                  "_-+=./,:@%") == strlen(text))) {
        fputs(text, to);
        return;
    }
    fputc('\'', to);
    for (; *text != 0; text++)
        if (*text == '\'')
            fputs("'\\''", to);
        else
            fputc(*text, to);
    fputc('\'', to);
}

static const char *joined(const char *name)
{
    static char path[PATH_MAX];
    snprintf(path, sizeof path, "%s/%s", folder == NULL ? "" : folder, name);
    return path;
}

/* With the values of its patterns, quoted where it is for a shell. */
static char *expanded(const char *pattern, int for_shell)
{
    char *text = NULL, pid[16];
    size_t length;
    FILE *to = open_memstream(&text, &length);
    if (to == NULL)
        no_memory();
    snprintf(pid, sizeof pid, "%d", (int)(init_pid != 0 ? init_pid : getpid()));
    for (; *pattern != 0; pattern++) {
        const char *value = NULL;
        switch (*pattern == '%' ? pattern[1] : 0) {
        case 'b': value = given.ignores_config || folder == NULL ? given.bundle : folder; break;
        case 'e': value = given.env_file == NULL ? "" : joined(ENVIRONMENT); break;
        case 'j': value = given.job; break;
        case 'm': value = folder; break;
        case 'n': value = given.node; break;
        case 'p': value = pid; break;
        case 'r': value = root_path; break;
        case 's': value = given.step; break;
        case 't': value = given.rank; break;
        case 'u': value = given.user; break;
        case 'U': value = given.uid; break;
        case '%': value = "%"; break;
        case '@':
            for (size_t i = 0; program != NULL && program[i] != NULL; i++) {
                fputs(i == 0 ? "" : " ", to);
                put_text(to, program[i], 1);
            }
            value = "";
            break;
        }
        if (value == NULL)
            fputc(*pattern, to);
        else {
            if (*value != 0)
                put_text(to, value, for_shell);
            pattern++;
        }
    }
    fclose(to);
    return text;
}

/* ---------------------------------------------------------------- the bundle */

static int matches(const char *pattern, const char *text)
{
    regex_t compiled;
    if (pattern == NULL)
        return 0;
    if (regcomp(&compiled, pattern, REG_EXTENDED | REG_NOSUB) != 0)
        give_up("oci.conf: %s is no regular expression", pattern);
    int found = regexec(&compiled, text, 0, NULL, 0) == 0;
    regfree(&compiled);
    return found;
}

static struct json *read_config(void)
{
    char path[PATH_MAX];
    snprintf(path, sizeof path, "%s/config.json", given.bundle);
    FILE *from = fopen(path, "re");
    char *text = room(LARGEST_CONFIG + 1);
    size_t length = from == NULL ? 0 : fread(text, 1, LARGEST_CONFIG + 1, from);
    if (from == NULL || ferror(from))
        give_up("%s cannot be read: %s", path, strerror(errno));
    struct json *config = room(sizeof *config);
    const char *end = length > LARGEST_CONFIG ? NULL : (text[length] = 0, parse_json(text, config, 0));
    if (end == NULL || *after_space(end) != 0 || config->kind != '{')
        give_up("%s is no JSON document", path);
    fclose(from);
    free(text);
    return config;
}

static int has_variable(struct json *variables, const char *name, size_t length)
{
    for (struct json *one = variables->first; one != NULL; one = one->next)
        if (one->kind == '"' && strncmp(one->text, name, length) == 0 && one->text[length] == '=')
            return 1;
    return 0;
}

/* What the bundle says stays: its PATH names programs of the container. */
static void add_environment(struct json *variables)
{
    for (char **at = environ; *at != NULL; at++) {
        size_t name = strcspn(*at, "=");
        if (!matches(given.env_exclude, *at) && !has_variable(variables, *at, name))
            set_text(add_member(variables, NULL, '"'), *at);
    }
}

static void add_mount(struct json *config)
{
    static const char *const options[] = {"bind", "rw", "nosuid", "nodev"};
    struct json *mount = add_member(made_member(config, "mounts", '['), NULL, '{');
    set_text(add_member(mount, "destination", '"'), given.inside);
    set_text(add_member(mount, "type", '"'), "none");
    set_text(add_member(mount, "source", '"'), folder);
    struct json *list = add_member(mount, "options", '[');
    for (size_t i = 0; i < sizeof options / sizeof *options; i++)
        set_text(add_member(list, NULL, '"'), options[i]);
}

static void change_config(struct json *config)
{
    struct json *process = made_member(config, "process", '{');
    struct json *arguments = made_member(process, "args", '[');
    struct json *root = made_member(made_member(config, "root", '{'), "path", '"');
    char path[PATH_MAX];
    const char *written = root->text == NULL ? "rootfs" : plain_json(root->text);
    snprintf(path, sizeof path, "%s/%s", given.bundle, written);
    root_path = strdup(*written == '/' ? written : path);
    set_text(root, root_path);
    arguments->first = NULL;
    for (size_t i = 0; program[i] != NULL; i++)
        set_text(add_member(arguments, NULL, '"'), program[i]);
    add_environment(made_member(process, "env", '['));
    made_member(process, "terminal", 'x')->text = isatty(0) ? "true" : "false";
    add_mount(config);
}

static void make_folders(char *path)
{
    for (char *at = path + 1; *at != 0; at++)
        if (*at == '/') {
            *at = 0;
            mkdir(path, 0700);
            *at = '/';
        }
    if (mkdir(path, 0700) < 0 && errno != EEXIST)
        give_up("ContainerPath %s cannot be made: %s", path, strerror(errno));
}

static FILE *created(const char *name, mode_t mode)
{
    int fd = open(joined(name), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, mode);
    FILE *to = fd < 0 ? NULL : fdopen(fd, "w");
    if (to == NULL)
        give_up("%s cannot be written: %s", joined(name), strerror(errno));
    return to;
}

static void finish_file(FILE *to, const char *name)
{
    if (ferror(to) | fclose(to))
        give_up("%s cannot be written: %s", joined(name), strerror(errno));
}

/* The script lies where the user's container cannot reach it. */
static void bring_script(void)
{
    char block[65536];
    size_t got;
    FILE *from = fopen(program[0], "re"), *to = created(SCRIPT, 0700);
    if (from == NULL)
        give_up("%s cannot be read: %s", program[0], strerror(errno));
    while ((got = fread(block, 1, sizeof block, from)) > 0)
        fwrite(block, 1, got, to);
    fclose(from);
    finish_file(to, SCRIPT);
    char path[PATH_MAX];
    snprintf(path, sizeof path, "%s%s%s", given.inside, given.inside[strlen(given.inside) - 1] == '/' ? "" : "/", SCRIPT);
    program[0] = strdup(path);
}

static void write_environment(void)
{
    char end = strcmp(given.env_file, "null") == 0 ? 0 : '\n';
    FILE *to = created(ENVIRONMENT, 0600);
    for (char **at = environ; *at != NULL; at++)
        if (!matches(given.env_exclude, *at) && (end == 0 || strchr(*at, '\n') == NULL))
            fprintf(to, "%s%c", *at, end);
    finish_file(to, ENVIRONMENT);
}

/*
 * A runtime finds its containers by variables of its caller's (XDG_DATA_HOME, CONTAINERS_CONF): what cleans up after
 * a killed task needs the same ones.
 */
static void keep_environment(void)
{
    FILE *to = created(CALLER, 0600);
    for (char **at = environ; *at != NULL; at++)
        fprintf(to, "%s%c", *at, 0);
    finish_file(to, CALLER);
}

/* As the user: the folder is the user's. A task that was killed before it began a container has written none. */
static void take_environment(void)
{
    struct stat facts;
    int fd = open(joined(CALLER), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    if (fd < 0 || fstat(fd, &facts) < 0 || !S_ISREG(facts.st_mode) || facts.st_size > LARGEST_CONFIG)
        return;
    char *text = calloc(1, facts.st_size + 1);
    ssize_t length = text == NULL ? 0 : read(fd, text, facts.st_size);
    close(fd);
    for (ssize_t at = 0; at < length; at += strlen(text + at) + 1)
        putenv(text + at);
}

static void make_bundle(void)
{
    folder = expanded(given.path, 0);
    make_folders(folder);
    if (!given.keeps)
        keep_environment();
    if (given.is_script)
        bring_script();
    if (given.env_file != NULL)
        write_environment();
    if (given.ignores_config)
        return;
    struct json *config = read_config();
    change_config(config);
    FILE *to = created("config.json", 0600);
    write_json(to, config);
    finish_file(to, "config.json");
}

/* ---------------------------------------------------------------- the runtime */

enum { OPEN = 1, CLOSED = -1 }; /* where output goes, besides to a pipe */

static void heard(int sig)
{
    (void)sig;
}

static pid_t begin(const char *pattern, int output)
{
    char *command = expanded(pattern, 1);
    pid_t child = fork();
    if (child < 0)
        give_up("cannot make a process: %s", strerror(errno));
    if (child == 0) {
        int quiet = output == OPEN ? -1 : open("/dev/null", O_WRONLY);
        for (char **at = environ; *at != NULL;)
            if (matches(given.runtime_env_exclude, *at)) {
                char *name = copied(*at, strcspn(*at, "="));
                unsetenv(name);
                at = environ;
            } else
                at++;
        if (output != OPEN) {
            dup2(output == CLOSED ? quiet : output, 1);
            dup2(quiet, 2);
        }
        execl("/bin/sh", "sh", "-c", command, NULL);
        _exit(127);
    }
    free(command);
    return child;
}

/* Waits for that process; the ends of others pass, but that of the container's first one is kept. */
static int ended(pid_t child)
{
    int status;
    for (;;) {
        if (child == init_pid && init_status >= 0)
            return init_status;
        pid_t got = waitpid(-1, &status, 0);
        if (got > 0 && got == init_pid)
            init_status = status;
        if (got == child)
            return status;
        if (got < 0 && errno != EINTR)
            return 127 << 8;
    }
}

static int did(const char *pattern, int output)
{
    return pattern == NULL ? 0 : ended(begin(pattern, output));
}

/* The pid of the container's first process, as the runtime says; 0 where it has none. */
static pid_t queried(void)
{
    char text[65536] = "";
    int ends[2];
    if (given.query == NULL || pipe2(ends, O_CLOEXEC) < 0)
        return 0;
    pid_t child = begin(given.query, ends[1]);
    close(ends[1]);
    size_t length = 0;
    for (ssize_t got = 1; got != 0 && length < sizeof text - 1;) {
        got = read(ends[0], text + length, sizeof text - 1 - length);
        if (got < 0 && errno != EINTR)
            break;
        length += got > 0 ? got : 0;
    }
    close(ends[0]);
    struct json state = {0};
    int status = ended(child);
    struct json *pid = status == 0 && parse_json(text, &state, 0) != NULL ? member_of(&state, "pid") : NULL;
    return pid == NULL || pid->text == NULL ? 0 : atoi(pid->text);
}

static int remove_one(const char *path, const struct stat *facts, int kind, struct FTW *place)
{
    (void)facts;
    (void)kind;
    (void)place;
    remove(path);
    return 0;
}

/* What is gone already makes the runtime complain to nobody. */
static void clean(void)
{
    if (queried() > 0)
        did(given.kill, CLOSED);
    did(given.delete, CLOSED);
}

static int run(void)
{
    static const int handled[] = {SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGUSR1, SIGUSR2, SIGCONT};
    for (size_t i = 0; i < sizeof handled / sizeof *handled; i++)
        sigaction(handled[i], &(struct sigaction){.sa_handler = heard, .sa_flags = SA_RESTART}, NULL);
    prctl(PR_SET_CHILD_SUBREAPER, 1);
    make_bundle();
    int status;
    if (given.run != NULL)
        status = did(given.run, OPEN);
    else {
        status = did(given.create, OPEN);
        init_pid = status == 0 ? queried() : 0;
        if (status == 0 && init_pid <= 0)
            give_up("RunTimeQuery names no process of what RunTimeCreate has made");
        if (status == 0)
            status = did(given.start, OPEN);
        if (status == 0)
            status = ended(init_pid);
    }
    if (!given.keeps) {
        clean();
        nftw(folder, remove_one, 16, FTW_DEPTH | FTW_PHYS);
    }
    return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

/* The user's commands have no more than the step had, as long as its groups are there. */
static void join(const char *group)
{
    char path[PATH_MAX];
    snprintf(path, sizeof path, "%s/cgroup.procs", group);
    int procs = open(path, O_WRONLY | O_CLOEXEC);
    if (procs >= 0 ? write(procs, "0", 1) < 0 : errno != ENOENT)
        give_up("cannot join %s: %s", group, strerror(errno));
}

int main(int argc, char **argv)
{
    int at = 2;
    const char *rank = getenv("SLURM_PROCID");
    if (argc > 5 && strcmp(argv[1], "clean") == 0) {
        for (at = 5; at < argc && strncmp(argv[at], "cgroup=", 7) == 0; at++)
            join(argv[at] + 7);
        int denied = become_user(argv[2], argv[3], argv[4]);
        if (denied != 0)
            give_up("cannot become user %s: %s", argv[2], strerror(denied));
    } else if (argc < 4 || strcmp(argv[1], "run") != 0)
        give_up("usage: container run KEY=VALUE... -- PROGRAM [ARGUMENT...] | clean UID GID GROUPS KEY=VALUE...");
    else if (rank != NULL)
        given.rank = rank;
    for (; at < argc && strcmp(argv[at], "--") != 0; at++)
        if (!take(argv[at]))
            give_up("not understood: %s", argv[at]);
    if (given.bundle == NULL || given.path == NULL)
        give_up("no bundle");
    if (strcmp(argv[1], "clean") == 0) {
        folder = expanded(given.path, 0);
        take_environment();
        clean();
        return 0;
    }
    program = argv + at + (at < argc);
    if (program[0] == NULL)
        give_up("no program");
    return run();
}
