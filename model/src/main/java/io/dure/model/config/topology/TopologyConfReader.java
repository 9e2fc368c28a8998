package io.dure.model.config.topology;

import io.dure.model.HostList;
import io.dure.model.HostListException;
import io.dure.model.config.gres.GresConfFindings;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Works out the topology that the lines of topology.conf describe.
 *
 * @see <a href="https://slurm.schedmd.com/topology.conf.html">topology.conf(5)</a>
 */
public final class TopologyConfReader {
  private static final String FORM =
      "Write SwitchName=s0 Nodes=n[1-4], or SwitchName=top Switches=s0,s1";
  private static final String BLOCK_FORM = "Write BlockName=b0 Nodes=n[1-4], or BlockSizes=4,8";

  private final GresConfFindings findings;
  private final Predicate<String> isNode;
  private final boolean blocks;
  private final List<Line> lines = new ArrayList<>();
  private final Map<String, Line> byName = new TreeMap<>();

  /** The line of the switch or block that each node is in. */
  private final Map<String, Line> ofNode = new TreeMap<>();

  private List<Integer> sizes = List.of();
  private @Nullable Line sizesLine;
  private boolean failed;

  /** A switch or a block as its line says. */
  private static final class Line {
    final String file;
    final int number;
    String name = "";
    int linkSpeed = 1;
    List<String> nodes = List.of();
    List<String> switches = List.of();
    int level = -1;
    @Nullable Line above;

    Line(String file, int number) {
      this.file = file;
      this.number = number;
    }

    String where() {
      return name + " (line " + number + ")";
    }
  }

  /**
   * Without any line yet.
   *
   * @param blocks whether the lines describe blocks, and not switches
   * @param isNode whether there is a node of that name
   */
  public TopologyConfReader(GresConfFindings findings, boolean blocks, Predicate<String> isNode) {
    this.findings = findings;
    this.blocks = blocks;
    this.isNode = isNode;
  }

  /** Takes in a line. */
  public void add(String file, int number, List<Map.Entry<String, String>> words) {
    Line line = new Line(file, number);
    boolean sizesOnly = false;
    for (Map.Entry<String, String> word : words) {
      String value = word.getValue();
      switch (word.getKey().toLowerCase(Locale.ROOT)) {
        case "switchname" -> named(line, !blocks, word);
        case "blockname" -> named(line, blocks, word);
        case "nodes" -> line.nodes = names(line, "Nodes", value);
        case "switches" -> line.switches = names(line, "Switches", value);
        case "linkspeed" -> line.linkSpeed = number(line, "LinkSpeed", value);
        case "blocksizes" -> {
          sizesOnly = true;
          sizesLine = line;
          sizes = sizes(line, value);
        }
        default -> error(line, word.getKey(), "unknown key " + word.getKey(), form());
      }
    }
    if (sizesOnly && line.name.isEmpty()) {
      return;
    }
    if (line.name.isEmpty()) {
      error(line, nameKey(), "the line names no " + (blocks ? "block" : "switch"), form());
    } else if (byName.containsKey(line.name)) {
      error(
          line,
          nameKey(),
          line.name + " stands on line " + byName.get(line.name).number + " too",
          form());
    } else if (line.nodes.isEmpty() == line.switches.isEmpty() || blocks && line.nodes.isEmpty()) {
      error(line, nameKey(), line.name + " needs either Nodes or Switches", form());
    } else {
      byName.put(line.name, line);
      lines.add(line);
    }
  }

  private void named(Line line, boolean expected, Map.Entry<String, String> word) {
    if (!expected) {
      String plugin = blocks ? "topology/block" : "topology/tree";
      error(line, word.getKey(), word.getKey() + " does not belong to " + plugin, form());
    }
    line.name = word.getValue();
  }

  private String nameKey() {
    return blocks ? "BlockName" : "SwitchName";
  }

  private String form() {
    return blocks ? BLOCK_FORM : FORM;
  }

  private void error(Line line, String key, String message, String remedy) {
    failed = true;
    findings.error(line.file, line.number, key, message, remedy);
  }

  private List<String> names(Line line, String key, String value) {
    try {
      return HostList.expand(value);
    } catch (HostListException e) {
      error(line, key, "value (" + value + ") is no list of names", form());
      return List.of("?");
    }
  }

  private int number(Line line, String key, String value) {
    try {
      return Integer.parseUnsignedInt(value);
    } catch (NumberFormatException e) {
      error(line, key, "value (" + value + ") is not a number", "Write a number");
      return 1;
    }
  }

  private List<Integer> sizes(Line line, String value) {
    List<Integer> read = new ArrayList<>();
    for (String word : value.split(",", -1)) {
      int size = number(line, "BlockSizes", word.strip());
      int base = read.isEmpty() ? size : read.getFirst();
      boolean rises = read.isEmpty() || size > read.getLast();
      if (size < 1 || !rises || size % base != 0 || Integer.bitCount(size / base) != 1) {
        String message = "value (" + value + ") is not a size and its doubles, rising";
        error(line, "BlockSizes", message, "Write BlockSizes=4,8,16");
        return List.of();
      }
      read.add(size);
    }
    return read;
  }

  /**
   * The topology of the lines.
   *
   * @param file the file, for what no line of it says
   * @param at the line that such a finding names
   * @param nodes all nodes, in order
   * @return null where the lines are wrong, which the findings say
   */
  public @Nullable Topology read(String file, int at, List<String> nodes) {
    lines.forEach(this::attach);
    lines.forEach(this::join);
    for (Line line : lines) {
      if (!failed) {
        level(line, 0);
      }
    }
    if (lines.isEmpty() && !failed) {
      failed = true;
      findings.error(file, at, nameKey(), "the file describes nothing", form());
    }
    if (failed) {
      return null;
    }
    List<String> alone = nodes.stream().filter(node -> !ofNode.containsKey(node)).toList();
    if (!alone.isEmpty()) {
      String message = HostList.compress(alone) + " is in none: no job has it and others";
      findings.warning(file, at, nameKey(), message, form());
    }
    return blocks ? blocks() : tree();
  }

  /** Names of no node are left out with a warning, as in Slurm. */
  private void attach(Line line) {
    List<String> strangers = line.nodes.stream().filter(isNode.negate()).toList();
    if (!strangers.isEmpty()) {
      String names = HostList.compress(strangers);
      String message = "there is no node of that name, and it is left out: " + names;
      findings.warning(line.file, line.number, "Nodes", message, "Write names of NodeName lines");
      line.nodes = line.nodes.stream().filter(isNode).toList();
    }
    for (String node : line.nodes) {
      Line other = ofNode.put(node, line);
      if (other != null) {
        error(line, "Nodes", node + " is in " + other.where() + " too", "Name a node once");
      }
    }
    if (line.nodes.isEmpty() && !strangers.isEmpty()) {
      error(line, "Nodes", "none of its nodes is there", "Write names of NodeName lines");
    }
  }

  private void join(Line line) {
    for (String name : line.switches) {
      Line below = byName.get(name);
      if (below == null) {
        error(line, "Switches", "there is no switch " + name, "Write names of SwitchName lines");
      } else if (below.above != null) {
        String message = name + " is below " + below.above.where() + " too";
        error(line, "Switches", message, "Name a switch once");
      } else {
        below.above = line;
      }
    }
  }

  /** Levels from below; a way down that is longer than there are switches goes round. */
  private int level(Line line, int depth) {
    if (depth > lines.size()) {
      error(line, "Switches", line.name + " is below itself", "Take one of the lines out");
      return 0;
    }
    if (line.level < 0) {
      int level = 0;
      for (String name : line.switches) {
        Line below = byName.get(name);
        if (below != null && !failed) {
          level = Math.max(level, 1 + level(below, depth + 1));
        }
      }
      line.level = level;
    }
    return line.level;
  }

  private Topology tree() {
    List<Topology.Switch> switches = new ArrayList<>();
    for (Line line : lines) {
      switches.add(
          new Topology.Switch(line.name, line.linkSpeed, line.level, line.nodes, line.switches));
    }
    return new Topology.Tree(switches);
  }

  private @Nullable Topology blocks() {
    List<Topology.Block> all = new ArrayList<>();
    int least = Integer.MAX_VALUE;
    for (Line line : lines) {
      all.add(new Topology.Block(line.name, line.nodes));
      least = Math.min(least, line.nodes.size());
    }
    List<Integer> known = sizes.isEmpty() ? List.of(least) : sizes;
    if (sizesLine != null && known.getFirst() > least) {
      String message = "a block has only " + least + " nodes";
      error(sizesLine, "BlockSizes", message, "Write the size of the smallest block first");
      return null;
    }
    return new Topology.Blocks(all, known);
  }
}
