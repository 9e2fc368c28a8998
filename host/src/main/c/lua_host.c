/*
 * Runs Lua for another program:  lua_host LIBRARY MEMORY_MIB SECONDS [terminal]
 *
 * Standard input and output carry frames: a length of four bytes, big-endian, and so many bytes. The first frame is a Lua
 * chunk, which is run; it speaks by receive() and send(text), one frame each. It has MEMORY_MIB, and SECONDS for each request
 * that it takes by receive(true). Beyond that Lua raises an error, and a chunk that does not end by it, or that computes without
 * running Lua code, is ended by SIGALRM with the programs that it has started. So a script neither hangs its caller nor takes the
 * machine's memory, and it ends also where its caller was killed. What the script itself prints goes to standard error.
 * With "terminal" its standard input is the caller's terminal, which it has while it is at work, if the caller has it.
 *
 * The library is loaded by its path, since it comes with the build and not with the system.
 */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

#define MOST_FRAME (256u << 20)
#define HOOK_COUNT 100000
#define MASK_COUNT 8 /* LUA_MASKCOUNT */

typedef struct lua_State lua_State;
typedef int (*lua_CFunction)(lua_State *);

static struct {
    lua_State *(*newstate)(void *(*)(void *, void *, size_t, size_t), void *);
    void (*openlibs)(lua_State *);
    int (*load)(lua_State *, const char *, size_t, const char *, const char *);
    int (*pcall)(lua_State *, int, int, int, intptr_t, void *);
    const char *(*tolstring)(lua_State *, int, size_t *);
    const char *(*checklstring)(lua_State *, int, size_t *);
    const char *(*pushlstring)(lua_State *, const char *, size_t);
    void (*pushcclosure)(lua_State *, lua_CFunction, int);
    void (*setglobal)(lua_State *, const char *);
    int (*gettop)(lua_State *);
    void (*pushinteger)(lua_State *, long long);
    void (*sethook)(lua_State *, void (*)(lua_State *, void *), int, int);
    int (*error)(lua_State *, const char *, ...);
} lua;

static int from_caller, to_caller;

/* -1 for none; and the group that had it before, 0 while that has it. */
static int terminal = -1;
static volatile pid_t callers_group;
static volatile sig_atomic_t at_work;

/* Freed late: an error of Lua, such as for its memory, leaves a function without a return. */
static char *held;
static size_t used, most_memory;
static unsigned most_seconds;
static struct timespec deadline;

static void fail(const char *what, const char *why)
{
    fprintf(stderr, "lua_host: error: %s: %s\n", what, why);
    _exit(2);
}

/* All memory of Lua; none beyond the bound, which Lua tells the script as "not enough memory". */
static void *allocate(void *data, void *block, size_t old, size_t size)
{
    (void)data;
    if (block == NULL)
        old = 0;
    if (size == 0) {
        free(block);
        used -= old;
        return NULL;
    }
    if (size > old && size - old > most_memory - used)
        return NULL;
    void *next = realloc(block, size);
    if (next != NULL)
        used += size - old;
    return next;
}

static void watch(lua_State *state, void *event)
{
    (void)event;
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    if (now.tv_sec > deadline.tv_sec || (now.tv_sec == deadline.tv_sec && now.tv_nsec >= deadline.tv_nsec))
        lua.error(state, "the script takes longer than %d s", (int)most_seconds);
}

/* Makes a process group the one that may read from the terminal; without the block SIGTTOU would stop who is not of it. */
static void hand_terminal(pid_t group)
{
    sigset_t one, before;
    sigemptyset(&one);
    sigaddset(&one, SIGTTOU);
    sigprocmask(SIG_BLOCK, &one, &before);
    tcsetpgrp(terminal, group);
    sigprocmask(SIG_SETMASK, &before, NULL);
}

/* Not where the caller is in the background, or would be stopped by what it prints meanwhile. */
static void take_terminal(void)
{
    struct termios settings;
    pid_t group = getpgid(getppid());
    if (terminal < 0 || group <= 0 || tcgetpgrp(terminal) != group || tcgetattr(terminal, &settings) != 0 ||
        (settings.c_lflag & TOSTOP))
        return;
    callers_group = group;
    hand_terminal(getpgrp());
}

static void return_terminal(void)
{
    pid_t group = callers_group;
    callers_group = 0;
    if (group > 0)
        hand_terminal(group);
}

/* All of the process group: programs that the script waits for do not outlive it. */
static void end_all(int number)
{
    (void)number;
    return_terminal();
    kill(0, SIGKILL);
}

/* Something came from the caller, or nothing will. */
static void look_for_caller(int number)
{
    int before = errno;
    struct pollfd caller = {from_caller, POLLIN, 0};
    if (at_work && poll(&caller, 1, 0) > 0 && (caller.revents & POLLHUP))
        end_all(number);
    errno = before;
}

static void ignore(int number)
{
    (void)number;
}

static void handle(int number, void (*by)(int))
{
    struct sigaction action = {.sa_handler = by, .sa_flags = SA_RESTART};
    sigaction(number, &action, NULL);
}

/* Handlers, and no SIG_IGN, which programs that the script starts would inherit. */
static void take_signals(void)
{
    setpgid(0, 0);
    if (getpgrp() != getpid())
        fail("process group", strerror(errno));
    handle(SIGALRM, end_all);
    handle(SIGPIPE, ignore);
    handle(SIGIO, look_for_caller);
    if (terminal >= 0) {
        handle(SIGINT, end_all);
        handle(SIGQUIT, end_all);
        /* Programs of the script, too, get an error instead of being stopped, which nobody would see. */
        signal(SIGTTIN, SIG_IGN);
        signal(SIGTSTP, SIG_IGN);
    }
    int flags = fcntl(from_caller, F_GETFL);
    fcntl(from_caller, F_SETOWN, getpid());
    fcntl(from_caller, F_SETFL, flags | O_ASYNC);
}

static void begin_time(void)
{
    clock_gettime(CLOCK_MONOTONIC, &deadline);
    deadline.tv_sec += most_seconds;
    alarm(most_seconds + 1);
}

/* False at the end of the input. */
static int read_all(char *to, size_t size)
{
    while (size > 0) {
        ssize_t got = read(from_caller, to, size);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            return 0;
        to += got;
        size -= (size_t)got;
    }
    return 1;
}

static void write_all(const char *from, size_t size)
{
    while (size > 0) {
        ssize_t put = write(to_caller, from, size);
        if (put < 0 && errno == EINTR)
            continue;
        if (put <= 0)
            _exit(0);
        from += put;
        size -= (size_t)put;
    }
}

/*
 * The next frame, to be freed; ends the program where the caller has gone. The time of a request goes on while the caller
 * answers a question, or a script could gain time by asking.
 */
static char *frame(size_t *size, int request)
{
    unsigned char head[4];
    if (request) {
        alarm(0);
        at_work = 0;
        return_terminal();
    }
    if (!read_all((char *)head, sizeof head))
        _exit(0);
    *size = (size_t)head[0] << 24 | (size_t)head[1] << 16 | (size_t)head[2] << 8 | head[3];
    if (*size > MOST_FRAME)
        fail("frame", "too long");
    char *text = malloc(*size + 1);
    if (text == NULL || !read_all(text, *size))
        _exit(0);
    if (request) {
        begin_time();
        take_terminal();
        at_work = 1;
    }
    free(held);
    return held = text;
}

/* receive(): the answer to a question; receive(true): the next request. */
static int receive(lua_State *state)
{
    size_t size;
    char *text = frame(&size, lua.gettop(state) > 0);
    lua.pushlstring(state, text, size);
    return 1;
}

static int transmit(lua_State *state)
{
    size_t size;
    const char *text = lua.checklstring(state, 1, &size);
    unsigned char head[4] = {size >> 24 & 255, size >> 16 & 255, size >> 8 & 255, size & 255};
    if (size > MOST_FRAME)
        return lua.error(state, "%s", "an answer of too many bytes");
    write_all((const char *)head, sizeof head);
    write_all(text, size);
    return 0;
}

/*
 * run(command, input): what a command of the shell prints, and its status as wait(2) gives it. With an input it gets that, and
 * prints to standard error. The library was built without io.popen, which scripts use; frames.lua makes it of this.
 */
static int run(lua_State *state)
{
    const char *command = lua.checklstring(state, 1, NULL);
    size_t size = 0, room = 0;
    int writes = lua.gettop(state) > 1;
    const char *input = writes ? lua.checklstring(state, 2, &size) : NULL;
    FILE *pipe = popen(command, writes ? "we" : "re");
    if (pipe == NULL)
        return lua.error(state, "cannot run %s", command);
    char *text = NULL;
    if (writes) {
        fwrite(input, 1, size, pipe);
        size = 0;
    }
    while (!writes && size < MOST_FRAME) {
        if (size == room) {
            char *more = realloc(text, room += 1 << 16);
            if (more == NULL)
                break;
            text = more;
        }
        size_t got = fread(text + size, 1, room - size, pipe);
        if (got == 0)
            break;
        size += got;
    }
    int status = pclose(pipe);
    free(held);
    held = text;
    lua.pushlstring(state, text == NULL ? "" : text, size);
    lua.pushinteger(state, status);
    return 2;
}

static void *symbol(void *library, const char *name)
{
    void *found = dlsym(library, name);
    if (found == NULL)
        fail(name, "not in the Lua library");
    return found;
}

static void bind_library(const char *path)
{
    /* Global, so that modules in C that a script requires find Lua in it. */
    void *library = dlopen(path, RTLD_NOW | RTLD_GLOBAL);
    if (library == NULL)
        fail("cannot load the Lua library", dlerror());
    *(void **)&lua.newstate = symbol(library, "lua_newstate");
    *(void **)&lua.openlibs = symbol(library, "luaL_openlibs");
    *(void **)&lua.load = symbol(library, "luaL_loadbufferx");
    *(void **)&lua.pcall = symbol(library, "lua_pcallk");
    *(void **)&lua.tolstring = symbol(library, "lua_tolstring");
    *(void **)&lua.checklstring = symbol(library, "luaL_checklstring");
    *(void **)&lua.pushlstring = symbol(library, "lua_pushlstring");
    *(void **)&lua.pushcclosure = symbol(library, "lua_pushcclosure");
    *(void **)&lua.setglobal = symbol(library, "lua_setglobal");
    *(void **)&lua.pushinteger = symbol(library, "lua_pushinteger");
    *(void **)&lua.gettop = symbol(library, "lua_gettop");
    *(void **)&lua.sethook = symbol(library, "lua_sethook");
    *(void **)&lua.error = symbol(library, "luaL_error");
}

/* Programs that the script starts inherit neither of the two pipes. */
static void take_streams(int asks)
{
    from_caller = fcntl(0, F_DUPFD_CLOEXEC, 3);
    to_caller = fcntl(1, F_DUPFD_CLOEXEC, 3);
    terminal = asks ? open("/dev/tty", O_RDWR | O_CLOEXEC) : -1;
    int nothing = open("/dev/null", O_RDONLY);
    if (from_caller < 0 || to_caller < 0 || nothing < 0 || dup2(terminal < 0 ? nothing : terminal, 0) < 0 ||
        dup2(2, 1) < 0)
        fail("standard streams", strerror(errno));
    close(nothing);
    setvbuf(stdout, NULL, _IOLBF, 0);
}

int main(int count, char **words)
{
    if (count != 4 && count != 5) {
        fprintf(stderr, "usage: lua_host LIBRARY MEMORY_MIB SECONDS [terminal]\n");
        return 2;
    }
    most_memory = (size_t)strtoul(words[2], NULL, 10) << 20;
    most_seconds = (unsigned)strtoul(words[3], NULL, 10);
    take_streams(count == 5);
    take_signals();
    bind_library(words[1]);
    lua_State *state = lua.newstate(allocate, NULL);
    if (state == NULL)
        fail("lua_newstate", "not enough memory");
    lua.openlibs(state);
    lua.pushcclosure(state, receive, 0);
    lua.setglobal(state, "receive");
    lua.pushcclosure(state, transmit, 0);
    lua.setglobal(state, "send");
    lua.pushcclosure(state, run, 0);
    lua.setglobal(state, "run");
    size_t size;
    char *chunk = frame(&size, 1);
    lua.sethook(state, watch, MASK_COUNT, HOOK_COUNT);
    if (lua.load(state, chunk, size, "=dure", "t") != 0 || lua.pcall(state, 0, 0, 0, 0, NULL) != 0) {
        const char *why = lua.tolstring(state, -1, NULL);
        fail("the first chunk", why == NULL ? "no text" : why);
    }
    return 0;
}
