package io.dure.model.accounting;

import io.soabase.recordbuilder.core.RecordBuilder;
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
 * @param comment any text, null where none
 */
@RecordBuilder
public record Association(
    int id,
    String account,
    @Nullable String user,
    @Nullable String partition,
    @Nullable String parent,
    @Nullable Long shares,
    @Nullable Long priority,
    AccountingLimits limits,
    List<String> qos,
    @Nullable String defaultQos,
    @Nullable String comment)
    implements AssociationBuilder.With {
  public Association {
    qos = List.copyOf(qos);
  }

  /** An account without settings of its own. */
  public static Association ofAccount(int id, String account, @Nullable String parent) {
    return new Association(
        id, account, null, null, parent, 1L, null, AccountingLimits.NONE, List.of(), null, null);
  }

  /** A user of an account, without settings of its own. */
  public static Association ofUser(
      int id, String account, String user, @Nullable String partition) {
    return new Association(
        id, account, user, partition, null, 1L, null, AccountingLimits.NONE, List.of(), null, null);
  }
}
