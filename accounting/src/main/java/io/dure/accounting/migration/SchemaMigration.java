package io.dure.accounting.migration;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import javax.sql.DataSource;
import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.FlywayException;
import org.flywaydb.core.api.MigrationInfo;
import org.flywaydb.core.api.MigrationState;

/**
 * The steps from what schema a database has to the present one. All methods throw {@link
 * NewerSchemaException} for a database that a newer release made, and {@link
 * org.flywaydb.core.api.FlywayException} where it does not answer.
 */
public final class SchemaMigration {
  private static final String HISTORY = "schema_history";

  /** Tables of the first step. */
  private static final List<String> FIRST = List.of("cluster", "job", "step");

  private static final Set<MigrationState> NEWER =
      EnumSet.of(MigrationState.FUTURE_SUCCESS, MigrationState.FUTURE_FAILED);

  private final DataSource source;
  private final Flyway flyway;
  private final Kind kind;

  /** How a database takes changes of its schema. */
  public enum Kind {
    /** A step is made or not. */
    TRANSACTIONAL,
    /** Each statement counts by itself: a step that was cut off is made again. */
    BY_STATEMENT
  }

  /**
   * Steps that are not made yet.
   *
   * @param places where the statements are
   * @param placeholders what the statements call by name
   * @param shared whether it may hold tables of others: those of a slurmdbd that was there before
   */
  public SchemaMigration(
      DataSource source,
      Kind kind,
      List<String> places,
      Map<String, String> placeholders,
      boolean shared) {
    this.source = source;
    this.kind = kind;
    flyway =
        Flyway.configure()
            .dataSource(kind == Kind.BY_STATEMENT ? RepeatableStatements.over(source) : source)
            .locations(places.toArray(String[]::new))
            .placeholders(placeholders)
            .table(HISTORY)
            .baselineOnMigrate(shared)
            .baselineVersion("0")
            .load();
  }

  /** The steps that the database lacks. */
  public List<MigrationInfo> pending() {
    refuseNewer();
    return List.of(flyway.info().pending());
  }

  /** Whether all is made, and as it is meant. */
  public boolean isDone() {
    refuseNewer();
    MigrationInfo[] steps = flyway.info().all();
    if (Arrays.stream(steps).anyMatch(step -> step.getState() == MigrationState.FAILED)
        || flyway.info().pending().length > 0) {
      return false;
    }
    flyway.validate();
    return true;
  }

  /**
   * Makes the steps.
   *
   * @return how many
   */
  public int migrate() {
    refuseNewer();
    if (kind == Kind.BY_STATEMENT) {
      refuseOthers();
      forgetFailures();
    }
    return flyway.migrate().migrationsExecuted;
  }

  /** Rows of a later schema would be read as what they are not. */
  private void refuseNewer() {
    for (MigrationInfo step : flyway.info().all()) {
      if (NEWER.contains(step.getState())) {
        throw new NewerSchemaException(String.valueOf(step.getVersion()));
      }
    }
  }

  /** A step that was cut off, and the next attempt at it, would be refused for ever. */
  private void forgetFailures() {
    for (MigrationInfo step : flyway.info().all()) {
      if (step.getState() == MigrationState.FAILED) {
        execute(
            "DELETE FROM "
                + HISTORY
                + " WHERE success = 0 AND version = '"
                + step.getVersion()
                + "'");
      }
    }
  }

  /**
   * What was there before the first step is of another program: steps that leave alone what they
   * made would take it for their own.
   */
  private void refuseOthers() {
    try (Connection connection = source.getConnection()) {
      if (!has(connection, HISTORY)) {
        for (String table : FIRST) {
          if (has(connection, table)) {
            throw new FlywayException(
                "the database has a table "
                    + table
                    + " that is not Dure's; make an empty database, and name it by StorageLoc");
          }
        }
      }
    } catch (SQLException e) {
      throw new FlywayException(String.valueOf(e.getMessage()), e);
    }
  }

  private static boolean has(Connection connection, String table) throws SQLException {
    try (ResultSet found =
        connection
            .getMetaData()
            .getTables(connection.getCatalog(), null, table, new String[] {"TABLE"})) {
      return found.next();
    }
  }

  private void execute(String sql) {
    try (Connection connection = source.getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
      if (!connection.getAutoCommit()) {
        connection.commit();
      }
    } catch (SQLException e) {
      throw new FlywayException(String.valueOf(e.getMessage()), e);
    }
  }
}
