package io.dure.simulator.twin.whatif;

import io.dure.core.config.preempt.PreemptSettings;
import io.dure.core.controller.ClusterState;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/** Changes that the rest of a cluster's settings keeps from having an effect. */
final class Idle {
  private static final Pattern LIMIT =
      Pattern.compile("(?:grp|max|min)[a-z]*", Pattern.CASE_INSENSITIVE);
  private static final Pattern SET_LIMIT =
      Pattern.compile("(?:grp|max|min)[a-z]*[+-]?=.*", Pattern.CASE_INSENSITIVE);
  private static final Pattern PREEMPT_TYPE =
      Pattern.compile("preempttype\\s*=.*", Pattern.CASE_INSENSITIVE);

  private Idle() {}

  /** What there is to be said of changes, in sentences, once all of them are made. */
  static List<String> remarks(ClusterState state, List<Change> changes) {
    List<String> remarks = new ArrayList<>();
    if (changes.stream().anyMatch(Idle::isOfLimits)
        && !state.settings().priority().enforced().limits()) {
      remarks.add(
          "Limits bind nobody here: AccountingStorageEnforce does not name them"
              + " (--set AccountingStorageEnforce=limits).");
    }
    boolean byQos = state.settings().preempt().type() == PreemptSettings.Type.QOS;
    if (byQos
        && changes.stream().anyMatch(Idle::isOfPreemption)
        && state.accounts().qosByNumber().stream().allMatch(one -> one.preempt().isEmpty())) {
      remarks.add(
          "Nobody has to make room: no QOS says which it may preempt"
              + " (--sacctmgr \"modify qos high set preempt=low\").");
    }
    return remarks;
  }

  private static boolean isOfLimits(Change change) {
    return switch (change) {
      case Change.Entitled entitled -> LIMIT.matcher(entitled.key()).matches();
      case Change.Called called ->
          called.program().equals("sacctmgr")
              && called.words().stream().anyMatch(word -> SET_LIMIT.matcher(word).matches());
      case Change.Setting _, Change.MoreNodes _, Change.Ordered _, Change.Submitted _ -> false;
    };
  }

  private static boolean isOfPreemption(Change change) {
    return change instanceof Change.Setting(String line) && PREEMPT_TYPE.matcher(line).matches();
  }
}
