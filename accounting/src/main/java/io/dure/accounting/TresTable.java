package io.dure.accounting;

import io.dure.model.accounting.TresAmounts;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jdbi.v3.core.Handle;
import org.jspecify.annotations.Nullable;

/**
 * Resources as the database has them: by number in sums, and amounts of several in a column, {@code
 * cpu=4,mem=1024}, memory in MiB.
 */
public final class TresTable {
  private TresTable() {}

  /** The numbers of resources with their names: of these, or all. */
  public static Map<Long, String> names(Handle handle, List<String> wanted) {
    Map<Long, String> names = new HashMap<>();
    handle
        .createQuery("SELECT id, name FROM tres")
        .map((row, _) -> Map.entry(row.getLong(1), row.getString(2)))
        .filter(one -> wanted.isEmpty() || wanted.contains(one.getValue()))
        .forEach(one -> names.put(one.getKey(), one.getValue()));
    return names;
  }

  /** The number of a resource, a new one if it has none. */
  public static long number(Handle handle, String name) {
    return handle
        .createQuery("SELECT id FROM tres WHERE name = ?")
        .bind(0, name)
        .mapTo(Long.class)
        .findOne()
        .orElseGet(() ->
            handle
                .createUpdate("INSERT INTO tres (name) VALUES (?)")
                .bind(0, name)
                .executeAndReturnGeneratedKeys("id")
                .mapTo(Long.class)
                .one());
  }

  /** Amounts as a column has them. */
  public static String text(TresAmounts tres) {
    return tres.amounts().stream()
        .map(amount -> amount.name() + "=" + amount.amount())
        .collect(Collectors.joining(","));
  }

  /** The amounts that a column has. */
  public static TresAmounts read(@Nullable String text) {
    if (text == null || text.isEmpty()) {
      return TresAmounts.NONE;
    }
    List<TresAmounts.Amount> amounts = new ArrayList<>();
    for (String part : text.split(",", -1)) {
      int sign = part.lastIndexOf('=');
      if (sign < 1) {
        continue; // of a name with a comma, which is none of Slurm's
      }
      amounts.add(
          new TresAmounts.Amount(
              part.substring(0, sign), Long.parseLong(part.substring(sign + 1))));
    }
    return new TresAmounts(amounts);
  }
}
