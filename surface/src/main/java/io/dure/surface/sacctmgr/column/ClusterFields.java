package io.dure.surface.sacctmgr.column;

import io.dure.model.HostList;
import io.dure.model.accounting.Association;
import io.dure.model.accounting.LimitKind;
import io.dure.model.accounting.TresAmounts;
import io.dure.model.federation.FederatedCluster;
import io.dure.surface.accounts.AccountingField;
import io.dure.surface.accounts.AmountFormat;
import io.dure.surface.value.DigitParser;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;

/** The columns of clusters. */
public final class ClusterFields {
  public static final String USUAL =
      "cluster,controlhost,controlport,rpc,share,grpjobs,grptres,grpsubmit,maxjobs,maxtres,"
          + "maxsubmit,maxwall,qos,defqos";

  /** The columns without limits. */
  public static final String WITHOUT_LIMITS = "cluster,controlhost,controlport,rpc";

  public static final String OF_FEDERATION = ",federation,id,features,fedstate";

  private static final Set<String> OF_NODES = Set.of("Cluster Nodes", "NodeCount", "TRES");

  /**
   * A line about the cluster.
   *
   * @param root what the whole tree is given
   * @param nodes names of its nodes, where a column needs them
   * @param tres what its nodes have together
   * @param federated what is recorded of it for federations
   */
  public record Row(
      String name,
      String host,
      int port,
      Association root,
      List<String> nodes,
      TresAmounts tres,
      FederatedCluster federated) {}

  public static final List<AccountingField<Row>> ALL =
      List.of(
          field("Class", 9, _ -> "", "classification"),
          field("Cluster", 10, Row::name, "cluster", "name"),
          field("Cluster Nodes", 20, row -> HostList.compress(row.nodes()), "clusternodes"),
          field("ControlHost", 15, Row::host, "controlhost"),
          field("ControlPort", 12, row -> Integer.toString(row.port()), "controlport"),
          field("Def QOS", 9, ClusterFields::defaultQos, "defqos", "defaultqos"),
          field("Features", 20, row -> String.join(",", row.federated().features()), "features"),
          field("Federation", 10, row -> row.federated().federation(), "federation"),
          field("FedState", 12, row -> row.federated().state().word(), "fedstate"),
          field(
              "FedStateRaw",
              11,
              row -> Integer.toString(row.federated().state().number()),
              "fedstateraw"),
          field("Flags", 20, _ -> "", "flags"),
          field("ID", 6, row -> Integer.toString(row.federated().id()), "id"),
          field("NodeCount", 9, row -> Integer.toString(row.nodes().size()), "nodecount"),
          // That of select/cons_tres, which is the one that there is.
          field("PluginIDSelect", 14, _ -> "109", "pluginidselect"),
          field("RPC", 5, _ -> "10752", "rpc"),
          field("Share", 9, row -> AccountingTreeFields.share(row.root()), "share", "fairshare"),
          field("TRES", 20, row -> byName(row.tres(), true), "tres"),
          limit("GrpJobs", 7, LimitKind.GRP_JOBS),
          limit("GrpTRES", 13, LimitKind.GRP_TRES),
          limit("GrpTRESMins", 13, LimitKind.GRP_TRES_MINS),
          limit("GrpTRESRunMins", 13, LimitKind.GRP_TRES_RUN_MINS),
          limit("GrpWall", 11, LimitKind.GRP_WALL),
          one("GrpCPUs", 8, LimitKind.GRP_TRES, TresAmounts.CPU, "grpcpus"),
          one("GrpMem", 7, LimitKind.GRP_TRES, TresAmounts.MEMORY, "grpmemory"),
          one("GrpNodes", 8, LimitKind.GRP_TRES, TresAmounts.NODE, "grpnodes"),
          one("GrpCPUMins", 11, LimitKind.GRP_TRES_MINS, TresAmounts.CPU, "grpcpumins"),
          limit("GrpSubmit", 9, LimitKind.GRP_SUBMIT_JOBS),
          limit("MaxJobs", 7, LimitKind.MAX_JOBS),
          limit("MaxTRES", 13, LimitKind.MAX_TRES_PER_JOB),
          limit("MaxTRESMins", 13, LimitKind.MAX_TRES_MINS_PER_JOB),
          limit("MaxTRESPerNode", 14, LimitKind.MAX_TRES_PER_NODE),
          one("MaxCPUs", 8, LimitKind.MAX_TRES_PER_JOB, TresAmounts.CPU, "maxcpusperjob"),
          one("MaxNodes", 8, LimitKind.MAX_TRES_PER_JOB, TresAmounts.NODE, "maxnodesperjob"),
          one("MaxCPUMins", 11, LimitKind.MAX_TRES_MINS_PER_JOB, TresAmounts.CPU, "maxcpumins"),
          limit("MaxSubmit", 9, LimitKind.MAX_SUBMIT_JOBS),
          limit("MaxWall", 11, LimitKind.MAX_WALL),
          field("QOS", 20, row -> String.join(",", row.root().qos()), "qos"));

  private ClusterFields() {}

  /** Whether the column tells of the nodes, of which the controller is asked by itself. */
  public static boolean isOfNodes(AccountingField<Row> column) {
    return OF_NODES.contains(column.header());
  }

  private static String defaultQos(Row row) {
    return Objects.requireNonNullElse(row.root().defaultQos(), "");
  }

  /** The resources of a text such as {@code cpu=4,mem=1024}, by their names. */
  public static String byName(String tres, boolean whole) {
    return byName(amounts(tres), whole);
  }

  /** The resources of a text such as {@code cpu=4,mem=1024}. */
  public static TresAmounts amounts(String tres) {
    TresAmounts all = TresAmounts.NONE;
    for (String part : tres.split(",", -1)) {
      int equals = part.lastIndexOf('=');
      long amount = equals < 0 ? -1 : DigitParser.parse(part.substring(equals + 1), Long.MAX_VALUE);
      if (amount >= 0) {
        all = all.with(part.substring(0, equals), amount);
      }
    }
    return all;
  }

  /** Resources by their names; a whole list has those too of which there are none. */
  private static String byName(TresAmounts tres, boolean whole) {
    List<TresAmounts.Amount> all = new ArrayList<>(tres.amounts());
    for (String name : TresAmounts.USUAL) {
      if (whole && all.stream().noneMatch(one -> one.name().equals(name))) {
        all.add(new TresAmounts.Amount(name, 0));
      }
    }
    all.sort(Comparator.comparing(TresAmounts.Amount::name));
    return AmountFormat.text(new TresAmounts(all), false);
  }

  private static AccountingField<Row> field(
      String header, int width, Function<Row, String> value, String... names) {
    return new AccountingField<>(header, List.of(names), width, value);
  }

  private static AccountingField<Row> one(
      String header, int width, LimitKind limit, String tres, String name) {
    return field(
        header,
        width,
        row -> AccountingTreeFields.amount(row.root().limits().tres(limit), tres),
        name);
  }

  private static AccountingField<Row> limit(String header, int width, LimitKind limit) {
    String name = header.toLowerCase(Locale.ROOT);
    return field(header, width, row -> AmountFormat.text(row.root().limits(), limit), name);
  }
}
