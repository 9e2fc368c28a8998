package io.dure.core.config;

import io.dure.core.config.Diagnostics.Place;
import io.dure.core.config.Setting.Section;
import io.dure.core.config.StatementReader.Assignment;
import io.dure.core.config.StatementReader.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;

/**
 * Reads slurm.conf as Slurm does.
 *
 * <p>Nothing is thrown for any text: what cannot be read is a located finding, and the
 * configuration holds the defaults in its place. Pure but for the calls to its source.
 *
 * @see <a href="https://slurm.schedmd.com/slurm.conf.html">slurm.conf(5)</a>
 */
public final class SlurmConf {
  private final Diagnostics diagnostics = new Diagnostics();
  private final Place start;
  private final Values cluster = new Values(Section.CLUSTER, diagnostics);
  private final List<Line> nodes = new ArrayList<>();
  private final List<Line> downNodes = new ArrayList<>();
  private final List<Line> nodeSets = new ArrayList<>();
  private final List<Line> partitions = new ArrayList<>();
  private Values nodeDefaults = new Values(Section.NODE, diagnostics);
  private Values partitionDefaults = new Values(Section.PARTITION, diagnostics);

  /** A line of a section with the defaults that hold there. */
  private record Line(Place place, Values values) {}

  private SlurmConf(String path) {
    start = new Place(path, 0);
  }

  /** Reads the file of that path, and those it includes, from the source. */
  public static ParsedConfig parse(String path, ConfigSource source) {
    return new SlurmConf(path).read(source);
  }

  private ParsedConfig read(ConfigSource source) {
    StatementReader reader = new StatementReader(start.file(), source, diagnostics);
    for (Statement statement : reader.read(start.file())) {
      take(statement);
    }
    boolean readable = !reader.files().isEmpty();
    ClusterConfig config = config(readable);
    return new ParsedConfig(config, diagnostics.inOrder(reader.files()));
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
    if (!statement.rest().isEmpty()) {
      String message = "Parse error: \"" + statement.rest() + "\"";
      diagnostics.error(statement.place(), "", message, "Write KEY=VALUE");
    }
  }

  private void takeLine(Section section, Place place, List<Assignment> assignments) {
    boolean isDefault = assignments.getFirst().value().equalsIgnoreCase("DEFAULT");
    switch (section) {
      case NODE -> {
        Values values = filled(nodeDefaults.copy(), place, assignments);
        if (isDefault) {
          nodeDefaults = values;
        } else {
          nodes.add(new Line(place, values));
        }
      }
      case PARTITION -> {
        Values values = filled(partitionDefaults.copy(), place, assignments);
        if (isDefault) {
          partitionDefaults = values;
        } else {
          partitions.add(new Line(place, values));
        }
      }
      case NODE_SET -> nodeSets.add(new Line(place, line(section, place, assignments)));
      case DOWN_NODES -> downNodes.add(new Line(place, line(section, place, assignments)));
      case FRONT_END -> {
        String message = "front-end nodes are gone from Slurm; the line is ignored";
        diagnostics.warning(place, "FrontendName", message, "Remove it");
      }
      case CLUSTER -> throw new IllegalArgumentException("not a line: " + section);
    }
  }

  private Values line(Section section, Place place, List<Assignment> assignments) {
    return filled(new Values(section, diagnostics), place, assignments);
  }

  private static Values filled(Values values, Place place, List<Assignment> assignments) {
    for (Assignment assignment : assignments) {
      values.put(place, assignment);
    }
    return values;
  }

  private ClusterConfig config(boolean readable) {
    if (!readable) {
      cluster.put(start, new Assignment("SlurmctldHost", "localhost"));
      cluster.put(start, new Assignment("ClusterName", "cluster"));
    }
    Settings settings = new SettingsReader(cluster, start).read();
    NodeReader nodeReader = new NodeReader(diagnostics, settings.daemon().port());
    each(nodes, nodeReader::read);
    each(downNodes, nodeReader::readDown);
    boolean disableRootJobs = settings.jobs().disableRootJobs();
    PartitionReader partitionReader = new PartitionReader(diagnostics, nodeReader, disableRootJobs);
    each(nodeSets, partitionReader::readNodeSet);
    each(partitions, partitionReader::read);
    if (readable) {
      warnOfNothing("NodeName", nodeReader.nodes().isEmpty(), "no node is defined");
      warnOfNothing("PartitionName", partitions.isEmpty(), "no partition is defined");
    }
    List<NodeConfig> all = List.copyOf(nodeReader.nodes().values());
    return new ClusterConfig(
        start.file(), settings, cluster.texts(), all, partitionReader.partitions());
  }

  private void warnOfNothing(String key, boolean nothing, String message) {
    if (nothing) {
      diagnostics.warning(start, key, message, "Write a " + key + " line");
    }
  }

  private static void each(List<Line> lines, BiConsumer<Place, Values> action) {
    for (Line line : lines) {
      action.accept(line.place(), line.values());
    }
  }
}
