package io.dure.model;

/**
 * The account a job runs as, resolved by the controller when the job was submitted.
 *
 * @param uid numeric user id
 * @param gid numeric primary group id
 * @param userName login name, or the number as text where the name is unknown
 * @param groupName group name, or the number as text where the name is unknown
 */
public record UserIdentity(int uid, int gid, String userName, String groupName) {}
