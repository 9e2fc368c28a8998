package io.dure.model.accounting.usage;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What users have used on another cluster that shares slurmdbd.
 *
 * @param users each user of an account once
 */
public record ClusterUsage(String cluster, List<OfUser> users) {
  /**
   * What a user of an account has used there.
   *
   * @param partition null where it holds for all
   */
  public record OfUser(
      String account, String user, @Nullable String partition, DecayedUsage usage) {}

  public ClusterUsage {
    users = List.copyOf(users);
  }
}
