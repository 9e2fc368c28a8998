package io.dure.surface.message;

import io.dure.model.ErrorCode;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The end of a command before it is through, mostly by something the user can mend: what to print
 * and the exit code.
 */
public final class CommandException extends Exception {

  private static final long serialVersionUID = 1L;

  private final transient List<StderrMessage> messages;
  private final int exitCode;
  private final boolean isCodeChosen;

  /** A failure with its messages in the order in which they are printed. */
  public CommandException(int exitCode, List<StderrMessage> messages) {
    this(exitCode, messages, false);
  }

  private CommandException(int exitCode, List<StderrMessage> messages, boolean isCodeChosen) {
    super(messages.isEmpty() ? "" : messages.get(0).text(), null, false, false);
    this.messages = List.copyOf(messages);
    this.exitCode = exitCode;
    this.isCodeChosen = isCodeChosen;
  }

  /** An end without a failure: what was asked for has been printed. */
  public static CommandException done() {
    return new CommandException(0, List.of());
  }

  /** A failure with one error message and exit code 1. */
  public static CommandException error(String text) {
    return new CommandException(1, List.of(StderrMessage.error(text)));
  }

  /** A failure with one fatal message and exit code 1. */
  public static CommandException fatal(String text) {
    return new CommandException(1, List.of(StderrMessage.fatal(text)));
  }

  /** The refusal of what Slurm has and Dure does not have yet. */
  public static CommandException notSupported(String what) {
    return error(what + " is not supported by this version of Dure yet");
  }

  /** Slurm's refusal of a submission that needs what the cluster lacks. */
  public static CommandException absent(String what, String refused) {
    return error(what + " is not available on this cluster")
        .and(StderrMessage.error(refused + ErrorCode.NOT_SUPPORTED.text()));
  }

  /** A failure that prints lines without the program's name, or none, with exit code 1. */
  public static CommandException plain(String... lines) {
    return new CommandException(1, Arrays.stream(lines).map(StderrMessage::plain).toList());
  }

  /** The same failure with a message more. */
  public CommandException and(StderrMessage message) {
    List<StderrMessage> all = new ArrayList<>(messages);
    all.add(message);
    return new CommandException(exitCode, all, isCodeChosen);
  }

  /** The same failure with another exit code. */
  public CommandException withExitCode(int code) {
    return new CommandException(code, messages, true);
  }

  /** Whether the exit code is not simply that of any failure. */
  public boolean isCodeChosen() {
    return isCodeChosen;
  }

  /** What to print, in order. */
  public List<StderrMessage> messages() {
    return messages;
  }

  /** The exit code, 0 to 255. */
  public int exitCode() {
    return exitCode;
  }
}
