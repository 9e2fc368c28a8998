package io.dure.lifecycle;

import io.dure.cluster.ClusterState;
import io.dure.cluster.Decision;
import io.dure.cluster.Event;
import io.dure.cluster.EventApplier;
import io.dure.cluster.decide.CommandDecider;
import io.dure.cluster.invariants.StateInvariants;
import io.dure.model.command.Caller;
import io.dure.model.command.Command;
import io.dure.model.command.Effect;
import io.dure.model.command.Reply;
import io.dure.testkit.cluster.TestCluster;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.StringJoiner;
import java.util.function.Function;

/** What commands lead to, as lines that people can read and compare. */
final class Matrix {
  private final List<String> lines = new ArrayList<>();
  private final List<TestCluster.Step> steps = new ArrayList<>();

  void title(String text) {
    lines.add("");
    lines.add("[" + text + "]");
  }

  /** Decides and notes the outcome; {@code describe} tells of the state that comes of it. */
  void line(
      String name,
      ClusterState state,
      Command command,
      Caller caller,
      Instant now,
      Function<ClusterState, String> describe) {
    Decision decision = CommandDecider.decide(state, command, caller, now);
    ClusterState after = state;
    StringJoiner events = new StringJoiner(", ");
    for (Event event : decision.events()) {
      ClusterState before = after;
      after = EventApplier.apply(before, event);
      steps.add(new TestCluster.Step(before, event, after));
      events.add(event.getClass().getSimpleName());
    }
    StateInvariants.check(after);
    StringJoiner effects = new StringJoiner(", ");
    decision.effects().forEach(e -> effects.add(text(e)));
    String outcome =
        decision.reply() instanceof Reply.Refused(var code, _, _)
            ? "refused " + code
            : after == state ? "nothing" : describe.apply(after);
    lines.add(
        name
            + ": "
            + outcome
            + (decision.events().isEmpty() ? "" : " | " + events)
            + (decision.effects().isEmpty() ? "" : " | " + effects));
  }

  private static String text(Effect effect) {
    return switch (effect) {
      case Effect.RunProlog e -> "RunProlog run " + e.run();
      case Effect.SwitchPower e -> e.action() + " " + e.nodes();
      case Effect.RunEpilog e -> "RunEpilog run " + e.run();
      case Effect.Launch e -> "Launch " + e.node() + " run " + e.run();
      case Effect.Terminate e -> "Terminate " + e.node() + " run " + e.run() + " " + e.why();
      case Effect.Suspend e -> "Suspend " + e.node();
      case Effect.Resume e -> "Resume " + e.node();
      case Effect.Signal e -> "Signal " + e.node() + " " + e.signal() + " " + e.scope();
      case Effect.Forget e -> "Forget " + e.node() + " run " + e.run();
      case Effect.TerminateStep e -> "TerminateStep " + e.node() + " step " + e.step();
      case Effect.SignalStep e -> "SignalStep " + e.node() + " " + e.signal();
      case Effect.ForgetStep e -> "ForgetStep " + e.node() + " step " + e.step();
      case Effect.ConfirmStepParts e ->
          "ConfirmStepParts " + e.node() + " step " + e.step() + " batch " + e.batch();
      case Effect.Notify e -> "Notify " + e.node();
      case Effect.Reboot(String node) -> "Reboot " + node;
      case Effect.RunTrigger trigger -> "RunTrigger " + trigger.id();
    };
  }

  /** Every event that was made, with the states around it. */
  List<TestCluster.Step> steps() {
    return steps;
  }

  /** What is expected and what was found; the latter is also written where it can be compared. */
  record Comparison(String expected, String found) {}

  Comparison compare(String name) {
    try {
      Path root = ContractTable.root().resolve("cluster");
      String found = String.join("\n", lines).strip() + "\n";
      Path written = root.resolve("target/life-cycle").resolve(name);
      Files.createDirectories(written.getParent());
      Files.writeString(written, found);
      Path expected = root.resolve("src/test/resources/life-cycle").resolve(name);
      return new Comparison(Files.exists(expected) ? Files.readString(expected) : "", found);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
