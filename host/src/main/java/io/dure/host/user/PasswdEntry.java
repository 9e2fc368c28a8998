package io.dure.host.user;

/**
 * One entry of the user database.
 *
 * @param name login name
 * @param uid user number, an unsigned 32-bit value in an int
 * @param gid number of the primary group, an unsigned 32-bit value in an int
 * @param home home directory, possibly empty
 * @param shell login shell, possibly empty
 * @param realName the person's name, possibly empty
 */
public record PasswdEntry(
    String name, int uid, int gid, String home, String shell, String realName) {}
