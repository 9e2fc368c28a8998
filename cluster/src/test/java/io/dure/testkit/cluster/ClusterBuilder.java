package io.dure.testkit.cluster;

import io.dure.model.config.slurmconf.ParsedConfig;
import io.dure.model.config.slurmconf.SlurmConfParser;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A cluster to be: the text of its slurm.conf, line by line.
 *
 * <pre>{@code
 * TestCluster cluster = TestCluster.with("KillWait", "30").node("n1").cpus(4).start();
 * }</pre>
 */
public final class ClusterBuilder {
  private final Map<String, String> settings = new LinkedHashMap<>();
  private final List<String> nodes = new ArrayList<>();
  private final List<String> partitions = new ArrayList<>();
  private String gresConf = "";

  ClusterBuilder() {
    set("ClusterName", "test").set("SlurmctldHost", "controller");
    set("SelectType", "select/cons_tres").set("SelectTypeParameters", "CR_Core_Memory");
    set("DefMemPerCPU", "100").set("SchedulerParameters", "requeue_delay=60");
  }

  /** A cluster of that many nodes n1, n2 ... of four cores and 4000 MiB. */
  public static ClusterBuilder of(int count) {
    ClusterBuilder builder = new ClusterBuilder();
    for (int i = 1; i <= count; i++) {
      builder.node("n" + i).cpus(4);
    }
    return builder;
  }

  /** A setting of slurm.conf. */
  public ClusterBuilder set(String key, String value) {
    settings.put(key, value);
    return this;
  }

  /** The text of gres.conf. */
  public ClusterBuilder gresConf(String text) {
    gresConf = text;
    return this;
  }

  /** A node; what follows describes it. It has 1000 MiB for each core unless it says otherwise. */
  public ClusterBuilder node(String name) {
    nodes.add("NodeName=" + name);
    return this;
  }

  /** Cores of the node just named. */
  public ClusterBuilder cpus(int cores) {
    return describe(
        " CPUs=" + cores + " Sockets=1 CoresPerSocket=" + cores + " RealMemory=" + cores * 1000);
  }

  /** More of the line of the node just named. */
  public ClusterBuilder describe(String more) {
    nodes.add(nodes.removeLast() + more);
    return this;
  }

  /** A partition; without any there is {@code debug} with all nodes. */
  public ClusterBuilder partition(String name, String line) {
    partitions.add("PartitionName=" + name + " " + line);
    return this;
  }

  /** The configuration. */
  public ParsedConfig config() {
    StringBuilder text = new StringBuilder();
    settings.forEach((key, value) -> text.append(key).append('=').append(value).append('\n'));
    nodes.forEach(line -> text.append(line).append('\n'));
    partitions.forEach(line -> text.append(line).append('\n'));
    if (partitions.isEmpty()) {
      text.append("PartitionName=debug Nodes=ALL Default=YES\n");
    }
    ParsedConfig parsed =
        SlurmConfParser.parse(
            "/slurm.conf",
            path ->
                path.endsWith("/slurm.conf")
                    ? text.toString()
                    : path.endsWith("/gres.conf") ? gresConf : "");
    if (parsed.hasErrors()) {
      throw new IllegalArgumentException(parsed.errors().toString());
    }
    return parsed;
  }

  /** The cluster, with all node daemons connected. */
  public TestCluster start() {
    TestCluster cluster = new TestCluster(config().config());
    cluster.connectAll();
    return cluster;
  }

  /** The cluster before any daemon has called. */
  public TestCluster startWithoutDaemons() {
    return new TestCluster(config().config());
  }
}
