package io.dure.rest.slurm;

import io.dure.model.ErrorCode;
import io.dure.model.command.Reply;
import io.dure.protocol.Request;
import io.dure.protocol.Response;
import io.dure.rest.RestCall;
import io.dure.rest.RestFailure;
import io.dure.rest.RestOperation;
import io.dure.surface.body.DocumentValue;
import io.dure.surface.change.JobChangeWords;
import io.dure.surface.change.NodeChangeWords;
import io.dure.surface.change.PartitionChangeWords;
import io.dure.surface.change.ReservationChangeWords;
import io.dure.surface.json.DocumentProblem;
import io.dure.surface.json.JsonEnvelope;
import io.dure.surface.json.SlurmJsonWriter;
import io.dure.surface.message.ErrorTexts;
import io.dure.surface.message.ResponseCheck;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Changes jobs, nodes, partitions and reservations, by the rules of {@code scontrol}. */
final class ChangeOperations {
  private static final String ROOT = "#";
  private static final String NAME = "name";
  private static final String PLAIN = "openapi_resp";
  private static final String UPDATE_NODE = "slurm_update_node";

  private ChangeOperations() {}

  static Map<String, RestOperation> all() {
    Map<String, RestOperation> all = new TreeMap<>();
    all.put("POST /slurm/{version}/job/{job_id}", ChangeOperations::job);
    all.put("POST /slurm/{version}/new/node/", ChangeOperations::newNodes);
    all.put("POST /slurm/{version}/node/{node_name}", ChangeOperations::node);
    all.put("POST /slurm/{version}/nodes/", ChangeOperations::nodes);
    all.put("DELETE /slurm/{version}/node/{node_name}", ChangeOperations::deleteNode);
    all.put("POST /slurm/{version}/partitions/", ChangeOperations::partitions);
    all.put(
        "DELETE /slurm/{version}/partition/{partition_name}", ChangeOperations::deletePartition);
    all.put("POST /slurm/{version}/reservation", ChangeOperations::reservation);
    all.put("POST /slurm/{version}/reservations/", ChangeOperations::reservations);
    all.put(
        "DELETE /slurm/{version}/reservation/{reservation_name}",
        ChangeOperations::deleteReservation);
    all.put("GET /slurm/{version}/reconfigure/", ChangeOperations::reconfigure);
    return all;
  }

  private static List<DocumentProblem> warnings(RestCall call) {
    return new ArrayList<>(call.document().warnings());
  }

  private static void done(RestCall call, List<DocumentProblem> warnings) {
    try (SlurmJsonWriter json = SlurmJsonWriter.of(call.target(), PLAIN)) {
      json.object();
      JsonEnvelope.end(json, "", List.of(), warnings);
    }
  }

  private static List<String> with(String first, List<String> words) {
    List<String> all = new ArrayList<>();
    all.add(first);
    all.addAll(words);
    return all;
  }

  private static void job(RestCall call) throws RestFailure, IOException, InterruptedException {
    List<DocumentProblem> warnings = warnings(call);
    String id = call.path("job_id");
    List<String> words = JobChangeWords.of(call.document().root(), ROOT, warnings);
    List<Response> _ =
        new RestUpdatePort(call, "slurm_update_job2", warnings)
            .make(update -> update.update(with("JobId=" + id, words)));
    try (SlurmJsonWriter json = SlurmJsonWriter.of(call.target(), "openapi_job_post_response")) {
      int digits = 0;
      while (digits < id.length() && Character.isDigit(id.charAt(digits))) {
        digits++;
      }
      json.object()
          .list("results")
          .object()
          .number("job_id", Long.parseLong(id.substring(0, digits)))
          .text("step_id", id)
          .text("error", ErrorTexts.of(0))
          .number("error_code", 0)
          .text("why", "")
          .endObject()
          .endList();
      JsonEnvelope.end(json, "", List.of(), warnings);
    }
  }

  private static void newNodes(RestCall call)
      throws RestFailure, IOException, InterruptedException {
    String line = call.document().root().text("node_conf");
    if (line == null) {
      throw RestCall.failure(
          ErrorCode.DATA_CONV_FAILED, "node_conf has the line of the nodes", ROOT + "/node_conf");
    }
    List<String> words = List.of(line.strip().split("\\s+"));
    List<DocumentProblem> warnings = warnings(call);
    List<Response> _ =
        new RestUpdatePort(call, "slurm_create_node", warnings)
            .make(update -> update.create(words));
    done(call, warnings);
  }

  private static void node(RestCall call) throws RestFailure, IOException, InterruptedException {
    changeNodes(call, call.path("node_name"));
  }

  private static void nodes(RestCall call) throws RestFailure, IOException, InterruptedException {
    List<String> names = call.document().root().texts(NAME);
    if (names.isEmpty()) {
      throw RestCall.failure(ErrorCode.INVALID_NODE_NAME, "No node is named", ROOT + "/name");
    }
    changeNodes(call, String.join(",", names));
  }

  private static void changeNodes(RestCall call, String names)
      throws RestFailure, IOException, InterruptedException {
    List<DocumentProblem> warnings = warnings(call);
    List<String> words = NodeChangeWords.of(call.document().root(), ROOT, warnings);
    List<Response> _ =
        new RestUpdatePort(call, UPDATE_NODE, warnings)
            .make(update -> update.update(with("NodeName=" + names, words)));
    done(call, warnings);
  }

  private static void deleteNode(RestCall call)
      throws RestFailure, IOException, InterruptedException {
    delete(call, "NodeName=" + call.path("node_name"), "slurm_delete_node");
  }

  private static void deletePartition(RestCall call)
      throws RestFailure, IOException, InterruptedException {
    delete(call, "PartitionName=" + call.path("partition_name"), "slurm_delete_partition");
  }

  private static void deleteReservation(RestCall call)
      throws RestFailure, IOException, InterruptedException {
    delete(call, "ReservationName=" + call.path("reservation_name"), "slurm_delete_reservation");
  }

  private static void delete(RestCall call, String word, String source)
      throws RestFailure, IOException, InterruptedException {
    List<DocumentProblem> warnings = warnings(call);
    List<Response> _ =
        new RestUpdatePort(call, source, warnings).make(update -> update.delete(List.of(word)));
    done(call, warnings);
  }

  private static void partitions(RestCall call)
      throws RestFailure, IOException, InterruptedException {
    List<DocumentProblem> warnings = warnings(call);
    List<DocumentValue.Members> all = call.document().root().objects("partitions");
    List<String> there =
        call.cluster("slurm_load_partitions").partitions().stream()
            .map(partition -> partition.name())
            .toList();
    for (int i = 0; i < all.size(); i++) {
      String place = ROOT + "/partitions[" + i + "]";
      String name = all.get(i).text(NAME);
      if (name == null) {
        throw RestCall.failure(
            ErrorCode.INVALID_PARTITION_NAME, "The partition has no name", place);
      }
      List<String> words =
          with("PartitionName=" + name, PartitionChangeWords.of(all.get(i), place, warnings));
      RestUpdatePort port = new RestUpdatePort(call, "slurm_update_partition", warnings);
      List<Response> _ =
          there.contains(name)
              ? port.make(update -> update.update(words))
              : port.make(update -> update.create(words));
    }
    done(call, warnings);
  }

  private static void reservation(RestCall call)
      throws RestFailure, IOException, InterruptedException {
    changeReservations(call, List.of(call.document().root()), ROOT);
  }

  private static void reservations(RestCall call)
      throws RestFailure, IOException, InterruptedException {
    changeReservations(
        call, call.document().root().objects("reservations"), ROOT + "/reservations");
  }

  private static void changeReservations(
      RestCall call, List<DocumentValue.Members> all, String place)
      throws RestFailure, IOException, InterruptedException {
    List<DocumentProblem> warnings = warnings(call);
    Response.Reservations known =
        call.ask(
            new Request.ShowReservations(), Response.Reservations.class, "slurm_load_reservations");
    List<String> there =
        known.reservations().stream().map(one -> one.reservation().name()).toList();
    List<String> names = new ArrayList<>();
    for (DocumentValue.Members one : all) {
      List<String> words = ReservationChangeWords.of(one, place, warnings);
      String name = one.text(NAME);
      RestUpdatePort port = new RestUpdatePort(call, "slurm_create_reservation", warnings);
      if (name != null && there.contains(name)) {
        List<Response> _ =
            port.make(update -> update.update(with("ReservationName=" + name, words)));
        names.add(name);
      } else {
        List<String> named = name == null ? words : with("ReservationName=" + name, words);
        names.add(made(port.make(update -> update.create(with("reservation", named))), name));
      }
    }
    try (SlurmJsonWriter json = SlurmJsonWriter.of(call.target(), "openapi_reservation_mod_resp")) {
      json.object().list("reservations");
      for (String name : names) {
        json.object().text(NAME, name).endObject();
      }
      json.endList();
      JsonEnvelope.end(json, "", List.of(), warnings);
    }
  }

  /** The name that the controller gave a reservation. */
  private static String made(List<Response> answers, @Nullable String asked) {
    for (Response answer : answers) {
      if (answer instanceof Response.Decided(Reply.Reserved(String name))) {
        return name;
      }
    }
    return asked == null ? "" : asked;
  }

  private static void reconfigure(RestCall call)
      throws RestFailure, IOException, InterruptedException {
    Response told = call.session().ask(new Request.Reconfigure());
    if (ResponseCheck.refusal(told) != null) {
      throw RestCall.failure(told, "slurm_reconfigure");
    }
    done(call, warnings(call));
  }
}
