package io.dure.model.config;

import io.dure.model.config.power.PowerSettings;
import io.dure.model.gres.NodeGres;
import io.dure.model.node.NodeFacts;
import io.dure.model.node.NodeNotes;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One node as the configuration describes it.
 *
 * @param name its name in the cluster
 * @param address where its daemon is reached; its host name unless given
 * @param hostName what {@code hostname -s} says there; its name unless given
 * @param bcastAddress an address for file broadcasts, empty when none
 * @param port the daemon's TCP port
 * @param shape its processors
 * @param realMemoryMib its memory in MiB, at least 1
 * @param memSpecLimitMib of that, kept from jobs
 * @param tmpDiskMib the size of {@code TmpFS} in MiB
 * @param features its features, in order
 * @param gres its generic resources as written, empty when none
 * @param weight lower is used first
 * @param state the state it starts in
 * @param reason why, empty when none is given
 * @param inventory its generic resources one by one, null where none are given out
 * @param specializedCores cores kept from jobs, rising
 * @param suspendTime how long it is idle before it is switched off, {@link PowerSettings#NEVER} for
 *     ever; null for what partition and cluster say
 * @param gpuCores cores that only jobs with GPUs get, rising
 * @param notes what is written down of it
 * @param possibleFeatures features that it could have, null for those that it has
 * @param topology where it is in networks, as {@code NAME:UNIT}; empty for what their files say
 * @param parameters what its daemon is told beside what all are told
 */
@RecordBuilder
public record NodeConfig(
    String name,
    String address,
    String hostName,
    String bcastAddress,
    int port,
    Shape shape,
    long realMemoryMib,
    long memSpecLimitMib,
    long tmpDiskMib,
    List<String> features,
    String gres,
    long weight,
    State state,
    String reason,
    @Nullable NodeGres inventory,
    List<Integer> specializedCores,
    @Nullable Duration suspendTime,
    List<Integer> gpuCores,
    NodeNotes notes,
    @Nullable List<String> possibleFeatures,
    String topology,
    SlurmdParameters parameters)
    implements NodeConfigBuilder.With {

  public NodeConfig {
    features = List.copyOf(features);
    specializedCores = List.copyOf(specializedCores);
    notes = notes == null ? NodeNotes.NONE : notes;
    possibleFeatures = possibleFeatures == null ? null : List.copyOf(possibleFeatures);
    topology = topology == null ? "" : topology;
    parameters = parameters == null ? SlurmdParameters.NONE : parameters;
    gpuCores = gpuCores == null ? List.of() : List.copyOf(gpuCores);
  }

  /** A node that says nothing of what came later. */
  public NodeConfig(
      String name,
      String address,
      String hostName,
      String bcastAddress,
      int port,
      Shape shape,
      long realMemoryMib,
      long memSpecLimitMib,
      long tmpDiskMib,
      List<String> features,
      String gres,
      long weight,
      State state,
      String reason,
      @Nullable NodeGres inventory,
      List<Integer> specializedCores) {
    this(
        name,
        address,
        hostName,
        bcastAddress,
        port,
        shape,
        realMemoryMib,
        memSpecLimitMib,
        tmpDiskMib,
        features,
        gres,
        weight,
        state,
        reason,
        inventory,
        specializedCores,
        null,
        List.of(),
        NodeNotes.NONE,
        null,
        "",
        SlurmdParameters.NONE);
  }

  /**
   * A node's processors.
   *
   * @param cpus what the scheduler counts: the threads, or the cores where the file says so
   * @param boards baseboards
   * @param sockets sockets on all boards together
   * @param coresPerSocket cores of each socket
   * @param threadsPerCore hardware threads of each core
   */
  public record Shape(int cpus, int boards, int sockets, int coresPerSocket, int threadsPerCore) {}

  /** The states a file may give a node. */
  public enum State {
    UNKNOWN,
    IDLE,
    DOWN,
    DRAIN,
    FAIL,
    FAILING,
    FUTURE,
    CLOUD,
    EXTERNAL;

    public static @Nullable State of(String text) {
      for (State state : values()) {
        if (state.name().equalsIgnoreCase(text)) {
          return state;
        }
      }
      return null;
    }
  }

  /** The same node in another state. */
  public NodeConfig with(State newState, String newReason) {
    return with().state(newState).reason(newReason).build();
  }

  /** The generic resources that jobs may get here. */
  public NodeGres resources() {
    return inventory == null ? NodeGres.NONE : inventory;
  }

  /** The same node with these generic resources. */
  public NodeConfig with(NodeGres resources) {
    return withInventory(resources.isEmpty() ? null : resources);
  }

  /** What the daemon of a machine that is as configured says of it, booted at that time. */
  public NodeFacts asConfigured(Instant boot) {
    return new NodeFacts(
        "1",
        name,
        null,
        "x86_64",
        "Linux",
        shape.cpus(),
        shape.sockets(),
        shape.coresPerSocket(),
        shape.threadsPerCore(),
        realMemoryMib,
        tmpDiskMib,
        List.of(),
        boot,
        "boot",
        boot,
        "none",
        List.of(),
        List.of(),
        List.of(),
        null);
  }

  /** CPUs that jobs may get. */
  public int effectiveCpus() {
    int cores = Math.max(1, shape.sockets() * shape.coresPerSocket());
    return shape.cpus() - specializedCores.size() * Math.max(1, shape.cpus() / cores);
  }

  /** The features that it could have, those that it has among them. */
  public List<String> availableFeatures() {
    return possibleFeatures == null ? features : possibleFeatures;
  }

  /** The node as the file describes it, with what was written down of it while running. */
  public NodeConfig keeping(NodeConfig before) {
    return withNotes(before.notes);
  }

  /** A node like this one under another name. */
  public NodeConfig named(String other) {
    return with()
        .name(other)
        .address(other)
        .hostName(other)
        .state(State.UNKNOWN)
        .reason("")
        .build();
  }

  /** A path of the file with {@code %n} (node name) and {@code %h} (host name) filled in. */
  public String fill(String pattern) {
    StringBuilder out = new StringBuilder();
    int i = 0;
    while (i < pattern.length()) {
      char c = pattern.charAt(i);
      char next = i + 1 < pattern.length() ? pattern.charAt(i + 1) : ' ';
      boolean known = c == '%' && (next == 'n' || next == 'h' || next == '%');
      if (known) {
        out.append(next == 'n' ? name : next == 'h' ? hostName : "%");
      } else {
        out.append(c);
      }
      i += known ? 2 : 1;
    }
    return out.toString();
  }
}
