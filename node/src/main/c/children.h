/* Whether tasks have left processes behind, for steps that wait for these; part of the shepherd, see there. */

/* Orphans come to the shepherd, a subreaper: what runs below one of its own children, but the MPI server, is of a task. */
static int has_children(void)
{
    char path[64];
    int pid, has = 0;
    snprintf(path, sizeof path, "/proc/self/task/%d/children", (int)getpid());
    FILE *file = fopen(path, "re");
    while (!has && file != NULL && fscanf(file, "%d", &pid) == 1)
        has = pid != server.pid;
    if (file != NULL)
        fclose(file);
    return has;
}
