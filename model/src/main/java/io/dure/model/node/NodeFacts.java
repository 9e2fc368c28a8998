package io.dure.model.node;

import io.dure.model.gres.NearCores;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a node daemon says of its machine when it registers.
 *
 * @param version Dure's version there
 * @param hostName the machine's host name
 * @param address address the daemon connects from, as the controller saw it
 * @param arch as uname(1) prints it
 * @param os one line
 * @param cpus CPUs
 * @param sockets sockets
 * @param coresPerSocket cores on each socket
 * @param threadsPerCore threads on each core
 * @param memoryMib memory, MiB
 * @param tmpDiskMib size of TmpFS, MiB
 * @param gres generic resources found, as slurm.conf writes them
 * @param bootTime when the machine booted
 * @param bootId the kernel's boot id: another one means that nothing of before runs on
 * @param daemonStart when the node daemon started
 * @param confinement how jobs are confined: {@code cgroup/v1}, {@code cgroup/v2}, or why they are
 *     not
 * @param missingDevices files of the configuration's devices that are not there
 * @param nearCores the cores near its GPUs, where drivers tell of them
 * @param gpus its GPUs, where drivers tell of them, in their order
 * @param told what its command line says of the node, null for nothing
 */
@RecordBuilder
public record NodeFacts(
    String version,
    String hostName,
    @Nullable String address,
    String arch,
    String os,
    int cpus,
    int sockets,
    int coresPerSocket,
    int threadsPerCore,
    long memoryMib,
    long tmpDiskMib,
    List<String> gres,
    Instant bootTime,
    String bootId,
    Instant daemonStart,
    String confinement,
    List<String> missingDevices,
    List<NearCores> nearCores,
    List<NodeGpu> gpus,
    @Nullable CommandLineFacts told)
    implements NodeFactsBuilder.With {
  /** Whether nothing that ran when the daemon said that can run on. */
  public boolean isBootedSince(NodeFacts before) {
    boolean saidSo = told != null && told.booted() && !daemonStart.equals(before.daemonStart());
    return saidSo || !bootId.equals(before.bootId());
  }
}
