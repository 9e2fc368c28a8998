package io.dure.model.config.slurmconf;

import io.dure.model.HostList;
import io.dure.model.config.ClusterSettings;
import io.dure.model.config.NodeConfig;
import io.dure.model.config.PartitionConfig;
import io.dure.model.config.PartitionConfig.Access;
import io.dure.model.config.PartitionConfig.Limits;
import io.dure.model.config.PartitionConfig.OverSubscribe;
import io.dure.model.config.PartitionConfig.State;
import io.dure.model.config.preempt.PreemptMode;
import io.dure.model.config.slurmconf.DiagnosticCollector.SourceLocation;
import io.dure.model.config.slurmconf.ValueSyntax.Amount;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Turns NodeSet and PartitionName lines into partitions, once all nodes are known. */
final class PartitionLineReader {
  private static final int MOST = 65_533;
  private static final Duration FOR_EVER = Duration.ofDays(36_500);

  private final DiagnosticCollector diagnostics;
  private final NodeLineReader nodes;
  private final List<String> allNodes;
  private final boolean disableRootJobs;
  private final Map<String, List<String>> nodeSets = new LinkedHashMap<>();
  private final Map<String, PartitionConfig> partitions = new LinkedHashMap<>();
  private @Nullable String defaultPartition;

  PartitionLineReader(
      DiagnosticCollector diagnostics, NodeLineReader nodes, boolean disableRootJobs) {
    this.diagnostics = diagnostics;
    this.nodes = nodes;
    this.allNodes = List.copyOf(nodes.nodes().keySet());
    this.disableRootJobs = disableRootJobs;
  }

  List<PartitionConfig> partitions() {
    return List.copyOf(partitions.values());
  }

  void readNodeSet(SourceLocation place, SectionValues line) {
    String name = line.text("NodeSet");
    if (name.isEmpty() || nodes.nodes().containsKey(name) || nodeSets.containsKey(name)) {
      String message = "the name " + name + " is taken";
      diagnostics.error(place, "NodeSet", message, "Choose another name");
      return;
    }
    TreeSet<String> members = new TreeSet<>(members(place, name, line.text("Nodes")));
    String feature = line.text("Feature");
    members.addAll(withFeature(feature));
    nodeSets.put(name, inOrder(members));
  }

  void read(SourceLocation place, SectionValues line) {
    String name = line.text("PartitionName");
    if (name.isEmpty() || name.indexOf(',') >= 0) {
      diagnostics.error(
          place, "PartitionName", "value (" + name + ") is not one name", "Write one name");
      return;
    }
    if (partitions.containsKey(name)) {
      String message = "duplicate entry for partition " + name + ", ignored";
      diagnostics.warning(place, "PartitionName", message, "Define each partition once");
      return;
    }
    partitions.put(
        name,
        new PartitionConfig(
            name,
            members(place, name, line.text("Nodes")),
            isDefault(place, name, line),
            state(place, line),
            limits(place, line),
            access(place, line),
            line.flag("Hidden"),
            priority(line, "PriorityTier"),
            priority(line, "PriorityJobFactor"),
            sharing(place, line),
            line.memoryLimit("DefMemPerCPU", "DefMemPerNode"),
            line.memoryLimit("MaxMemPerCPU", "MaxMemPerNode"),
            overTimeLimit(line),
            line.weights("TRESBillingWeights"),
            qos(line),
            preemptMode(place, line),
            Objects.requireNonNullElse(line.seconds("GraceTime"), Duration.ZERO),
            line.gpuDefaults(place),
            PowerLineReader.ofPartition(line),
            nodeUse(place, line)));
  }

  private List<String> members(SourceLocation place, String of, String expression) {
    if (expression.equalsIgnoreCase("ALL")) {
      return allNodes;
    }
    TreeSet<String> members = new TreeSet<>();
    TreeSet<String> unknown = new TreeSet<>();
    for (String name : nodes.hosts(place, "Nodes", expression)) {
      List<String> set = nodeSets.get(name);
      if (set != null) {
        members.addAll(set);
      } else if (nodes.nodes().containsKey(name)) {
        members.add(name);
      } else if (name.equalsIgnoreCase("ALL")) {
        members.addAll(allNodes);
      } else if (name.startsWith("feature{") && name.endsWith("}")) {
        members.addAll(withFeature(name.substring(8, name.length() - 1)));
      } else {
        unknown.add(name);
      }
    }
    if (!unknown.isEmpty()) {
      String names = HostList.compress(unknown);
      String message = "Invalid node names in partition " + of + ": " + names + " not defined";
      diagnostics.error(place, "Nodes", message, "Write a NodeName line for each node");
    }
    return inOrder(members);
  }

  private List<String> withFeature(String feature) {
    return nodes.nodes().values().stream()
        .filter(node -> node.features().contains(feature))
        .map(NodeConfig::name)
        .toList();
  }

  private List<String> inOrder(Set<String> members) {
    return allNodes.stream().filter(members::contains).toList();
  }

  private boolean isDefault(SourceLocation place, String name, SectionValues line) {
    if (!line.flag("Default")) {
      return false;
    }
    if (defaultPartition != null) {
      String message = "changing default partition from " + defaultPartition + " to " + name;
      diagnostics.warning(place, "Default", message, "Let one partition be the default");
      partitions.computeIfPresent(defaultPartition, (_, before) -> before.withIsDefault(false));
    }
    defaultPartition = name;
    return true;
  }

  private State state(SourceLocation place, SectionValues line) {
    String text = line.text("State");
    for (State state : State.values()) {
      if (state.name().equalsIgnoreCase(text)) {
        return state;
      }
    }
    String message = "Bad value " + text + " for State";
    diagnostics.error(
        line.place("State", place), "State", message, "Write UP, DOWN, DRAIN or INACTIVE");
    return State.UP;
  }

  private Limits limits(SourceLocation place, SectionValues line) {
    Duration maxTime = line.time("MaxTime");
    Duration defaultTime = line.time("DefaultTime");
    int minNodes = line.integer("MinNodes", 0, Integer.MAX_VALUE);
    int maxNodes = line.integer("MaxNodes", 0, Integer.MAX_VALUE);
    if (maxTime != null && defaultTime != null && defaultTime.compareTo(maxTime) > 0) {
      String message = "DefaultTime is above MaxTime, which is taken instead";
      diagnostics.warning(line.place("DefaultTime", place), "DefaultTime", message, "Lower it");
      defaultTime = maxTime;
    }
    if (minNodes > maxNodes) {
      String message = "MinNodes is above MaxNodes: no job can ever start";
      diagnostics.warning(line.place("MinNodes", place), "MinNodes", message, "Lower it");
    }
    int cpus = line.integer("MaxCPUsPerNode", 0, Integer.MAX_VALUE);
    return new Limits(maxTime, defaultTime, minNodes, maxNodes, cpus);
  }

  private Access access(SourceLocation place, SectionValues line) {
    nodes.hosts(line.place("AllocNodes", place), "AllocNodes", line.text("AllocNodes"));
    return new Access(
        names(line, "AllowGroups"),
        names(line, "AllowAccounts"),
        names(line, "DenyAccounts"),
        names(line, "AllowQos"),
        names(line, "DenyQos"),
        names(line, "AllocNodes"),
        line.flag("RootOnly"),
        line.isSet("DisableRootJobs") ? line.flag("DisableRootJobs") : disableRootJobs,
        line.flag("ReqResv"));
  }

  private static List<String> names(SectionValues line, String key) {
    List<String> names = line.list(key);
    return names.stream().anyMatch(name -> name.equalsIgnoreCase("ALL")) ? List.of() : names;
  }

  private static @Nullable String qos(SectionValues line) {
    String name = line.text("QOS").toLowerCase(Locale.ROOT);
    return name.isEmpty() || name.equals("n/a") ? null : name;
  }

  private static int priority(SectionValues line, String key) {
    boolean old = !line.isSet(key) && line.isSet("Priority");
    return line.integer(old ? "Priority" : key, 0, MOST);
  }

  private OverSubscribe sharing(SourceLocation place, SectionValues line) {
    String exclusive = line.text("Exclusive").toUpperCase(Locale.ROOT);
    boolean oneUser = exclusive.equals("USER") || line.flag("ExclusiveUser");
    if (exclusive.equals("NODE")) {
      return new OverSubscribe(OverSubscribe.Mode.EXCLUSIVE, 1, oneUser);
    }
    if (!List.of("", "NO", "USER", "TOPO").contains(exclusive)) {
      String message = "value (" + exclusive + ") is not NO, NODE, USER or TOPO";
      diagnostics.error(line.place("Exclusive", place), "Exclusive", message, "Write one of them");
    }
    String text = line.text("OverSubscribe").toUpperCase(Locale.ROOT);
    int colon = text.indexOf(':');
    String word = colon < 0 ? text : text.substring(0, colon);
    Amount jobs = colon < 0 ? Amount.of(4) : ValueSyntax.number(text.substring(colon + 1));
    boolean counted = jobs != null && jobs.value() >= 1 && jobs.value() <= MOST;
    if (word.equals("NO") || word.equals("EXCLUSIVE")) {
      return new OverSubscribe(OverSubscribe.Mode.valueOf(word), 1, oneUser);
    }
    if (jobs == null || !counted || !(word.equals("YES") || word.equals("FORCE"))) {
      String message = "value (" + text + ") is not NO, EXCLUSIVE, YES[:JOBS] or FORCE[:JOBS]";
      diagnostics.error(
          line.place("OverSubscribe", place), "OverSubscribe", message, "Write one of them");
      return new OverSubscribe(OverSubscribe.Mode.NO, 1, oneUser);
    }
    return new OverSubscribe(OverSubscribe.Mode.valueOf(word), (int) jobs.value(), oneUser);
  }

  private @Nullable PreemptMode preemptMode(SourceLocation place, SectionValues line) {
    String text = line.text("PreemptMode");
    PreemptMode mode = text.isEmpty() ? null : PreemptMode.find(text);
    if (mode == null && !text.isEmpty()) {
      String message = "Invalid PreemptMode: " + text;
      String remedy = "Write OFF, CANCEL, REQUEUE or SUSPEND";
      diagnostics.error(line.place("PreemptMode", place), "PreemptMode", message, remedy);
    }
    return mode;
  }

  private static PartitionConfig.NodeUse nodeUse(SourceLocation place, SectionValues line) {
    String alternate = line.text("Alternate");
    String topology = line.text("Topology");
    return new PartitionConfig.NodeUse(
        line.flag("LLN"),
        line.integer("MaxCPUsPerSocket", 0, Integer.MAX_VALUE),
        alternate.isEmpty() || alternate.equalsIgnoreCase("NONE") ? null : alternate,
        unit(place, line),
        topology.isEmpty() ? null : topology);
  }

  private static ClusterSettings.@Nullable Unit unit(SourceLocation place, SectionValues line) {
    String text = line.text("SelectTypeParameters").toUpperCase(Locale.ROOT);
    return switch (text) {
      case "", "NONE" -> null;
      case "CR_CORE", "CR_CORE_MEMORY" -> ClusterSettings.Unit.CORE;
      case "CR_CPU", "CR_CPU_MEMORY" -> ClusterSettings.Unit.CPU;
      case "CR_SOCKET", "CR_SOCKET_MEMORY" -> ClusterSettings.Unit.SOCKET;
      default -> {
        line.diagnostics()
            .error(
                line.place("SelectTypeParameters", place),
                "SelectTypeParameters",
                "Bad SelectTypeParameter: " + text,
                "Write CR_CORE, CR_SOCKET or CR_CPU");
        yield null;
      }
    };
  }

  private static @Nullable Duration overTimeLimit(SectionValues line) {
    if (line.text("OverTimeLimit").isEmpty()) {
      return null;
    }
    Duration limit = line.minutes("OverTimeLimit");
    return limit == null ? FOR_EVER : limit;
  }
}
