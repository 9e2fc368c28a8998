package io.dure.model.accounting;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a job is charged to, and by which QOS it runs.
 *
 * @param account the account, null for none
 * @param qos the QOS, null for none
 */
public record AccountAndQos(@Nullable String account, @Nullable String qos) {

  /** Whether a job may be what it asks to be. */
  public sealed interface Answer {
    /** It may; what it left open is filled in. */
    record Granted(AccountAndQos membership) implements Answer {}

    /** The user has no such association. */
    record NoAccount() implements Answer {}

    /** There is no such QOS, or the association does not have it. */
    record NoQos() implements Answer {}
  }

  /**
   * The account and QOS of a job.
   *
   * @param user the job's owner
   * @param account what it asks for, null for the user's default
   * @param qos what it asks for, null for the association's default
   * @param partitions where it may run
   */
  public static Answer of(
      AccountingTree tree,
      AccountingEnforcement enforced,
      String user,
      @Nullable String account,
      @Nullable String qos,
      List<String> partitions) {
    if (tree.isUntouched() && !enforced.associations()) {
      return new Answer.Granted(new AccountAndQos(account, qos));
    }
    AccountUser known = tree.user(user);
    String charged =
        account != null || known == null || known.defaultAccount().isEmpty()
            ? account
            : known.defaultAccount();
    Association association = null;
    for (String partition : partitions) {
      Association found = charged == null ? null : tree.charged(charged, user, partition);
      if (found == null && enforced.associations()) {
        return new Answer.NoAccount();
      }
      association = association == null ? found : association;
    }
    return qos(tree, enforced, association, new AccountAndQos(charged, qos));
  }

  private static Answer qos(
      AccountingTree tree,
      AccountingEnforcement enforced,
      @Nullable Association association,
      AccountAndQos asked) {
    Association whole = association == null ? null : tree.effective(association);
    if (asked.qos() == null) {
      return new Answer.Granted(new AccountAndQos(asked.account(), usual(tree, whole)));
    }
    boolean exists = tree.qos(asked.qos()) != null;
    boolean has = whole != null && whole.qos().contains(asked.qos());
    return enforced.qos() && !(exists && has) ? new Answer.NoQos() : new Answer.Granted(asked);
  }

  private static @Nullable String usual(AccountingTree tree, @Nullable Association whole) {
    if (whole != null && whole.defaultQos() != null) {
      return whole.defaultQos();
    }
    if (whole != null && whole.qos().size() == 1) {
      return whole.qos().getFirst();
    }
    return tree.qos("normal") == null ? null : "normal";
  }
}
