package io.dure.model.config.slurmconf;

/** The slurm.conf of a machine that has none. */
public final class DefaultConfig {
  private DefaultConfig() {}

  /**
   * The text of a configuration file that describes the machine.
   *
   * <p>A single node has the machine's name. Several are called n1, n2 and so on; each has a port,
   * a spool and by default its share of the cores and of the memory. Generic resources, which
   * cannot be cut, go to the first.
   */
  public static String text(HardwareFacts machine, ClusterLayout layout) {
    StringBuilder out = new StringBuilder();
    String dir = layout.directory();
    line(out, "# This machine as it was found. See slurm.conf(5) for what may stand here.");
    line(out, "ClusterName=" + layout.clusterName());
    line(out, "SlurmctldHost=" + machine.hostName() + "(127.0.0.1)");
    line(out, "SlurmctldPort=" + layout.controllerPort());
    line(out, "SlurmdPort=" + layout.firstNodePort());
    line(out, "SlurmUser=" + layout.slurmUser());
    line(out, "SlurmdUser=" + layout.slurmdUser());
    line(out, "StateSaveLocation=" + quoted(dir + "/state"));
    line(out, "SlurmctldPidFile=" + quoted(dir + "/run/controller.pid"));
    line(out, "SlurmctldLogFile=" + quoted(dir + "/log/controller.log"));
    line(out, "SlurmdPidFile=" + quoted(dir + "/run/node-%n.pid"));
    line(out, "SlurmdLogFile=" + quoted(dir + "/log/node-%n.log"));
    line(out, "SlurmdSpoolDir=" + quoted(dir + "/spool/%n"));
    line(
        out,
        "# Short jobs first, by what they are expected to run: policy=slurm for the order of Slurm.");
    line(out, "SchedulerParameters=policy=dure");
    line(out, "SelectType=select/cons_tres");
    line(out, "SelectTypeParameters=CR_Core_Memory");
    line(out, "DefMemPerCPU=" + Math.max(1, memory(machine, layout) / cpus(machine, layout)));
    line(out, "ReturnToService=2");
    if (layout.nodeCount() > 1 || layout.cpusPerNode() != null) {
      line(out, "SlurmdParameters=config_overrides");
    }
    String gresTypes = gresTypes(machine.gres());
    if (!gresTypes.isEmpty()) {
      line(out, "GresTypes=" + gresTypes);
    }
    line(out, "");
    nodes(out, machine, layout);
    line(out, "PartitionName=main Nodes=ALL Default=YES MaxTime=INFINITE State=UP");
    return out.toString();
  }

  private static void nodes(StringBuilder out, HardwareFacts machine, ClusterLayout layout) {
    int count = layout.nodeCount();
    if (count == 1) {
      String name = "NodeName=" + machine.hostName();
      String address = " NodeAddr=127.0.0.1 Port=" + layout.firstNodePort();
      line(out, name + address + shape(machine, layout) + gres(machine));
      return;
    }
    String shape = shape(machine, layout);
    boolean whole = machine.gres().isEmpty();
    if (!whole) {
      line(out, node("n1", layout.firstNodePort() + "", machine) + shape + gres(machine));
    }
    int first = whole ? 1 : 2;
    String names = first == count ? "n" + count : "n[" + first + "-" + count + "]";
    int port = layout.firstNodePort() + first - 1;
    int lastPort = layout.firstNodePort() + count - 1;
    String ports = first == count ? port + "" : port + "-" + lastPort;
    line(out, node(names, ports, machine) + shape);
  }

  private static String node(String names, String ports, HardwareFacts machine) {
    String host = " NodeHostname=" + machine.hostName();
    return "NodeName=" + names + host + " NodeAddr=127.0.0.1 Port=" + ports;
  }

  /** Processors, memory and disk of one node. */
  private static String shape(HardwareFacts machine, ClusterLayout layout) {
    boolean cut = layout.cpusPerNode() != null || layout.nodeCount() > 1;
    int sockets = cut ? 1 : machine.sockets();
    int threads = layout.cpusPerNode() != null ? 1 : machine.threadsPerCore();
    long cpus = cpus(machine, layout);
    return " CPUs="
        + cpus
        + (" Sockets=" + sockets)
        + (" CoresPerSocket=" + cpus / sockets / threads)
        + (" ThreadsPerCore=" + threads)
        + (" RealMemory=" + memory(machine, layout))
        + (" TmpDisk=" + machine.tmpDiskMib())
        + " State=UNKNOWN";
  }

  /** CPUs of one node: what it claims, or its share of the cores. */
  private static long cpus(HardwareFacts machine, ClusterLayout layout) {
    Integer claimed = layout.cpusPerNode();
    if (claimed != null) {
      return claimed;
    }
    int cores = machine.sockets() * machine.coresPerSocket();
    return (long) Math.max(1, cores / layout.nodeCount()) * machine.threadsPerCore();
  }

  private static long memory(HardwareFacts machine, ClusterLayout layout) {
    return Math.max(1, machine.memoryMib() / layout.nodeCount());
  }

  private static String gres(HardwareFacts machine) {
    return machine.gres().isEmpty() ? "" : " Gres=" + machine.gres();
  }

  private static String gresTypes(String gres) {
    return String.join(
        ",", ValueSyntax.list(gres).stream().map(g -> g.split(":", 2)[0]).distinct().toList());
  }

  /** A path as a value: backslash and hash lose their meaning, blanks stand in quotes. */
  private static String quoted(String path) {
    String escaped = path.replace("\\", "\\\\").replace("#", "\\#");
    return escaped.chars().anyMatch(Character::isWhitespace) ? '"' + escaped + '"' : escaped;
  }

  private static void line(StringBuilder out, String text) {
    out.append(text).append('\n');
  }
}
