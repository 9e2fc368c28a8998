package io.dure.accounting.migration;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.Statement;
import java.util.regex.Pattern;
import javax.sql.DataSource;

/**
 * Has statements that change a schema leave alone what they did before. For databases that take
 * each by itself, and understand {@code IF EXISTS}; others do not, so the steps do not say it.
 */
final class RepeatableStatements {
  private static final Pattern MADE =
      Pattern.compile("(?m)^(\\s*)(CREATE TABLE|CREATE INDEX|CREATE UNIQUE INDEX)\\s");

  private static final Pattern ADDED = Pattern.compile("\\sADD COLUMN\\s");
  private static final Pattern DROPPED =
      Pattern.compile("(?m)^(\\s*)(DROP INDEX|DROP TABLE)\\s|\\sDROP COLUMN\\s");

  private RepeatableStatements() {}

  /** The same source, with such statements. */
  static DataSource over(DataSource source) {
    return wrapped(DataSource.class, source);
  }

  private static <T> T wrapped(Class<T> type, T one) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (_, method, words) -> {
              Object[] said = words == null ? new Object[0] : words.clone();
              if (one instanceof Statement && said.length > 0 && said[0] instanceof String sql) {
                said[0] = repeatable(sql);
              }
              Object answer;
              try {
                answer = method.invoke(one, said);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
              return switch (answer) {
                case Connection connection -> wrapped(Connection.class, connection);
                case Statement statement when method.getName().equals("createStatement") ->
                    wrapped(Statement.class, statement);
                case null, default -> answer;
              };
            }));
  }

  /** A statement that may be made twice. */
  static String repeatable(String sql) {
    String made = MADE.matcher(sql).replaceAll("$1$2 IF NOT EXISTS ");
    String added = ADDED.matcher(made).replaceAll(" ADD COLUMN IF NOT EXISTS ");
    return DROPPED
        .matcher(added)
        .replaceAll(found -> found.group().stripTrailing() + " IF EXISTS ");
  }
}
