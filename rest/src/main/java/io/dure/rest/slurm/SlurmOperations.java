package io.dure.rest.slurm;

import io.dure.model.ErrorCode;
import io.dure.model.config.PartitionConfig;
import io.dure.model.gres.License;
import io.dure.protocol.NodeInfo;
import io.dure.protocol.Request;
import io.dure.protocol.ReservationInfo;
import io.dure.protocol.Response;
import io.dure.rest.RestCall;
import io.dure.rest.RestFailure;
import io.dure.rest.RestOperation;
import io.dure.surface.json.ClusterJson;
import io.dure.surface.json.ReservationJson;
import io.dure.surface.json.RpcSortOrder;
import io.dure.surface.json.SharesJson;
import io.dure.surface.json.StatisticsJson;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** What {@code /slurm} shows of the cluster. */
public final class SlurmOperations {
  private static final String NODES = "slurm_load_node";
  private static final String PARTITIONS = "slurm_load_partitions";
  private static final String RESERVATIONS = "slurm_load_reservations";

  private SlurmOperations() {}

  /** The operations by method and path, as the descriptions of documents name them. */
  public static Map<String, RestOperation> all() {
    Map<String, RestOperation> all = new TreeMap<>(JobOperations.all());
    all.putAll(ChangeOperations.all());
    all.putAll(KillOperations.all());
    all.putAll(RequeueOperations.all());
    all.putAll(SubmitOperations.all());
    all.put("GET /slurm/{version}/diag/", SlurmOperations::diag);
    all.put("GET /slurm/{version}/licenses/", SlurmOperations::licenses);
    all.put("GET /slurm/{version}/node/{node_name}", SlurmOperations::node);
    all.put("GET /slurm/{version}/nodes/", SlurmOperations::nodes);
    all.put("GET /slurm/{version}/partition/{partition_name}", SlurmOperations::partition);
    all.put("GET /slurm/{version}/partitions/", SlurmOperations::partitions);
    all.put("GET /slurm/{version}/ping/", SlurmOperations::ping);
    all.put("GET /slurm/{version}/reservation/{reservation_name}", SlurmOperations::reservation);
    all.put("GET /slurm/{version}/reservations/", SlurmOperations::reservations);
    all.put("GET /slurm/{version}/shares", SlurmOperations::shares);
    return all;
  }

  private static void diag(RestCall call) throws RestFailure, IOException, InterruptedException {
    String cluster = call.cluster("slurm_load_ctl_conf").clusterName();
    var told = call.ask(new Request.ShowStatistics(), Response.Statistics.class, "slurm_get_stats");
    StatisticsJson.print(call.target(), cluster, told.counted(), RpcSortOrder.COUNT.order());
  }

  private static void licenses(RestCall call)
      throws RestFailure, IOException, InterruptedException {
    Response.Cluster cluster = call.cluster("slurm_load_licenses");
    List<License> all = new ArrayList<>(cluster.licenses());
    all.sort(Comparator.comparing(License::name));
    ClusterJson.licenses(call.target(), cluster, all);
  }

  /** Nodes without the partitions that are not listed. */
  private static List<NodeInfo> listed(Response.Cluster cluster) {
    List<NodeInfo> all = new ArrayList<>();
    for (NodeInfo node : cluster.nodes()) {
      List<String> partitions = new ArrayList<>(node.partitions());
      partitions.removeAll(cluster.unlisted());
      all.add(node.withPartitions(partitions));
    }
    return all;
  }

  private static void nodes(RestCall call) throws RestFailure, IOException, InterruptedException {
    Response.Cluster cluster = call.cluster(NODES);
    ClusterJson.nodes(call.target(), cluster, listed(cluster));
  }

  private static void node(RestCall call) throws RestFailure, IOException, InterruptedException {
    String name = call.path("node_name");
    Response.Cluster cluster = call.cluster(NODES);
    List<NodeInfo> found =
        listed(cluster).stream().filter(node -> node.config().name().equals(name)).toList();
    if (found.isEmpty()) {
      throw RestCall.failure(ErrorCode.INVALID_NODE_NAME, "Failure to query node " + name, NODES);
    }
    ClusterJson.nodes(call.target(), cluster, found);
  }

  private static List<PartitionConfig> listedPartitions(Response.Cluster cluster) {
    return cluster.partitions().stream()
        .filter(partition -> !cluster.unlisted().contains(partition.name()))
        .toList();
  }

  private static void partitions(RestCall call)
      throws RestFailure, IOException, InterruptedException {
    Response.Cluster cluster = call.cluster(PARTITIONS);
    ClusterJson.partitions(call.target(), cluster, listedPartitions(cluster));
  }

  private static void partition(RestCall call)
      throws RestFailure, IOException, InterruptedException {
    String name = call.path("partition_name");
    Response.Cluster cluster = call.cluster(PARTITIONS);
    List<PartitionConfig> found =
        listedPartitions(cluster).stream().filter(one -> one.name().equals(name)).toList();
    if (found.isEmpty()) {
      throw RestCall.failure(
          ErrorCode.INVALID_PARTITION_NAME, "Unable to find partition " + name, PARTITIONS);
    }
    ClusterJson.partitions(call.target(), cluster, found);
  }

  private static void ping(RestCall call) throws RestFailure, IOException, InterruptedException {
    long began = System.nanoTime();
    Response.Pong pong = call.ask(new Request.Ping(), Response.Pong.class, "slurm_ping");
    ClusterJson.ping(call.target(), pong.hostName(), true, (System.nanoTime() - began) / 1000);
  }

  private static Response.Reservations load(RestCall call)
      throws RestFailure, IOException, InterruptedException {
    return call.ask(new Request.ShowReservations(), Response.Reservations.class, RESERVATIONS);
  }

  private static void reservations(RestCall call)
      throws RestFailure, IOException, InterruptedException {
    Response.Reservations all = load(call);
    ReservationJson.print(call.target(), all.reservations(), all.now());
  }

  private static void reservation(RestCall call)
      throws RestFailure, IOException, InterruptedException {
    String name = call.path("reservation_name");
    Response.Reservations all = load(call);
    List<ReservationInfo> found =
        all.reservations().stream().filter(one -> one.reservation().name().equals(name)).toList();
    if (found.isEmpty()) {
      throw RestCall.failure(
          ErrorCode.RESERVATION_INVALID, "Unable to find reservation " + name, RESERVATIONS);
    }
    ReservationJson.print(call.target(), found, all.now());
  }

  private static void shares(RestCall call) throws RestFailure, IOException, InterruptedException {
    Response.Shares told =
        call.ask(new Request.ShowShares(), Response.Shares.class, "slurm_associations_get_shares");
    SharesJson.print(call.target(), told.clusterName(), told.rows());
  }
}
