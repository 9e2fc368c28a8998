package io.dure.model.config.topology;

import io.dure.model.config.gres.GresConfFindings;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Works out the topologies that topology.yaml describes.
 *
 * @see <a href="https://slurm.schedmd.com/topology.yaml.html">topology.yaml(5)</a>
 */
public final class TopologyYamlReader {
  private static final String FORM =
      "Write - topology: NAME, then one of tree:, block: and flat: true below it";
  private static final List<String> KINDS = List.of("tree", "block", "flat", "ring", "torus3d");

  private final GresConfFindings findings;
  private final String file;
  private final List<String> nodes;
  private final TreeSet<String> known;
  private final TreeSet<String> names = new TreeSet<>();

  /**
   * Of one file.
   *
   * @param nodes nodes of which nothing else says where they are, in order
   * @param known all nodes
   */
  public TopologyYamlReader(
      GresConfFindings findings, String file, List<String> nodes, List<String> known) {
    this.findings = findings;
    this.file = file;
    this.nodes = List.copyOf(nodes);
    this.known = new TreeSet<>(known);
  }

  /**
   * The topologies, in order; one of them is the default. None where the findings have an error.
   */
  public List<NamedTopology> read(String text) {
    List<Described> described = new ArrayList<>();
    try {
      if (!(YamlReader.read(text) instanceof YamlNode.Sequence(int line, List<YamlNode> items))) {
        error(1, "the file is no list of topologies");
        return List.of();
      }
      if (items.isEmpty()) {
        error(line, "the file describes nothing");
      }
      for (YamlNode item : items) {
        Described one = described(item);
        if (one == null) {
          return List.of();
        }
        described.add(one);
      }
    } catch (YamlNode.InvalidYamlException e) {
      error(e.line(), e.getMessage());
      return List.of();
    }
    return settled(described);
  }

  /** A topology, and whether the file calls it the default. */
  private record Described(String name, @Nullable Topology topology, boolean wantsDefault) {}

  /** The first that wants to be the default is; the first of all where none does. */
  private static List<NamedTopology> settled(List<Described> described) {
    int first = 0;
    for (int i = described.size() - 1; i >= 0; i--) {
      first = described.get(i).wantsDefault() ? i : first;
    }
    List<NamedTopology> settled = new ArrayList<>();
    for (Described one : described) {
      settled.add(new NamedTopology(one.name(), one.topology(), settled.size() == first));
    }
    return List.copyOf(settled);
  }

  private void error(int line, @Nullable String message) {
    findings.error(file, line, "topology", message == null ? "" : message, FORM);
  }

  private @Nullable Described described(YamlNode item) {
    if (!(item instanceof YamlNode.Mapping(int line, SequencedMap<String, YamlNode> entries))) {
      error(item.line(), "an item of the list is no topology");
      return null;
    }
    String name = entries.firstEntry().getKey().equals("topology") ? text(entries, "topology") : "";
    if (name.isEmpty() || !names.add(name)) {
      error(line, name.isEmpty() ? "a topology begins with its name" : name + " is there twice");
      return null;
    }
    List<String> kinds = entries.keySet().stream().filter(KINDS::contains).toList();
    for (Map.Entry<String, YamlNode> entry : entries.entrySet()) {
      String key = entry.getKey();
      if (!key.equals("topology") && !key.equals("cluster_default") && !KINDS.contains(key)) {
        error(entry.getValue().line(), "unknown key " + key);
        return null;
      }
    }
    if (kinds.size() != 1) {
      error(line, name + " needs exactly one of tree, block and flat");
      return null;
    }
    boolean isDefault = text(entries, "cluster_default").equals("true");
    YamlNode kind = entries.getOrDefault(kinds.getFirst(), new YamlNode.Scalar(line, ""));
    return switch (kinds.getFirst()) {
      case "tree", "block" -> {
        Topology topology = joined(name, kinds.getFirst().equals("block"), kind);
        yield topology == null ? null : new Described(name, topology, isDefault);
      }
      case "flat" -> new Described(name, null, isDefault);
      default -> {
        findings.noEffect(file, kind.line(), kinds.getFirst(), name + " is as flat: true");
        yield new Described(name, null, isDefault);
      }
    };
  }

  private static String text(Map<String, YamlNode> entries, String key) {
    return entries.get(key) instanceof YamlNode.Scalar(int _, String text) ? text : "";
  }

  private @Nullable Topology joined(String name, boolean blocks, YamlNode kind) {
    if (!(kind instanceof YamlNode.Mapping(int line, SequencedMap<String, YamlNode> entries))) {
      error(kind.line(), name + " has nothing below " + (blocks ? "block" : "tree"));
      return null;
    }
    TopologyConfReader conf = new TopologyConfReader(findings, blocks, known::contains);
    String list = blocks ? "blocks" : "switches";
    for (Map.Entry<String, YamlNode> entry : entries.entrySet()) {
      YamlNode value = entry.getValue();
      if (entry.getKey().equals(list)) {
        if (!addAll(conf, blocks, value)) {
          return null;
        }
      } else if (blocks && entry.getKey().equals("block_sizes")) {
        conf.add(file, value.line(), List.of(Map.entry("BlockSizes", list(value))));
      } else {
        error(value.line(), "unknown key " + entry.getKey());
        return null;
      }
    }
    return conf.read(file, line, nodes);
  }

  /** A sequence of words, or one word, with commas between them. */
  private static String list(YamlNode node) {
    return switch (node) {
      case YamlNode.Scalar(int _, String text) -> text;
      case YamlNode.Sequence(int _, List<YamlNode> items) ->
          String.join(",", items.stream().map(TopologyYamlReader::list).toList());
      case YamlNode.Mapping _ -> "";
    };
  }

  private boolean addAll(TopologyConfReader conf, boolean blocks, YamlNode list) {
    if (!(list instanceof YamlNode.Sequence(int _, List<YamlNode> items))) {
      error(list.line(), "a list is expected");
      return false;
    }
    for (YamlNode item : items) {
      if (!(item instanceof YamlNode.Mapping(int line, SequencedMap<String, YamlNode> entries))) {
        error(item.line(), "an item of the list has no keys");
        return false;
      }
      List<Map.Entry<String, String>> words = new ArrayList<>();
      for (Map.Entry<String, YamlNode> entry : entries.entrySet()) {
        words.add(Map.entry(key(blocks, entry.getKey()), list(entry.getValue())));
      }
      conf.add(file, line, words);
    }
    return true;
  }

  /** The key of topology.conf that says the same. */
  private static String key(boolean blocks, String key) {
    return switch (key) {
      case "switch" -> "SwitchName";
      case "children" -> "Switches";
      case "link_speed" -> "LinkSpeed";
      case "block" -> blocks ? "BlockName" : key;
      case "nodes" -> "Nodes";
      default -> key;
    };
  }
}
