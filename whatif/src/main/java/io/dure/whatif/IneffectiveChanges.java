package io.dure.whatif;

import io.dure.cluster.ClusterState;
import io.dure.model.config.preempt.PreemptSettings;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/** Changes that the rest of a cluster's settings keeps from having an effect. */
final class IneffectiveChanges {
  private static final Pattern LIMIT =
      Pattern.compile("(?:grp|max|min)[a-z]*", Pattern.CASE_INSENSITIVE);
  private static final Pattern SET_LIMIT =
      Pattern.compile("(?:grp|max|min)[a-z]*[+-]?=.*", Pattern.CASE_INSENSITIVE);
  private static final Pattern PREEMPT_TYPE =
      Pattern.compile("preempttype\\s*=.*", Pattern.CASE_INSENSITIVE);

  private IneffectiveChanges() {}

  /** What there is to be said of changes, in sentences, once all of them are made. */
  static List<String> remarks(ClusterState state, List<WhatIfChange> changes) {
    List<String> remarks = new ArrayList<>();
    if (changes.stream().anyMatch(IneffectiveChanges::isOfLimits)
        && !state.settings().priority().enforced().limits()) {
      remarks.add(
          "Limits bind nobody here: AccountingStorageEnforce does not name them"
              + " (--set AccountingStorageEnforce=limits).");
    }
    boolean byQos = state.settings().preempt().type() == PreemptSettings.Type.QOS;
    if (byQos
        && changes.stream().anyMatch(IneffectiveChanges::isOfPreemption)
        && state.accounts().qosByNumber().stream().allMatch(one -> one.preempt().isEmpty())) {
      remarks.add(
          "Nobody has to make room: no QOS says which it may preempt"
              + " (--sacctmgr \"modify qos high set preempt=low\").");
    }
    return remarks;
  }

  private static boolean isOfLimits(WhatIfChange change) {
    return switch (change) {
      case WhatIfChange.EntitlementChange entitled -> LIMIT.matcher(entitled.key()).matches();
      case WhatIfChange.CommandChange called ->
          called.program().equals("sacctmgr")
              && called.words().stream().anyMatch(word -> SET_LIMIT.matcher(word).matches());
      case WhatIfChange.SettingChange _,
          WhatIfChange.NodeCountChange _,
          WhatIfChange.OrderChange _,
          WhatIfChange.SubmitChange _ ->
          false;
    };
  }

  private static boolean isOfPreemption(WhatIfChange change) {
    return change instanceof WhatIfChange.SettingChange(String line)
        && PREEMPT_TYPE.matcher(line).matches();
  }
}
