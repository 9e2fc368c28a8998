package io.dure.twin.trace;

import io.dure.journal.segment.JournalRefusedException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** Opens traces of any known form; what they are is seen from their first line. */
public final class TraceOpener {
  private TraceOpener() {}

  /**
   * Reads a trace.
   *
   * @param rules how a log in the Standard Workload Format is taken
   * @throws TraceException if it cannot be read, or nothing in it can be replayed
   */
  public static WorkloadTrace read(Path file, SwfReadOptions rules) throws TraceException {
    if (Files.isDirectory(file)) {
      return journal(file);
    }
    try (InputStream in = Files.newInputStream(file)) {
      return read(String.valueOf(file.getFileName()), in, rules);
    } catch (IOException e) {
      throw new TraceException(file.toString(), "cannot be read: " + reason(e), "name a trace");
    }
  }

  /** The jobs of a controller's journal, which is a directory: its StateSaveLocation. */
  private static WorkloadTrace journal(Path directory) throws TraceException {
    try {
      return new JournalTraceReader().read(directory);
    } catch (UnreadableJournalException e) {
      throw new TraceException(e.text());
    } catch (JournalRefusedException e) {
      throw new TraceException(String.valueOf(e.getMessage()));
    } catch (IOException | UncheckedIOException e) {
      throw new TraceException(
          directory.toString(),
          "the journal cannot be read: " + e.getMessage(),
          "name the StateSaveLocation of a controller, or a file");
    }
  }

  /** Reads a trace from a stream. */
  static WorkloadTrace read(String name, InputStream in, SwfReadOptions rules)
      throws IOException, TraceException {
    try (TraceLineReader lines = TraceLineReader.of(name, in)) {
      String first = firstLine(lines);
      if (first == null) {
        throw new TraceException(name, "it is empty", "name a trace");
      }
      return first.startsWith("-")
          ? new SubmissionStreamReader().read(lines, first)
          : new SwfReader(rules).read(lines, first);
    }
  }

  private static @Nullable String firstLine(TraceLineReader lines)
      throws IOException, TraceException {
    String line = lines.next();
    while (line != null && (line.isEmpty() || line.startsWith("#"))) {
      line = lines.next();
    }
    return line;
  }

  private static String reason(IOException e) {
    return switch (e) {
      case NoSuchFileException _ -> "there is no such file";
      case AccessDeniedException _ -> "no permission";
      default -> e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage();
    };
  }
}
