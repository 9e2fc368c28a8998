package io.dure.testkit.cluster;

import io.dure.model.ExitStatus;
import io.dure.model.command.StepEnd;
import java.time.Duration;

/**
 * What a job does on a {@link FakeNode}; it travels as the text of the batch script.
 *
 * @param seconds how long it runs unless it is ended, at least 1
 * @param end how it then ends: {@code exit N}, {@code signal N}, {@code oom}, {@code lost}, {@code
 *     not-started}, {@code prolog-failed} or {@code node-fault}; the last three before it runs
 * @param stubborn whether it runs on until KillWait is over when it is ended
 * @param epilogFails whether the node's epilog fails after it
 */
public record Script(long seconds, String end, boolean stubborn, boolean epilogFails) {
  /** Runs a minute and ends well. */
  public static final Script MINUTE = new Script(60, "exit 0", false, false);

  /** The script's text. */
  public String text() {
    return seconds + ";" + end + ";" + stubborn + ";" + epilogFails;
  }

  static Script of(String text) {
    String[] parts = text.split(";", -1);
    return new Script(
        Long.parseLong(parts[0]),
        parts[1],
        Boolean.parseBoolean(parts[2]),
        Boolean.parseBoolean(parts[3]));
  }

  Duration duration() {
    return Duration.ofSeconds(seconds);
  }

  boolean starts() {
    return switch (end) {
      case "not-started", "prolog-failed", "node-fault" -> false;
      default -> true;
    };
  }

  StepEnd stepEnd() {
    String[] words = end.split(" ", -1);
    return switch (words[0]) {
      case "exit" -> new StepEnd.Ran(new ExitStatus(Integer.parseInt(words[1]), 0), false);
      case "signal" -> new StepEnd.Ran(new ExitStatus(0, Integer.parseInt(words[1])), false);
      case "oom" -> new StepEnd.Ran(new ExitStatus(137, 0), true);
      case "lost" -> new StepEnd.Lost("its keeper was killed");
      case "not-started" -> new StepEnd.NotStarted("no such directory");
      case "prolog-failed" -> new StepEnd.PrologFailed("prolog exited with 1");
      case "node-fault" -> new StepEnd.NodeFault("No space left on device: /spool\n");
      default -> throw new IllegalArgumentException(end);
    };
  }
}
