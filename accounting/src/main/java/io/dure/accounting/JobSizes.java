package io.dure.accounting;

import io.dure.model.HostList;
import io.dure.protocol.accounting.JobHistoryQuery;
import io.dure.protocol.accounting.UsageReport;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import org.jdbi.v3.core.Handle;

/** How large jobs were that ran, and how much of a time they took. */
final class JobSizes {
  private static final String OWNER = "account, user_name, wckey, cpus";

  /**
   * How long it ran in the time, what took none counts for no job; suspensions count as if they lay
   * within it.
   */
  private static final String RAN =
      "((CASE WHEN end_time < :until THEN end_time ELSE :until END) - (CASE WHEN start_time > :from"
          + " THEN start_time ELSE :from END) - suspended_seconds)";

  private JobSizes() {}

  private record Group(AttemptUse.Owner owner, long cpus) implements Comparable<Group> {
    @Override
    public int compareTo(Group other) {
      int byOwner = owner.compareTo(other.owner);
      return byOwner != 0 ? byOwner : Long.compare(cpus, other.cpus);
    }
  }

  private record Row(Group group, String nodes, long jobs, long seconds) {}

  static List<UsageReport.JobSize> of(
      Handle handle, long cluster, UsageSpan.Window window, JobHistoryQuery query) {
    JobConditions conditions = new JobConditions(cluster);
    conditions.addJobs(query);
    conditions.addRan(query, window.from(), window.until());
    // Nodes are told apart only where they are asked for: there are many lists of them.
    String nodes = query.nodes().isEmpty() ? "" : ", node_list";
    Set<String> wanted = Set.copyOf(query.nodes());
    Map<Group, List<Row>> groups = new TreeMap<>();
    conditions
        .bind(
            handle.createQuery(
                "SELECT "
                    + OWNER
                    + ", SUM(CASE WHEN "
                    + RAN
                    + " > 0 THEN 1 ELSE 0 END), SUM(CASE WHEN "
                    + RAN
                    + " > 0 THEN "
                    + RAN
                    + " ELSE 0 END)"
                    + nodes
                    + " FROM "
                    + conditions.tables()
                    + " WHERE "
                    + conditions.text()
                    + " GROUP BY "
                    + OWNER
                    + nodes))
        .map((row, _) -> row(row, !nodes.isEmpty()))
        .filter(row ->
            wanted.isEmpty() || HostList.expand(row.nodes()).stream().anyMatch(wanted::contains))
        .forEach(row -> groups.computeIfAbsent(row.group(), _ -> new ArrayList<>()).add(row));
    List<UsageReport.JobSize> sizes = new ArrayList<>();
    groups.forEach((group, rows) ->
        sizes.add(
            new UsageReport.JobSize(
                group.owner().account(),
                group.owner().user(),
                group.owner().wckey(),
                group.cpus(),
                rows.stream().mapToLong(Row::jobs).sum(),
                rows.stream().mapToLong(Row::seconds).sum() * group.cpus())));
    return sizes;
  }

  private static Row row(ResultSet row, boolean nodes) throws SQLException {
    AttemptUse.Owner owner =
        new AttemptUse.Owner(
            Objects.requireNonNullElse(row.getString(1), ""),
            row.getString(2),
            Objects.requireNonNullElse(row.getString(3), ""));
    return new Row(
        new Group(owner, row.getLong(4)),
        nodes ? row.getString(7) : "",
        row.getLong(5),
        row.getLong(6));
  }
}
