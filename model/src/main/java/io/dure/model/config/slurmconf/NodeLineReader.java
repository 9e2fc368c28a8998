package io.dure.model.config.slurmconf;

import io.dure.model.HostList;
import io.dure.model.HostListException;
import io.dure.model.config.NodeConfig;
import io.dure.model.config.NodeConfig.Shape;
import io.dure.model.config.NodeConfig.State;
import io.dure.model.config.SlurmdParameters;
import io.dure.model.config.gres.GresConfResolver;
import io.dure.model.config.slurmconf.DiagnosticCollector.SourceLocation;
import io.dure.model.gres.GresCount;
import io.dure.model.gres.GresDevice;
import io.dure.model.node.NodeNotes;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

/** Turns NodeName and DownNodes lines into nodes. */
final class NodeLineReader {
  private static final int MOST_COUNT = 65_533;

  private final DiagnosticCollector diagnostics;
  private final int defaultPort;
  private final GresConfResolver gresConf;
  private final Map<String, NodeConfig> nodes = new LinkedHashMap<>();

  NodeLineReader(DiagnosticCollector diagnostics, int defaultPort, GresConfResolver gresConf) {
    this.diagnostics = diagnostics;
    this.defaultPort = defaultPort;
    this.gresConf = gresConf;
  }

  /** The nodes read so far, by name. */
  Map<String, NodeConfig> nodes() {
    return nodes;
  }

  void read(SourceLocation place, SectionValues line) {
    List<String> names = hosts(place, "NodeName", line.text("NodeName"));
    if (names.isEmpty() || isReserved(place, names)) {
      return;
    }
    if (nodes.size() + names.size() > HostList.MAX_HOSTS) {
      String message = "more than " + HostList.MAX_HOSTS + " nodes";
      diagnostics.error(place, "NodeName", message, "Define fewer nodes");
      return;
    }
    List<String> hostNames = parallel(place, line, "NodeHostname", names, names);
    List<String> addresses = parallel(place, line, "NodeAddr", names, hostNames);
    List<String> broadcasts = parallel(place, line, "BcastAddr", names, List.of());
    List<String> ports = ports(place, line, names.size());
    Shape shape = shape(place, line);
    State state = state(place, line, "NodeName");
    long memory = Math.max(1, line.memoryMib("RealMemory", 1));
    long reserved = line.memoryMib("MemSpecLimit", 0);
    long disk = line.memoryMib("TmpDisk", 0);
    List<String> features = line.list("Features");
    long weight = line.number("Weight", 0, 0xffff_fffeL);
    String gres = line.text("Gres");
    SourceLocation gresPlace = line.place("Gres", place);
    List<Integer> kept = specializedCores(place, line, shape);
    for (int i = 0; i < names.size(); i++) {
      NodeConfig node =
          new NodeConfig(
              names.get(i),
              at(addresses, i),
              at(hostNames, i),
              broadcasts.isEmpty() ? "" : at(broadcasts, i),
              ports.isEmpty() ? defaultPort : Integer.parseInt(at(ports, i)),
              shape,
              memory,
              reserved,
              disk,
              features,
              gres,
              weight,
              state,
              line.text("Reason"),
              null,
              List.of(),
              PowerLineReader.time(line, "SuspendTime"),
              List.of(),
              NodeNotes.NONE,
              null,
              line.text("Topology"),
              parameters(place, line));
      node = kept.isEmpty() ? node : node.withSpecializedCores(kept);
      if (!gres.isEmpty()) {
        node = node.with(gresConf.of(node.name(), gres, gresPlace.file(), gresPlace.line()));
      }
      node = node.withGpuCores(gpuCores(node, line));
      if (nodes.putIfAbsent(node.name(), node) != null) {
        String message = "Duplicated NodeName " + node.name() + " in the config file";
        diagnostics.error(place, "NodeName", message, "Define each node once");
      }
    }
  }

  void readDown(SourceLocation place, SectionValues line) {
    State state = state(place, line, "DownNodes");
    for (String name : hosts(place, "DownNodes", line.text("DownNodes"))) {
      NodeConfig node = nodes.get(name);
      if (node == null) {
        String message = "node " + name + " is not defined";
        diagnostics.error(place, "DownNodes", message, "Write a NodeName line for it");
      } else {
        nodes.put(name, node.with(state, line.text("Reason")));
      }
    }
  }

  /** The names of an expression; none, with a finding, where it cannot be read. */
  List<String> hosts(SourceLocation place, String key, String expression) {
    try {
      return HostList.expand(expression);
    } catch (HostListException e) {
      String message = e.getMessage() + " (character " + (e.offset() + 1) + " of the list)";
      diagnostics.error(place, key, message, "Write a list such as n[1-4,7]");
      return List.of();
    }
  }

  private boolean isReserved(SourceLocation place, List<String> names) {
    if (names.stream().noneMatch(name -> name.equalsIgnoreCase("ALL"))) {
      return false;
    }
    diagnostics.error(place, "NodeName", "ALL is reserved for all nodes", "Choose another name");
    return true;
  }

  /** One value for each node or one for all; what stands in for them where none is given. */
  private List<String> parallel(
      SourceLocation place,
      SectionValues line,
      String key,
      List<String> names,
      List<String> otherwise) {
    List<String> given = hosts(place, key, line.text(key));
    if (given.isEmpty()) {
      return otherwise;
    }
    return fits(place, key, given.size(), names.size()) ? given : otherwise;
  }

  private List<String> ports(SourceLocation place, SectionValues line, int names) {
    String text = line.text("Port");
    if (text.isEmpty()) {
      return List.of();
    }
    List<String> ports = hosts(place, "Port", text.contains("[") ? text : "[" + text + "]");
    for (String port : ports) {
      if (ValueSyntax.ports(port) == null) {
        String message = "value (" + port + ") is not a port from 1 to 65535";
        diagnostics.error(place, "Port", message, "Write a port, or one for each node: 7001-7004");
        return List.of();
      }
    }
    return fits(place, "Port", ports.size(), names) ? ports : List.of();
  }

  private boolean fits(SourceLocation place, String key, int given, int names) {
    if (given <= 1 || given == names) {
      return true;
    }
    String message = given + " values for " + names + " nodes";
    diagnostics.error(place, key, message, "Write one for each node of NodeName, or one for all");
    return false;
  }

  private static String at(List<String> list, int index) {
    return list.size() == 1 ? list.getFirst() : list.get(index);
  }

  private Shape shape(SourceLocation place, SectionValues line) {
    int boards = count(line, "Boards", 1);
    int cores = count(line, "CoresPerSocket", 1);
    int threads = count(line, "ThreadsPerCore", 1);
    int given = count(line, "CPUs", 0);
    int sockets = sockets(line, boards);
    if (sockets == 0) {
      sockets = Math.max(1, (int) (given / ((long) cores * threads)));
    }
    long allCores = (long) sockets * cores;
    long allThreads = allCores * threads;
    if (allThreads > 1_000_000) {
      diagnostics.error(place, "CPUs", allThreads + " CPUs in one node", "Correct the counts");
      return new Shape(1, 1, 1, 1, 1);
    }
    boolean agrees = given == sockets || given == allCores || given == allThreads;
    if (given != 0 && !agrees) {
      String message =
          "CPUs=%d match no Sockets, Sockets*CoresPerSocket or Sockets*CoresPerSocket*ThreadsPerCore"
              .formatted(given);
      String remedy = "Write CPUs=" + allThreads + ", which is assumed";
      diagnostics.warning(line.place("CPUs", place), "CPUs", message, remedy);
    }
    int cpus = given != 0 && agrees ? given : (int) allThreads;
    return new Shape(cpus, boards, sockets, cores, threads);
  }

  /** The cores that CpuSpecList names, or as many as CoreSpecCount says, from the last ones on. */
  private List<Integer> specializedCores(SourceLocation place, SectionValues line, Shape shape) {
    int cores = shape.sockets() * shape.coresPerSocket();
    int perCore = Math.max(1, shape.cpus() / Math.max(1, cores));
    String list = line.text("CpuSpecList");
    TreeSet<Integer> kept = new TreeSet<>();
    if (!list.isEmpty()) {
      for (String cpu : hosts(line.place("CpuSpecList", place), "CpuSpecList", "[" + list + "]")) {
        long number = GresCount.count(cpu);
        if (number < 0 || number >= shape.cpus()) {
          String message = "value (" + list + ") names a CPU that the node does not have";
          SourceLocation where = line.place("CpuSpecList", place);
          diagnostics.error(where, "CpuSpecList", message, "Write a list such as 0-1,16-17");
          return List.of();
        }
        kept.add((int) number / perCore);
      }
      return List.copyOf(kept);
    }
    int count = line.integer("CoreSpecCount", 0, MOST_COUNT);
    if (count > 0 && count >= cores) {
      String message = "value (" + count + ") leaves no core of " + cores;
      SourceLocation where = line.place("CoreSpecCount", place);
      diagnostics.error(where, "CoreSpecCount", message, "Write a smaller number");
      return List.of();
    }
    // The last core of the last socket, that of the socket before, and so on in turns.
    for (int i = 0; i < count; i++) {
      int socket = shape.sockets() - 1 - i % shape.sockets();
      kept.add((socket + 1) * shape.coresPerSocket() - 1 - i / shape.sockets());
    }
    return List.copyOf(kept);
  }

  /** So many cores near each GPU as the line keeps for jobs with GPUs. */
  private static List<Integer> gpuCores(NodeConfig node, SectionValues line) {
    String text = line.text("RestrictedCoresPerGPU");
    int each = text.isEmpty() ? 0 : line.integer("RestrictedCoresPerGPU", 0, MOST_COUNT);
    TreeSet<Integer> kept = new TreeSet<>();
    for (GresDevice device : node.resources().devices()) {
      int left = device.name().equals("gpu") ? each : 0;
      for (int core : device.cores()) {
        if (left > 0 && !node.specializedCores().contains(core) && kept.add(core)) {
          left--;
        }
      }
    }
    return List.copyOf(kept);
  }

  /** All sockets of the node, 0 where the line does not say. */
  private int sockets(SectionValues line, int boards) {
    int perBoard = count(line, "SocketsPerBoard", 0);
    int sockets = perBoard != 0 ? perBoard : count(line, "Sockets", 0);
    return (int) Math.min(MOST_COUNT, (long) sockets * boards);
  }

  private SlurmdParameters parameters(SourceLocation place, SectionValues line) {
    SourceLocation at = line.place("Parameters", place);
    return SlurmdParameters.of(
        line.text("Parameters"),
        (message, remedy) -> diagnostics.found(at, "Parameters", message, remedy));
  }

  private static int count(SectionValues line, String key, int otherwise) {
    return line.text(key).isEmpty() ? otherwise : line.integer(key, 1, MOST_COUNT);
  }

  private State state(SourceLocation place, SectionValues line, String opener) {
    String text = line.text("State");
    State state = State.of(text);
    if (state == null) {
      String message = "Invalid state " + text + " for " + opener + " " + line.text(opener);
      String remedy = "Write UNKNOWN, DOWN, DRAIN, FAIL, FAILING, FUTURE or CLOUD";
      diagnostics.error(line.place("State", place), "State", message, remedy);
      return State.UNKNOWN;
    }
    return state;
  }
}
