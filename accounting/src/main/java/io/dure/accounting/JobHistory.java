package io.dure.accounting;

import io.dure.model.ExitStatus;
import io.dure.model.accounting.record.AttemptId;
import io.dure.model.job.Job;
import io.dure.model.request.TimeLimit;
import io.dure.protocol.accounting.JobHistoryQuery;
import io.dure.protocol.accounting.RecordedJob;
import io.dure.protocol.accounting.RecordedStep;
import io.dure.protocol.accounting.RecordedText;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
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
    return database.jdbi().withHandle(handle -> find(handle, query, now));
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

  private record Row(AttemptId attempt, Job job, boolean requeued) {}

  private Page find(Handle handle, JobHistoryQuery query, Instant now) {
    Long known = AccountingDatabase.clusterNumber(handle, cluster);
    if (known == null) {
      return new Page(List.of(), null, List.of());
    }
    int page = query.text() == null ? PAGE : TEXT_PAGE;
    JobConditions conditions = new JobConditions(known);
    conditions.add(query, now.getEpochSecond());
    List<Row> rows =
        conditions
            .bind(
                handle.createQuery(
                    "SELECT job_id, attempt, requeued, record FROM "
                        + conditions.tables()
                        + " WHERE "
                        + conditions.text()
                        + " ORDER BY "
                        + JobConditions.order(query)
                        + " LIMIT "
                        + page))
            .map((row, _) -> row(row))
            .list();
    AttemptId last = rows.size() < page ? null : rows.getLast().attempt();
    List<Row> chosen = rows.stream().filter(row -> passes(query, row.job())).toList();
    if (!query.attempts()) {
      chosen = newest(handle, known, chosen);
    }
    Map<AttemptId, List<RecordedStep>> steps =
        query.steps() ? steps(handle, known, chosen) : Map.of();
    return new Page(
        chosen.stream()
            .map(row ->
                new RecordedJob(
                    row.attempt(),
                    row.job(),
                    row.requeued(),
                    steps.getOrDefault(row.attempt(), List.of())))
            .toList(),
        last,
        texts(handle, query, chosen));
  }

  private static List<RecordedText> texts(Handle handle, JobHistoryQuery query, List<Row> rows) {
    RecordedText.Kind kind = query.text();
    return kind == null
        ? List.of()
        : JobTextTable.read(
            handle, rows.stream().map(row -> kind.of(row.job().workload())).toList());
  }

  private static Row row(ResultSet row) throws SQLException {
    return new Row(
        new AttemptId(row.getInt(1), row.getInt(2)),
        JobTable.RECORD.decode(row.getBytes(4)),
        row.getInt(3) != 0);
  }

  /** Without those of a job with an id that has a later attempt, chosen or not. */
  private static List<Row> newest(Handle handle, long cluster, List<Row> rows) {
    Map<Integer, Integer> latest = new HashMap<>();
    for (List<Integer> ids : AttemptUses.idLists(rows.stream().map(Row::attempt).toList())) {
      handle
          .createQuery(
              "SELECT job_id, MAX(attempt) FROM job WHERE cluster_id = :cluster AND job_id IN"
                  + " (<ids>) GROUP BY job_id")
          .bind("cluster", cluster)
          .bindList("ids", ids)
          .map((row, _) -> Map.entry(row.getInt(1), row.getInt(2)))
          .forEach(entry -> latest.put(entry.getKey(), entry.getValue()));
    }
    return rows.stream()
        .filter(row -> latest.getOrDefault(row.attempt().jobId(), 0) == row.attempt().number())
        .toList();
  }

  private static Map<AttemptId, List<RecordedStep>> steps(
      Handle handle, long cluster, List<Row> rows) {
    Map<AttemptId, List<RecordedStep>> steps = new LinkedHashMap<>();
    for (List<Integer> ids : AttemptUses.idLists(rows.stream().map(Row::attempt).toList())) {
      handle
          .createQuery(
              "SELECT job_id, attempt, step, exit_code, exit_signal, start_time, end_time,"
                  + " node_list, tasks, launched, used FROM step WHERE cluster_id = :cluster AND"
                  + " job_id IN (<ids>) ORDER BY job_id, attempt, step")
          .bind("cluster", cluster)
          .bindList("ids", ids)
          .map((row, _) -> Map.entry(new AttemptId(row.getInt(1), row.getInt(2)), step(row)))
          .forEach(entry ->
              steps.computeIfAbsent(entry.getKey(), _ -> new ArrayList<>()).add(entry.getValue()));
    }
    return steps;
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
}
