package io.dure.controller.accounting.upkeep;

import io.dure.accounting.AccountingDatabase;
import io.dure.accounting.DatabaseFailure;
import io.dure.accounting.retention.ArchiveLoader;
import io.dure.accounting.retention.ArchiveProgram;
import io.dure.accounting.retention.Retention;
import io.dure.host.script.ScriptRun;
import io.dure.model.config.accounting.RetentionSettings;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/**
 * Takes what is old out of the accounting database, as slurmdbd.conf says: a thread that looks some
 * times an hour, and what sacctmgr asks for. One of them works at a time.
 */
public final class AccountingUpkeep implements AutoCloseable {
  private static final Duration EVERY = Duration.ofMinutes(10);

  /** Before the first look, as the database may still be made. */
  private static final Duration FIRST = Duration.ofMinutes(1);

  private final AccountingDatabase database;
  private final Supplier<List<String>> clusters;
  private final RetentionSettings settings;
  private final BooleanSupplier mine;
  private final InstantSource clock;
  private final Logger log;
  private final @Nullable Thread thread;
  private final ReentrantLock lock = new ReentrantLock();

  /** The failures that the log has, by cluster; of the thread. */
  private final SortedMap<String, String> told = new TreeMap<>();

  /**
   * Begins.
   *
   * @param clusters supplies the names of those whose records these are
   * @param mine whether this program writes the database now
   */
  public AccountingUpkeep(
      AccountingDatabase database,
      Supplier<List<String>> clusters,
      RetentionSettings settings,
      BooleanSupplier mine,
      InstantSource clock,
      Logger log) {
    this.database = database;
    this.clusters = clusters;
    this.settings = settings;
    this.mine = mine;
    this.clock = clock;
    this.log = log;
    thread =
        settings.rules().isEmpty()
            ? null
            : Thread.ofPlatform().name("accounting-upkeep").daemon().start(this::run);
  }

  /** What slurmdbd.conf says. */
  public RetentionSettings settings() {
    return settings;
  }

  private void run() {
    try {
      Thread.sleep(FIRST);
      while (true) {
        look();
        Thread.sleep(EVERY);
      }
    } catch (InterruptedException e) {
      // closing
    }
  }

  private void look() throws InterruptedException {
    if (!mine.getAsBoolean()) {
      return;
    }
    SortedMap<String, String> failures = new TreeMap<>();
    try {
      failures.putAll(purge(settings, clusters.get(), mine).failures());
    } catch (RuntimeException e) {
      failures.put("all clusters", DatabaseFailure.message(e));
    }
    failures.forEach((cluster, failure) -> {
      if (!failure.equals(told.get(cluster))) {
        log.error(
            "accounting database ({}): old records of {} stay: {}; tried again every {} minutes",
            database.name(),
            cluster,
            failure,
            EVERY.toMinutes());
      }
    });
    told.clear();
    told.putAll(failures);
  }

  /**
   * What became of a purge.
   *
   * @param purged what went
   * @param failures of which clusters records stay that are old, and why
   */
  public record Outcome(List<Retention.Purged> purged, SortedMap<String, String> failures) {}

  /**
   * The clusters whose records these are.
   *
   * @throws org.jdbi.v3.core.JdbiException if the database does not answer
   */
  public List<String> clusters() {
    return clusters.get();
  }

  /** Takes out what is old by these settings of some clusters. */
  public Outcome purge(RetentionSettings by, List<String> of) throws InterruptedException {
    Outcome outcome = purge(by, of, () -> true);
    outcome
        .failures()
        .forEach((cluster, failure) ->
            log.error(
                "accounting database ({}): old records of {} stay: {}",
                database.name(),
                cluster,
                failure));
    return outcome;
  }

  private Outcome purge(RetentionSettings by, List<String> of, BooleanSupplier goesOn)
      throws InterruptedException {
    lock.lockInterruptibly();
    try {
      List<Retention.Purged> all = new ArrayList<>();
      SortedMap<String, String> failures = new TreeMap<>();
      for (String cluster : of) {
        try {
          all.addAll(purge(cluster, by, goesOn));
        } catch (IOException | RuntimeException e) {
          // The others' records are no younger for it.
          failures.put(cluster, DatabaseFailure.message(e));
        }
      }
      return new Outcome(all, failures);
    } finally {
      lock.unlock();
    }
  }

  private List<Retention.Purged> purge(String cluster, RetentionSettings by, BooleanSupplier goesOn)
      throws IOException, InterruptedException {
    List<Retention.Purged> purged =
        new Retention(database, cluster, ZoneId.systemDefault(), by, program(by.script()))
            .run(clock.instant(), () -> goesOn.getAsBoolean() && !isInterrupted());
    for (Retention.Purged one : purged) {
      log.info(
          "accounting database: {} old {} rows of {} went {}",
          one.rows(),
          one.kind().word(),
          cluster,
          one.archives().isEmpty() ? "without an archive" : "into " + one.archives());
    }
    return purged;
  }

  private static boolean isInterrupted() {
    return Thread.currentThread().isInterrupted();
  }

  /**
   * Puts an archive back.
   *
   * @param open of which clusters it may be
   * @throws IOException if it is none, is damaged or of another cluster; nothing of it is loaded
   *     then
   * @throws org.jdbi.v3.core.JdbiException if the database does not answer
   */
  public ArchiveLoader.Loaded load(Path file, Predicate<String> open)
      throws IOException, InterruptedException {
    lock.lockInterruptibly();
    try {
      ArchiveLoader.Loaded loaded =
          new ArchiveLoader(database, ZoneId.systemDefault(), open).load(file);
      log.info("accounting database: {} rows of {} loaded", loaded.added(), file);
      return loaded;
    } finally {
      lock.unlock();
    }
  }

  private static @Nullable ArchiveProgram program(@Nullable String path) {
    return path == null
        ? null
        : variables -> {
          String failure =
              new ScriptRun("ArchiveScript", List.of(path), variables, null, null).run().reason();
          if (failure != null) {
            throw new IOException(failure);
          }
        };
  }

  /** Ends; what is cut short is completed by the next one. */
  @Override
  public void close() {
    if (thread != null) {
      thread.interrupt();
      try {
        var _ = thread.join(Duration.ofSeconds(10));
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
