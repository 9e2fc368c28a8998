package io.dure.model.accounting;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** Which QOS the jobs of an association may have. All functions are pure. */
public final class QosAccess {
  private QosAccess() {}

  /** Whether an association's default QOS is none of those that its jobs may have. */
  public static boolean isBarred(AccountingTree tree, Association own) {
    String chosen = own.defaultQos();
    if (chosen == null) {
      return false;
    }
    List<String> all = own.qos().isEmpty() ? tree.effective(own).qos() : own.qos();
    return !all.contains(chosen);
  }

  /**
   * The associations that changes would part from their default QOS, by number. One that is new may
   * be without: its list may come later, as with Slurm.
   *
   * @param before the tree before the changes
   * @param after the tree after them
   */
  public static List<Association> barred(
      AccountingTree before, AccountingTree after, List<AccountingChange> changes) {
    Map<Integer, Association> touched = new LinkedHashMap<>();
    for (AccountingChange change : changes) {
      if (change instanceof AccountingChange.AssociationSet(Association next)
          && reaches(before, next)) {
        List<Association> below = next.user() == null ? after.walk(next.account()) : List.of(next);
        below.forEach(one -> touched.put(one.id(), one));
      }
    }
    List<Association> barred = new ArrayList<>();
    for (Association one : touched.values()) {
      Association known = before.associations().get(one.id());
      boolean was =
          known == null
              || (isBarred(before, known) && Objects.equals(one.defaultQos(), known.defaultQos()));
      if (isBarred(after, one) && !was) {
        barred.add(one);
      }
    }
    return barred;
  }

  /** Whether a change may give or take QOS. */
  private static boolean reaches(AccountingTree before, Association next) {
    Association known = next.id() < 0 ? null : before.associations().get(next.id());
    return known != null
        && !(known.qos().equals(next.qos())
            && Objects.equals(known.defaultQos(), next.defaultQos())
            && Objects.equals(known.parent(), next.parent())
            && known.account().equals(next.account()));
  }
}
