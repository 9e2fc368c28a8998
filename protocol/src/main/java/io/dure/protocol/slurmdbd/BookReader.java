package io.dure.protocol.slurmdbd;

import java.util.List;

/**
 * A user who reads the books at slurmdbd itself, as a holder of its key says.
 *
 * @param home the cluster whose slurm.conf the user has, and whose accounts say what it may see
 * @param userName login name
 * @param operator whether that is root or SlurmUser
 * @param privateData the words of PrivateData of that slurm.conf
 */
public record BookReader(
    String home, String userName, int uid, int gid, boolean operator, List<String> privateData) {}
