package io.dure.model.accounting;

import java.util.List;

/**
 * An account that jobs are charged to.
 *
 * @param name its name, in lower case
 * @param description what it is for
 * @param organization whom it belongs to
 * @param coordinators users who administer it and all below it, by name
 */
public record Account(
    String name, String description, String organization, List<String> coordinators) {
  /** The account at the root of the tree. */
  public static final String ROOT = "root";

  public Account {
    coordinators = List.copyOf(coordinators);
  }

  /** The same with other coordinators. */
  public Account coordinatedBy(List<String> users) {
    return new Account(name, description, organization, users);
  }
}
