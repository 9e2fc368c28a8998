package io.dure.model.config.accounting;

import io.dure.model.config.AccountingStorage;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * A database server that keeps the records of what ran, and how to get in. Never a part of the
 * cluster's state: it has a password.
 *
 * @param storage {@link AccountingStorage#MARIADB} or {@link AccountingStorage#POSTGRESQL}
 * @param hosts names or addresses: the first, and those that are asked where it does not answer
 * @param database its name in the server
 * @param parameters of {@code StorageParameters}, with their names in capitals
 */
public record AccountingServer(
    AccountingStorage storage,
    List<String> hosts,
    int port,
    String database,
    Login login,
    Map<String, String> parameters) {
  /** The file with the certificate of the authority; the connection is encrypted then. */
  public static final String CA = "SSL_CA";

  /** The file with the certificate that the server asks for. */
  public static final String CERTIFICATE = "SSL_CERT";

  /** The file with its key. */
  public static final String KEY = "SSL_KEY";

  public AccountingServer {
    hosts = List.copyOf(hosts);
    parameters = Collections.unmodifiableMap(new TreeMap<>(parameters));
  }

  /** A user of the database and its password. */
  public record Login(String user, String password) {
    @Override
    public String toString() {
      return user;
    }
  }

  /** Kind, host and name of the database, for logs. */
  @Override
  public String toString() {
    String kind = storage == AccountingStorage.MARIADB ? "MariaDB" : "PostgreSQL";
    return kind + " at " + String.join(" or ", hosts) + ":" + port + ", database " + database;
  }
}
