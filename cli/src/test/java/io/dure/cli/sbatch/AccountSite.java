package io.dure.cli.sbatch;

import io.dure.cli.command.FakeContext;
import io.dure.cluster.ClusterState;
import io.dure.model.ExitStatus;
import io.dure.model.UserIdentity;
import io.dure.model.accounting.Association;
import io.dure.model.accounting.Qos;
import io.dure.model.accounting.usage.FairShareCalculation;
import io.dure.model.accounting.usage.FairShareTable;
import io.dure.model.accounting.usage.UsageDecay;
import io.dure.model.command.Caller;
import io.dure.model.command.Command;
import io.dure.model.command.JobSelector;
import io.dure.model.command.StepEnd;
import io.dure.model.job.Job;
import io.dure.model.job.JobState;
import io.dure.rules.priority.PriorityTable;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * A cluster with accounts, whose time passes: alice and bob are charged to bio, alice also to chem;
 * all have the QOS normal and gold.
 */
final class AccountSite {
  private static final Caller.User ROOT =
      new Caller.User(new UserIdentity(0, 0, "root", "root"), List.of(), true);

  private final Site site;

  AccountSite(List<String> conf) {
    List<String> lines = new ArrayList<>();
    lines.add("SelectTypeParameters=CR_Core_Memory");
    lines.add("DefMemPerCPU=100");
    lines.addAll(conf);
    String text = String.join("\n", conf);
    if (!text.contains("NodeName")) {
      lines.add("NodeName=n[1-2] CPUs=8 RealMemory=8000");
    }
    if (!text.contains("Enforce")) {
      lines.add("AccountingStorageEnforce=associations,limits,qos");
    }
    if (!text.contains("PartitionName")) {
      lines.add("PartitionName=debug Nodes=ALL Default=YES MaxTime=INFINITE DefaultTime=60");
    }
    site = new Site(lines, List.of(), List.of());
    admin("add account bio,chem");
    admin("add qos gold");
    admin("modify account root set qos+=gold");
    admin("add user alice account=bio,chem defaultaccount=bio");
    admin("add user bob account=bio");
  }

  private void decide(Command command, Caller caller) {
    site.decide(command, caller);
  }

  private ClusterState state() {
    return site.state();
  }

  /** What an administrator says to sacctmgr. */
  void admin(String words) {
    FakeContext world = new FakeContext();
    if (site.sacctmgr(world, words) != 0) {
      throw new IllegalArgumentException(words + ": " + world.printed() + world.errors());
    }
  }

  /** Submits as that user and lets the scheduler run once. */
  String submit(String user, String arguments) {
    Site.Accepted accepted = site.accept(user, user.equals("root"), arguments);
    if (accepted.refusal() != null) {
      return accepted.refusal();
    }
    schedule();
    return seen(accepted.job());
  }

  void schedule() {
    site.schedule();
    for (Job job : state().active().values()) {
      if (job.state() instanceof JobState.Running running && !running.launched()) {
        Caller daemon = new Caller.NodeDaemon(running.allocation().batchHost());
        decide(new Command.StepLaunched(job.id(), job.run()), daemon);
      }
    }
  }

  /** What a user sees of a job. */
  String seen(int id) {
    Job job = state().job(id);
    return switch (job.state()) {
      case JobState.Running _ -> "runs";
      case JobState.Suspended _ -> "is suspended";
      case JobState.Completing _ -> "ends";
      case JobState.Ended ended -> ended.outcome().getClass().getSimpleName();
      case JobState.Pending _ -> {
        String reason = site.verdict(id);
        yield "waits " + (reason == null ? "None" : reason);
      }
    };
  }

  /** Time passes, the controller looks every ten seconds. */
  void pass(Duration time) {
    Instant end = site.now().plus(time);
    long step = Math.max(10, time.toSeconds() / 500);
    while (site.now().isBefore(end)) {
      Instant next = site.now().plusSeconds(step);
      site.advance(next.isAfter(end) ? end : next);
      decide(new Command.Tick(), new Caller.Self());
      clean();
    }
    schedule();
  }

  private void clean() {
    for (Job job : state().active().values()) {
      if (job.state() instanceof JobState.Completing completing) {
        for (String node : completing.nodesLeft()) {
          Caller daemon = new Caller.NodeDaemon(node);
          decide(new Command.NodeCleaned(job.id(), job.run(), null), daemon);
        }
      }
    }
  }

  /** A job is over by itself. */
  void end(int id) {
    Job job = state().job(id);
    if (job.state() instanceof JobState.Running running) {
      Caller daemon = new Caller.NodeDaemon(running.allocation().batchHost());
      decide(
          new Command.StepEnded(id, job.run(), new StepEnd.Ran(ExitStatus.OK, false), true),
          daemon);
    }
    clean();
    schedule();
  }

  void requeue(int id) {
    decide(new Command.RequeueJob(new JobSelector(id, null), false, false, false), ROOT);
    clean();
    schedule();
  }

  /** Puts jobs before all others. */
  void top(List<Integer> ids) {
    decide(new Command.TopJobs(ids), ROOT);
    schedule();
  }

  /** A waiting job's priority. */
  long priority(int id) {
    Job job = state().job(id);
    PriorityTable table =
        PriorityTable.of(state(), state().accounts(), state().usage(), List.of(job), site.now());
    return table.priority(job, state().partition(job.spec().partitions().getFirst()));
  }

  /** The waiting jobs, the first to be considered first. */
  String order() {
    List<Job> waiting = new ArrayList<>(state().pending().values());
    waiting.sort(
        Comparator.comparingLong((Job job) -> -priority(job.id())).thenComparingInt(Job::id));
    return String.join(" ", waiting.stream().map(job -> Integer.toString(job.id())).toList());
  }

  private Association at(String account, String user) {
    return state().accounts().association(account, user.isEmpty() ? null : user, null);
  }

  /** The fair share of a user of an account. */
  double share(String account, String user) {
    FairShareTable shares =
        FairShareCalculation.of(
            state().settings().priority(), state().accounts(), state().usage(), site.now());
    return shares.factor(at(account, user));
  }

  private UsageDecay decay() {
    return UsageDecay.of(state().settings().priority().halfLife());
  }

  /** What an account, or a user of it, has used: billed seconds. */
  double used(String account, String user) {
    return state().usage().of(at(account, user), site.now(), decay()).raw();
  }

  /** What the jobs of a QOS have used: billed seconds. */
  double used(String qos) {
    Qos one = state().accounts().qos(qos);
    return state().usage().of(one, site.now(), decay()).raw();
  }

  /** CPU minutes of an account. */
  double cpuMinutes(String account) {
    return state().usage().of(at(account, ""), site.now(), decay()).seconds("cpu") / 60;
  }
}
