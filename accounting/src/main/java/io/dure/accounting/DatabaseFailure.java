package io.dure.accounting;

import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/** What a failure of the database says. */
public final class DatabaseFailure {
  /** SQLite: constraint, mismatch, too big. */
  private static final int SQLITE_KIND = 0xff;

  /** MariaDB: no database of that name; a value larger than the server takes at once. */
  private static final int UNKNOWN_DATABASE = 1049;

  private static final int PACKET_TOO_LARGE = 1153;

  private DatabaseFailure() {}

  private static @Nullable SQLException sql(Throwable failure) {
    SQLException last = null;
    Throwable at = failure;
    // A batch has what its statement met behind it.
    for (int depth = 0; at != null && depth < 20; depth++) {
      if (at instanceof SQLException one) {
        last = one;
      }
      at = at.getCause();
    }
    return last;
  }

  /** In a line: what the driver said first, without the statement and its values. */
  public static String message(Throwable failure) {
    SQLException cause = sql(failure);
    String text = String.valueOf((cause == null ? failure : cause).getMessage());
    return text.strip().lines().findFirst().orElse("").strip();
  }

  /** Whether the database refuses the values themselves, so that it will refuse them again. */
  static boolean isOfData(Throwable failure, SqlDialect dialect) {
    SQLException cause = sql(failure);
    if (cause == null) {
      return false;
    }
    String state = String.valueOf(cause.getSQLState());
    return switch (dialect) {
      case SQLITE ->
          switch (cause.getErrorCode() & SQLITE_KIND) {
            case 18, 19, 20 -> true;
            default -> false;
          };
      case MARIADB ->
          state.startsWith("22")
              || state.startsWith("23")
              || cause.getErrorCode() == PACKET_TOO_LARGE;
      case POSTGRESQL -> state.startsWith("22") || state.startsWith("23") || state.startsWith("54");
    };
  }

  /** Whether a MariaDB server has no database of the name. */
  static boolean isUnknownDatabase(Throwable failure) {
    SQLException cause = sql(failure);
    return cause != null && cause.getErrorCode() == UNKNOWN_DATABASE;
  }
}
