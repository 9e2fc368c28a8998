package io.dure.model.request;

/**
 * A limit of setrlimit(2) that travels with a job.
 *
 * @param name as in ulimit's manual: {@code CPU, FSIZE, DATA, STACK, CORE, RSS, NPROC, NOFILE,
 *     MEMLOCK, AS}
 * @param soft soft limit, -1 for none
 */
public record PropagatedRlimit(String name, long soft) {}
