package io.dure.simulator.twin.whatif;

import io.dure.cli.command.CommandClock;
import io.dure.cli.command.CommandContext;
import io.dure.cli.command.ControllerConnection;
import io.dure.cli.command.ControllerPort;
import io.dure.cli.command.SupposedCaller;
import io.dure.cli.sacctmgr.Sacctmgr;
import io.dure.cli.scontrol.Scontrol;
import io.dure.controller.view.ClusterView;
import io.dure.controller.view.ReservationView;
import io.dure.controller.view.Verdicts;
import io.dure.core.controller.Apply;
import io.dure.core.controller.ClusterState;
import io.dure.core.controller.Command;
import io.dure.core.controller.Decision;
import io.dure.core.controller.decide.Decider;
import io.dure.core.model.Identity;
import io.dure.core.model.command.Caller;
import io.dure.protocol.Request;
import io.dure.protocol.Response;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * A controller that decides as the cluster's own would, remembers what it decided, and does
 * nothing. It takes whoever calls for root. One thread.
 */
final class Supposed implements ControllerPort {
  private static final Caller.User ROOT =
      new Caller.User(new Identity(0, 0, "root", "root"), List.of("root"), true);

  private final Instant now;
  private final ZoneId zone;
  private ClusterState state;

  Supposed(ClusterState state, Instant now, ZoneId zone) {
    this.state = state;
    this.now = now;
    this.zone = zone;
  }

  /** The cluster as it is by now. */
  ClusterState state() {
    return state;
  }

  /** The cluster is another one. */
  void become(ClusterState next) {
    state = next;
  }

  /**
   * Lets a command change the cluster.
   *
   * @return what the command complained about, empty if nothing
   */
  String call(String program, List<String> words) {
    List<String> arguments = new ArrayList<>();
    if (program.equals("sacctmgr")) {
      arguments.addAll(List.of("-i", "-Q"));
    }
    arguments.addAll(words);
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    CommandContext context =
        new CommandContext(
            program,
            arguments,
            Map.of(),
            Path.of("/"),
            new ByteArrayInputStream(new byte[0]),
            new PrintStream(new ByteArrayOutputStream(), true, StandardCharsets.UTF_8),
            new PrintStream(err, true, StandardCharsets.UTF_8),
            false,
            new SupposedCaller(_ -> false),
            new Standing(now, zone),
            this);
    int code =
        program.equals("sacctmgr") ? new Sacctmgr().run(context) : new Scontrol().run(context);
    String said =
        String.join("; ", err.toString(StandardCharsets.UTF_8).lines().map(String::strip).toList());
    return code == 0 ? "" : said.isEmpty() ? "it was refused" : said;
  }

  /** A time that does not pass. */
  private record Standing(Instant now, ZoneId zone) implements CommandClock {
    @Override
    public void pause(Duration time) {
      throw new UnsupportedOperationException("what is supposed takes no time");
    }
  }

  @Override
  public ControllerConnection open() {
    return new ControllerConnection() {
      @Override
      public Response ask(Request request) throws IOException {
        return answer(request);
      }

      @Override
      public Response await(Request request) throws IOException {
        return answer(request);
      }

      @Override
      public void close() {}
    };
  }

  private Response answer(Request request) throws IOException {
    if (request instanceof Request.ShowCluster) {
      return ClusterView.of(state, Verdicts.NONE, _ -> null, _ -> "root", ROOT, now);
    }
    if (request instanceof Request.ShowReservations) {
      return ReservationView.of(state, now);
    }
    if (request instanceof Request.ShowAccounts) {
      String cluster = state.settings().controller().clusterName();
      return new Response.Accounts(cluster, "twin", 0, state.accounts().records(), "root", true);
    }
    if (request instanceof Request.Change(Command.FromUser change, _, _)
        && isOfTheCluster(change)) {
      Decision decision = Decider.decide(state, basedOnNow(change), ROOT, now);
      state = Apply.applyAll(state, decision.events());
      return new Response.Decided(decision.reply());
    }
    throw new IOException(
        "a what-if changes nodes, partitions, reservations and accounts this way only");
  }

  /** Nobody else changes the accounts meanwhile. */
  private Command basedOnNow(Command.FromUser command) {
    return command instanceof Command.ChangeAccounting change
        ? new Command.ChangeAccounting(state.accounts().version(), change.changes())
        : command;
  }

  private static boolean isOfTheCluster(Command.FromUser command) {
    return switch (command) {
      case Command.UpdateNodes _,
          Command.CreateNodes _,
          Command.ChangePartition _,
          Command.DeletePartition _,
          Command.ChangeAccounting _,
          Command.CreateReservation _,
          Command.UpdateReservation _,
          Command.DeleteReservation _ ->
          true;
      case Command.SubmitJob _,
          Command.SubmitHetJob _,
          Command.KillJob _,
          Command.HoldJob _,
          Command.ReleaseJob _,
          Command.RequeueJob _,
          Command.SuspendJob _,
          Command.ResumeJob _,
          Command.UpdateJob _,
          Command.TopJobs _,
          Command.NotifyJob _,
          Command.DeleteNodes _ ->
          false;
    };
  }
}
