/* How the shepherd ends what a step has left behind; part of it, see there. */

static void kill_group(const char *directory)
{
    char path[4096];
    int pid;
    snprintf(path, sizeof path, "%s/cgroup.kill", directory);
    if (put(path, "1") == 0)
        return;
    snprintf(path, sizeof path, "%s/cgroup.procs", directory); /* version 1 can only be told one by one */
    FILE *file = fopen(path, "re");
    while (file != NULL && fscanf(file, "%d", &pid) == 1)
        if (pid > 1 && pid != getpid())
            kill(pid, SIGKILL);
    if (file != NULL)
        fclose(file);
}

static void kill_children(void)
{
    DIR *dir = opendir("/proc");
    for (struct dirent *entry; dir != NULL && (entry = readdir(dir)) != NULL;)
        if (atoi(entry->d_name) > 1 && stat_field(atoi(entry->d_name), 4) == (unsigned long long)getpid())
            kill(atoi(entry->d_name), SIGKILL);
    if (dir != NULL)
        closedir(dir);
}

/*
 * Ends whatever the script left behind. Orphans come to this process, a subreaper, so killing its children and reaping
 * them again and again reaches all of them; the control groups make it quick. A process that cannot be killed (waiting
 * in the kernel) holds the shepherd here, and the node knows that its resources are not free yet.
 */
static void kill_remaining(void)
{
    for (long pause = 200000;; pause = pause < 100000000 ? pause * 2 : pause) {
        pid_t reaped;
        for (size_t i = 0; i < step.cgroup.count; i++)
            kill_group(step.cgroup.item[i]);
        while ((reaped = waitpid(-1, NULL, WNOHANG)) > 0)
            pause = 200000;
        if (reaped < 0 && errno == ECHILD)
            return;
        kill_children();
        nanosleep(&(struct timespec){.tv_nsec = pause}, NULL);
    }
}
