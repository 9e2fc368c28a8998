package io.dure.accounting;

import io.dure.model.ExitStatus;
import io.dure.model.accounting.record.AttemptId;
import io.dure.model.job.Job;
import io.dure.model.job.JobState;
import io.dure.model.request.TimeLimit;
import io.dure.protocol.accounting.JobHistoryQuery;
import io.dure.protocol.accounting.RecordedJob;
import io.dure.protocol.accounting.RecordedStep;
import io.dure.protocol.accounting.RecordedText;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import org.jdbi.v3.core.Handle;
import org.jspecify.annotations.Nullable;

/** Attempts of jobs that the database has. Any thread. */
public final class JobHistory {
  /** Attempts in one answer. */
  private static final int PAGE = 5_000;

  /** The same where each may have a long text. */
  private static final int TEXT_PAGE = 50;

  private final AccountingDatabase database;
  private final String cluster;

  /** The history of a cluster. */
  public JobHistory(AccountingDatabase database, String cluster) {
    this.database = database;
    this.cluster = cluster;
  }

  /**
   * An answer.
   *
   * @param jobs by job id and attempt
   * @param last the attempt that the next page begins behind, null if there is none
   * @param texts those of the jobs that are asked for and kept
   */
  public record Page(List<RecordedJob> jobs, @Nullable AttemptId last, List<RecordedText> texts) {}

  /**
   * Finds attempts.
   *
   * @throws org.jdbi.v3.core.JdbiException if the database does not answer
   */
  public Page find(JobHistoryQuery query, Instant now) {
    Found found = database.jdbi().withHandle(handle -> find(handle, query, now));
    StepReader reader = found.steps();
    Map<AttemptId, List<RecordedStep>> steps = reader == null ? Map.of() : reader.all();
    return new Page(
        found.rows().stream()
            .map(row ->
                new RecordedJob(
                    row.attempt(),
                    row.job(),
                    row.requeued(),
                    steps.getOrDefault(row.attempt(), List.of()),
                    null,
                    null,
                    null,
                    found.pauses().getOrDefault(row.attempt(), List.of()),
                    row.askedBilling()))
            .toList(),
        found.last(),
        found.texts());
  }

  /** The position up to which the database has the cluster's records, 0 for none. */
  public long position() {
    return database
        .jdbi()
        .withHandle(handle ->
            handle
                .createQuery("SELECT position FROM cluster WHERE name = ?")
                .bind(0, cluster)
                .mapTo(Long.class)
                .findOne()
                .orElse(0L));
  }

  private static final Comparator<AttemptId> IN_ORDER =
      Comparator.comparingInt(AttemptId::jobId).thenComparingInt(AttemptId::number);

  /**
   * An attempt.
   *
   * @param next the time of the next one of the job, null if there is none
   * @param askedBilling what it is billed for what it asks for, null for its CPUs
   */
  private record Row(
      AttemptId attempt,
      Job job,
      boolean requeued,
      @Nullable Long next,
      @Nullable Long askedBilling) {}

  /**
   * What was found of attempts.
   *
   * @param rows in order
   * @param pauses of those that were suspended
   * @param steps gives their steps, null where none are asked for
   */
  private record Found(
      List<Row> rows,
      @Nullable AttemptId last,
      List<RecordedText> texts,
      Map<AttemptId, List<RecordedJob.Pause>> pauses,
      @Nullable StepReader steps) {}

  private Found find(Handle handle, JobHistoryQuery query, Instant now) {
    Long known = AccountingDatabase.clusterNumber(handle, cluster);
    if (known == null) {
      return new Found(List.of(), null, List.of(), Map.of(), null);
    }
    JobConditions conditions = new JobConditions(known);
    conditions.add(query, now.getEpochSecond());
    long lastNext = query.attempts() ? -1 : JobConditions.lastNext(query, now.getEpochSecond());
    StepReader steps = query.steps() ? new StepReader(database, known) : null;
    try {
      return list(handle, query, conditions, known, lastNext, steps);
    } catch (RuntimeException | Error e) {
      if (steps != null) {
        steps.giveUp();
      }
      throw e;
    }
  }

  private Found list(
      Handle handle,
      JobHistoryQuery query,
      JobConditions conditions,
      long known,
      long lastNext,
      @Nullable StepReader steps) {
    int page = query.text() == null ? PAGE : TEXT_PAGE;
    List<AttemptId> all = new ArrayList<>();
    List<Row> chosen = new ArrayList<>();
    conditions
        .bind(handle.createQuery(conditions.listing(query, page)))
        .map((row, _) -> row(row))
        .forEach(row -> {
          all.add(row.attempt());
          Long next = row.next();
          if ((next == null || next > lastNext) && passes(query, row.job())) {
            chosen.add(row);
            if (steps != null) {
              steps.want(row.attempt());
            }
          }
        });
    if (steps != null) {
      steps.end();
    }
    chosen.sort(Comparator.comparing(Row::attempt, IN_ORDER));
    AttemptId last = all.size() < page ? null : Collections.max(all, IN_ORDER);
    return new Found(
        chosen, last, texts(handle, query, chosen), pauses(handle, known, chosen), steps);
  }

  private static Map<AttemptId, List<RecordedJob.Pause>> pauses(
      Handle handle, long cluster, List<Row> rows) {
    List<AttemptId> paused =
        rows.stream().filter(row -> hasPaused(row.job().state())).map(Row::attempt).toList();
    Map<AttemptId, List<RecordedJob.Pause>> pauses = new HashMap<>();
    AttemptUses.suspensions(handle, cluster, paused)
        .forEach((attempt, of) -> pauses.put(attempt, of.stream().map(JobHistory::pause).toList()));
    return pauses;
  }

  private static RecordedJob.Pause pause(AttemptUse.Interval of) {
    return new RecordedJob.Pause(
        Instant.ofEpochSecond(of.from()),
        of.to() == SqlDialect.NEVER ? null : Instant.ofEpochSecond(of.to()));
  }

  private static boolean hasPaused(JobState state) {
    return switch (state) {
      case JobState.Pending _ -> false;
      case JobState.Running run -> run.pauses() != null;
      case JobState.Suspended _ -> true;
      case JobState.Completing over -> over.pauses() != null;
      case JobState.Ended over -> over.pauses() != null;
    };
  }

  private static List<RecordedText> texts(Handle handle, JobHistoryQuery query, List<Row> rows) {
    RecordedText.Kind kind = query.text();
    return kind == null
        ? List.of()
        : JobTextTable.read(
            handle, rows.stream().map(row -> kind.of(row.job().workload())).toList());
  }

  private static Row row(ResultSet row) throws SQLException {
    Job job = JobTable.RECORD.decode(row.getBytes(4));
    return new Row(
        new AttemptId(row.getInt(1), row.getInt(2)),
        job,
        row.getInt(3) != 0,
        next(row),
        JobTable.askedBilling(row.getString(5), job));
  }

  private static @Nullable Long next(ResultSet row) throws SQLException {
    long next = row.getLong(6);
    return row.wasNull() ? null : next;
  }

  /** What the columns do not tell. */
  private static boolean passes(JobHistoryQuery query, Job job) {
    JobHistoryQuery.Range minutes = query.minutes();
    return (query.jobs().isEmpty() || query.jobs().stream().anyMatch(one -> query.names(one, job)))
        && (minutes == null
            || job.spec().timeLimit() instanceof TimeLimit.Limited limit
                && minutes.has(limit.duration().toMinutes()))
        && (query.nodes().isEmpty() || holdsOne(Set.copyOf(query.nodes()), job));
  }

  private static boolean holdsOne(Set<String> nodes, Job job) {
    var held = JobTable.held(job.state());
    return held != null && held.nodes().stream().anyMatch(nodes::contains);
  }

  /**
   * Reads the steps of a listing's attempts while the listing goes on: another thread, over another
   * connection, is given so many attempts at a time, since half of the work is here. Used by one
   * thread.
   */
  private static final class StepReader {
    private static final int AT_ONCE = 500;
    private static final Executor THREADS =
        task -> Thread.ofPlatform().name("accounting-steps").daemon().start(task);

    private final AccountingDatabase database;
    private final long cluster;
    private final List<AttemptId> waiting = new ArrayList<>();
    private CompletableFuture<Map<AttemptId, List<RecordedStep>>> found =
        CompletableFuture.completedFuture(new HashMap<>());

    /** Whether another thread reads. */
    private boolean helped;

    private volatile boolean given;

    StepReader(AccountingDatabase database, long cluster) {
      this.database = database;
      this.cluster = cluster;
    }

    /** Steps of this attempt are wanted. */
    void want(AttemptId attempt) {
      waiting.add(attempt);
      if (waiting.size() >= AT_ONCE && (helped || database.helpers().tryAcquire())) {
        helped = true;
        List<AttemptId> some = List.copyOf(waiting);
        waiting.clear();
        found = found.thenApplyAsync(steps -> read(some, steps), THREADS);
      }
    }

    /** Not even those are wanted that were. */
    void giveUp() {
      given = true;
      end();
    }

    /** No more are wanted. */
    void end() {
      if (helped) {
        helped = false;
        var _ = found.whenComplete((_, _) -> database.helpers().release());
      }
    }

    /**
     * All of them, by attempt. To be asked while no connection is held, as the other thread may
     * wait for one.
     *
     * @throws org.jdbi.v3.core.JdbiException if the database does not answer
     */
    Map<AttemptId, List<RecordedStep>> all() {
      try {
        return read(waiting, found.join());
      } catch (CompletionException e) {
        if (e.getCause() instanceof RuntimeException cause) {
          throw cause;
        }
        throw e;
      }
    }

    private Map<AttemptId, List<RecordedStep>> read(
        List<AttemptId> attempts, Map<AttemptId, List<RecordedStep>> into) {
      if (given) {
        return into;
      }
      // Jobs that come again and again have far more attempts than are wanted.
      SortedMap<Integer, SortedSet<Integer>> numbers = new TreeMap<>();
      for (AttemptId one : attempts) {
        numbers.computeIfAbsent(one.jobId(), _ -> new TreeSet<>()).add(one.number());
      }
      SortedMap<Integer, List<AttemptId>> alike = new TreeMap<>();
      database
          .jdbi()
          .useHandle(handle -> {
            numbers.forEach((job, of) -> {
              if (of.size() == 1) {
                AttemptId only = new AttemptId(job, of.first());
                alike.computeIfAbsent(only.number(), _ -> new ArrayList<>()).add(only);
              } else {
                read(handle, List.of(job), of, into);
              }
            });
            alike.forEach((number, of) -> {
              for (List<Integer> jobs : AttemptUses.idLists(of)) {
                read(handle, jobs, new TreeSet<>(List.of(number)), into);
              }
            });
          });
      return into;
    }

    private void read(
        Handle handle,
        List<Integer> jobs,
        SortedSet<Integer> numbers,
        Map<AttemptId, List<RecordedStep>> into) {
      handle
          .createQuery(
              "SELECT job_id, attempt, step, exit_code, exit_signal, start_time, end_time,"
                  + " node_list, tasks, launched, used FROM step WHERE cluster_id = :cluster"
                  + " AND job_id IN (<ids>) AND attempt BETWEEN :least AND :most"
                  + " ORDER BY job_id, attempt, step")
          .bind("cluster", cluster)
          .bindList("ids", jobs)
          .bind("least", numbers.first())
          .bind("most", numbers.last())
          .map((row, _) -> Map.entry(new AttemptId(row.getInt(1), row.getInt(2)), step(row)))
          .filter(one -> numbers.contains(one.getKey().number()))
          .forEach(one ->
              into.computeIfAbsent(one.getKey(), _ -> new ArrayList<>(1)).add(one.getValue()));
    }

    private static RecordedStep step(ResultSet row) throws SQLException {
      byte[] launched = row.getBytes(10);
      byte[] used = row.getBytes(11);
      long end = row.getLong(7);
      return new RecordedStep(
          row.getInt(3),
          new ExitStatus(row.getInt(4), row.getInt(5)),
          Instant.ofEpochSecond(row.getLong(6)),
          end == SqlDialect.NEVER ? null : Instant.ofEpochSecond(end),
          row.getString(8),
          row.getInt(9),
          launched == null ? null : StepTable.LAUNCHED.decode(launched),
          used == null ? null : StepTable.USED.decode(used));
    }
  }
}
