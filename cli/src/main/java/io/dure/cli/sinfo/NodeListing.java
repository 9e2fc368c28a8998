package io.dure.cli.sinfo;

import io.dure.cli.command.CommandContext;
import io.dure.cli.request.Question;
import io.dure.model.ErrorCode;
import io.dure.model.config.PartitionConfig;
import io.dure.protocol.NodeInfo;
import io.dure.protocol.Request;
import io.dure.protocol.Response;
import io.dure.surface.facts.ClusterNameCheck;
import io.dure.surface.facts.LazyTimestamps;
import io.dure.surface.facts.ListingDateLine;
import io.dure.surface.facts.NodeDetails;
import io.dure.surface.json.DocumentFormat;
import io.dure.surface.message.CommandException;
import io.dure.surface.message.StderrMessage;
import io.dure.surface.print.FormatPart;
import io.dure.surface.print.TableFormat;
import io.dure.surface.print.TablePrinter;
import io.dure.surface.sinfo.NodeColumn;
import io.dure.surface.sinfo.NodeColumnValues;
import io.dure.surface.sinfo.NodeQuery;
import io.dure.surface.sinfo.NodeRow;
import io.dure.surface.sinfo.NodeRowOrder;
import io.dure.surface.sinfo.SinfoJson;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Asks for nodes and partitions, chooses, groups, orders and prints them. For one thread. */
final class NodeListing {

  private static final String FAILED = "slurm_load_partitions: ";

  /** In what the nodes of one row of a document agree. */
  private static final String DOCUMENT =
      "PartitionName,StateComplete,Reason,TimeStamp,UserLong,Features,Gres,Port";

  private static final int LEAST_WIDTH = 9;
  private static final char BETWEEN = '\u001f';

  private final CommandContext context;
  private final NodeQuery query;

  NodeListing(CommandContext context, NodeQuery query) {
    this.context = context;
    this.query = query;
  }

  /** Prints the listing once. */
  void print() throws CommandException {
    Response.Cluster cluster = ask();
    List<String> clusters = query.clusters();
    if (clusters != null) {
      ClusterNameCheck.check(clusters, cluster.clusterName());
    }
    NodeColumnValues values =
        new NodeColumnValues(
            cluster,
            clusters == null ? "N/A" : cluster.clusterName(),
            new LazyTimestamps(context.environment(), context.clock(), cluster.now()));
    List<PartitionConfig> partitions = partitions(cluster);
    TableFormat<NodeColumn> format = format(cluster, partitions);
    List<NodeRow> rows = rows(cluster, partitions, format, values);
    rows.sort(NodeRowOrder.parse(query.rows().sort(), values));
    DocumentFormat document = query.view().document();
    if (document != null) {
      SinfoJson.print(context.document(document), cluster, rows);
      return;
    }
    table(rows, new TablePrinter<>(format, values), clusters == null ? "" : cluster.clusterName());
  }

  private Response.Cluster ask() throws CommandException {
    Response.Cluster cluster =
        Question.ask(
            context,
            text -> CommandException.plain(FAILED + text),
            null,
            new Request.ShowCluster(query.asked(), false),
            Response.Cluster.class);
    check(cluster);
    return cluster;
  }

  private static void check(Response.Cluster cluster) throws CommandException {
    boolean partitions = cluster.denied().contains(Response.Cluster.PARTITIONS);
    if (partitions || cluster.denied().contains(Response.Cluster.NODES)) {
      String prefix = partitions ? FAILED : "slurm_load_node: ";
      throw CommandException.plain(prefix + ErrorCode.ACCESS_DENIED.text());
    }
  }

  private List<PartitionConfig> partitions(Response.Cluster cluster) {
    List<String> wanted = query.filter().partitions();
    List<PartitionConfig> partitions = new ArrayList<>();
    for (PartitionConfig partition : cluster.partitions()) {
      boolean listed = query.filter().unlisted() || !cluster.unlisted().contains(partition.name());
      if (listed && (wanted == null || wanted.contains(partition.name()))) {
        partitions.add(partition);
      }
    }
    return partitions;
  }

  private TableFormat<NodeColumn> format(
      Response.Cluster cluster, List<PartitionConfig> partitions) {
    String names = query.view().document() != null ? DOCUMENT : query.view().names();
    TableFormat<NodeColumn> format =
        names == null
            ? TableFormat.ofLetters(sized(cluster, partitions), NodeColumn.all())
            : TableFormat.ofNames(names, NodeColumn.all());
    for (String unknown : format.unknown()) {
      context.report(
          names == null
              ? StderrMessage.plain("Invalid node format specification: " + unknown)
              : StderrMessage.error("Invalid job format specification: " + unknown));
    }
    return format;
  }

  /** The format with the width of the longest value where it says {@code #}. */
  private String sized(Response.Cluster cluster, List<PartitionConfig> partitions) {
    String letters = query.view().letters();
    if (letters.indexOf('#') < 0) {
      return letters;
    }
    int partition = LEAST_WIDTH;
    for (PartitionConfig each : partitions) {
      partition = Math.max(partition, each.name().length() + (each.isDefault() ? 1 : 0));
    }
    int node = LEAST_WIDTH;
    for (NodeInfo each : cluster.nodes()) {
      node = Math.max(node, each.config().name().length());
    }
    return letters.replace("#P", partition + "P").replace("#N", node + "N");
  }

  private List<NodeRow> rows(
      Response.Cluster cluster,
      List<PartitionConfig> partitions,
      TableFormat<NodeColumn> format,
      NodeColumnValues values) {
    Map<String, NodeDetails> nodes = new HashMap<>();
    for (NodeInfo info : cluster.nodes()) {
      NodeDetails node = new NodeDetails(info);
      if (query.filter().nodes().matches(node)) {
        nodes.put(node.name(), node);
      }
    }
    List<NodeColumn> columns = columns(format);
    boolean empty =
        query.rows().empty()
            && (columns.contains(NodeColumn.PARTITION)
                || columns.contains(NodeColumn.PARTITION_NAME));
    Map<String, NodeRow> rows = new LinkedHashMap<>();
    for (int place = 0; place < partitions.size(); place++) {
      PartitionConfig partition = partitions.get(place);
      boolean any = false;
      for (String name : partition.nodes()) {
        NodeDetails node = nodes.get(name);
        if (node != null) {
          any = true;
          add(rows, new NodeRow(partition, place), node, key(columns, values));
        }
      }
      if (!any && empty) {
        rows.put(BETWEEN + partition.name(), new NodeRow(partition, place));
      }
    }
    return new ArrayList<>(rows.values());
  }

  /** Makes the text by which nodes of one row agree. */
  private interface Key {
    String of(NodeRow single, NodeDetails node);
  }

  private Key key(List<NodeColumn> columns, NodeColumnValues values) {
    return (single, node) -> {
      StringBuilder key = new StringBuilder();
      if (query.rows().perNode()) {
        key.append(single.partition().name()).append(BETWEEN).append(node.name());
      }
      for (NodeColumn column : columns) {
        key.append(values.value(column, single)).append(BETWEEN);
      }
      return key.toString();
    };
  }

  private static void add(Map<String, NodeRow> rows, NodeRow single, NodeDetails node, Key key) {
    single.add(node);
    NodeRow row = rows.putIfAbsent(key.of(single, node), single);
    if (row != null) {
      row.add(node);
    }
  }

  /** The columns in which nodes of one row must agree. */
  private List<NodeColumn> columns(TableFormat<NodeColumn> format) {
    List<NodeColumn> columns = new ArrayList<>();
    for (FormatPart<NodeColumn> part : format.parts()) {
      if (part instanceof FormatPart.Field<NodeColumn> field) {
        boolean counts =
            switch (field.column().kind()) {
              case PARTITION, NODE -> true;
              case LEAST -> query.rows().exact();
              case SUM -> false;
            };
        if (counts) {
          columns.add(field.column());
        }
      }
    }
    return columns;
  }

  private void table(
      List<NodeRow> rows, TablePrinter<NodeColumn, NodeRow> printer, String cluster) {
    StringBuilder text = new StringBuilder();
    if (query.view().date()) {
      text.append(ListingDateLine.of(context.clock())).append('\n');
    }
    if (query.view().header()) {
      if (!cluster.isEmpty()) {
        text.append("CLUSTER: ").append(cluster).append('\n');
      }
      printer.header(text);
    }
    printer.rows(text, rows);
    context.out().append(text);
  }
}
