/* Who may do what with the script in the spool; part of the shepherd, see there. */

/* A POSIX ACL as system.posix_acl_access takes it (acl(5)), in little-endian byte order. */
struct acl_entry { uint16_t tag, permissions; uint32_t id; };
struct acl { uint32_t version; struct acl_entry entry[5]; };

enum { OWNER = 0x01, USER = 0x02, GROUP = 0x04, MASK = 0x10, OTHER = 0x20, READ_AND_EXECUTE = 5 };

static struct acl_entry acl_entry(uint16_t tag, uint16_t permissions, uint32_t id)
{
    return (struct acl_entry){htole16(tag), htole16(permissions), htole32(id)};
}

/*
 * Lets the step's user read and execute the script, which stays root's: what belonged to the user could be made as long
 * as the spool has room. A file system without ACLs has no other way to name one user, so there it becomes the user's.
 */
static void lend_script(void)
{
    const uint32_t nobody = UINT32_MAX;
    struct acl acl = {htole32(2), {
        acl_entry(OWNER, READ_AND_EXECUTE, nobody),
        acl_entry(USER, READ_AND_EXECUTE, step.uid),
        acl_entry(GROUP, 0, nobody),
        acl_entry(MASK, READ_AND_EXECUTE, nobody),
        acl_entry(OTHER, 0, nobody)}};
    if (geteuid() != 0 || step.uid == 0) /* it is the user's own */
        return;
    int fd = openat(step_dir, "slurm_script", O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
    if (fd < 0 || (fsetxattr(fd, "system.posix_acl_access", &acl, sizeof acl, 0) < 0
                   && (errno != EOPNOTSUPP || fchown(fd, step.uid, step.gid) < 0)))
        give_up("shepherd: slurm_script");
    close(fd);
}
