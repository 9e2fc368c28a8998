package io.dure.surface.sinfo;

import io.dure.model.config.NodeConfig;
import io.dure.model.config.preempt.PreemptMode;
import io.dure.model.node.NodeFacts;
import io.dure.model.node.NodeMetrics;
import io.dure.protocol.Response;
import io.dure.surface.facts.GresFormat;
import io.dure.surface.facts.LazyTimestamps;
import io.dure.surface.facts.NodeDetails;
import io.dure.surface.print.ColumnValueSource;
import io.dure.surface.print.PlainText;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Values of the node listing's columns. For one thread. */
public final class NodeColumnValues implements ColumnValueSource<NodeColumn, NodeRow> {

  private static final String NULL = "(null)";
  private static final String NOT_AVAILABLE = "N/A";
  private static final String UNKNOWN = "Unknown";

  private final String cluster;
  private final String preemptMode;
  private final String noGres;
  private final LazyTimestamps times;

  /**
   * Values of a cluster.
   *
   * @param name its name, as it is shown
   * @param times how moments are written
   */
  public NodeColumnValues(Response.Cluster cluster, String name, LazyTimestamps times) {
    this.cluster = name;
    this.preemptMode = cluster.preemptMode().text(cluster.gang());
    this.noGres = GresFormat.none(cluster.gresTypes(), NULL);
    this.times = times;
  }

  @Override
  public String value(NodeColumn column, NodeRow row) {
    return switch (column.kind()) {
      case PARTITION ->
          column == NodeColumn.PREEMPT_MODE
              ? preemptMode(row.partition().preemptMode())
              : PartitionColumnValues.value(column, row.partition(), cluster);
      case NODE -> ofFirst(column, row.first());
      case LEAST -> least(column, row);
      case SUM -> sum(column, row);
    };
  }

  private String preemptMode(@Nullable PreemptMode own) {
    return own == null ? preemptMode : own.text(false);
  }

  private String ofFirst(NodeColumn column, @Nullable NodeDetails node) {
    if (node == null) {
      return switch (column) {
        case STATE_COMPACT, STATE_LONG, STATE_COMPLETE -> "n/a";
        default -> "";
      };
    }
    NodeConfig config = node.config();
    return switch (column) {
      case STATE_COMPACT -> node.state().brief();
      case STATE_LONG -> node.state().full();
      case STATE_COMPLETE -> node.state().complete().toLowerCase(Locale.ROOT);
      case REASON -> reason(node);
      case RESERVATION -> node.info().reservation() == null ? "" : node.info().reservation();
      case USER -> user(node, false);
      case USER_LONG -> user(node, true);
      case TIMESTAMP -> time(node.info().condition().reasonTime());
      case FEATURES ->
          config.availableFeatures().isEmpty()
              ? NULL
              : String.join(",", config.availableFeatures());
      case FEATURES_ACTIVE ->
          config.features().isEmpty() ? NULL : String.join(",", config.features());
      case GRES -> GresFormat.ofNode(config, NULL);
      case GRES_USED -> GresFormat.used(config, node.info().allocatedGres(), noGres);
      case NODE_HOST -> config.hostName();
      case NODE_ADDR -> config.address();
      case PORT -> Integer.toString(config.port());
      case VERSION -> version(node.info().facts());
      case ALLOC_MEM -> Long.toString(node.info().allocatedMemoryMib());
      case COMMENT -> noted(config.notes().comment());
      case EXTRA -> noted(config.notes().extra());
      default -> throw new IllegalStateException("no value for " + column);
    };
  }

  private static String reason(NodeDetails node) {
    String reason = node.info().condition().reason();
    return reason == null ? "none" : reason;
  }

  private static String user(NodeDetails node, boolean withNumber) {
    String name = node.info().reasonUser();
    if (name.isEmpty()) {
      return UNKNOWN;
    }
    return withNumber
        ? name + '(' + Integer.toUnsignedString(node.info().condition().reasonUid()) + ')'
        : name;
  }

  private String time(@Nullable Instant moment) {
    return moment == null ? UNKNOWN : times.format(moment);
  }

  private static String version(@Nullable NodeFacts facts) {
    return facts == null ? NULL : facts.version();
  }

  private static String least(NodeColumn column, NodeRow row) {
    if (column == NodeColumn.SHAPE) {
      return least(NodeColumn.SOCKETS, row)
          + ':'
          + least(NodeColumn.CORES, row)
          + ':'
          + least(NodeColumn.THREADS, row);
    }
    long least = Long.MAX_VALUE;
    long most = 0;
    for (NodeDetails node : row.nodes()) {
      long value = number(column, node.config());
      least = Math.min(least, value);
      most = Math.max(most, value);
    }
    if (row.nodes().isEmpty()) {
      return "0";
    }
    return least == most ? Long.toString(least) : least + "+";
  }

  static long number(NodeColumn column, NodeConfig config) {
    return switch (column) {
      case CPUS -> config.shape().cpus();
      case DISK -> config.tmpDiskMib();
      case MEMORY -> config.realMemoryMib();
      case WEIGHT -> config.weight();
      case SOCKETS -> config.shape().sockets();
      case CORES -> config.shape().coresPerSocket();
      case THREADS -> config.shape().threadsPerCore();
      default -> throw new IllegalStateException("no value for " + column);
    };
  }

  private static String sum(NodeColumn column, NodeRow row) {
    return switch (column) {
      case NODES -> Integer.toString(row.nodes().size());
      case NODE_LIST -> row.nodeList();
      case NODES_AI, NODES_AIOT -> nodes(column, row.nodes());
      case CPUS_AIOT -> cpus(row.nodes());
      case CPU_LOAD, FREE_MEM -> range(column, row.nodes());
      default -> throw new IllegalStateException("no value for " + column);
    };
  }

  private static String nodes(NodeColumn column, List<NodeDetails> nodes) {
    int allocated = 0;
    int idle = 0;
    for (NodeDetails node : nodes) {
      allocated += node.isAllocated() ? 1 : 0;
      idle += node.isIdle() ? 1 : 0;
    }
    if (column == NodeColumn.NODES_AI) {
      return allocated + "/" + idle;
    }
    return allocated + "/" + idle + '/' + (nodes.size() - allocated - idle) + '/' + nodes.size();
  }

  private static String cpus(List<NodeDetails> nodes) {
    long allocated = 0;
    long idle = 0;
    long other = 0;
    long total = 0;
    for (NodeDetails node : nodes) {
      allocated += node.info().allocatedCpus();
      idle += node.idleCpus();
      other += node.otherCpus();
      total += node.cpus();
    }
    return allocated + "/" + idle + '/' + other + '/' + total;
  }

  private static String range(NodeColumn column, List<NodeDetails> nodes) {
    long least = Long.MAX_VALUE;
    long most = -1;
    for (NodeDetails node : nodes) {
      NodeMetrics load = node.info().load();
      if (load != null) {
        long value = column == NodeColumn.CPU_LOAD ? load.loadHundredths() : load.freeMemoryMib();
        least = Math.min(least, value);
        most = Math.max(most, value);
      }
    }
    if (most < 0) {
      return NOT_AVAILABLE;
    }
    boolean hundredths = column == NodeColumn.CPU_LOAD;
    String low = hundredths ? hundredths(least) : Long.toString(least);
    return least == most ? low : low + '-' + (hundredths ? hundredths(most) : most);
  }

  /** {@code 1.39} for 139. */
  public static String hundredths(long value) {
    long rest = value % 100;
    return value / 100 + (rest < 10 ? ".0" : ".") + rest;
  }

  private static String noted(String text) {
    return text.isEmpty() ? NULL : PlainText.of(text);
  }
}
