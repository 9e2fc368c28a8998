package io.dure.core.config;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One node as the configuration describes it.
 *
 * @param name node name
 * @param hostName NodeHostname
 * @param address NodeAddr
 * @param port port of its daemon
 * @param boards boards, at least 1
 * @param sockets sockets in all, at least 1
 * @param coresPerSocket cores on each socket, at least 1
 * @param threadsPerCore threads on each core, at least 1
 * @param cpus CPUs that can be allocated
 * @param memoryMib memory that can be allocated, MiB
 * @param tmpDiskMib temporary disk, MiB
 * @param weight nodes of lower weight are used first
 * @param features in the order given
 * @param gres generic resources as written, {@code gpu:a100:2}
 * @param state state to start in: UNKNOWN, DOWN, DRAIN, FAIL, FUTURE, CLOUD
 * @param reason why it starts in that state, null for none
 */
public record NodeConfig(
    String name,
    String hostName,
    String address,
    int port,
    int boards,
    int sockets,
    int coresPerSocket,
    int threadsPerCore,
    int cpus,
    long memoryMib,
    long tmpDiskMib,
    long weight,
    List<String> features,
    List<String> gres,
    String state,
    @Nullable String reason) {

  /** Cores in all. */
  public int cores() {
    return sockets * coresPerSocket;
  }
}
