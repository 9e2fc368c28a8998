package io.dure.model.config.slurmconf;

/**
 * A machine as it was found.
 *
 * @param hostName its short host name
 * @param sockets processor sockets, at least 1
 * @param coresPerSocket cores of each socket, at least 1
 * @param threadsPerCore hardware threads of each core, at least 1
 * @param memoryMib all of its memory in MiB
 * @param tmpDiskMib the size of its temporary disk in MiB
 * @param gres its generic resources such as {@code gpu:a100:2}, empty when none
 */
public record HardwareFacts(
    String hostName,
    int sockets,
    int coresPerSocket,
    int threadsPerCore,
    long memoryMib,
    long tmpDiskMib,
    String gres) {}
