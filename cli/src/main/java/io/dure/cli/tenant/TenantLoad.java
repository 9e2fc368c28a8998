package io.dure.cli.tenant;

import io.dure.model.accounting.AccountingLimits;
import io.dure.model.accounting.Association;
import io.dure.model.accounting.LimitKind;
import io.dure.model.accounting.TresAmounts;
import io.dure.model.job.Allocation;
import io.dure.model.job.ArrayPart;
import io.dure.model.job.JobState;
import io.dure.protocol.JobInfo;
import io.dure.protocol.Response;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The jobs of some accounts that are not over.
 *
 * @param running how many run
 * @param held what they hold
 * @param waiting how many wait, by reason
 */
record TenantLoad(int running, TresAmounts held, Map<String, Integer> waiting) {

  /** Those of accounts. */
  static TenantLoad of(List<JobInfo> jobs, List<String> accounts) {
    int running = 0;
    TresAmounts held = TresAmounts.NONE;
    Map<String, Integer> waiting = new TreeMap<>();
    for (JobInfo info : jobs) {
      String account = info.job().spec().account();
      if (account == null || !accounts.contains(account)) {
        continue;
      }
      Allocation its = info.job().state().allocated();
      if (info.job().state() instanceof JobState.Pending) {
        int tasks =
            info.job().array() instanceof ArrayPart.Waiting part ? part.waiting().size() : 1;
        waiting.merge(info.reason(), tasks, Integer::sum);
      } else if (its != null) {
        running++;
        for (TresAmounts.Amount one : TresAmounts.of(its).amounts()) {
          held = held.with(one.name(), held.of(one.name()) + one.amount());
        }
      }
    }
    return new TenantLoad(running, held, waiting);
  }

  /** The limits of an account itself, with what counts against those that it has as a whole. */
  List<TenantReport.Limit> limits(Association place, Response.Shares shares) {
    Response.Share share = null;
    for (Response.Share one : shares.rows()) {
      share = one.association().id() == place.id() ? one : share;
    }
    List<TenantReport.Limit> limits = new ArrayList<>();
    for (AccountingLimits.Bound one : place.limits().bounds()) {
      String tres = one.tres();
      String name = one.limit().word() + (tres == null ? "" : "=" + tres);
      limits.add(new TenantReport.Limit(name, one.most(), used(one.limit(), tres, share)));
    }
    return limits;
  }

  private @Nullable Long used(
      LimitKind limit, @Nullable String tres, Response.@Nullable Share share) {
    int all = waiting.values().stream().mapToInt(Integer::intValue).sum();
    return switch (limit) {
      case GRP_JOBS -> (long) running;
      case GRP_SUBMIT_JOBS -> (long) running + all;
      case GRP_TRES -> tres == null ? null : (Long) held.of(tres);
      case GRP_TRES_MINS ->
          tres == null || share == null ? null : (Long) share.usedMinutes().of(tres);
      case GRP_TRES_RUN_MINS ->
          tres == null || share == null ? null : (Long) share.runMinutes().of(tres);
      default -> null;
    };
  }
}
