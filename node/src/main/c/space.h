/* Enters the directories that a job has for itself; part of several programs. */

/* Whether this process is in the mount namespace that the file keeps. Its root and working directory are those there. */
static int enter_space(const char *path)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    int entered = fd >= 0 && setns(fd, CLONE_NEWNS) == 0, error = errno;
    if (fd >= 0)
        close(fd);
    errno = error;
    return entered;
}
