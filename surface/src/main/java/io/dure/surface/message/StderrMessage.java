package io.dure.surface.message;

/**
 * A message for standard error.
 *
 * @param kind what stands before the text
 * @param text one line without its end
 */
public record StderrMessage(Kind kind, String text) {

  /** What stands before the text of a message. */
  public enum Kind {
    /** Nothing: the text of the library alone. */
    PLAIN,
    /** The program's name. */
    INFO,
    /** The program's name and {@code warning}. */
    WARNING,
    /** The program's name and {@code error}. */
    ERROR,
    /** The program's name and {@code fatal}. */
    FATAL
  }

  /** The text alone, without the program's name. */
  public static StderrMessage plain(String text) {
    return new StderrMessage(Kind.PLAIN, text);
  }

  /** The program's name and the text. */
  public static StderrMessage info(String text) {
    return new StderrMessage(Kind.INFO, text);
  }

  /** A warning. */
  public static StderrMessage warning(String text) {
    return new StderrMessage(Kind.WARNING, text);
  }

  /** An error. */
  public static StderrMessage error(String text) {
    return new StderrMessage(Kind.ERROR, text);
  }

  /** An error that ends the program at once. */
  public static StderrMessage fatal(String text) {
    return new StderrMessage(Kind.FATAL, text);
  }

  /** The message as it is printed, with the end of its line. */
  public String format(String program) {
    return switch (kind) {
      case PLAIN -> text + '\n';
      case INFO -> program + ": " + text + '\n';
      case WARNING -> program + ": warning: " + text + '\n';
      case ERROR -> program + ": error: " + text + '\n';
      case FATAL -> program + ": fatal: " + text + '\n';
    };
  }
}
