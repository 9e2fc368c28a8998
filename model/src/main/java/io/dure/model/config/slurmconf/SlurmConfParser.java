package io.dure.model.config.slurmconf;

import io.dure.model.config.ClusterConfig;
import io.dure.model.config.ClusterSettings;
import io.dure.model.config.NodeConfig;
import io.dure.model.config.PartitionConfig;
import io.dure.model.config.gres.GresConfFindings;
import io.dure.model.config.gres.GresConfResolver;
import io.dure.model.config.slurmconf.DiagnosticCollector.SourceLocation;
import io.dure.model.config.slurmconf.SettingDefinition.Section;
import io.dure.model.config.slurmconf.StatementReader.Assignment;
import io.dure.model.config.slurmconf.StatementReader.Statement;
import io.dure.model.config.step.StepFiles;
import io.dure.model.config.topology.NamedTopology;
import io.dure.model.config.topology.NodePlaces;
import io.dure.model.config.topology.Topology;
import io.dure.model.config.topology.TopologyConfReader;
import io.dure.model.config.topology.TopologyYamlReader;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeSet;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Reads slurm.conf as Slurm does.
 *
 * <p>Nothing is thrown for any text: what cannot be read is a located finding, and the
 * configuration holds the defaults in its place. Pure but for the calls to its source.
 *
 * @see <a href="https://slurm.schedmd.com/slurm.conf.html">slurm.conf(5)</a>
 */
public final class SlurmConfParser {
  /** The place of settings that stand in no file. */
  private static final SourceLocation NOWHERE = new SourceLocation("", 0);

  /** The file beside slurm.conf that names the devices of nodes. */
  private static final String GRES_CONF = "gres.conf";

  /** The file beside slurm.conf that says how the network joins the nodes. */
  private static final String TOPOLOGY_CONF = "topology.conf";

  /** The file beside slurm.conf that describes several networks. */
  private static final String TOPOLOGY_YAML = "topology.yaml";

  private final DiagnosticCollector diagnostics = new DiagnosticCollector();
  private final SourceLocation start;
  private final SectionValues cluster = new SectionValues(Section.CLUSTER, diagnostics);
  private final List<Line> nodes = new ArrayList<>();
  private final List<Line> downNodes = new ArrayList<>();
  private final List<Line> nodeSets = new ArrayList<>();
  private final List<Line> partitions = new ArrayList<>();
  private SectionValues nodeDefaults = new SectionValues(Section.NODE, diagnostics);
  private SectionValues partitionDefaults = new SectionValues(Section.PARTITION, diagnostics);

  /** A line of a section with the defaults that hold there. */
  private record Line(SourceLocation place, SectionValues values) {}

  private SlurmConfParser(String path) {
    start = new SourceLocation(path, 0);
  }

  /** Reads the file of that path, and those it includes, from the source. */
  public static ParsedConfig parse(String path, ConfigSource source) {
    return new SlurmConfParser(path).read(source);
  }

  /** Reads one file that stands alone: what it may name or have beside it is not there. */
  public static ParsedConfig parseAlone(String path, String text) {
    return parse(path, file -> file.equals(path) ? text : null);
  }

  /** Reads a file of slurm.conf's form; what is wrong with its form. */
  public static List<ConfigDiagnostic> lines(
      String path, ConfigSource source, StepFiles.Lines lines) {
    List<String> files = new ArrayList<>();
    SlurmConfParser parser = new SlurmConfParser(path);
    parser.statements(path, source, files, lines);
    return parser.diagnostics.inOrder(files);
  }

  /** What a reader of other files finds, in the order of their lines. */
  public static List<ConfigDiagnostic> findings(Consumer<GresConfFindings> reader) {
    DiagnosticCollector diagnostics = new DiagnosticCollector();
    reader.accept(diagnostics);
    return diagnostics.inOrder(List.of());
  }

  private ParsedConfig read(ConfigSource source) {
    StatementReader reader = new StatementReader(start.file(), source, diagnostics);
    for (Statement statement : reader.read(start.file())) {
      take(statement);
    }
    boolean readable = !reader.files().isEmpty();
    List<String> files = new ArrayList<>(reader.files());
    ClusterConfig config = config(readable, source, files);
    return new ParsedConfig(config, diagnostics.inOrder(files));
  }

  /** The devices of nodes, from the file beside this one; without it they are only counted. */
  private GresConfResolver gresConf(List<String> types, ConfigSource source, List<String> files) {
    GresConfResolver gresConf = new GresConfResolver(diagnostics, types);
    String path = beside(GRES_CONF);
    if (!types.isEmpty() && source.read(path) != null) {
      statements(path, source, files, gresConf::add);
    }
    return gresConf;
  }

  private String beside(String name) {
    return start.file().substring(0, start.file().lastIndexOf('/') + 1) + name;
  }

  /** The lines of a file beside this one; whether it is there. */
  private boolean lines(
      String name, ConfigSource source, List<String> files, StepFiles.Lines lines) {
    String path = beside(name);
    if (source.read(path) == null) {
      return false;
    }
    statements(path, source, files, lines);
    return true;
  }

  private void statements(
      String path, ConfigSource source, List<String> files, StepFiles.Lines lines) {
    StatementReader reader = new StatementReader(path, source, diagnostics);
    for (Statement statement : reader.read(path)) {
      List<Map.Entry<String, String>> words =
          statement.assignments().stream().map(one -> Map.entry(one.key(), one.value())).toList();
      lines.add(statement.place().file(), statement.place().line(), words);
      refuse(statement);
    }
    files.addAll(reader.files());
  }

  /** How the network joins the nodes, from the file beside this one, if the cluster wants it. */
  private @Nullable Topology topology(
      List<String> names, List<String> unplaced, ConfigSource source, List<String> files) {
    String plugin = cluster.lower("TopologyPlugin");
    String kind = plugin.substring(plugin.lastIndexOf('/') + 1);
    if (!kind.equals("tree") && !kind.equals("block")) {
      if (!List.of("flat", "default", "none", "").contains(kind)) {
        SourceLocation place = cluster.place("TopologyPlugin", start);
        diagnostics.noEffect(place, "TopologyPlugin", plugin + " is as topology/flat");
      }
      return null;
    }
    TreeSet<String> known = new TreeSet<>(names);
    TopologyConfReader conf =
        new TopologyConfReader(diagnostics, kind.equals("block"), known::contains);
    String path = beside(TOPOLOGY_CONF);
    statements(path, source, files, conf::add);
    return files.contains(path) ? conf.read(path, 1, unplaced) : null;
  }

  private void take(Statement statement) {
    List<Assignment> assignments = statement.assignments();
    int at = 0;
    while (at < assignments.size()) {
      Assignment assignment = assignments.get(at);
      Section section = SettingTable.openedBy(assignment.key());
      if (section != Section.CLUSTER) {
        takeLine(section, statement.place(), assignments.subList(at, assignments.size()));
        break;
      }
      cluster.put(statement.place(), assignment);
      at++;
    }
    refuse(statement);
  }

  private void refuse(Statement statement) {
    if (!statement.rest().isEmpty()) {
      String message = "Parse error: \"" + statement.rest() + "\"";
      diagnostics.error(statement.place(), "", message, "Write KEY=VALUE");
    }
  }

  private void takeLine(Section section, SourceLocation place, List<Assignment> assignments) {
    boolean isDefault = assignments.getFirst().value().equalsIgnoreCase("DEFAULT");
    switch (section) {
      case NODE -> {
        SectionValues values = filled(nodeDefaults.copy(), place, assignments);
        if (isDefault) {
          nodeDefaults = values;
        } else {
          nodes.add(new Line(place, values));
        }
      }
      case PARTITION -> {
        SectionValues values = filled(partitionDefaults.copy(), place, assignments);
        if (isDefault) {
          partitionDefaults = values;
        } else {
          partitions.add(new Line(place, values));
        }
      }
      case NODE_SET -> nodeSets.add(new Line(place, line(section, place, assignments)));
      case DOWN_NODES -> downNodes.add(new Line(place, line(section, place, assignments)));
      case FRONT_END -> {
        for (Assignment one : assignments) {
          SettingDefinition setting = SettingTable.find(section, one.key());
          String rule =
              setting == null ? null : AccessRules.unenforced(section, setting.name(), one.value());
          if (rule != null) {
            diagnostics.error(place, one.key(), rule, AccessRules.REMEDY);
          }
        }
        String message = "front-end nodes are gone from Slurm; the line is ignored";
        diagnostics.warning(place, "FrontendName", message, "Remove it");
      }
      case CLUSTER -> throw new IllegalArgumentException("not a line: " + section);
    }
  }

  private SectionValues line(Section section, SourceLocation place, List<Assignment> assignments) {
    return filled(new SectionValues(section, diagnostics), place, assignments);
  }

  private static SectionValues filled(
      SectionValues values, SourceLocation place, List<Assignment> assignments) {
    for (Assignment assignment : assignments) {
      values.put(place, assignment);
    }
    return values;
  }

  private ClusterConfig config(boolean readable, ConfigSource source, List<String> files) {
    if (!readable) {
      cluster.put(start, new Assignment("SlurmctldHost", "localhost"));
      cluster.put(start, new Assignment("ClusterName", "cluster"));
    }
    ClusterSettings settings =
        new SettingsReader(cluster, start)
            .read(new StepFiles(diagnostics, cluster::lower, (n, l) -> lines(n, source, files, l)));
    GresConfResolver gresConf = gresConf(settings.resources().gresTypes(), source, files);
    NodeLineReader nodeReader = new NodeLineReader(diagnostics, settings.daemon().port(), gresConf);
    each(nodes, nodeReader::read);
    each(downNodes, nodeReader::readDown);
    boolean disableRootJobs = settings.jobs().disableRootJobs();
    PartitionLineReader partitionReader =
        new PartitionLineReader(diagnostics, nodeReader, disableRootJobs);
    each(nodeSets, partitionReader::readNodeSet);
    each(partitions, partitionReader::read);
    if (readable) {
      warnOfNothing("NodeName", nodeReader.nodes().isEmpty(), "no node is defined");
      warnOfNothing("PartitionName", partitions.isEmpty(), "no partition is defined");
    }
    List<NodeConfig> all = List.copyOf(nodeReader.nodes().values());
    List<String> names = all.stream().map(NodeConfig::name).toList();
    Map<String, String> places = new LinkedHashMap<>();
    all.forEach(node -> places.put(node.name(), node.topology()));
    places.values().removeIf(String::isEmpty);
    List<String> elsewhere = names.stream().filter(name -> !places.containsKey(name)).toList();
    List<NamedTopology> networks = networks(names, elsewhere, source, files);
    partitions.forEach(line -> checkNetwork(line, networks));
    partitions.forEach(this::checkAlternate);
    Topology one = networks == null ? topology(names, elsewhere, source, files) : usual(networks);
    NodePlaces.Networks read =
        new NodePlaces.Networks(one, networks == null ? List.of() : networks);
    each(nodes, (place, line) -> checkPlace(place, line, read));
    NodePlaces.Networks joined = read.with(places);
    return new ClusterConfig(
        start.file(),
        settings,
        cluster.texts(),
        all,
        partitionReader.partitions(),
        joined.topology(),
        joined.named());
  }

  /** What topology.yaml describes; it comes before topology.conf. Null where it is not there. */
  private @Nullable List<NamedTopology> networks(
      List<String> nodes, List<String> unplaced, ConfigSource source, List<String> files) {
    String path = beside(TOPOLOGY_YAML);
    String text = source.read(path);
    if (text == null || text.isBlank()) {
      return null;
    }
    files.add(path);
    return new TopologyYamlReader(diagnostics, path, unplaced, nodes).read(text);
  }

  private void checkPlace(SourceLocation place, SectionValues line, NodePlaces.Networks networks) {
    String fault = networks.fault(line.text("Topology"));
    if (fault != null) {
      SourceLocation at = line.place("Topology", place);
      String form = "Write NAME:SWITCH or NAME:BLOCK; the topology of topology.conf is default";
      diagnostics.error(at, "Topology", fault, form);
    }
  }

  private static @Nullable Topology usual(List<NamedTopology> networks) {
    for (NamedTopology one : networks) {
      if (one.isDefault()) {
        return one.topology();
      }
    }
    return null;
  }

  private void checkAlternate(Line partition) {
    String name = partition.values().text("Alternate");
    boolean known =
        name.isEmpty()
            || name.equalsIgnoreCase("NONE")
            || partitions.stream().anyMatch(of -> of.values().text("PartitionName").equals(name));
    if (!known) {
      diagnostics.warning(
          partition.values().place("Alternate", partition.place()),
          "Alternate",
          "there is no partition " + name,
          "Write the name of a partition");
    }
  }

  private void checkNetwork(Line partition, @Nullable List<NamedTopology> networks) {
    String name = partition.values().text("Topology");
    boolean isWrong = networks != null && networks.isEmpty();
    boolean known =
        isWrong
            || networks != null
                && networks.stream().anyMatch(network -> network.name().equals(name));
    if (!name.isEmpty() && !known) {
      diagnostics.error(
          partition.values().place("Topology", partition.place()),
          "Topology",
          "there is no topology " + name,
          "Write the name of a topology of " + TOPOLOGY_YAML);
    }
  }

  private void warnOfNothing(String key, boolean nothing, String message) {
    if (nothing) {
      diagnostics.warning(start, key, message, "Write a " + key + " line");
    }
  }

  private static void each(List<Line> lines, BiConsumer<SourceLocation, SectionValues> action) {
    for (Line line : lines) {
      action.accept(line.place(), line.values());
    }
  }

  /**
   * What came of settings that an administrator gave while the cluster runs.
   *
   * @param results what the words describe; empty where a finding is an error
   * @param findings what is wrong with the words, and what has no effect yet
   */
  public record Edited<T>(List<T> results, List<ConfigDiagnostic> findings) {
    /** The findings for which nothing was made. */
    public List<ConfigDiagnostic> errors() {
      return findings.stream()
          .filter(f -> f.severity() == ConfigDiagnostic.Severity.ERROR)
          .toList();
    }
  }

  /** The key of a partition that the word is, or is cut short from; null if there is none. */
  public static @Nullable String partitionKey(String word) {
    return keyOf(Section.PARTITION, word);
  }

  /** The key of a node that the word is, or is cut short from; null if there is none. */
  public static @Nullable String nodeKey(String word) {
    return keyOf(Section.NODE, word);
  }

  private static @Nullable String keyOf(Section section, String word) {
    SettingDefinition exact = SettingTable.find(section, word);
    if (exact != null || word.isEmpty()) {
      return exact == null ? null : exact.name();
    }
    String lower = word.toLowerCase(Locale.ROOT);
    for (SettingDefinition setting : SettingTable.all(section)) {
      if (setting.name().toLowerCase(Locale.ROOT).startsWith(lower)) {
        return setting.name();
      }
    }
    return null;
  }

  /**
   * A partition with some of its settings changed.
   *
   * @param before the partition as it is, null for a new one
   * @param keys settings by their names, {@code PartitionName} among them
   * @param nodes the nodes of the cluster
   */
  public static Edited<PartitionConfig> partition(
      @Nullable PartitionConfig before, Map<String, String> keys, List<NodeConfig> nodes) {
    DiagnosticCollector diagnostics = new DiagnosticCollector();
    Map<String, String> line = new LinkedHashMap<>();
    if (before != null) {
      line.putAll(before.settings());
    }
    keys.forEach((key, value) -> put(line, key, value));
    NodeLineReader nodeReader = new NodeLineReader(diagnostics, 0, anyGres(diagnostics));
    for (NodeConfig node : nodes) {
      nodeReader.nodes().put(node.name(), node);
    }
    PartitionLineReader reader = new PartitionLineReader(diagnostics, nodeReader, false);
    reader.read(NOWHERE, valuesOf(Section.PARTITION, diagnostics, line));
    return edited(reader.partitions(), diagnostics);
  }

  /**
   * New nodes.
   *
   * @param keys settings by their names, {@code NodeName} among them
   * @param port the port of daemons that are given none
   */
  public static Edited<NodeConfig> nodes(Map<String, String> keys, int port) {
    DiagnosticCollector diagnostics = new DiagnosticCollector();
    NodeLineReader reader = new NodeLineReader(diagnostics, port, anyGres(diagnostics));
    reader.read(NOWHERE, valuesOf(Section.NODE, diagnostics, keys));
    return edited(List.copyOf(reader.nodes().values()), diagnostics);
  }

  private static GresConfResolver anyGres(DiagnosticCollector diagnostics) {
    return new GresConfResolver(diagnostics, null);
  }

  private static <T> Edited<T> edited(List<T> results, DiagnosticCollector diagnostics) {
    Edited<T> edited = new Edited<>(results, diagnostics.inOrder(List.of()));
    return edited.errors().isEmpty() ? edited : new Edited<>(List.of(), edited.findings());
  }

  private static SectionValues valuesOf(
      Section section, DiagnosticCollector diagnostics, Map<String, String> settings) {
    SectionValues values = new SectionValues(section, diagnostics);
    settings.forEach((key, value) -> values.put(NOWHERE, new Assignment(key, value)));
    return values;
  }

  /** A setting takes the place of those that say the same in another way. */
  private static void put(Map<String, String> line, String key, String value) {
    switch (key) {
      case "Priority" -> {
        line.put("PriorityTier", value);
        line.put("PriorityJobFactor", value);
        return;
      }
      case "DefMemPerCPU", "DefMemPerNode" -> {
        line.remove("DefMemPerCPU");
        line.remove("DefMemPerNode");
      }
      case "MaxMemPerCPU", "MaxMemPerNode" -> {
        line.remove("MaxMemPerCPU");
        line.remove("MaxMemPerNode");
      }
      case "Exclusive" -> {
        line.remove("OverSubscribe");
        line.remove("ExclusiveUser");
      }
      case "OverSubscribe" -> line.remove("Exclusive");
      default -> {}
    }
    line.put(key, value.equalsIgnoreCase("NONE") && key.endsWith("Time") ? "" : value);
  }
}
