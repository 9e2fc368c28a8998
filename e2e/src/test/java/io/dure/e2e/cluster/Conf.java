package io.dure.e2e.cluster;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The slurm.conf of a test's cluster: small figures, so that what takes minutes takes seconds. */
public final class Conf {
  private final int nodes;
  private final int cpus;
  private final Map<String, String> settings = new LinkedHashMap<>();
  private String more = "";
  private List<String> controllers = List.of();

  private Conf(int nodes, int cpus) {
    this.nodes = nodes;
    this.cpus = cpus;
    with("SelectType", "select/cons_tres");
    with("SelectTypeParameters", "CR_Core_Memory");
    with("ReturnToService", "2");
    with("SlurmdParameters", "config_overrides");
    with("DefMemPerCPU", "10");
    with("SchedulerParameters", "requeue_delay=1");
    with("KillWait", "2");
  }

  /** So many nodes, named n1 and on, of so many CPUs each. */
  public static Conf nodes(int nodes, int cpus) {
    return new Conf(nodes, cpus);
  }

  public int nodes() {
    return nodes;
  }

  /** One more setting, or another value for one; {@code {dir}} in it stands for the directory. */
  public Conf with(String key, Object value) {
    settings.put(key, String.valueOf(value));
    return this;
  }

  /** The lines that name the controllers, first to last. */
  public Conf controllers(List<String> lines) {
    controllers = List.copyOf(lines);
    return this;
  }

  /** Whole lines, such as a partition of its own. */
  public Conf line(String line) {
    more += line + "\n";
    return this;
  }

  /** The file's text for a cluster that lives in a directory and has ports from this one on. */
  public String text(Path dir, int port, String host) {
    StringBuilder text = new StringBuilder("# One test's cluster.\n");
    if (!settings.containsKey("ClusterName")) {
      text.append("ClusterName=e2e\n");
    }
    if (controllers.isEmpty()) {
      text.append("SlurmctldHost=" + host + "(127.0.0.1)\n");
    }
    controllers.forEach(line -> text.append(line + "\n"));
    text.append("SlurmctldPort=" + port + "\n");
    text.append("SlurmUser=" + User.SELF.name() + "\n");
    text.append("SlurmdUser=" + User.SELF.name() + "\n");
    text.append("StateSaveLocation=" + dir + "/state\n");
    text.append("SlurmctldPidFile=" + dir + "/run/controller.pid\n");
    text.append("SlurmctldLogFile=" + dir + "/log/controller.log\n");
    text.append("SlurmdPidFile=" + dir + "/run/node-%n.pid\n");
    text.append("SlurmdLogFile=" + dir + "/log/node-%n.log\n");
    text.append("SlurmdSpoolDir=" + dir + "/spool/%n\n");
    settings.forEach((key, value) -> text.append(key + "=" + value + "\n"));
    text.append(
        "NodeName=n[1-%d] NodeHostname=%s NodeAddr=127.0.0.1 Port=%d-%d CPUs=%d RealMemory=4000\n"
            .formatted(nodes, host, port + 1, port + nodes, cpus));
    text.append("PartitionName=main Nodes=ALL Default=YES MaxTime=INFINITE State=UP\n");
    return (text + more).replace("{dir}", dir.toString());
  }
}
