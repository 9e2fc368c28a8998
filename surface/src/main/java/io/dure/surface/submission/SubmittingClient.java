package io.dure.surface.submission;

/**
 * Where a submission comes from.
 *
 * @param user name of the caller
 * @param uid number of the caller
 * @param gid number of the caller's group
 * @param group name of that group
 * @param host that sent the request
 */
public record SubmittingClient(String user, int uid, int gid, String group, String host) {}
