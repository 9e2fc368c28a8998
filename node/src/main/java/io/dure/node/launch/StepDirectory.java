package io.dure.node.launch;

import io.dure.model.step.Step;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.SequencedMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A step's directory in the spool: the script, what the shepherd is to do, and what it reports. The
 * step's user may pass through it to the script, which the shepherd lets that user read and nobody
 * write; the rest is the daemon's alone. The spool itself must be traversable by all (0755 or
 * 0711).
 *
 * @param path an absolute path
 */
public record StepDirectory(Path path) {
  static final String SCRIPT = "slurm_script";
  private static final String IDENTITY = "step";
  private static final String CONTAINER = "container";
  private static final String LAUNCH = "launch";
  private static final String EXIT = "exit";
  private static final String LOG = "shepherd.log";
  private static final String OVER_MEMORY = "over-memory";
  private static final int LOG_TAIL = 2000;

  /**
   * Where the step's directory is: {@code job00012} for the batch step, as in Slurm, {@code
   * job00012.0} for others.
   */
  public static Path pathOf(Path spool, long jobId, String step) {
    String number = Long.toString(jobId);
    String name = "job" + "0".repeat(Math.max(0, 5 - number.length())) + number;
    return spool
        .toAbsolutePath()
        .resolve(step.equals(Step.BATCH.text()) ? name : name + "." + step);
  }

  /**
   * Makes the directory with all its files; it appears under its name in one piece.
   *
   * @param script the batch script, null for a numbered step
   * @throws FileAlreadyExistsException when the step's directory exists already
   * @throws IOException when the disk is full or the spool cannot be written; nothing is left
   *     behind then
   */
  public static StepDirectory create(Path spool, StepLaunch launch, byte @Nullable [] script)
      throws IOException {
    Path home = pathOf(spool, launch.identity().jobId(), launch.identity().step());
    if (Files.exists(home)) {
      throw new FileAlreadyExistsException(home.toString());
    }
    Path draft = home.resolveSibling("." + home.getFileName() + ".new");
    removeTree(draft);
    try {
      Files.createDirectory(draft);
      if (script != null) {
        KeyValueFile.write(draft.resolve(SCRIPT), script, "r-x------");
      }
      KeyValueFile.create(draft.resolve(IDENTITY), launch.identity().entries());
      if (!launch.container().isEmpty()) {
        KeyValueFile.create(draft.resolve(CONTAINER), launch.container());
      }
      List<String> entries = new ArrayList<>(launch.entries(home.resolve(SCRIPT).toString()));
      entries.add("");
      entries.addAll(launch.environmentEntries());
      KeyValueFile.create(draft.resolve(LAUNCH), entries);
      Files.setPosixFilePermissions(draft, PosixFilePermissions.fromString("rwx--x--x"));
      Files.move(draft, home, StandardCopyOption.ATOMIC_MOVE);
    } catch (IOException | RuntimeException e) {
      removeTree(draft);
      throw e;
    }
    return new StepDirectory(home);
  }

  /** The directories of all steps in the spool, by name; half-made ones are removed. */
  public static List<StepDirectory> list(Path spool) throws IOException {
    List<StepDirectory> found = new ArrayList<>();
    try (Stream<Path> entries = Files.list(spool.toAbsolutePath())) {
      for (Path entry : entries.sorted().toList()) {
        String name = entry.getFileName().toString();
        if (name.startsWith(".job") && name.endsWith(".new")) {
          removeTree(entry);
        } else if (name.startsWith("job") && Files.exists(entry.resolve(IDENTITY))) {
          found.add(new StepDirectory(entry));
        }
      }
    }
    return found;
  }

  /**
   * The step's identity.
   *
   * @throws IOException when the file is missing or damaged, as it may be after a power failure
   */
  public StepIdentity identity() throws IOException {
    StepIdentity identity = StepIdentity.read(path.resolve(IDENTITY));
    if (identity == null) {
      throw new NoSuchFileException(path.resolve(IDENTITY).toString());
    }
    return identity;
  }

  /** What the program {@code container} was called with, empty where the step has no container. */
  public List<String> container() throws IOException {
    Path file = path.resolve(CONTAINER);
    return Files.exists(file) ? KeyValueFile.read(file) : List.of();
  }

  /** The batch script as it was submitted. */
  public byte[] script() throws IOException {
    return Files.readAllBytes(path.resolve(SCRIPT));
  }

  /** Notes that the step is killed for its memory; false where that had been noted before. */
  public boolean markOverMemory() throws IOException {
    try {
      Files.createFile(path.resolve(OVER_MEMORY));
      return true;
    } catch (FileAlreadyExistsException _) {
      return false;
    }
  }

  /** Whether the step was killed for its memory. */
  public boolean isOverMemory() {
    return Files.exists(path.resolve(OVER_MEMORY));
  }

  /** Since when its exit record stands, null while it does not. */
  @Nullable Instant recorded() throws IOException {
    try {
      return Files.getLastModifiedTime(path.resolve(EXIT)).toInstant();
    } catch (NoSuchFileException _) {
      return null;
    }
  }

  /** How the step ended, as the shepherd wrote it; null as long as it has not. */
  public @Nullable StepExit exit() throws IOException {
    return StepExit.read(path.resolve(EXIT));
  }

  /**
   * The script's process as recorded when it started, alive or not; null before exec has succeeded.
   */
  @Nullable RecordedProcess child() throws IOException {
    RecordedProcess child = recorded("alive", "child");
    // Shepherds of earlier releases have a file for it.
    return child == null ? recorded("pid", "child") : child;
  }

  /** The shepherd's process as it recorded itself; null before it held its lock. */
  @Nullable RecordedProcess shepherd() throws IOException {
    return recorded("alive", "shepherd");
  }

  private @Nullable RecordedProcess recorded(String file, String who) throws IOException {
    SequencedMap<String, String> map = KeyValueFile.readMap(path.resolve(file));
    if (map == null || !map.containsKey(who + "_start")) {
      return null;
    }
    return new RecordedProcess(
        (int) KeyValueFile.number(map, who), KeyValueFile.number(map, who + "_start"));
  }

  /** The file whose lock the shepherd holds while it lives. */
  Path lockFile() {
    return path.resolve("alive");
  }

  Path log() {
    return path.resolve(LOG);
  }

  /** The end of what the shepherd complained of; empty when it did not. */
  String logTail() {
    try {
      byte[] bytes = Files.readAllBytes(log());
      int start = Math.max(0, bytes.length - LOG_TAIL);
      return new String(bytes, start, bytes.length - start, StandardCharsets.UTF_8).strip();
    } catch (IOException _) {
      return "";
    }
  }

  /**
   * Takes back a launch that no shepherd has begun; whether there was one. Call it with the lock
   * held.
   */
  boolean withdraw() throws IOException {
    return Files.deleteIfExists(path.resolve(LAUNCH));
  }

  /** Removes a directory with all that is in it; one that is gone already is no error. */
  public static void removeTree(Path tree) throws IOException {
    if (!Files.exists(tree)) {
      return;
    }
    try (Stream<Path> entries = Files.walk(tree)) {
      for (Path entry : entries.sorted((a, b) -> b.compareTo(a)).toList()) {
        Files.deleteIfExists(entry);
      }
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
  }
}
