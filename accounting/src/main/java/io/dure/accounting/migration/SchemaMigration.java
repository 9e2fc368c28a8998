package io.dure.accounting.migration;

import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import javax.sql.DataSource;
import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.MigrationInfo;
import org.flywaydb.core.api.MigrationState;

/**
 * The steps from what schema a database has to the present one. All methods throw {@link
 * org.flywaydb.core.api.FlywayException} where it does not answer, or a newer release made it.
 */
public final class SchemaMigration {
  private static final Set<MigrationState> OF_A_NEWER_RELEASE =
      EnumSet.of(
          MigrationState.FUTURE_SUCCESS,
          MigrationState.FUTURE_FAILED,
          MigrationState.MISSING_SUCCESS,
          MigrationState.MISSING_FAILED);

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
    this.kind = kind;
    flyway =
        Flyway.configure()
            .dataSource(kind == Kind.BY_STATEMENT ? RepeatableStatements.over(source) : source)
            .locations(places.toArray(String[]::new))
            .placeholders(placeholders)
            .table("schema_history")
            .baselineOnMigrate(shared)
            .baselineVersion("0")
            .load();
  }

  /** The steps that the database lacks. */
  public List<MigrationInfo> pending() {
    return List.of(flyway.info().pending());
  }

  /** Whether all is made, and as it is meant. */
  public boolean isDone() {
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
    if (kind == Kind.BY_STATEMENT) {
      forgetFailures();
    }
    return flyway.migrate().migrationsExecuted;
  }

  /** A step that was cut off, and the next attempt at it, would be refused for ever. */
  private void forgetFailures() {
    Set<MigrationState> states = EnumSet.noneOf(MigrationState.class);
    for (MigrationInfo step : flyway.info().all()) {
      states.add(step.getState());
    }
    boolean newer = states.stream().anyMatch(OF_A_NEWER_RELEASE::contains);
    if (states.contains(MigrationState.FAILED) && !newer) {
      flyway.repair();
    }
  }
}
