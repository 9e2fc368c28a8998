/* Becoming the user of a job, for the programs that work for one in its name. */
#include <errno.h>
#include <grp.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

#define MOST_GROUPS 65536

/* Takes the rights of a user with these groups, separated by commas; the error, 0 for none. A process without root can
 * become itself alone. */
static int become_user(const char *uid, const char *gid, char *groups)
{
    static gid_t group[MOST_GROUPS];
    size_t count = 0;
    for (char *at = strtok(groups, ","); at != NULL && count < MOST_GROUPS; at = strtok(NULL, ","))
        group[count++] = strtoul(at, NULL, 10);
    uid_t user = strtoul(uid, NULL, 10);
    gid_t main_group = strtoul(gid, NULL, 10);
    if (geteuid() == 0 && (setgroups(count, group) < 0 || setresgid(main_group, main_group, main_group) < 0 ||
                           setresuid(user, user, user) < 0))
        return errno;
    return geteuid() == user ? 0 : EPERM;
}
