package io.dure.host.storage;

/**
 * The user and group that a file shall belong to.
 *
 * @param uid user number, an unsigned 32-bit value in an int
 * @param gid group number, an unsigned 32-bit value in an int
 */
public record FileOwner(int uid, int gid) {}
