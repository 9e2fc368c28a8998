package io.dure.controller.view;

import io.dure.cluster.ClusterState;
import io.dure.model.accounting.AccountingTree;
import io.dure.model.accounting.Association;
import io.dure.model.accounting.PrioritySettings;
import io.dure.model.accounting.TresAmounts;
import io.dure.model.accounting.usage.DecayedUsage;
import io.dure.model.accounting.usage.FairShareCalculation;
import io.dure.model.accounting.usage.FairShareTable;
import io.dure.model.accounting.usage.JobCharge;
import io.dure.model.accounting.usage.UsageDecay;
import io.dure.model.command.Caller;
import io.dure.model.config.ClusterSettings;
import io.dure.model.config.PartitionConfig;
import io.dure.model.config.queueorder.PolicySettings;
import io.dure.model.job.Hold;
import io.dure.model.job.Job;
import io.dure.model.job.JobState;
import io.dure.model.privacy.CallerSight;
import io.dure.model.report.PriorityFactors;
import io.dure.protocol.Response;
import io.dure.protocol.slurmdbd.ClusterAccounts;
import io.dure.rules.priority.PriorityTable;
import io.dure.rules.queueorder.DurePriorityTable;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Accounts, shares and priorities as they are shown. Any thread. */
public final class AccountsView {
  private static final int MINUTE = 60;

  private AccountsView() {}

  /**
   * Accounts, users, associations and QOS.
   *
   * @param clusters those of the clusters that share a slurmdbd
   * @param privateBooks what slurmdbd.conf hides besides
   */
  public static Response accounts(
      ClusterState state,
      Caller.User caller,
      List<ClusterAccounts> clusters,
      List<String> privateBooks) {
    ClusterSettings.Controller settings = state.settings().controller();
    List<String> hidden =
        Stream.concat(settings.privateData().stream(), privateBooks.stream()).toList();
    return new Response.Accounts(
        settings.clusterName(),
        settings.hosts().getFirst().address(),
        settings.port(),
        new AccountVisibility(state.accounts(), hidden, caller).of(state.accounts().records()),
        caller.identity().userName(),
        caller.operator(),
        clusters.stream()
            .map(one ->
                new ClusterAccounts(
                    one.cluster(),
                    one.host(),
                    one.port(),
                    new AccountVisibility(AccountingTree.of(one.accounts()), hidden, caller)
                        .of(one.accounts())))
            .toList());
  }

  /** Shares of accounts and users, and how much of them is used. */
  public static Response shares(ClusterState state, Caller.User caller, Instant now) {
    PrioritySettings settings = state.settings().priority();
    AccountingTree tree = state.accounts();
    UsageDecay decay = UsageDecay.of(settings.halfLife());
    boolean classic =
        settings.has(PrioritySettings.Flag.NO_FAIR_TREE)
            || settings.has(PrioritySettings.Flag.DEPTH_OBLIVIOUS);
    FairShareTable shares = FairShareCalculation.of(settings, tree, state.usage(), now);
    Map<Integer, TresAmounts> left = runMinutes(state, now);
    List<Response.Share> rows = new ArrayList<>();
    AccountVisibility visible = new AccountVisibility(state, caller);
    for (Association one : tree.walk()) {
      DecayedUsage usage = state.usage().of(one, now, decay);
      rows.add(
          new Response.Share(
              one,
              tree.path(one).size() - 1,
              shares.normShares(sharing(tree, one)),
              usage.raw(),
              shares.normUsage(one),
              shares.effectiveUsage(one),
              shares.level(one),
              shares.factor(one),
              left.getOrDefault(one.id(), TresAmounts.NONE),
              usedMinutes(usage)));
    }
    rows.removeIf(row -> !visible.sees(row));
    return new Response.Shares(
        state.settings().controller().clusterName(), rows, !classic, caller.identity().userName());
  }

  /** The association whose shares count: one with its parent's has none of its own. */
  private static Association sharing(AccountingTree tree, Association one) {
    for (Association at : tree.path(one)) {
      if (at.shares() != null) {
        return at;
      }
    }
    return one;
  }

  private static TresAmounts usedMinutes(DecayedUsage usage) {
    TresAmounts minutes = TresAmounts.NONE;
    for (DecayedUsage.OfTres one : usage.tres()) {
      minutes = minutes.with(one.name(), (long) (one.seconds() / MINUTE));
    }
    return minutes;
  }

  /** What running jobs may still use, by associations. */
  private static Map<Integer, TresAmounts> runMinutes(ClusterState state, Instant now) {
    Map<Integer, TresAmounts> left = new HashMap<>();
    for (Job job : state.active().values()) {
      JobCharge charge = state.usage().charges().get(job.id());
      if (charge == null || charge.association() == null) {
        continue;
      }
      long seconds = secondsLeft(job, now);
      Association own = state.accounts().associations().get(charge.association());
      for (Association at = own; at != null; at = state.accounts().parent(at)) {
        TresAmounts sum = left.getOrDefault(at.id(), TresAmounts.NONE);
        for (TresAmounts.Amount amount : charge.tres().amounts()) {
          long minutes = amount.amount() * seconds / MINUTE;
          sum = sum.with(amount.name(), sum.of(amount.name()) + minutes);
        }
        left.put(at.id(), sum);
      }
    }
    return left;
  }

  private static long secondsLeft(Job job, Instant now) {
    Instant end = job.state() instanceof JobState.Running running ? running.end() : null;
    return end == null ? 0 : Math.max(0, Duration.between(now, end).toSeconds());
  }

  /** What the priority of the pending jobs that the caller sees is made of. */
  public static Response priorities(
      ClusterState state, DisplayedPriorities shown, Caller.User caller, Instant now) {
    PolicySettings policy = state.settings().scheduling().policy();
    DurePriorityTable standings = policy == null ? null : DurePriorityTable.of(state, now);
    PriorityTable weightless =
        PriorityTable.isInForce(state.settings())
            ? null
            : PriorityTable.of(state, state.accounts(), state.usage(), now);
    CallerSight sight = CallerSight.of(state.accounts(), state.settings(), caller);
    List<Response.JobPriority> rows = new ArrayList<>();
    for (Job job : state.pending().values()) {
      if (!sight.ofJob(job) || !(job.state() instanceof JobState.Pending pending)) {
        continue;
      }
      if (pending.hold() != Hold.NONE || job.priority() == 0 || job.eligibleTime() == null) {
        continue;
      }
      PriorityTable known = shown.tableOf(state, job);
      PriorityTable table = known == null ? weightless : known;
      for (String name : job.spec().partitions()) {
        PartitionConfig partition = state.partition(name);
        if (partition != null && table != null) {
          PriorityFactors factors =
              policy == null || standings == null
                  ? table.of(job, partition)
                  : DureOrderFactors.of(standings.of(job, partition), policy);
          rows.add(
              new Response.JobPriority(
                  job.id(),
                  job.owner().userName(),
                  text(job.spec().account()),
                  text(job.spec().qos()),
                  name,
                  factors));
        }
      }
    }
    return new Response.Priorities(
        policy != null || state.settings().scheduling().multifactor(),
        policy == null
            ? state.settings().priority()
            : DureOrderFactors.weights(state.settings().priority(), policy),
        rows);
  }

  private static String text(@Nullable String value) {
    return Objects.requireNonNullElse(value, "");
  }
}
