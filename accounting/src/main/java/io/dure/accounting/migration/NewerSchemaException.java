package io.dure.accounting.migration;

import org.flywaydb.core.api.FlywayException;

/** A newer release has changed the schema of the database. */
public final class NewerSchemaException extends FlywayException {
  private static final long serialVersionUID = 1;

  NewerSchemaException(String version) {
    super(
        "the schema is of a newer release (version "
            + version
            + "), and nothing was changed; use that release, or restore a backup of the database"
            + " that was made before");
  }
}
