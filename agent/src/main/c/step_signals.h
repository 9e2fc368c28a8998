/* What signals mean to the front end of a step; part of it, see step.h. */

static void step_signal(int number) {
    struct text order = {0};
    if (run.launching) {
        run.late |= 1ULL << (number & 63);
        return;
    }
    put32(&order, number);
    put32(&order, STEP_EVERY);
    step_send_all('G', order.bytes, order.length);
    free(order.bytes);
}

/* What had to wait for the launch goes out. */
static void step_launched(void) {
    run.launching = 0;
    for (int number = 1; number < 64; number++)
        if (run.late >> number & 1) step_signal(number);
}

#define STEP_SIGINT_MS 250 /* a task hears of the interrupt before it is killed */

static int step_hushed;           /* who aborted the step by an interrupt is not told of each task */
static long long step_give_up_at; /* when nobody waits for the nodes of an aborted step any more */

/* What is only information; -Q does without it. */
#define step_info(...) (run.quiet ? 0 : step_say(__VA_ARGS__))

/* Ends the step: SIGTERM, and SIGKILL after KillWait. */
static void step_terminate(void) {
    if (run.terminating) return;
    run.terminating = 1;
    run.kill_at = step_clock() + (run.killwait > 0 ? run.killwait : 30) * 1000LL;
    step_signal(SIGCONT);
    step_signal(SIGTERM);
}

/* Kills the step after a pause, and waits only so long for its nodes. */
static void step_abort_after(int pause) {
    if (run.aborted) return;
    step_info("Job step aborted: Waiting up to %d seconds for job step to finish.", run.killwait + 2);
    run.aborted = run.terminating = run.forced = 1;
    step_give_up_at = step_clock() + (run.killwait + 2) * 1000LL;
    if (pause == 0) step_signal(SIGKILL);
    run.kill_at = pause > 0 ? step_clock() + pause : 0;
}

static void step_abort(void) { step_abort_after(0); }

/* The node daemons are ending the step. */
static void step_cancelled(void) {
    if (run.aborted) return;
    step_info("Job step aborted: Waiting up to %d seconds for job step to finish.", run.killwait + 2);
    run.aborted = run.terminating = run.forced = 1;
    step_give_up_at = step_clock() + (run.killwait + 2) * 1000LL;
}

static int step_given_up(void) { return step_give_up_at && step_clock() >= step_give_up_at; }

/* How long to wait, where something else is due after so many milliseconds. */
static int step_patience(int due) {
    long long left = step_give_up_at ? step_give_up_at - step_clock() : due;
    return left < 0 ? 0 : left < due ? (int)left : due;
}

/* The ranks of those that run (0), have ended well (1) or otherwise (2), as "0-3,8". */
static char *step_rank_list(int ended) {
    struct text text = {0};
    for (int rank = 0; rank < run.tasks; rank++) {
        char part[32];
        int last = rank;
        if (run.exited[rank] != ended) continue;
        while (last + 1 < run.tasks && run.exited[last + 1] == ended) last++;
        int length = last > rank ? sprintf(part, "%s%d-%d", text.length ? "," : "", rank, last)
                                 : sprintf(part, "%s%d", text.length ? "," : "", rank);
        put(&text, part, length);
        rank = last;
    }
    put(&text, "", 1);
    return (char *)text.bytes;
}

static void step_status(void) {
    static const char *const words[] = {"running", "exited", "exited abnormally"};
    for (int ended = 0; ended <= 2; ended++) {
        char *list = step_rank_list(ended);
        const char *several = strpbrk(list, "-,") ? "s" : "";
        if (*list) step_info("StepId=%s task%s %s: %s", run.id, several, list, words[ended]);
        free(list);
    }
}

/* The first tells how the tasks are, the second within a second ends them; without a status the first is theirs. */
static void step_interrupt(void) {
    long long now = step_clock();
    int is_second = run.interrupted && now - run.interrupted <= 1000;
    run.interrupted = now;
    if (run.aborted) return;
    is_second |= run.quits;
    if (!is_second && !run.no_status) {
        step_info("interrupt (one more within 1 sec to abort)");
        step_status();
        return;
    }
    step_info("sending Ctrl-C to StepId=%s", run.id);
    step_signal(SIGINT);
    if (!is_second) return;
    step_hushed = 1;
    step_info("forcing job termination");
    step_abort_after(STEP_SIGINT_MS);
}

static void step_window(void) {
    struct winsize size = {0};
    if (run.launching || ioctl(STDIN_FILENO, TIOCGWINSZ, &size) != 0) return;
    unsigned char window[4] = {size.ws_row >> 8, size.ws_row, size.ws_col >> 8, size.ws_col};
    if (run.node[0].connection >= 0) step_send(&run.node[0], 'W', window, sizeof window);
}

static void step_signals(void) {
    unsigned char number;
    while (read(signals[0], &number, 1) == 1)
        switch (run.ignored >> (number & 63) & 1 ? 0 : number) {
        case 0: break;
        case SIGINT: step_interrupt(); break;
        case SIGWINCH: if (run.pty) step_window(); break;
        case SIGQUIT:
            step_info("Quit"); /* fall through */
        case SIGTERM: case SIGHUP:
            if (!run.aborted) step_info("forcing job termination");
            step_abort();
            break;
        case SIGCONT: step_info("got SIGCONT"); break;
        case SIGALRM: case SIGCHLD: break; /* mean nothing to a step */
        default: step_signal(number); break;
        }
}

static void (*step_pipe)(int) = SIG_ERR; /* what SIGPIPE did before */

static void step_catch(void) {
    static const int wanted[] = {SIGINT, SIGTERM, SIGQUIT, SIGHUP, SIGUSR1, SIGUSR2, SIGALRM, SIGCONT, SIGWINCH};
    catch_signals(wanted, sizeof wanted / sizeof *wanted, 0); /* a write that waits is interrupted, too */
    step_pipe = signal(SIGPIPE, SIG_IGN);
}
