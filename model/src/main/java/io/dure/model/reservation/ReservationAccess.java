package io.dure.model.reservation;

import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Who may use a reservation. A job must fit both users (or groups) and accounts where both are
 * named. Names that begin with a minus are kept out, and then all others may.
 *
 * @param users login names, empty where users do not matter
 * @param accounts accounts, empty where they do not matter
 * @param groups groups, empty where they do not matter
 */
public record ReservationAccess(List<String> users, List<String> accounts, List<String> groups) {

  /** Whether no user, group or account is named. */
  public boolean isEmpty() {
    return users.isEmpty() && accounts.isEmpty() && groups.isEmpty();
  }

  /**
   * Whether a user's job may use it.
   *
   * @param account what the job is charged to, null for nothing
   * @param userGroups the groups that the user is in
   */
  public boolean permits(String user, @Nullable String account, List<String> userGroups) {
    boolean member = groups.isEmpty() || groups.stream().anyMatch(userGroups::contains);
    return member && permitsJob(user, account);
  }

  /** The same of a job that was let in with the groups that its owner was in. */
  public boolean permitsJob(String user, @Nullable String account) {
    return allows(users, user)
        && allows(accounts, account == null ? "" : account.toLowerCase(Locale.ROOT));
  }

  private static boolean allows(List<String> names, String name) {
    if (names.isEmpty()) {
      return true;
    }
    boolean denies = names.getFirst().startsWith("-");
    return denies ? !names.contains("-" + name) : names.contains(name);
  }
}
