package io.dure.accounting;

import io.dure.model.HostList;
import io.dure.model.accounting.TresAmounts;
import io.dure.model.accounting.record.AccountingRecord;
import io.dure.protocol.accounting.ReservationUse;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jdbi.v3.core.Handle;
import org.jspecify.annotations.Nullable;

/**
 * The rows of what a cluster has, of nodes that take no jobs, of suspended runs, and of
 * reservations: one for each time in which one had the same.
 */
final class ClusterTables {
  private static final String RESERVATIONS =
      "SELECT resv_id, start_time, end_time, name, node_list, tres, flags, users, accounts FROM"
          + " reservation WHERE cluster_id = ? AND ";

  private ClusterTables() {}

  /** Which record it is, for the log. */
  static String subject(AccountingRecord record) {
    return switch (record) {
      case AccountingRecord.JobPause pause -> "pause of job " + pause.attempt().jobId();
      case AccountingRecord.ReservationTime time -> "reservation " + time.name();
      case AccountingRecord.AccountsChange _ -> "change of accounts";
      case AccountingRecord.ClusterCapacity _ -> "capacity of the cluster";
      case AccountingRecord.NodeOutage _, AccountingRecord.NodesOut _ -> "outage of nodes";
      case AccountingRecord.JobAttempt _,
          AccountingRecord.StepBegun _,
          AccountingRecord.StepPart _,
          AccountingRecord.JobText _,
          AccountingRecord.JobOver _,
          AccountingRecord.JobCorrected _ ->
          throw new IllegalArgumentException("of a job: " + record);
    };
  }

  /** Stores a record that is not of a job's rows. */
  static void write(Handle handle, long cluster, AccountingRecord record) {
    switch (record) {
      case AccountingRecord.JobPause pause -> write(handle, cluster, pause);
      case AccountingRecord.NodeOutage outage -> write(handle, cluster, outage);
      case AccountingRecord.NodesOut out -> write(handle, cluster, out);
      case AccountingRecord.ClusterCapacity has -> write(handle, cluster, has);
      case AccountingRecord.AccountsChange change -> write(handle, cluster, change);
      case AccountingRecord.ReservationTime time -> write(handle, cluster, time);
      case AccountingRecord.JobAttempt _,
          AccountingRecord.StepBegun _,
          AccountingRecord.StepPart _,
          AccountingRecord.JobText _,
          AccountingRecord.JobOver _,
          AccountingRecord.JobCorrected _ ->
          throw new IllegalArgumentException("of a job: " + record);
    }
  }

  private record Outage(long start, String state, String reason, long uid) {}

  private record Capacity(long start, String nodes, String tres) {}

  static void write(Handle handle, long cluster, AccountingRecord.JobPause pause) {
    long start = pause.start().getEpochSecond();
    int known =
        handle.execute(
            "UPDATE suspension SET end_time = ? WHERE cluster_id = ? AND job_id = ? AND attempt = ?"
                + " AND start_time = ?",
            JobTable.seconds(pause.end()),
            cluster,
            pause.attempt().jobId(),
            pause.attempt().number(),
            start);
    if (known == 0) {
      handle.execute(
          "INSERT INTO suspension (cluster_id, job_id, attempt, start_time, end_time) VALUES (?, ?,"
              + " ?, ?, ?)",
          cluster,
          pause.attempt().jobId(),
          pause.attempt().number(),
          start,
          JobTable.seconds(pause.end()));
    }
  }

  static void write(Handle handle, long cluster, AccountingRecord.NodeOutage outage) {
    Outage open =
        handle
            .createQuery(
                "SELECT start_time, state, reason, reason_uid FROM outage WHERE cluster_id = ? AND"
                    + " node = ? AND end_time = ?")
            .bind(0, cluster)
            .bind(1, outage.node())
            .bind(2, SqlDialect.NEVER)
            .map((row, _) ->
                new Outage(row.getLong(1), row.getString(2), row.getString(3), row.getLong(4)))
            .findOne()
            .orElse(null);
    long at = outage.at().getEpochSecond();
    long uid = Integer.toUnsignedLong(outage.reasonUid());
    String reason = String.valueOf(SqlDialect.text(outage.reason()));
    if (open != null) {
      if (open.equals(new Outage(open.start(), outage.state(), reason, uid))) {
        return;
      }
      handle.execute(
          "UPDATE outage SET end_time = ? WHERE cluster_id = ? AND node = ? AND start_time = ?",
          Math.max(at, open.start()), // the clock may have gone back
          cluster,
          outage.node(),
          open.start());
    }
    if (!outage.state().isEmpty()) {
      // One that began in the same second took no time.
      handle.execute(
          "DELETE FROM outage WHERE cluster_id = ? AND node = ? AND start_time = ?",
          cluster,
          outage.node(),
          at);
      handle.execute(
          "INSERT INTO outage (cluster_id, node, start_time, end_time, state, reason, reason_uid,"
              + " tres) VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
          cluster,
          outage.node(),
          at,
          SqlDialect.NEVER,
          outage.state(),
          reason,
          uid,
          TresTable.text(outage.tres()));
    }
  }

  static void write(Handle handle, long cluster, AccountingRecord.NodesOut out) {
    Set<String> named = Set.copyOf(HostList.expand(out.nodes()));
    List<Outage> open =
        handle
            .createQuery(
                "SELECT start_time, node FROM outage WHERE cluster_id = ? AND end_time = ?")
            .bind(0, cluster)
            .bind(1, SqlDialect.NEVER)
            .map((row, _) -> new Outage(row.getLong(1), row.getString(2), "", 0))
            .list();
    for (Outage one : open) {
      String node = one.state();
      if (!named.contains(node)) {
        handle.execute(
            "UPDATE outage SET end_time = ? WHERE cluster_id = ? AND node = ? AND start_time = ?",
            Math.max(out.at().getEpochSecond(), one.start()),
            cluster,
            node,
            one.start());
      }
    }
  }

  static void write(Handle handle, long cluster, AccountingRecord.ClusterCapacity capacity) {
    Capacity last =
        handle
            .createQuery(
                "SELECT start_time, node_list, tres FROM capacity WHERE cluster_id = ? ORDER BY"
                    + " start_time DESC LIMIT 1")
            .bind(0, cluster)
            .map((row, _) -> new Capacity(row.getLong(1), row.getString(2), row.getString(3)))
            .findOne()
            .orElse(null);
    String tres = TresTable.text(capacity.tres());
    long at = capacity.at().getEpochSecond();
    if (last != null && last.equals(new Capacity(last.start(), capacity.nodes(), tres))) {
      return;
    }
    long start = last == null ? at : Math.max(at, last.start());
    handle.execute("DELETE FROM capacity WHERE cluster_id = ? AND start_time = ?", cluster, start);
    handle.execute(
        "INSERT INTO capacity (cluster_id, start_time, node_list, nodes, tres) VALUES (?, ?, ?, ?,"
            + " ?)",
        cluster,
        start,
        capacity.nodes(),
        capacity.nodeCount(),
        tres);
  }

  static void write(Handle handle, long cluster, AccountingRecord.AccountsChange change) {
    handle.execute(
        "INSERT INTO txn (cluster_id, at_time, actor, action, target, info) VALUES (?, ?, ?, ?, ?, ?)",
        cluster,
        change.at().getEpochSecond(),
        SqlDialect.name(change.actor()),
        change.action(),
        SqlDialect.text(change.where()),
        SqlDialect.text(change.info()));
  }

  /** What a row says beside its times. */
  private record ReservationHas(
      String name, String nodes, String tres, String flags, String users, String accounts) {
    static ReservationHas of(AccountingRecord.ReservationTime time) {
      return new ReservationHas(
          String.valueOf(SqlDialect.name(time.name())),
          time.nodes(),
          TresTable.text(time.tres()),
          String.join(",", time.flags()),
          String.valueOf(SqlDialect.text(String.join(",", time.users()))),
          String.valueOf(SqlDialect.text(String.join(",", time.accounts()))));
    }
  }

  private record ReservationRow(int id, long start, long end, ReservationHas has) {}

  private static ReservationRow reservation(ResultSet row) throws SQLException {
    return new ReservationRow(
        row.getInt(1),
        row.getLong(2),
        row.getLong(3),
        new ReservationHas(
            row.getString(4),
            row.getString(5),
            row.getString(6),
            row.getString(7),
            row.getString(8),
            row.getString(9)));
  }

  static void write(Handle handle, long cluster, AccountingRecord.ReservationTime time) {
    long at = time.at().getEpochSecond();
    ReservationRow newest =
        handle
            .createQuery(RESERVATIONS + "resv_id = ? ORDER BY start_time DESC LIMIT 1")
            .bind(0, cluster)
            .bind(1, time.id())
            .map((row, _) -> reservation(row))
            .findOne()
            .orElse(null);
    ReservationRow last = newest == null || newest.end() <= at ? null : newest;
    long start = time.start().getEpochSecond();
    long end = time.end().getEpochSecond();
    ReservationHas has = ReservationHas.of(time);
    if (last == null) {
      if (!time.over() && end > at) {
        begin(handle, cluster, newest, new ReservationRow(time.id(), start, end, has), at);
      }
      return;
    }
    boolean begun = last.start() <= at;
    boolean same = begun && !time.over() && start <= at && last.has().equals(has);
    if (same) {
      end(handle, cluster, last, end);
    } else if (begun && last.start() < at) {
      end(handle, cluster, last, at);
    } else {
      delete(handle, cluster, last.id(), last.start());
    }
    if (!same && !time.over() && end > at) {
      insert(
          handle,
          cluster,
          new ReservationRow(time.id(), begun ? Math.max(start, at) : start, end, has));
    }
  }

  /**
   * A reservation that is not known to be there. One that was over by its times may go on with the
   * start that it had: jobs hold it, and an operator has given it more time.
   *
   * @param newest the last row of it, null for none; it is over
   */
  private static void begin(
      Handle handle, long cluster, @Nullable ReservationRow newest, ReservationRow row, long at) {
    if (newest == null || newest.start() < row.start()) {
      insert(handle, cluster, row);
    } else if (newest.start() == row.start() && newest.has().equals(row.has())) {
      end(handle, cluster, newest, row.end());
    } else {
      delete(handle, cluster, row.id(), at);
      insert(handle, cluster, new ReservationRow(row.id(), at, row.end(), row.has()));
    }
  }

  private static void delete(Handle handle, long cluster, int id, long start) {
    handle.execute(
        "DELETE FROM reservation WHERE cluster_id = ? AND resv_id = ? AND start_time = ?",
        cluster,
        id,
        start);
  }

  private static void end(Handle handle, long cluster, ReservationRow row, long end) {
    if (row.end() != end) {
      handle.execute(
          "UPDATE reservation SET end_time = ? WHERE cluster_id = ? AND resv_id = ? AND start_time ="
              + " ?",
          end,
          cluster,
          row.id(),
          row.start());
    }
  }

  private static void insert(Handle handle, long cluster, ReservationRow row) {
    ReservationHas has = row.has();
    handle.execute(
        "INSERT INTO reservation (cluster_id, resv_id, start_time, end_time, name, node_list, tres,"
            + " flags, users, accounts) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        cluster,
        row.id(),
        row.start(),
        row.end(),
        has.name(),
        has.nodes(),
        has.tres(),
        has.flags(),
        has.users(),
        has.accounts());
  }

  /**
   * What reservations had and what their jobs used, between two times.
   *
   * @param whole whether all of their own time counts
   */
  static List<ReservationUse> reservations(
      Handle handle, long cluster, long from, long until, long now, boolean whole) {
    List<ReservationUse> uses = new ArrayList<>();
    handle
        .createQuery(RESERVATIONS + "end_time > ? AND start_time < ? ORDER BY start_time, resv_id")
        .bind(0, cluster)
        .bind(1, from)
        .bind(2, until)
        .map((row, _) -> reservation(row))
        .list()
        .forEach(row -> {
          long begin = whole ? row.start() : Math.max(row.start(), from);
          long end = whole ? row.end() : Math.min(row.end(), until);
          Map<String, Long> used = used(handle, cluster, row, begin, Math.min(end, now));
          List<ReservationUse.Amount> amounts = new ArrayList<>();
          for (TresAmounts.Amount one : TresTable.read(row.has().tres()).amounts()) {
            amounts.add(
                new ReservationUse.Amount(
                    one.name(), one.amount(), used.getOrDefault(one.name(), 0L)));
          }
          uses.add(
              new ReservationUse(
                  row.id(),
                  row.has().name(),
                  Instant.ofEpochSecond(row.start()),
                  Instant.ofEpochSecond(row.end()),
                  end - begin,
                  row.has().nodes(),
                  row.has().flags(),
                  row.has().users(),
                  row.has().accounts(),
                  amounts));
        });
    return uses;
  }

  private static Map<String, Long> used(
      Handle handle, long cluster, ReservationRow row, long from, long until) {
    Map<String, Long> used = new HashMap<>();
    List<AttemptUse> jobs =
        AttemptUses.ofReservation(handle, cluster, row.has().name(), from, until);
    var pauses = AttemptUses.pauses(handle, cluster, jobs);
    for (AttemptUse job : jobs) {
      job.ran(
          pauses.getOrDefault(job.attempt(), List.of()),
          from,
          until,
          (begin, end, held) -> {
            for (TresAmounts.Amount one : held.amounts()) {
              used.merge(one.name(), one.amount() * (end - begin), Long::sum);
            }
          });
    }
    return used;
  }
}
