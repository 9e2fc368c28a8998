package io.dure.accounting;

import io.dure.model.accounting.TresAmounts;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jdbi.v3.core.Handle;

/**
 * The tables of those to whom use counts and of what they used: resources that nearly every job has
 * are columns of one row, as each row costs as much as the job's own.
 */
final class OwnerTable {
  private static final int LIST = 500;

  /** The columns of the usual resources, in the order of {@link #USUAL}. */
  private static final List<String> COLUMNS = List.of("cpu", "mem", "node", "billing", "gpu");

  private static final List<String> USUAL =
      List.of(
          TresAmounts.CPU, TresAmounts.MEMORY, TresAmounts.NODE, TresAmounts.BILLING, "gres/gpu");

  private OwnerTable() {}

  /** The key of a row. */
  record Key(int span, long start, long owner) implements Comparable<Key> {
    @Override
    public int compareTo(Key other) {
      int bySpan = Integer.compare(span, other.span);
      int byStart = bySpan != 0 ? bySpan : Long.compare(start, other.start);
      return byStart != 0 ? byStart : Long.compare(owner, other.owner);
    }
  }

  /** Amounts times seconds. */
  static final class Sums {
    private final long[] usual = new long[USUAL.size()];
    private final Map<String, Long> rest = new TreeMap<>();

    void add(TresAmounts held, long seconds) {
      for (TresAmounts.Amount amount : held.amounts()) {
        int place = USUAL.indexOf(amount.name());
        if (place >= 0) {
          usual[place] += amount.amount() * seconds;
        } else {
          rest.merge(amount.name(), amount.amount() * seconds, Long::sum);
        }
      }
    }

    boolean hasUsual() {
      return Arrays.stream(usual).anyMatch(one -> one != 0);
    }

    Map<String, Long> rest() {
      return rest;
    }

    TableRow row(long cluster, Key key) {
      return TableRow.of(
          "use",
          cluster,
          key.span(),
          key.start(),
          key.owner(),
          usual[0],
          usual[1],
          usual[2],
          usual[3],
          usual[4]);
    }
  }

  /** An insert of such rows that adds to those that are there. */
  static String accumulate(SqlDialect dialect, int rows) {
    return dialect.accumulate(
        "usage_usual", List.of("cluster_id", "span", "start_time", "owner_id"), COLUMNS, rows);
  }

  /** What takes the sum of a resource. */
  interface Sink {
    /** An owner, by number, used so much of a resource. */
    void add(long owner, String tres, long seconds);
  }

  /** Adds up, of these resources or all, spans that begin between two times. */
  static void read(
      Handle handle,
      long cluster,
      UsageSpan span,
      UsageSpan.Window window,
      List<String> wanted,
      Sink sink) {
    List<Integer> places = new ArrayList<>();
    List<String> sums = new ArrayList<>();
    for (int i = 0; i < USUAL.size(); i++) {
      if (wanted.isEmpty() || wanted.contains(USUAL.get(i))) {
        places.add(i);
        sums.add(", SUM(" + COLUMNS.get(i) + ")");
      }
    }
    if (!places.isEmpty()) {
      handle
          .createQuery(
              "SELECT owner_id"
                  + String.join("", sums)
                  + " FROM usage_usual WHERE cluster_id = :cluster AND span = :span AND start_time"
                  + " >= :from AND start_time < :until GROUP BY owner_id")
          .bind("cluster", cluster)
          .bind("span", span.column())
          .bind("from", window.from())
          .bind("until", window.until())
          .map((row, _) -> {
            List<Long> values = new ArrayList<>();
            for (int i = 0; i <= places.size(); i++) {
              values.add(row.getLong(i + 1));
            }
            return values;
          })
          .forEach(values -> {
            for (int i = 0; i < places.size(); i++) {
              sink.add(values.getFirst(), USUAL.get(places.get(i)), values.get(i + 1));
            }
          });
    }
    Map<Long, String> names = TresTable.names(handle, wanted);
    names.values().removeAll(USUAL);
    if (!names.isEmpty()) {
      readRest(handle, cluster, span, window, names, sink);
    }
  }

  private static void readRest(
      Handle handle,
      long cluster,
      UsageSpan span,
      UsageSpan.Window window,
      Map<Long, String> names,
      Sink sink) {
    handle
        .createQuery(
            "SELECT owner_id, tres_id, SUM(seconds) FROM usage_sum WHERE cluster_id = :cluster AND"
                + " span = :span AND tres_id IN (<tres>) AND start_time >= :from AND start_time <"
                + " :until GROUP BY owner_id, tres_id")
        .bind("cluster", cluster)
        .bind("span", span.column())
        .bindList("tres", names.keySet())
        .bind("from", window.from())
        .bind("until", window.until())
        .map((row, _) -> List.of(row.getLong(1), row.getLong(2), row.getLong(3)))
        .forEach(row -> sink.add(row.get(0), names.getOrDefault(row.get(1), ""), row.get(2)));
  }

  /** The owners of these numbers. */
  static Map<Long, AttemptUse.Owner> owners(Handle handle, long cluster, Collection<Long> wanted) {
    Map<Long, AttemptUse.Owner> owners = new HashMap<>();
    handle
        .createQuery("SELECT id, account, user_name, wckey FROM usage_owner WHERE cluster_id = ?")
        .bind(0, cluster)
        .map((row, _) ->
            Map.entry(
                row.getLong(1),
                new AttemptUse.Owner(row.getString(2), row.getString(3), row.getString(4))))
        .filter(one -> wanted.contains(one.getKey()))
        .forEach(one -> owners.put(one.getKey(), one.getValue()));
    return owners;
  }

  /** The numbers of owners, new ones for those that have none. */
  static Map<AttemptUse.Owner, Long> numbers(
      Handle handle, long cluster, Collection<AttemptUse.Owner> owners) {
    Map<AttemptUse.Owner, Long> numbers = new HashMap<>();
    Set<String> names = new HashSet<>();
    owners.forEach(owner -> names.add(owner.user()));
    List<String> users = names.stream().sorted().toList();
    for (int from = 0; from < users.size(); from += LIST) {
      handle
          .createQuery(
              "SELECT id, account, user_name, wckey FROM usage_owner WHERE cluster_id = :cluster"
                  + " AND user_name IN (<users>)")
          .bind("cluster", cluster)
          .bindList("users", users.subList(from, Math.min(users.size(), from + LIST)))
          .map((row, _) ->
              Map.entry(
                  new AttemptUse.Owner(row.getString(2), row.getString(3), row.getString(4)),
                  row.getLong(1)))
          .forEach(one -> numbers.put(one.getKey(), one.getValue()));
    }
    for (AttemptUse.Owner owner : owners.stream().sorted().toList()) {
      numbers.computeIfAbsent(owner, one -> insert(handle, cluster, one));
    }
    return numbers;
  }

  private static long insert(Handle handle, long cluster, AttemptUse.Owner owner) {
    return handle
        .createUpdate(
            "INSERT INTO usage_owner (cluster_id, user_name, account, wckey) VALUES (?, ?, ?, ?)")
        .bind(0, cluster)
        .bind(1, owner.user())
        .bind(2, owner.account())
        .bind(3, owner.wckey())
        .executeAndReturnGeneratedKeys("id")
        .mapTo(Long.class)
        .one();
  }
}
