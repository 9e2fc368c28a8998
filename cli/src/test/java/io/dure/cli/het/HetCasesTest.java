package io.dure.cli.het;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.dure.model.command.Caller;
import io.dure.model.command.Command;
import io.dure.model.command.JobSelector;
import io.dure.model.command.Reply;
import io.dure.model.job.Job;
import io.dure.model.job.JobState;
import io.dure.model.request.JobSpec;
import io.dure.surface.message.CommandException;
import io.dure.surface.message.StderrMessage;
import io.dure.surface.sbatch.RecordedSubmission;
import io.dure.surface.value.JobReference;
import io.dure.testkit.cluster.ClusterBuilder;
import io.dure.testkit.cluster.JobBuilder;
import io.dure.testkit.cluster.TestCluster;
import io.dure.testkit.cluster.Words;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestFactory;

/**
 * What becomes of heterogeneous jobs, one rule for each case of {@code het/cases.txt}.
 *
 * <p>A case names its rule and tells a cluster ({@code nodes: COUNT}, each of four cores and 4000
 * MiB; {@code conf: KEY=VALUE}, {@code gpus: COUNT} of the last, {@code part: NAME LINE}), then
 * what happens: {@code USER submit: [runs=SECONDS] [ends=HOW] OPTIONS}, {@code USER
 * cancel|hold|suspend|release|requeue: ID}, {@code USER limit: ID MINUTES}, {@code time: SECONDS},
 * {@code down: NODE}, {@code restart:}. Behind an arrow stands the refusal. {@code ID: WORDS} are
 * among those that are seen of a job: its state, its nodes or why it waits, its limit in minutes,
 * how often it was restarted.
 */
@Tag("pure")
class HetCasesTest {
  private record Case(int line, String rule, List<String> lines) {}

  @TestFactory
  Stream<DynamicTest> theRulesHold() throws IOException {
    List<Case> cases = new ArrayList<>();
    try (InputStream in = HetCasesTest.class.getResourceAsStream("/het/cases.txt")) {
      byte[] text = Objects.requireNonNull(in).readAllBytes();
      List<String> lines = new String(text, StandardCharsets.UTF_8).lines().toList();
      for (int at = 0; at < lines.size(); at++) {
        if (lines.get(at).startsWith("# ")) {
          int end = at + 1;
          while (end < lines.size() && !lines.get(end).isBlank()) {
            end++;
          }
          cases.add(new Case(at + 1, lines.get(at).substring(2), lines.subList(at + 1, end)));
          at = end;
        }
      }
    }
    assertTrue(cases.size() >= 30, "cases were lost");
    return cases.stream()
        .map(one -> DynamicTest.dynamicTest(one.line() + " " + one.rule(), () -> new Play(one)));
  }

  /** One case as it goes. */
  private static final class Play {
    private final TreeMap<String, Caller.User> users = new TreeMap<>();
    private final TestCluster cluster;

    Play(Case one) {
      users.put("alice", TestCluster.ALICE);
      users.put("bob", TestCluster.BOB);
      users.put("root", TestCluster.ROOT);
      ClusterBuilder builder = ClusterBuilder.of(Integer.parseInt(of(one, "nodes: ").getFirst()));
      for (String line : of(one, "conf: ")) {
        builder.set(line.split("=", 2)[0], line.split("=", 2)[1]);
      }
      for (String line : of(one, "gpus: ")) {
        builder.set("GresTypes", "gpu").describe(" Gres=gpu:" + line);
      }
      for (String line : of(one, "part: ")) {
        builder.partition(line.split(" ", 2)[0], line.split(" ", 2)[1]);
      }
      cluster = builder.start();
      one.lines().forEach(this::line);
      cluster.checkReplay();
    }

    private static List<String> of(Case one, String key) {
      return one.lines().stream()
          .filter(line -> line.startsWith(key))
          .map(line -> line.substring(key.length()))
          .toList();
    }

    private void line(String line) {
      int colon = line.indexOf(':');
      String key = line.substring(0, colon);
      String[] sides = line.substring(colon + 1).strip().split(" -> ", 2);
      switch (key) {
        case "nodes", "conf", "gpus", "part" -> {}
        case "time" -> cluster.seconds(Long.parseLong(sides[0]));
        case "restart" -> {
          cluster.restartController();
          cluster.connectAll();
        }
        case "down" -> {
          cluster.ask(
              TestCluster.ROOT,
              new Command.UpdateNodes(
                  List.of(sides[0]),
                  new TreeMap<>(java.util.Map.of("state", "DOWN", "reason", "broken"))));
        }
        default -> {
          String[] words = key.split(" ", 2);
          if (words.length == 1) {
            seen(line, key, sides[0]);
          } else {
            String said = ask(Objects.requireNonNull(users.get(words[0])), words[1], sides[0]);
            assertEquals(sides.length == 1 ? "" : sides[1], said, line);
          }
        }
      }
    }

    /** Asks; the refusal, empty if there is none. */
    private String ask(Caller.User who, String verb, String argument) {
      if (verb.equals("submit")) {
        return submit(who, argument);
      }
      JobSelector job =
          Objects.requireNonNull(JobReference.parse(argument.split(" ", -1)[0])).selector();
      Command.UserCommand command =
          switch (verb) {
            case "cancel" -> new Command.KillJob(job, null, false, false);
            case "signal" -> new Command.KillJob(job, 10, true, false);
            case "hold" -> new Command.HoldJob(job, false);
            case "suspend" -> new Command.SuspendJob(job);
            case "release" -> new Command.ReleaseJob(job);
            case "requeue" -> new Command.RequeueJob(job, false, false, false);
            case "limit" ->
                new Command.UpdateJob(job, Limits.of(Long.parseLong(argument.split(" ", -1)[1])));
            default -> throw new IllegalArgumentException(verb);
          };
      return text(cluster.ask(who, command));
    }

    private String submit(Caller.User who, String line) {
      JobBuilder body = JobBuilder.job().runs(600);
      List<String> words = new ArrayList<>(List.of(line.split(" ", -1)));
      while (words.getFirst().startsWith("runs=") || words.getFirst().startsWith("ends=")) {
        String word = words.removeFirst();
        String value = word.substring(5);
        body =
            word.startsWith("runs=")
                ? body.runs(Long.parseLong(value))
                : body.ends(value.replace(':', ' '));
      }
      List<JobSpec> specs;
      try {
        specs = RecordedSubmission.components(words, cluster.now());
      } catch (CommandException e) {
        return String.join(" / ", e.messages().stream().map(StderrMessage::text).toList());
      }
      JobBuilder found = body;
      var texts = body.submission().texts();
      return text(
          cluster.ask(
              who,
              specs.size() == 1
                  ? new Command.SubmitJob(specs.getFirst(), found.batch(), texts)
                  : new Command.SubmitHetJob(
                      specs.stream().map(s -> new Command.Component(s, found.batch())).toList(),
                      texts,
                      null)));
    }

    private static String text(Reply reply) {
      return reply instanceof Reply.Refused refused ? refused.code().text() : "";
    }

    private void seen(String line, String id, String expected) {
      List<Job> jobs =
          cluster.state().jobs().stream().filter(job -> job.displayId().equals(id)).toList();
      if (expected.equals("none")) {
        assertEquals(List.of(), jobs, line);
        return;
      }
      assertEquals(1, jobs.size(), line);
      Job job = jobs.getFirst();
      List<String> words = new ArrayList<>(List.of(Words.state(job)));
      switch (job.state()) {
        case JobState.Pending pending ->
            words.add(pending.reason() == null ? cluster.reason(job.id()) : pending.reason());
        case JobState.Running running -> words.addAll(running.allocation().nodes());
        case JobState.Completing completing -> words.addAll(completing.allocation().nodes());
        case JobState.Suspended suspended -> words.addAll(suspended.run().allocation().nodes());
        case JobState.Ended _ -> {}
      }
      words.add("restarts=" + job.restarts());
      words.add("priority=" + job.priority());
      words.add("limit=" + Limits.minutes(job));
      for (String word : expected.split(" ", -1)) {
        assertTrue(words.contains(word), line + ": " + word + " is not in " + words);
      }
    }
  }
}
