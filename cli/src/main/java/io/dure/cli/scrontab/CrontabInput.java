package io.dure.cli.scrontab;

import io.dure.cli.command.CommandContext;
import io.dure.model.command.CrontabChange;
import io.dure.surface.message.CommandException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;

/** Where a crontab is read from. */
final class CrontabInput {
  private CrontabInput() {}

  /** The crontab in a file of the caller, or in its standard input for {@code -}. */
  static String read(CommandContext context, String name) throws CommandException {
    if (name.equals("-")) {
      try {
        return bytes(context.in());
      } catch (IOException e) {
        throw CommandException.error("Unable to read standard input: " + e.getMessage());
      }
    }
    try (InputStream in = context.caller().read(context.directory().resolve(name))) {
      return bytes(in);
    } catch (IOException e) {
      throw CommandException.error("Unable to open file " + name);
    }
  }

  /**
   * All of a stream, one char for each byte.
   *
   * @throws CommandException if that is more than a crontab
   */
  static String bytes(InputStream in) throws IOException, CommandException {
    byte[] bytes = in.readNBytes(CrontabChange.MOST_BYTES + 1);
    if (bytes.length > CrontabChange.MOST_BYTES) {
      throw CommandException.error(
          "a crontab has at most "
              + CrontabChange.MOST_BYTES
              + " bytes, its #DISABLED: and #BAD: marks among them");
    }
    String text = new String(bytes, StandardCharsets.ISO_8859_1);
    if (text.indexOf('\0') >= 0) {
      throw CommandException.error("a crontab has no NUL characters");
    }
    return text;
  }
}
