package io.dure.cli.sacctmgr;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.dure.cli.command.FakeContext;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/** One administrator's session with a real Slurm 22.05.8, line by line against ours. */
@Tag("pure")
class TranscriptTest {
  @TempDir static Path directory;

  /**
   * A call of the session.
   *
   * @param words the command line
   * @param typed what was typed at its questions
   * @param out standard output
   * @param err standard error
   * @param exitCode its exit code
   */
  private record Call(List<String> words, String typed, String out, String err, int exitCode) {}

  private static String text(String name) throws IOException {
    try (InputStream in = TranscriptTest.class.getResourceAsStream("/captures/sacctmgr/" + name)) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  private static List<Call> calls() throws IOException {
    List<Call> calls = new ArrayList<>();
    StringBuilder out = new StringBuilder();
    StringBuilder err = new StringBuilder();
    String command = "";
    for (String line : text("transcript.txt").lines().toList()) {
      if (line.startsWith("$ ")) {
        command = line.substring(2);
        out.setLength(0);
        err.setLength(0);
      } else if (line.startsWith("rc=")) {
        int at = command.indexOf(" <<< ");
        String typed = at < 0 ? "" : command.substring(at + 5, at + 6) + "\n";
        List<String> words = words(at < 0 ? command : command.substring(0, at));
        calls.add(
            new Call(
                words, typed, out.toString(), err.toString(), Integer.parseInt(line.substring(3))));
      } else if (line.startsWith("E|")) {
        err.append(line, 2, line.length()).append('\n');
      } else {
        out.append(line).append('\n');
      }
    }
    return calls;
  }

  /** Words as a shell quotes them, with backslashes. */
  private static List<String> words(String line) {
    List<String> words = new ArrayList<>();
    StringBuilder word = new StringBuilder();
    for (int i = 0; i < line.length(); i++) {
      char c = line.charAt(i);
      if (c == '\\' && i + 1 < line.length()) {
        word.append(line.charAt(++i));
      } else if (c == ' ') {
        words.add(word.toString());
        word.setLength(0);
      } else {
        word.append(c);
      }
    }
    words.add(word.toString());
    return words;
  }

  @TestFactory
  Stream<DynamicTest> everyLineIsAsSlurmPrintsIt() throws IOException {
    AccountsController controller = new AccountsController("root");
    int[] number = {0};
    return calls().stream()
        .map(call ->
            DynamicTest.dynamicTest(
                ++number[0] + " " + String.join(" ", call.words()), () -> check(call, controller)));
  }

  private static void check(Call call, AccountsController controller) {
    FakeContext world = new FakeContext();
    world.controller = controller;
    world.directory = directory;
    world.in = call.typed().getBytes(StandardCharsets.UTF_8);
    int code = new Sacctmgr().run(world.call(call.words().toArray(String[]::new)));
    assertEquals(
        ordered(call, call.out()) + "--\n" + call.err() + "rc=" + call.exitCode(),
        ordered(call, world.printed()) + "--\n" + world.errors() + "rc=" + code);
  }

  /** What was added by one command stands in an order that numbers do not tell. */
  private static String ordered(Call call, String text) {
    boolean told =
        text.startsWith(" Modified account associations") || call.words().contains("withassoc");
    return told ? String.join("\n", text.lines().sorted().toList()) : text;
  }

  @Test
  void whatIsDumpedIsLoadedAgain() throws IOException {
    Files.writeString(directory.resolve("slurms.cfg"), text("dump.cfg"));
    AccountsController controller = new AccountsController("root");
    check(
        new Call(List.of("sacctmgr", "-i", "add", "qos", "low,high"), "", qosAdded(), "", 0),
        controller);
    FakeContext world = new FakeContext();
    world.controller = controller;
    world.directory = directory;
    assertEquals(0, new Sacctmgr().run(world.call("sacctmgr", "-i", "load", "slurms.cfg")));
    assertEquals("", world.errors());
    FakeContext again = new FakeContext();
    again.controller = controller;
    again.directory = directory;
    assertEquals(0, new Sacctmgr().run(again.call("sacctmgr", "dump", "labreal", "file=ours.cfg")));
    assertEquals(text("dump.cfg"), Files.readString(directory.resolve("ours.cfg")));
  }

  private static String qosAdded() {
    return " Adding QOS(s)\n  high\n  low\n Settings\n  Description    = high\n";
  }
}
