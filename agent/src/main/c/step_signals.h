/* What signals mean to the front end of a step; part of it, see step.h. */

static void step_signal(int number) {
    struct text order = {0};
    put32(&order, number);
    put32(&order, STEP_EVERY);
    for (int i = 0; i < run.nodes; i++)
        if (run.node[i].connection >= 0) step_send(&run.node[i], 'G', order.bytes, order.length);
    free(order.bytes);
}

/* Ends the step: SIGTERM, and SIGKILL after KillWait. */
static void step_terminate(void) {
    if (run.terminating) return;
    run.terminating = 1;
    run.kill_at = step_clock() + (run.killwait > 0 ? run.killwait : 30) * 1000LL;
    step_signal(SIGCONT);
    step_signal(SIGTERM);
}

static void step_abort(void) {
    if (!run.aborted) step_say("Job step aborted: Waiting up to %d seconds for job step to finish.", run.killwait + 2);
    run.aborted = 1;
    step_terminate();
}

/* The ranks, of those that have ended or of those that have not, as "0-3,8". */
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
    for (int ended = 0; ended <= 1; ended++) {
        char *list = step_rank_list(ended);
        if (*list) {
            int several = strpbrk(list, "-,") != NULL;
            step_say("StepId=%s task%s %s: %s", run.id, several ? "s" : "", list, ended ? "exited" : "running");
        }
        free(list);
    }
}

static void step_interrupt(void) {
    long long now = step_clock();
    if (run.aborted || run.terminating) {
        step_signal(SIGKILL);
    } else if (run.no_status || (run.interrupted && now - run.interrupted <= 1000)) {
        step_say("sending Ctrl-C to StepId=%s", run.id);
        step_signal(SIGINT);
        run.interrupted = 0;
        if (!run.no_status) step_abort();
    } else {
        step_say("interrupt (one more within 1 sec to abort)");
        step_status();
        run.interrupted = now;
    }
}

static void step_window(void) {
    struct winsize size = {0};
    if (ioctl(STDIN_FILENO, TIOCGWINSZ, &size) != 0) return;
    unsigned char window[4] = {size.ws_row >> 8, size.ws_row, size.ws_col >> 8, size.ws_col};
    if (run.node[0].connection >= 0) step_send(&run.node[0], 'W', window, sizeof window);
}

static void step_signals(void) {
    unsigned char number;
    while (read(signals[0], &number, 1) == 1)
        switch (number) {
        case SIGINT: step_interrupt(); break;
        case SIGWINCH: if (run.pty) step_window(); break;
        case SIGTERM: case SIGQUIT: case SIGHUP:
            step_say("forcing job termination");
            step_abort();
            break;
        default: step_signal(number); break;
        }
}

static void step_catch(void) {
    static const int caught_ones[] = {SIGINT, SIGTERM, SIGQUIT, SIGHUP, SIGUSR1, SIGUSR2, SIGALRM, SIGCONT, SIGWINCH};
    struct sigaction action = {.sa_handler = caught}; /* a write that waits is interrupted, too */
    if (signals[0] < 0 && pipe2(signals, O_CLOEXEC | O_NONBLOCK) != 0) die("no pipe for signals");
    for (size_t i = 0; i < sizeof caught_ones / sizeof *caught_ones; i++) {
        struct sigaction before;
        if (sigaction(caught_ones[i], NULL, &before) == 0 && before.sa_handler != SIG_IGN)
            sigaction(caught_ones[i], &action, NULL);
    }
    signal(SIGPIPE, SIG_IGN);
}
