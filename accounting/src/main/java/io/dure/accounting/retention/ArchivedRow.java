package io.dure.accounting.retention;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * A row as an archive has it: resources and those to whom use counts by name, as their numbers are
 * those of one database.
 *
 * @param values numbers as Long, texts as String, the rest as bytes; nothing for NULL
 */
record ArchivedRow(ArchivedTable table, Map<String, Object> values) {
  ArchivedRow {
    values = Collections.unmodifiableMap(new LinkedHashMap<>(values));
  }

  /** A number, 0 for none. */
  long number(String column) {
    return values.get(column) instanceof Long number ? number : 0;
  }

  /** A text, empty for none. */
  String text(String column) {
    return values.get(column) instanceof String text ? text : "";
  }

  /** The same with another value. */
  ArchivedRow with(String column, Object value) {
    Map<String, Object> changed = new LinkedHashMap<>(values);
    changed.put(column, value);
    return new ArchivedRow(table, changed);
  }
}
