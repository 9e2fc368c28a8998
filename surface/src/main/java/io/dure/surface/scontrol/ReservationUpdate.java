package io.dure.surface.scontrol;

import io.dure.model.ErrorCode;
import io.dure.model.command.Command;
import io.dure.model.command.Reply;
import io.dure.model.reservation.ReservationFlag;
import io.dure.model.reservation.ReservationRequest;
import io.dure.protocol.Response;
import io.dure.surface.message.CommandException;
import io.dure.surface.message.StderrMessage;
import java.util.List;

/** Makes, changes and deletes reservations. */
final class ReservationUpdate {
  private static final String CREATING = "Error creating the reservation";

  private final UpdatePort port;

  ReservationUpdate(UpdatePort port) {
    this.port = port;
  }

  void create(List<KeyValue> settings) throws CommandException {
    ReservationUpdateReader reader = new ReservationUpdateReader(port.clock(), "created");
    ReservationRequest request = reader.read(settings);
    check(reader, request);
    try {
      Response answer = port.request(CREATING, new Command.CreateReservation(request));
      if (answer instanceof Response.Decided(Reply.Reserved(String name))) {
        port.print("Reservation created: " + name + "\n");
      }
    } catch (CommandException refused) {
      throw explained(refused);
    }
  }

  private static CommandException explained(CommandException refused) {
    String busy = CREATING + ": " + ErrorCode.NODES_BUSY.text();
    return refused.messages().contains(StderrMessage.plain(busy))
        ? refused
            .and(
                StderrMessage.plain(
                    "Note, unless nodes are directly requested a reservation must exist in a single"
                        + " partition."))
            .and(
                StderrMessage.plain(
                    "If no partition is requested the default partition is assumed."))
        : refused;
  }

  private static void check(ReservationUpdateReader reader, ReservationRequest request)
      throws CommandException {
    if (request.start() == null) {
      throw reader.no("A start time must be given.");
    }
    if (request.end() == null && request.duration() == null) {
      throw reader.no("An end time or duration must be given.");
    }
    if (request.duration() == null
        && request.end() != null
        && request.start().isAfter(request.end())) {
      throw reader.no("Start time cannot be after end time.");
    }
    if (request.set().contains(ReservationFlag.PART_NODES)
        && (request.partition() == null || !request.asksForAll())) {
      throw reader.no("PART_NODES flag requires specifying a Partition and ALL nodes.");
    }
    boolean some =
        request.nodes() != null
            || request.nodeCount() != null
            || request.coreCount() != null
            || request.coreCounts() != null
            || request.licenses() != null && !request.licenses().isEmpty()
            || request.gres() != null
            || request.partition() != null;
    if (!some) {
      throw reader.no("CoreCnt, Nodes, NodeCnt, BurstBuffer, Licenses or Watts must be specified.");
    }
    boolean anybody =
        request.users() == null
            && request.accounts() == null
            && request.groups() == null
            && request.qos() == null
            && request.allowedPartitions() == null;
    if (anybody) {
      throw reader.no("Either Users/Groups and/or Accounts must be specified.");
    }
    if (request.users() != null && request.groups() != null) {
      throw reader.no(
          "Users and Groups are mutually exclusive.  You can have one or the other, but not both.");
    }
  }

  void update(String name, List<KeyValue> settings) throws CommandException {
    try {
      ReservationUpdateReader reader = new ReservationUpdateReader(port.clock(), "update");
      ReservationRequest request = reader.read(settings);
      port.request("Error updating the reservation", new Command.UpdateReservation(name, request));
    } catch (CommandException refused) {
      throw refused.and(StderrMessage.plain("slurm_update error: " + text(refused)));
    }
    port.print("Reservation updated.\n");
  }

  /** What the controller said; the input's own failures leave it without a word. */
  private static String text(CommandException refused) {
    for (StderrMessage message : refused.messages()) {
      String line = message.text();
      int colon = line.indexOf("reservation: ");
      if (line.startsWith("Error updating") && colon > 0) {
        return line.substring(colon + "reservation: ".length());
      }
    }
    return "No error";
  }

  void delete(KeyValue name) throws CommandException {
    port.request("delete_reservation " + name.word(), new Command.DeleteReservation(name.text()));
  }
}
