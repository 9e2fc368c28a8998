package io.dure.model.config;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Where the records of what ran are kept ({@code AccountingStorageType}). */
public enum AccountingStorage {
  /** In a database in the controller's directory. */
  EMBEDDED,

  /** Nowhere. */
  NONE,

  /** In a MariaDB server. */
  MARIADB,

  /** In a PostgreSQL server. */
  POSTGRESQL,

  /** Where {@code slurmdbd.conf} beside slurm.conf says; embedded where there is none. */
  AS_SLURMDBD_CONF_SAYS;

  /** What a value of {@code AccountingStorageType} means, null if nothing. */
  public static @Nullable AccountingStorage of(String type) {
    String plugin = type.toLowerCase(Locale.ROOT);
    return switch (plugin.substring(plugin.indexOf('/') + 1)) {
      case "", "slurmdbd" -> AS_SLURMDBD_CONF_SAYS;
      case "embedded" -> EMBEDDED;
      case "none" -> NONE;
      case "mysql", "mariadb" -> MARIADB;
      case "postgresql", "pgsql" -> POSTGRESQL;
      default -> null;
    };
  }
}
