package io.dure.accounting;

import io.dure.model.accounting.record.AttemptId;
import io.dure.model.command.JobSelector;
import io.dure.protocol.accounting.JobHistoryQuery;
import io.dure.surface.facts.SlurmJobState;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jdbi.v3.core.statement.Query;
import org.jspecify.annotations.Nullable;

/** The conditions of a statement about the table of attempts, with their values. */
final class JobConditions {
  /**
   * Each by an index of its own, which not all of the databases do with OR, and before the jobs.
   * SQLite goes through all jobs in their order for a UNION that is not of ALL.
   */
  private static final String CHOSEN =
      "(SELECT DISTINCT chosen FROM (SELECT job_id AS chosen FROM job WHERE cluster_id = :cluster"
          + " AND job_id IN (<jobs>) UNION ALL SELECT job_id FROM job WHERE cluster_id = :cluster AND"
          + " array_job_id IN (<jobs>) UNION ALL SELECT job_id FROM job WHERE cluster_id = :cluster"
          + " AND het_leader IN (<jobs>)";

  /** The other components of those that are named. */
  private static final String WHOLE =
      " UNION ALL SELECT job_id FROM job WHERE cluster_id = :cluster AND het_leader IN (SELECT"
          + " het_leader FROM job WHERE cluster_id = :cluster AND job_id IN (<jobs>))";

  private static final String BEFORE_JOBS = ") named) chosen_jobs CROSS JOIN job";

  private static final String WANTED =
      "SELECT job.job_id, job.attempt, job.requeued, job.record, job.tres_req, (SELECT ";

  /** Of later attempts the first one is enough: each one comes after those before it. */
  private static final String NEXT =
      " FROM job later WHERE later.cluster_id = job.cluster_id AND later.job_id = job.job_id AND"
          + " later.attempt > job.attempt ORDER BY later.attempt LIMIT 1) FROM ";

  /** When an attempt could begin. */
  private static final String BEGIN =
      "CASE WHEN later.start_time < later.eligible_time THEN later.start_time ELSE"
          + " later.eligible_time END";

  private static final String ORDERED = "job_id + 0";

  /**
   * After it came into the queue an attempt is over, unless the column {@code long_lived} says
   * otherwise.
   */
  private static final Duration LONG_LIFE = Duration.ofDays(7);

  /** So that the index of owners serves for the time behind it. */
  private static final String ANY_LIFE = "long_lived IN (0, 1)";

  private String tables = "job";
  private final List<String> texts = new ArrayList<>();
  private final Map<String, Object> values = new LinkedHashMap<>();
  private final Map<String, List<?>> lists = new LinkedHashMap<>();

  JobConditions(long cluster) {
    texts.add("cluster_id = :cluster");
    values.put("cluster", cluster);
  }

  /** The tables that the conditions are about. */
  String tables() {
    return tables;
  }

  String text() {
    return String.join(" AND ", texts);
  }

  Query bind(Query query) {
    values.forEach(query::bind);
    lists.forEach((name, list) -> query.bindList(name, list));
    return query;
  }

  /**
   * The statement that lists them, so many at most: job id, attempt, whether it was requeued, the
   * record, and the time of the job's next attempt, chosen or not, null where there is none: see
   * {@link #lastNext}. These are the first ones by job id and attempt, in any order.
   */
  String listing(JobHistoryQuery query, int most) {
    String limit = " LIMIT " + most;
    String wanted = WANTED + (listsWaiting(query) ? "later.submit_time" : BEGIN) + NEXT;
    return isOfOwners(query)
        ? wanted
            + "("
            + found(query.until())
            + " ORDER BY found_id, found_attempt"
            + limit
            + ") found CROSS JOIN job WHERE job.cluster_id = :cluster AND job.job_id = found_id AND"
            + " job.attempt = found_attempt"
        : wanted + tables + " WHERE " + text() + " ORDER BY job_id, attempt" + limit;
  }

  /**
   * The last time of a next attempt that is listed instead of the one before it. A job of a crontab
   * that waits for its next time is to be found by its last run.
   */
  static long lastNext(JobHistoryQuery query, long now) {
    Instant until = query.until();
    if (listsWaiting(query)) {
      return until == null ? SqlDialect.NEVER : until.getEpochSecond() - 1;
    }
    return until == null ? now : until.getEpochSecond();
  }

  /** Whether what cannot begin yet is listed, too. */
  private static boolean listsWaiting(JobHistoryQuery query) {
    return Boolean.TRUE.equals(query.open()) || query.states().isEmpty() && !query.jobs().isEmpty();
  }

  /** Those of a time up to then, null for up to now, by the index of owners. */
  private String found(@Nullable Instant until) {
    return until == null
        ? found(ANY_LIFE)
        : "SELECT found_id, found_attempt FROM ("
            + found("long_lived = 0 AND end_time <= " + until.plus(LONG_LIFE).getEpochSecond())
            + " UNION ALL "
            + found("long_lived = 1")
            + ") found_at_all";
  }

  /** Those that the index tells. */
  private String found(String lives) {
    return "SELECT "
        + ORDERED
        + " AS found_id, attempt AS found_attempt FROM "
        + tables
        + " WHERE "
        + text()
        + " AND "
        + lives;
  }

  private static boolean isOfOwners(JobHistoryQuery query) {
    return !query.users().isEmpty() || !query.accounts().isEmpty();
  }

  /**
   * The number of a job where a listing goes on, and is ordered. Where users or accounts are named,
   * as what no database has an index of: to find their next jobs they would go through the jobs of
   * all others.
   */
  private static String number(JobHistoryQuery query) {
    return isOfOwners(query) ? ORDERED : "job_id";
  }

  /** What a listing asks for. */
  void add(JobHistoryQuery query, long now) {
    AttemptId after = query.after();
    if (after != null) {
      texts.add(number(query) + " >= :after AND (job_id > :after OR attempt > :afterAttempt)");
      values.put("after", after.jobId());
      values.put("afterAttempt", after.number());
    }
    addJobs(query);
    if (Boolean.TRUE.equals(query.open())) {
      texts.add("end_time = :never");
      values.put("never", SqlDialect.NEVER);
    } else {
      times(query, now);
    }
  }

  /** Only what ran between two times. */
  void addRan(JobHistoryQuery query, long from, long until) {
    if (isOfOwners(query)) {
      texts.add(ANY_LIFE);
    }
    texts.add("start_time < :until AND end_time > :from");
    values.put("from", from);
    values.put("until", until);
  }

  /** What is asked for but for times. */
  void addJobs(JobHistoryQuery query) {
    if (!query.jobs().isEmpty()) {
      tables = CHOSEN + (Boolean.TRUE.equals(query.wholeHetJobs()) ? WHOLE : "") + BEFORE_JOBS;
      texts.add("job_id = chosen");
      lists.put("jobs", query.jobs().stream().map(JobSelector::jobId).distinct().toList());
    }
    nameOrNumber("user_name", "uid", query.users());
    nameOrNumber("group_name", "gid", query.groups());
    names("account", query.accounts());
    in("partition_name", query.partitions());
    names("qos", query.qos());
    in("job_name", query.names());
    names("wckey", query.wckeys());
    range("cpus", query.cpus());
    range("nodes", query.nodeCount());
  }

  private void names(String column, List<String> list) {
    in(column, list.stream().map(name -> String.valueOf(SqlDialect.name(name))).toList());
  }

  private void nameOrNumber(String names, String numbers, List<String> list) {
    List<Long> digits = list.stream().filter(JobConditions::isNumber).map(Long::valueOf).toList();
    List<String> words =
        list.stream()
            .filter(word -> !isNumber(word))
            .map(word -> String.valueOf(SqlDialect.name(word)))
            .toList();
    if (!digits.isEmpty() && !words.isEmpty()) {
      texts.add("(" + names + " IN (<" + names + ">) OR " + numbers + " IN (<" + numbers + ">))");
      lists.put(names, words);
      lists.put(numbers, digits);
    } else {
      in(names, words);
      in(numbers, digits);
    }
  }

  private void in(String column, List<?> list) {
    if (!list.isEmpty()) {
      texts.add(column + " IN (<" + column + ">)");
      lists.put(
          column,
          list.stream().map(v -> v instanceof String text ? SqlDialect.text(text) : v).toList());
    }
  }

  private void range(String column, JobHistoryQuery.@Nullable Range range) {
    if (range != null) {
      texts.add(column + " BETWEEN :" + column + "Least AND :" + column + "Most");
      values.put(column + "Least", range.least());
      values.put(column + "Most", range.most());
    }
  }

  private void times(JobHistoryQuery query, long now) {
    Instant from = query.from();
    Instant until = query.until();
    if (query.states().isEmpty()) {
      if (from != null) {
        texts.add("end_time >= :from");
        values.put("from", from.getEpochSecond());
      }
      if (until != null) {
        texts.add("submit_time < :until");
        values.put("until", until.getEpochSecond());
      }
      if (query.jobs().isEmpty()) {
        texts.add("eligible_time <= :eligible");
        values.put("eligible", until == null ? now : until.getEpochSecond());
      }
      return;
    }
    values.put("from", from == null ? 0 : from.getEpochSecond());
    values.put("until", until == null ? now : until.getEpochSecond());
    texts.add(
        query.states().stream()
            .map(JobConditions::inState)
            .distinct()
            .collect(Collectors.joining(" OR ", "(", ")")));
  }

  /** Whether a job was in a state at some moment of the time. */
  private static String inState(String name) {
    SlurmJobState state = SlurmJobState.find(name);
    return switch (state) {
      case null -> "1 = 0";
      case PENDING -> "(eligible_time <= :until AND start_time >= :from AND end_time >= :from)";
      case RUNNING -> "(start_time <= :until AND end_time >= :from)";
      case SUSPENDED -> "(state = 'SUSPENDED' AND start_time <= :until)";
      case REQUEUED -> "(requeued = 1 AND end_time >= :from AND end_time <= :until)";
      case SlurmJobState over ->
          "(state = '" + over.name() + "' AND end_time >= :from AND end_time <= :until)";
    };
  }

  private static boolean isNumber(String word) {
    return word.matches("[0-9]{1,10}");
  }
}
