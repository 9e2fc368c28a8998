package io.dure.surface.sbatch;

import io.dure.surface.message.CommandException;
import io.dure.surface.message.StderrMessage;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** Finds the script of a batch job, reads no more of it than may be sent, and looks it over. */
public final class BatchScriptReader {

  /** Longest script that a request carries; the controller may take less (max_script_size). */
  public static final int MAX_BYTES = 6 << 20;

  private final ScriptPlace place;

  /** A reader of scripts that are looked for there. */
  public BatchScriptReader(ScriptPlace place) {
    this.place = place;
  }

  /**
   * The script that the command line names: a file, or standard input.
   *
   * @throws CommandException if it cannot be read or is no script
   */
  public BatchScript read(@Nullable String name) throws CommandException {
    if (name == null) {
      try {
        return checked(new BatchScript(bytes(place.in()), "-", "sbatch", null));
      } catch (IOException e) {
        throw CommandException.error("Unable to read the batch script from standard input");
      }
    }
    Path path = find(name);
    try (InputStream file = open(path)) {
      int slash = name.lastIndexOf('/');
      return checked(
          new BatchScript(bytes(file), name, name.substring(slash + 1), path.toString()));
    } catch (IOException e) {
      throw CommandException.error("Unable to open file " + name);
    }
  }

  /** The script around a command of {@code --wrap}. */
  public static BatchScript wrap(String command) {
    String text = "#!/bin/sh\n# This script was created by sbatch --wrap.\n\n" + command + "\n";
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    return new BatchScript(new String(bytes, StandardCharsets.ISO_8859_1), "--wrap", "wrap", null);
  }

  private InputStream open(Path path) throws IOException {
    // Under a resident program /dev/stdin would be that program's own.
    return path.toString().equals("/dev/stdin") ? place.in() : place.files().read(path);
  }

  private static String bytes(InputStream in) throws IOException {
    byte[] bytes = in.readNBytes(MAX_BYTES + 1);
    return new String(bytes, StandardCharsets.ISO_8859_1);
  }

  /** A name without a slash is looked for here, then on the path of commands. */
  private Path find(String name) {
    Path here = place.directory().resolve(name);
    if (name.indexOf('/') >= 0 || place.files().hasFile(here)) {
      return here;
    }
    String path = place.environment().getOrDefault("PATH", "");
    int start = 0;
    while (start < path.length()) {
      int colon = path.indexOf(':', start);
      int end = colon < 0 ? path.length() : colon;
      Path candidate = place.directory().resolve(path.substring(start, end)).resolve(name);
      if (place.files().hasFile(candidate) && isReadable(candidate)) {
        return candidate;
      }
      start = end + 1;
    }
    return here;
  }

  private boolean isReadable(Path file) {
    try (InputStream _ = place.files().read(file)) {
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  private static BatchScript checked(BatchScript script) throws CommandException {
    checked(script.content());
    return script;
  }

  /**
   * Looks a script over.
   *
   * @param content its bytes, one char (0 to 255) for each byte
   * @throws CommandException if it is no script
   */
  public static String checked(String content) throws CommandException {
    if (content.isEmpty()) {
      throw CommandException.error("Batch script is empty!");
    }
    if (content.length() > MAX_BYTES) {
      throw CommandException.error(
          "Batch job submission failed: "
              + "Pathname of a file, directory or other parameter too long");
    }
    if (isBlank(content)) {
      throw CommandException.error("Batch script contains only whitespace!");
    }
    if (!content.startsWith("#!")) {
      throw errors(
          "This does not look like a batch script.  The first",
          "line must start with #! followed by the path to an interpreter.",
          "For instance: #!/bin/sh");
    }
    if (content.indexOf('\0') >= 0) {
      throw CommandException.error(
          "The Slurm controller does not allow scripts that contain a NULL character '\\0'.");
    }
    if (content.contains("\r\n")) {
      throw errors(
          "Batch script contains DOS line breaks (\\r\\n)",
          "instead of expected UNIX line breaks (\\n).");
    }
    return content;
  }

  private static boolean isBlank(String content) {
    for (int i = 0; i < content.length(); i++) {
      char letter = content.charAt(i);
      if (letter != ' ' && (letter < '\t' || letter > '\r')) {
        return false;
      }
    }
    return true;
  }

  private static CommandException errors(String... lines) {
    CommandException failure = CommandException.plain();
    for (String line : lines) {
      failure = failure.and(StderrMessage.error(line));
    }
    return failure;
  }
}
