package io.dure.node.agent;

import io.dure.host.storage.DirectoryCreator;
import io.dure.host.storage.FileModes;
import io.dure.node.launch.StepDirectory;
import io.dure.node.noderun.RunId;
import io.dure.node.noderun.RunState;
import io.dure.protocol.codec.MalformedMessageException;
import io.dure.protocol.codec.RecordCodec;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.slf4j.Logger;

/**
 * The daemon's own record of each run, a directory {@code runs/JOB.RUN} in its spool with a file
 * {@code run}: the job as it was launched, and behind it how far the run has come, each time that
 * this changed; the step's directory lies beside it. One file that grows costs less than files that
 * replace each other: some file systems search long for a new one where many were removed.
 *
 * <p>What is not whole at the file's end does not count; nothing is synced: a record that a power
 * failure takes belongs to a run that the same failure has ended. One thread calls.
 */
final class DiskRunSpool implements RunSpool {
  private static final String RUN = "run";

  private static final String REMOVED = ".removed-";
  private static final int PASSABLE = 0711;
  private static final int PRIVATE = 0700;

  private final RecordCodec<Stored> states = RecordCodec.of(Stored.class);
  private final RecordCodec<StoredJob> jobs = RecordCodec.of(StoredJob.class).grouped();
  private final Map<RunId, RunFile> files = new HashMap<>();
  private final Path runs;
  private final Path broken;
  private final String bootId;
  private final Logger log;
  private long removals;

  /**
   * A run's state and the boot in which it was stored.
   *
   * @param state the state
   * @param bootId the kernel's boot id then
   */
  record Stored(RunState state, String bootId) {}

  private DiskRunSpool(Path spool, String bootId, Logger log) {
    this.runs = spool.resolve("runs");
    this.broken = spool.resolve("broken");
    this.bootId = bootId;
    this.log = log;
  }

  /**
   * Opens the spool, making what is missing.
   *
   * @throws IOException if it cannot be written
   */
  static DiskRunSpool open(Path spool, String bootId, Logger log) throws IOException {
    DiskRunSpool store = new DiskRunSpool(spool, bootId, log);
    DirectoryCreator.ensure(spool, 0755, null);
    // Users pass through to their scripts.
    DirectoryCreator.ensure(store.runs, PASSABLE, null);
    DirectoryCreator.ensure(store.broken, PRIVATE, null);
    return store;
  }

  @Override
  public Path directory(RunId id) {
    return runs.resolve(id.text());
  }

  @Override
  public void create(RunState state, StoredJob job) throws IOException {
    Path directory = directory(state.id());
    try {
      Files.createDirectory(directory);
      FileModes.setMode(directory, PASSABLE);
      files.put(
          state.id(),
          RunFile.create(directory.resolve(RUN), List.of(jobs.encode(job), encoded(state))));
    } catch (IOException e) {
      removeQuietly(directory);
      throw e;
    }
  }

  @Override
  public void save(RunState state) throws IOException {
    RunFile file = files.get(state.id());
    if (file == null) {
      throw new NoSuchFileException(directory(state.id()).resolve(RUN).toString());
    }
    file.append(encoded(state));
  }

  private byte[] encoded(RunState state) {
    return states.encode(new Stored(state, bootId));
  }

  @Override
  public void remove(RunId id) {
    files.remove(id);
    Path gone = runs.resolve(REMOVED + id.text() + "-" + removals++);
    try {
      // Renamed first, so that a name is free at once and a crash leaves no half of a run.
      Files.move(directory(id), gone, StandardCopyOption.ATOMIC_MOVE);
    } catch (IOException e) {
      log.error("run " + id.text() + " cannot be removed from the spool: " + e);
      return;
    }
    Thread.ofVirtual().name("remove " + id.text()).start(() -> removeQuietly(gone));
  }

  private void removeQuietly(Path tree) {
    try {
      StepDirectory.removeTree(tree);
    } catch (IOException e) {
      log.error("cannot remove " + tree + " from the spool: " + e);
    }
  }

  @Override
  public List<Found> load(Consumer<Path> salvage) throws IOException {
    List<Found> found = new ArrayList<>();
    List<Path> entries;
    try (Stream<Path> listed = Files.list(runs)) {
      entries = listed.sorted().toList();
    }
    for (Path entry : entries) {
      if (entry.getFileName().toString().startsWith(REMOVED)) {
        removeQuietly(entry);
        continue;
      }
      try {
        found.add(read(entry));
      } catch (IOException | MalformedMessageException e) {
        salvage.accept(entry);
        moveAside(entry, e);
      }
    }
    return found;
  }

  private Found read(Path directory) throws IOException {
    RunId id = RunId.parse(directory.getFileName().toString());
    if (id == null) {
      throw new IOException("not the name of a run");
    }
    RunFile.Opened opened = RunFile.open(directory.resolve(RUN));
    Stored stored = states.decode(opened.last());
    StoredJob job = jobs.decode(opened.first());
    if (!id.equals(stored.state().id()) || job.job().id() != id.jobId()) {
      throw new IOException("another run's record");
    }
    files.put(id, opened.file());
    return new Found(stored.state(), job, bootId.equals(stored.bootId()));
  }

  private void moveAside(Path entry, Exception reason) {
    Path aside = broken.resolve(entry.getFileName() + "-" + System.nanoTime());
    try {
      Files.move(entry, aside);
      log.error(
          "record of run "
              + entry.getFileName()
              + " is damaged, moved to "
              + aside
              + ": "
              + reason);
    } catch (IOException e) {
      log.error(
          "record of run " + entry.getFileName() + " is damaged and could not be moved: " + e);
    }
  }

  @Override
  public void clear(Consumer<Path> salvage) throws IOException {
    try (Stream<Path> entries = Files.list(runs)) {
      for (Path entry : entries.toList()) {
        salvage.accept(entry);
        removeQuietly(entry);
      }
    }
    files.clear();
  }
}
