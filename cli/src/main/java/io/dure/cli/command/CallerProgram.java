package io.dure.cli.command;

import java.util.List;
import java.util.function.IntPredicate;

/**
 * A program that the calling process starts and waits for.
 *
 * @param words the program, looked for in PATH, and its arguments
 * @param environment its variables, {@code NAME=VALUE} each
 * @param directory where it begins
 * @param goesOn called on the thread that waits, for each signal that would end the caller, and
 *     with 0 once it has run for a moment: false to wait no longer
 */
public record CallerProgram(
    List<String> words, List<String> environment, String directory, IntPredicate goesOn) {

  /** How its run came out. */
  public sealed interface Outcome {
    /** It has ended with this status, as {@code wait(2)} gives it. */
    record Ended(int status) implements Outcome {
      /** The signal that ended it, 0 for none. */
      public int signal() {
        return status & 0x7f;
      }

      /** Its exit code, 0 where a signal ended it. */
      public int code() {
        return status >> 8 & 0xff;
      }
    }

    /** There is no such program, or it cannot be run. */
    record NotFound() implements Outcome {}

    /** It may still run; its end is no longer waited for. */
    record Abandoned() implements Outcome {}
  }
}
