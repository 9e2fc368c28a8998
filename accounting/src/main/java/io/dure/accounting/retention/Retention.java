package io.dure.accounting.retention;

import io.dure.accounting.AccountingDatabase;
import io.dure.model.config.accounting.RecordKind;
import io.dure.model.config.accounting.RetentionSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import org.jdbi.v3.core.Handle;
import org.jspecify.annotations.Nullable;

/**
 * Takes old records of a cluster out of the database, into archives where the settings say so:
 * first the archive is whole and on the disk, then its rows go, some at a time. What was cut short
 * is completed by the next run. Any thread, one at a time.
 */
public final class Retention {
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss");

  /** Rows that go in one transaction, so that nobody waits long for it. */
  private static final int AT_ONCE = 500;

  private final AccountingDatabase database;
  private final String cluster;
  private final ZoneId zone;
  private final RetentionSettings settings;
  private final @Nullable ArchiveProgram program;

  /**
   * For a cluster of a database.
   *
   * @param zone time zone of the days and months that records go by
   * @param program what archives instead, null to write files
   */
  public Retention(
      AccountingDatabase database,
      String cluster,
      ZoneId zone,
      RetentionSettings settings,
      @Nullable ArchiveProgram program) {
    this.database = database;
    this.cluster = cluster;
    this.zone = zone;
    this.settings = settings;
    this.program = program;
  }

  /**
   * What went.
   *
   * @param rows how many rows
   * @param archives the files that they are in
   */
  public record Purged(RecordKind kind, long rows, List<Path> archives) {
    public Purged {
      archives = List.copyOf(archives);
    }
  }

  private record Cluster(RowNames names, String origin) {}

  /**
   * Takes out what is old now.
   *
   * @param goesOn asked between transactions
   * @return what went, without kinds of which nothing did
   * @throws IOException if an archive cannot be written or read; its rows stay
   * @throws org.jdbi.v3.core.JdbiException if the database does not answer
   */
  public List<Purged> run(Instant now, BooleanSupplier goesOn)
      throws IOException, InterruptedException {
    Cluster known =
        database.reading(handle -> {
          Long id = AccountingDatabase.clusterNumber(handle, cluster);
          return id == null ? null : new Cluster(new RowNames(handle, id), origin(handle, id));
        });
    List<Purged> all = new ArrayList<>();
    if (known == null || settings.rules().isEmpty()) {
      return all;
    }
    PeriodReader reader = new PeriodReader(database, known.names(), zone);
    if (program != null && anyArchived(reader, now)) {
      program.run(variables(now));
    }
    for (Map.Entry<RecordKind, RetentionSettings.Rule> one : settings.rules().entrySet()) {
      KindPurge purge = new KindPurge(known, reader, one.getKey(), one.getValue());
      purge.run(now, goesOn);
      if (purge.rows > 0) {
        all.add(new Purged(one.getKey(), purge.rows, purge.archives));
      }
      if (one.getKey() == RecordKind.JOBS && purge.rows > 0 && goesOn.getAsBoolean()) {
        new OldTexts(database).remove(one.getValue().after().cutoff(now, zone), goesOn);
      }
    }
    return all;
  }

  /** The origin of a cluster, empty before its controller has named it. */
  static String origin(Handle handle, long id) {
    return handle
        .createQuery("SELECT origin FROM cluster WHERE id = ?")
        .bind(0, id)
        .mapTo(String.class)
        .one();
  }

  private boolean anyArchived(PeriodReader reader, Instant now) {
    return settings.rules().entrySet().stream()
        .anyMatch(one ->
            one.getValue().archived()
                && reader.first(
                        one.getKey(), 0, one.getValue().after().cutoff(now, zone).getEpochSecond())
                    != AccountingDatabase.NEVER);
  }

  private Map<String, String> variables(Instant now) {
    Map<String, String> variables = new LinkedHashMap<>();
    for (RecordKind kind : RecordKind.values()) {
      RetentionSettings.Rule rule = settings.rules().get(kind);
      boolean archived = rule != null && rule.archived();
      variables.put(kind.archiveVariable(), archived ? "1" : "0");
      if (rule != null && archived) {
        variables.put(
            kind.lastVariable(), Long.toString(rule.after().cutoff(now, zone).getEpochSecond()));
      }
    }
    return variables;
  }

  /** The run of one kind. */
  private final class KindPurge {
    private final Cluster of;
    private final PeriodReader reader;
    private final RecordKind kind;
    private final RetentionSettings.Rule rule;
    private final RowStore store;
    private final PurgeMarks marks;
    private final List<Path> archives = new ArrayList<>();
    private long rows;

    KindPurge(Cluster of, PeriodReader reader, RecordKind kind, RetentionSettings.Rule rule) {
      this.of = of;
      this.reader = reader;
      this.kind = kind;
      this.rule = rule;
      store = new RowStore(database, of.names(), zone);
      marks = new PurgeMarks(database, of.names().cluster());
    }

    /** Whether its rows are found by jobs that stay. */
    private boolean byJobs() {
      return kind == RecordKind.STEPS || kind == RecordKind.SUSPENSIONS;
    }

    void run(Instant now, BooleanSupplier goesOn) throws IOException {
      long cutoff = rule.after().cutoff(now, zone).getEpochSecond();
      long from = byJobs() ? marks.read(kind.word()) : 0;
      while (goesOn.getAsBoolean()) {
        long first = reader.first(kind, from, cutoff);
        if (first >= cutoff) {
          if (kind == RecordKind.USAGE) {
            marks.advance(kind.word(), cutoff); // also where the last of it had no rows
          }
          return;
        }
        Instant begin = rule.after().unit().begin(Instant.ofEpochSecond(first), zone);
        long end = Math.min(rule.after().unit().end(begin, zone).getEpochSecond(), cutoff);
        if (kind == RecordKind.JOBS || kind == RecordKind.SUSPENSIONS) {
          marks.advance(PurgeMarks.NOT_COUNTED_AGAIN, end);
        } else if (kind == RecordKind.USAGE) {
          marks.advance(kind.word(), end);
        }
        OldPeriod period = new OldPeriod(begin.getEpochSecond(), end, cutoff);
        if (!purge(period, goesOn)) {
          return;
        }
        if (byJobs()) {
          marks.advance(kind.word(), end);
        }
        from = end;
      }
    }

    /** Whether it came to its end. */
    private boolean purge(OldPeriod period, BooleanSupplier goesOn) throws IOException {
      if (!rule.archived() || program != null) {
        boolean[] whole = {true};
        reader.read(
            kind,
            period,
            some -> {
              whole[0] = whole[0] && goesOn.getAsBoolean();
              if (whole[0]) {
                remove(some);
              }
            });
        return whole[0];
      }
      Path directory = Path.of(settings.directory());
      String name = name(period);
      int number = 1;
      Path known = directory.resolve(ArchiveWriter.name(name, number));
      while (Files.exists(known)) {
        // Its rows are still there if the last run was cut short, or if it was loaded.
        if (!remove(known, goesOn)) {
          return false;
        }
        known = directory.resolve(ArchiveWriter.name(name, ++number));
      }
      Path archive = archive(directory, name, period);
      return archive == null || remove(archive, goesOn);
    }

    private String name(OldPeriod period) {
      return cluster.replace('/', '_')
          + "_"
          + kind.word()
          + "_archive_"
          + TIME.format(Instant.ofEpochSecond(period.from()).atZone(zone))
          + "_"
          + TIME.format(Instant.ofEpochSecond(period.until()).atZone(zone));
    }

    /** The archive of what is there, null if nothing is. */
    private @Nullable Path archive(Path directory, String name, OldPeriod period)
        throws IOException {
      Map<String, String> header = new LinkedHashMap<>();
      header.put("cluster", cluster);
      header.put("origin", of.origin());
      header.put("kind", kind.word());
      header.put("from", Instant.ofEpochSecond(period.from()).toString());
      header.put("until", Instant.ofEpochSecond(period.until()).toString());
      try (ArchiveWriter writer = new ArchiveWriter(directory, header)) {
        reader.read(kind, period, some -> some.forEach(writer::write));
        return writer.rows() == 0 ? null : writer.finish(name);
      }
    }

    /** Removes what an archive of the cluster has; whether it came to its end. */
    private boolean remove(Path archive, BooleanSupplier goesOn) throws IOException {
      long before = rows;
      try (ArchiveReader file = ArchiveReader.open(archive)) {
        boolean own =
            file.header("cluster").equals(cluster) && file.header("origin").equals(of.origin());
        List<ArchivedRow> some = new ArrayList<>();
        ArchivedRow row = own ? file.next() : null;
        while (row != null) {
          some.add(row);
          boolean apart = kind != RecordKind.JOBS || row.table() == ArchivedTable.JOB;
          if (apart && some.size() >= AT_ONCE) {
            if (!goesOn.getAsBoolean()) {
              return false;
            }
            remove(some);
            some.clear();
          }
          row = file.next();
        }
        remove(some);
      }
      if (rows > before) {
        archives.add(archive);
      }
      return true;
    }

    private void remove(List<ArchivedRow> some) {
      rows +=
          database
              .jdbi()
              .inTransaction(handle ->
                  some.stream()
                      .filter(row -> row.table() != ArchivedTable.TEXT && store.remove(handle, row))
                      .count());
    }
  }
}
