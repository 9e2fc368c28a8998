package io.dure.accounting;

import io.dure.model.accounting.TresAmounts;
import io.dure.model.accounting.record.AttemptId;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jdbi.v3.core.Handle;
import org.jspecify.annotations.Nullable;

/** Reads what attempts used from their rows. */
final class AttemptUses {
  /** Values in one list of a statement, fewer than any of the databases allows. */
  private static final int LIST = 500;

  /** Attempts that are read at once. */
  private static final int PAGE = 10_000;

  private static final String SELECT =
      "SELECT job_id, attempt, account, user_name, wckey, eligible_time, start_time, end_time,"
          + " suspended_seconds, tres_alloc, tres_req, cpus, memory_mib, nodes, gpus FROM job";

  private AttemptUses() {}

  /** The attempts of these that are over in the database, which count in its sums, by their ids. */
  static Map<AttemptId, AttemptUse> counted(
      Handle handle, long cluster, Collection<AttemptId> attempts) {
    Map<AttemptId, AttemptUse> found = new HashMap<>();
    for (List<Integer> ids : idLists(attempts)) {
      handle
          .createQuery(
              SELECT
                  + " WHERE cluster_id = :cluster AND job_id BETWEEN :first AND :last AND job_id IN"
                  + " (<ids>) AND end_time < :never")
          .bind("cluster", cluster)
          .bind("never", SqlDialect.NEVER)
          // A server that knows nothing of a table yet takes a list for all of it, but no range.
          .bind("first", ids.getFirst())
          .bind("last", ids.getLast())
          .bindList("ids", ids)
          .map((row, _) -> row(row))
          .forEach(use -> found.put(use.attempt(), use));
    }
    found.keySet().retainAll(attempts);
    return found;
  }

  /** The next attempts that are over, by job id and attempt; none behind the last. */
  static List<AttemptUse> over(Handle handle, long cluster, AttemptId after) {
    return handle
        .createQuery(
            SELECT
                + " WHERE cluster_id = :cluster AND end_time < :never AND job_id >= :job AND (job_id"
                + " > :job OR attempt > :attempt) ORDER BY job_id, attempt LIMIT "
                + PAGE)
        .bind("cluster", cluster)
        .bind("never", SqlDialect.NEVER)
        .bind("job", after.jobId())
        .bind("attempt", after.number())
        .map((row, _) -> row(row))
        .list();
  }

  /** The attempts that are not over. */
  static List<AttemptUse> live(Handle handle, long cluster) {
    return handle
        .createQuery(SELECT + " WHERE cluster_id = :cluster AND end_time = :never")
        .bind("cluster", cluster)
        .bind("never", SqlDialect.NEVER)
        .map((row, _) -> row(row))
        .list();
  }

  /** The attempts that run or are suspended. */
  static List<AttemptUse> running(Handle handle, long cluster) {
    return handle
        .createQuery(
            SELECT + " WHERE cluster_id = :cluster AND end_time = :never AND start_time < :never")
        .bind("cluster", cluster)
        .bind("never", SqlDialect.NEVER)
        .map((row, _) -> row(row))
        .list();
  }

  /** The attempts that ran in a reservation of a name between two times. */
  static List<AttemptUse> ofReservation(
      Handle handle, long cluster, String name, long from, long until) {
    return handle
        .createQuery(
            SELECT
                + " WHERE cluster_id = :cluster AND reservation = :name AND end_time > :from AND"
                + " start_time < :until")
        .bind("cluster", cluster)
        .bind("name", name)
        .bind("from", from)
        .bind("until", until)
        .map((row, _) -> row(row))
        .list();
  }

  /** The suspensions of those that were suspended, in order. */
  static Map<AttemptId, List<AttemptUse.Interval>> pauses(
      Handle handle, long cluster, Collection<AttemptUse> uses) {
    List<AttemptId> paused =
        uses.stream()
            .filter(use -> use.suspended() > 0 || !use.over() && use.start() != SqlDialect.NEVER)
            .map(AttemptUse::attempt)
            .toList();
    return suspensions(handle, cluster, paused);
  }

  /** The suspensions of all attempts of the jobs of these, in order. */
  static Map<AttemptId, List<AttemptUse.Interval>> suspensions(
      Handle handle, long cluster, Collection<AttemptId> attempts) {
    Map<AttemptId, List<AttemptUse.Interval>> pauses = new LinkedHashMap<>();
    for (List<Integer> ids : idLists(attempts)) {
      handle
          .createQuery(
              "SELECT job_id, attempt, start_time, end_time FROM suspension WHERE cluster_id ="
                  + " :cluster AND job_id BETWEEN :first AND :last AND job_id IN (<ids>) ORDER BY"
                  + " job_id, attempt, start_time")
          .bind("cluster", cluster)
          .bind("first", ids.getFirst())
          .bind("last", ids.getLast())
          .bindList("ids", ids)
          .map((row, _) ->
              Map.entry(
                  new AttemptId(row.getInt(1), row.getInt(2)),
                  new AttemptUse.Interval(row.getLong(3), row.getLong(4))))
          .forEach(one ->
              pauses.computeIfAbsent(one.getKey(), _ -> new ArrayList<>()).add(one.getValue()));
    }
    return pauses;
  }

  private static AttemptUse row(ResultSet row) throws SQLException {
    String held = row.getString(10);
    TresAmounts amounts = held == null ? ofColumns(row) : TresTable.read(held);
    String asked = row.getString(11);
    return new AttemptUse(
        new AttemptId(row.getInt(1), row.getInt(2)),
        new AttemptUse.Owner(text(row.getString(3)), row.getString(4), text(row.getString(5))),
        row.getLong(6),
        row.getLong(7),
        row.getLong(8),
        row.getLong(9),
        amounts,
        cpus(asked == null ? amounts : TresTable.read(asked)));
  }

  /** What of a request is reported while it waits: the CPUs, as Slurm does. */
  static TresAmounts cpus(TresAmounts asked) {
    return TresAmounts.NONE.with(TresAmounts.CPU, asked.of(TresAmounts.CPU));
  }

  /** What a row of an older release holds. */
  private static TresAmounts ofColumns(ResultSet row) throws SQLException {
    long cpus = row.getLong(12);
    TresAmounts held =
        TresAmounts.NONE
            .with(TresAmounts.CPU, cpus)
            .with(TresAmounts.MEMORY, row.getLong(13))
            .with(TresAmounts.NODE, row.getLong(14))
            .with(TresAmounts.BILLING, cpus);
    long gpus = row.getLong(15);
    return gpus == 0 ? held : held.with("gres/gpu", gpus);
  }

  private static String text(@Nullable String text) {
    return Objects.requireNonNullElse(text, "");
  }

  /** The job ids of attempts in lists that a statement takes. */
  static List<List<Integer>> idLists(Collection<AttemptId> attempts) {
    List<Integer> ids = attempts.stream().map(AttemptId::jobId).distinct().sorted().toList();
    List<List<Integer>> lists = new ArrayList<>();
    for (int from = 0; from < ids.size(); from += LIST) {
      lists.add(ids.subList(from, Math.min(ids.size(), from + LIST)));
    }
    return lists;
  }
}
