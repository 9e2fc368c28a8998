package io.dure.accounting;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jdbi.v3.core.Handle;

/** The numbers that sums have for resources. */
final class TresTable {
  private TresTable() {}

  /** The numbers of resources with their names: of these, or all. */
  static Map<Long, String> names(Handle handle, List<String> wanted) {
    Map<Long, String> names = new HashMap<>();
    handle
        .createQuery("SELECT id, name FROM tres")
        .map((row, _) -> Map.entry(row.getLong(1), row.getString(2)))
        .filter(one -> wanted.isEmpty() || wanted.contains(one.getValue()))
        .forEach(one -> names.put(one.getKey(), one.getValue()));
    return names;
  }

  /** The number of a resource, a new one if it has none. */
  static long number(Handle handle, String name) {
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
}
