package io.dure.core.accounting;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A place in the tree: an account, or a user of one.
 *
 * @param id its number, never given again
 * @param account the account
 * @param user the user, null for the account itself
 * @param partition the only partition that it is for, null for all
 * @param parent the account above, for accounts but root; null otherwise
 * @param shares its share among its siblings, null for {@code parent}
 * @param priority its own part in the priority of jobs, null to take what is above
 * @param limits the limits set here
 * @param qos the QOS that jobs may have, by name; empty to take what is above
 * @param defaultQos the QOS of jobs that name none, null to take what is above
 */
public record Association(
    int id,
    String account,
    @Nullable String user,
    @Nullable String partition,
    @Nullable String parent,
    @Nullable Long shares,
    @Nullable Long priority,
    Limits limits,
    List<String> qos,
    @Nullable String defaultQos) {
  public Association {
    qos = List.copyOf(qos);
  }

  /** An account without settings of its own. */
  public static Association ofAccount(int id, String account, @Nullable String parent) {
    return new Association(id, account, null, null, parent, 1L, null, Limits.NONE, List.of(), null);
  }

  /** A user of an account, without settings of its own. */
  public static Association ofUser(
      int id, String account, String user, @Nullable String partition) {
    return new Association(
        id, account, user, partition, null, 1L, null, Limits.NONE, List.of(), null);
  }

  /** The same with other shares; null for {@code parent}. */
  public Association withShares(@Nullable Long next) {
    return new Association(
        id, account, user, partition, parent, next, priority, limits, qos, defaultQos);
  }

  /** The same with another part in the priority. */
  public Association withPriority(@Nullable Long next) {
    return new Association(
        id, account, user, partition, parent, shares, next, limits, qos, defaultQos);
  }

  /** The same with other limits. */
  public Association withLimits(Limits next) {
    return new Association(
        id, account, user, partition, parent, shares, priority, next, qos, defaultQos);
  }

  /** The same with other QOS. */
  public Association withQos(List<String> next) {
    return new Association(
        id, account, user, partition, parent, shares, priority, limits, next, defaultQos);
  }

  /** The same with another default QOS. */
  public Association withDefaultQos(@Nullable String next) {
    return new Association(
        id, account, user, partition, parent, shares, priority, limits, qos, next);
  }

  /** The same below another account. */
  public Association withParent(@Nullable String next) {
    return new Association(
        id, account, user, partition, next, shares, priority, limits, qos, defaultQos);
  }

  /** The same of a user with another name. */
  public Association withUser(String next) {
    return new Association(
        id, account, next, partition, parent, shares, priority, limits, qos, defaultQos);
  }
}
