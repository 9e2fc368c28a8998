package io.dure.accounting;

import static io.dure.testkit.cluster.JobBuilder.job;
import static io.dure.testkit.cluster.TestCluster.ALICE;
import static io.dure.testkit.cluster.TestCluster.BOB;
import static io.dure.testkit.cluster.TestCluster.ROOT;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.dure.cluster.ClusterState;
import io.dure.cluster.Event;
import io.dure.model.accounting.Account;
import io.dure.model.accounting.AccountUser;
import io.dure.model.accounting.AccountingChange;
import io.dure.model.accounting.AccountingLimits;
import io.dure.model.accounting.AccountingTree;
import io.dure.model.accounting.AdminLevel;
import io.dure.model.accounting.Association;
import io.dure.model.accounting.LimitKind;
import io.dure.model.accounting.TresAmounts;
import io.dure.model.command.Caller;
import io.dure.model.command.Command;
import io.dure.model.command.JobSelector;
import io.dure.model.command.Reply;
import io.dure.model.job.Job;
import io.dure.model.job.JobState;
import io.dure.testkit.SeededRandom;
import io.dure.testkit.cluster.ClusterBuilder;
import io.dure.testkit.cluster.JobBuilder;
import io.dure.testkit.cluster.TestCluster;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Random accounts with limits that change while jobs come and go: no job starts that takes an
 * association, or one above it, beyond what it may have. What runs is counted here anew, from the
 * jobs alone.
 */
@Tag("pure")
class LimitsPropertyTest {
  private static final int ACTIONS = 60;

  private static final Caller.User CAROL = TestCluster.user("carol", 1003, "users");
  private static final List<Caller.User> USERS = List.of(ALICE, BOB, CAROL);

  private long steps;
  private long starts;
  private long kept;

  @Test
  void noStartBreaksALimit() {
    SeededRandom.check("no start breaks a limit", 12, random -> new Day(random).pass());
    assertTrue(kept > 0, "nobody ever waited for a limit");
    System.out.printf(
        "limits: %,d steps, %,d starts, %,d looks at jobs that wait for a limit%n",
        steps, starts, kept);
  }

  private final class Day {
    private final SeededRandom random;
    private final TestCluster cluster;

    /** As they stand in the tree, by number: root's child bio, its child lab, and their users. */
    private final TreeMap<Integer, Association> places = new TreeMap<>();

    Day(SeededRandom random) {
      this.random = random;
      cluster =
          ClusterBuilder.of(random.between(1, 3))
              .cpus(4)
              .set("AccountingStorageEnforce", "associations,limits")
              .set("SchedulerType", random.oneOf("sched/backfill", "sched/builtin"))
              .start();
      int id = cluster.state().accounts().nextAssociation();
      List<AccountingChange> changes = new ArrayList<>();
      place(changes, account("bio"), Association.ofAccount(id, "bio", "root"));
      place(changes, account("lab"), Association.ofAccount(id + 1, "lab", "bio"));
      place(changes, user("alice", "bio"), Association.ofUser(id + 2, "bio", "alice", null));
      place(changes, user("bob", "lab"), Association.ofUser(id + 3, "lab", "bob", null));
      place(changes, user("carol", "lab"), Association.ofUser(id + 4, "lab", "carol", null));
      change(changes);
    }

    private static AccountingChange account(String name) {
      return new AccountingChange.AccountSet(new Account(name, name, "", List.of()));
    }

    private static AccountingChange user(String name, String account) {
      return new AccountingChange.UserSet(new AccountUser(name, AdminLevel.NONE, account));
    }

    private void place(List<AccountingChange> changes, AccountingChange who, Association place) {
      Association limited = place.withLimits(limits());
      places.put(limited.id(), limited);
      changes.add(who);
      changes.add(new AccountingChange.AssociationSet(limited));
    }

    private AccountingLimits limits() {
      AccountingLimits some = AccountingLimits.NONE;
      for (int i = random.between(0, 2); i > 0; i--) {
        LimitKind limit =
            random.oneOf(
                LimitKind.GRP_TRES,
                LimitKind.GRP_JOBS,
                LimitKind.MAX_JOBS,
                LimitKind.MAX_TRES_PER_JOB);
        boolean ofTres = limit.unit() == LimitKind.Unit.TRES;
        some = some.with(limit, ofTres ? TresAmounts.CPU : null, (long) random.between(0, 6));
      }
      return some;
    }

    private void change(List<AccountingChange> changes) {
      Reply reply =
          cluster.ask(
              ROOT, new Command.ChangeAccounting(cluster.state().accounts().version(), changes));
      assertEquals(new Reply.Done(), reply);
    }

    void pass() {
      List<Integer> ids = new ArrayList<>();
      for (int action = 0; action < ACTIONS; action++) {
        if (random.percent(50)) {
          submit(ids);
        } else if (random.percent(10)) {
          Association place = random.oneOf(List.copyOf(places.values())).withLimits(limits());
          places.put(place.id(), place);
          change(List.of(new AccountingChange.AssociationSet(place)));
        } else if (random.percent(15) && !ids.isEmpty()) {
          JobSelector one = new JobSelector(random.oneOf(ids), null);
          cluster.ask(ROOT, new Command.KillJob(one, null, false, false));
        } else {
          cluster.seconds(random.between(1, 200));
        }
        look();
      }
    }

    private void submit(List<Integer> ids) {
      Caller.User who = random.oneOf(USERS);
      JobBuilder wanted =
          job().cpus(random.between(1, 4)).time(random.between(1, 10)).runs(random.between(1, 400));
      if (random.percent(25)) {
        wanted.array(random.oneOf("0-3", "1-9:2%2", "0-12"));
      }
      // What could never run by a limit of a job may be refused; that is no start either.
      if (cluster.ask(who, wanted.submission()) instanceof Reply.Submitted done) {
        ids.add(done.jobId());
      }
    }

    private void look() {
      for (TestCluster.Step step : cluster.steps()) {
        steps++;
        if (step.event() instanceof Event.JobStarted start) {
          starts++;
          assertWithin(step.after(), step.after().active().require(start.jobId()));
        }
      }
      cluster.forgetSteps();
      for (int id : cluster.state().pending().keys()) {
        kept += cluster.reason(id).startsWith("Assoc") ? 1 : 0;
      }
    }

    private void assertWithin(ClusterState state, Job started) {
      AccountingTree tree = state.accounts();
      Association own = at(state, started);
      for (Association place : tree.path(own)) {
        long jobs = 0;
        long cpus = 0;
        for (Job job : state.active().values()) {
          boolean counts = job.state() instanceof JobState.Running;
          if (counts && tree.path(at(state, job)).contains(place)) {
            jobs++;
            cpus += cpus(job);
          }
        }
        boolean isOwn = place.equals(own);
        AccountingLimits limits = isOwn ? tree.effective(own).limits() : place.limits();
        for (AccountingLimits.Bound bound : limits.bounds()) {
          if (isOwn || bound.limit().isGroup()) {
            boolean ofJob = bound.limit() == LimitKind.MAX_TRES_PER_JOB;
            long all = bound.limit() == LimitKind.GRP_TRES ? cpus : jobs;
            long found = ofJob ? cpus(started) : all;
            assertTrue(
                found <= bound.most(),
                () -> "job " + started.id() + " takes " + place + " beyond " + bound);
          }
        }
      }
    }

    private static Association at(ClusterState state, Job job) {
      Association found =
          state
              .accounts()
              .association(String.valueOf(job.spec().account()), job.owner().userName(), null);
      if (found == null) {
        throw new AssertionError("job " + job.id() + " is nobody's");
      }
      return found;
    }

    private static long cpus(Job job) {
      return job.state() instanceof JobState.Running running
          ? TresAmounts.of(running.allocation()).of(TresAmounts.CPU)
          : 0;
    }
  }
}
