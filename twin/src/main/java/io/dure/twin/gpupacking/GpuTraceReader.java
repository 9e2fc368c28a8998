package io.dure.twin.gpupacking;

import io.dure.model.report.GpuTaskShape;
import io.dure.twin.trace.TraceException;
import io.dure.twin.trace.TraceLineReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Reads nodes and tasks as tables with a line of headings, separated by commas, plain or gzip:
 * {@code sn,cpu_milli,memory_mib,gpu,model} and {@code
 * name,cpu_milli,memory_mib,num_gpu,gpu_milli,gpu_spec}; further columns are passed over.
 */
final class GpuTraceReader {
  private static final int MOST_GPUS = 1024;

  /** A table's lines by the names of its columns. */
  private static final class Table {
    private final String file;
    private final List<String> headings;
    private String[] cells = {};
    private int line = 1;

    Table(String file, String headings) {
      this.file = file;
      this.headings = Arrays.asList(headings.split(",", -1));
    }

    void read(String text, int number) throws TraceException {
      line = number;
      cells = text.split(",", -1);
      if (cells.length > headings.size()) {
        throw wrong(headings.size(), "has more cells than there are headings", "leave them out");
      }
    }

    String text(String column) throws TraceException {
      int at = headings.indexOf(column);
      if (at < 0) {
        throw new TraceException(file, "it has no column " + column, "name a list of its kind");
      }
      return at < cells.length ? cells[at].strip() : "";
    }

    @Nullable String textIfAny(String column) throws TraceException {
      return headings.contains(column) && !text(column).isEmpty() ? text(column) : null;
    }

    long number(String column, long most) throws TraceException {
      String text = text(column);
      if (!text.matches("[0-9]{1,15}") || Long.parseLong(text) > most) {
        throw wrong(
            headings.indexOf(column),
            column + " is \"" + text + "\"",
            "write a whole number from 0 to " + most);
      }
      return Long.parseLong(text);
    }

    TraceException wrong(int column, String problem, String remedy) {
      return new TraceException(file, line, column + 1, problem, remedy);
    }
  }

  /** Makes something of a line of a table. */
  private interface Maker<T> {
    T make(Table table) throws TraceException;
  }

  private GpuTraceReader() {}

  /**
   * The nodes that have GPUs.
   *
   * @throws TraceException if the list cannot be read, or there are none
   */
  static GpuCluster nodes(Path file) throws TraceException {
    List<GpuCluster.Node> nodes = new ArrayList<>();
    TreeSet<String> names = new TreeSet<>();
    for (GpuCluster.Node node : read(file, GpuTraceReader::node)) {
      if (!names.add(node.name())) {
        throw new TraceException(
            file.toString(), "node " + node.name() + " is there twice", "leave one out");
      }
      if (node.gpus() > 0) {
        nodes.add(node);
      }
    }
    GpuCluster cluster = GpuCluster.of(nodes);
    if (nodes.isEmpty()) {
      throw new TraceException(file.toString(), "no node has GPUs", "name a list of GPU nodes");
    }
    if (cluster.types().size() > GpuTaskShape.MOST_TYPES) {
      throw new TraceException(
          file.toString(),
          "there are " + cluster.types().size() + " models of GPUs",
          "tell at most " + GpuTaskShape.MOST_TYPES + " apart");
    }
    return cluster;
  }

  private static GpuCluster.Node node(Table table) throws TraceException {
    return new GpuCluster.Node(
        table.text("sn"),
        table.number("cpu_milli", 1_000_000_000),
        table.number("memory_mib", 1L << 40),
        (int) table.number("gpu", MOST_GPUS),
        table.text("model"));
  }

  /**
   * The tasks.
   *
   * @throws TraceException if the list cannot be read, or is empty, or no job asks for GPUs
   */
  static List<GpuTask> tasks(Path file, GpuCluster cluster) throws TraceException {
    List<GpuTask> tasks = read(file, table -> task(table, cluster));
    if (tasks.stream().noneMatch(task -> task.shape().gpus() > 0)) {
      throw new TraceException(file.toString(), "no task asks for GPUs", "name a list of tasks");
    }
    return tasks;
  }

  private static GpuTask task(Table table, GpuCluster cluster) throws TraceException {
    int gpus = (int) table.number("num_gpu", MOST_GPUS);
    int milli = (int) table.number("gpu_milli", GpuTaskShape.WHOLE);
    if (gpus > 0 && milli == 0) {
      throw table.wrong(
          table.headings.indexOf("gpu_milli"), "it asks for GPUs, but for nothing of them", "1000");
    }
    return new GpuTask(
        table.text("name"),
        new GpuTaskShape(
            table.number("cpu_milli", 1_000_000_000),
            table.number("memory_mib", 1L << 40),
            gpus,
            gpus == 0 ? 0 : milli,
            types(table.textIfAny("gpu_spec"), cluster)));
  }

  /** The types named, divided by bars; those that the cluster has not are passed over. */
  private static long types(@Nullable String text, GpuCluster cluster) {
    if (text == null) {
      return GpuTaskShape.ANY_TYPE;
    }
    long types = 0;
    for (String word : text.split("\\|", -1)) {
      int type = cluster.types().indexOf(word.strip());
      types |= type < 0 ? 0 : 1L << type;
    }
    return types;
  }

  private static <T> List<T> read(Path file, Maker<T> maker) throws TraceException {
    List<T> all = new ArrayList<>();
    try (TraceLineReader lines = TraceLineReader.of(file.toString(), Files.newInputStream(file))) {
      String headings = lines.next();
      if (headings == null) {
        throw new TraceException(file.toString(), "it is empty", "name a list with headings");
      }
      Table table = new Table(file.toString(), headings.strip());
      for (String line = lines.next(); line != null; line = lines.next()) {
        if (!line.isBlank()) {
          table.read(line, lines.number());
          all.add(maker.make(table));
        }
      }
    } catch (NoSuchFileException e) {
      throw new TraceException(file.toString(), "there is no such file", "name a list");
    } catch (IOException e) {
      throw new TraceException(file.toString(), "cannot be read: " + e.getMessage(), "name a list");
    }
    return all;
  }
}
