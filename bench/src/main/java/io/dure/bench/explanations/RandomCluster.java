package io.dure.bench.explanations;

import io.dure.cluster.ClusterState;
import io.dure.cluster.NodeRecord;
import io.dure.model.UserIdentity;
import io.dure.model.accounting.Account;
import io.dure.model.accounting.AccountUser;
import io.dure.model.accounting.AccountingChange;
import io.dure.model.accounting.AccountingLimits;
import io.dure.model.accounting.AdminLevel;
import io.dure.model.accounting.Association;
import io.dure.model.accounting.LimitKind;
import io.dure.model.accounting.Qos;
import io.dure.model.command.Caller;
import io.dure.model.command.Command;
import io.dure.model.command.JobSelector;
import io.dure.model.config.ClusterConfig;
import io.dure.model.config.slurmconf.ParsedConfig;
import io.dure.model.config.slurmconf.SlurmConfParser;
import io.dure.model.job.Job;
import io.dure.model.job.JobState;
import io.dure.model.jobtext.JobTexts;
import io.dure.model.node.NodeFacts;
import io.dure.model.request.JobSpec;
import io.dure.model.request.Workload;
import io.dure.model.reservation.NameListEdit;
import io.dure.model.reservation.ReservationFlag;
import io.dure.model.reservation.ReservationRequestBuilder;
import io.dure.surface.message.CommandException;
import io.dure.surface.sbatch.RecordedSubmission;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;

/** A small cluster of a bit of everything, in the middle of its work. */
final class RandomCluster {
  private static final Instant BEGIN = Instant.parse("2026-03-02T08:00:00Z");
  private static final List<String> USERS = List.of("alice", "bob", "carol", "dave");
  private static final List<String> ACCOUNTS = List.of("bio", "bio", "chem", "chem");

  private final Random random;
  private final ReferenceCluster course;
  private boolean preempts;
  private boolean unlimited;
  private int submitted;

  private RandomCluster(long seed) {
    random = new Random(seed);
    String text = conf();
    ParsedConfig parsed =
        SlurmConfParser.parse("/slurm.conf", path -> path.equals("/slurm.conf") ? text : null);
    if (parsed.hasErrors()) {
      throw new IllegalStateException(parsed.errors() + "\n" + text);
    }
    ClusterConfig config = parsed.config();
    course = new ReferenceCluster(ClusterState.initial(config), BEGIN);
    course.decide(new Command.Configure(config, Command.Recovery.START), new Caller.Self());
    for (NodeRecord node : course.state().nodes().values()) {
      register(node);
    }
    accounts();
  }

  /** The cluster of a seed. */
  static ReferenceCluster of(long seed) {
    RandomCluster made = new RandomCluster(seed);
    made.work();
    return made.course.knowing();
  }

  private boolean chance(int percent) {
    return random.nextInt(100) < percent;
  }

  private <T> T one(List<T> of) {
    return of.get(random.nextInt(of.size()));
  }

  private String conf() {
    int nodes = 2 + random.nextInt(5);
    int cores = one(List.of(4, 8, 16));
    boolean gpus = chance(60);
    int half = Math.max(1, nodes / 2);
    StringBuilder text = new StringBuilder();
    text.append("ClusterName=random\nSlurmctldHost=ctl\nSelectType=select/cons_tres\n");
    text.append("SelectTypeParameters=CR_Core_Memory\nDefMemPerCPU=500\nGresTypes=gpu\n");
    text.append("AccountingStorageEnforce=associations,limits,qos\nEnforcePartLimits=NO\n");
    text.append("AccountingStorageTRES=gres/gpu\nLicenses=matlab:4\n");
    text.append("PriorityType=priority/multifactor\n");
    switch (random.nextInt(3)) {
      case 0 -> text.append("SchedulerParameters=policy=dure\n");
      case 1 -> text.append("PriorityWeightAge=1000\nPriorityWeightFairshare=10000\n");
      default -> {}
    }
    preemption(text);
    if (chance(30)) {
      text.append("DependencyParameters=kill_invalid_depend\n");
    }
    String half1 = "n[1-" + half + "]";
    text.append("NodeName=").append(half1).append(" CPUs=").append(cores);
    text.append(" RealMemory=").append(cores * 2000).append(" Feature=old");
    text.append(gpus ? " Gres=gpu:t4:2\n" : "\n");
    if (half < nodes) {
      text.append("NodeName=n[").append(half + 1).append('-').append(nodes).append("] CPUs=");
      text.append(2 * cores).append(" RealMemory=").append(cores * 8000).append(" Feature=new");
      text.append(gpus ? " Gres=gpu:a100:4\n" : "\n");
    }
    text.append("PartitionName=all Nodes=ALL Default=YES DefaultTime=60 MaxTime=");
    text.append(unlimited ? "UNLIMITED\n" : "7-0\n");
    text.append("PartitionName=short Nodes=").append(half1).append(" MaxTime=120\n");
    text.append("PartitionName=urgent Nodes=ALL MaxTime=240 PriorityTier=");
    text.append(preempts ? "10" : "1").append(preempts && chance(30) ? " GraceTime=120\n" : "\n");
    if (chance(30)) {
      text.append("PartitionName=closed Nodes=ALL State=DOWN MaxTime=7-0\n");
    }
    return text.toString();
  }

  /** In some clusters jobs of one partition, or of one QOS, make others give way. */
  private void preemption(StringBuilder text) {
    preempts = chance(35);
    unlimited = chance(35);
    if (preempts) {
      text.append("PreemptType=").append(one(List.of("preempt/partition_prio", "preempt/qos")));
      text.append("\nPreemptMode=").append(one(List.of("REQUEUE", "CANCEL", "SUSPEND,GANG")));
      text.append('\n');
      text.append(chance(20) ? "PreemptExemptTime=00:10:00\n" : "");
    }
  }

  private void register(NodeRecord node) {
    NodeFacts facts = node.config().asConfigured(BEGIN).withAddress("192.0.2.1");
    course.decide(
        new Command.RegisterNode(facts, List.of(), null), new Caller.NodeDaemon(node.name()));
  }

  private void accounts() {
    List<AccountingChange> changes = new ArrayList<>();
    int qos = course.state().accounts().nextQos();
    changes.add(new AccountingChange.QosSet(urgent(qos)));
    int id = course.state().accounts().nextAssociation();
    for (String account : List.of("bio", "chem")) {
      changes.add(new AccountingChange.AccountSet(new Account(account, account, "", List.of())));
      changes.add(
          new AccountingChange.AssociationSet(
              Association.ofAccount(id++, account, "root").withLimits(limits())));
    }
    for (int i = 0; i < USERS.size(); i++) {
      String user = USERS.get(i);
      String account = ACCOUNTS.get(i);
      changes.add(new AccountingChange.UserSet(new AccountUser(user, AdminLevel.NONE, account)));
      Association own =
          Association.ofUser(id++, account, user, null).withQos(List.of("normal", "urgent"));
      boolean limited = chance(15);
      changes.add(
          new AccountingChange.AssociationSet(
              limited
                  ? own.withLimits(
                      AccountingLimits.NONE.with(LimitKind.MAX_JOBS, null, 1L + random.nextInt(3)))
                  : own));
    }
    course.decide(
        new Command.ChangeAccounting(course.state().accounts().version(), changes),
        ReferenceCluster.ROOT);
  }

  /** Its jobs make those of the usual QOS give way where that is on. */
  private static Qos urgent(int id) {
    return new Qos(
        id,
        "urgent",
        "",
        100,
        List.of(),
        List.of("normal"),
        null,
        null,
        Duration.ZERO,
        1.0,
        null,
        null,
        AccountingLimits.NONE);
  }

  private AccountingLimits limits() {
    AccountingLimits limits = AccountingLimits.NONE;
    if (chance(25)) {
      limits = limits.with(LimitKind.GRP_TRES, "cpu", 8L + random.nextInt(24));
    }
    if (chance(15)) {
      limits = limits.with(LimitKind.GRP_TRES, "gres/gpu", 1L + random.nextInt(4));
    }
    return limits;
  }

  private void work() {
    int jobs = 10 + random.nextInt(30);
    for (int i = 0; i < jobs; i++) {
      submit();
      if (chance(25)) {
        pass();
      }
      if (i == jobs / 2) {
        trouble();
      }
    }
    course.settle();
  }

  /** Some time passes, and some of those who run are over before their limit, or stand still. */
  private void pass() {
    for (Job job : course.state().active().values()) {
      if (chance(15)) {
        course.end(job);
      } else if (chance(2)) {
        course.decide(
            new Command.SuspendJob(new JobSelector(job.id(), null)), ReferenceCluster.ROOT);
      }
    }
    if (chance(50)) {
      course.next();
    }
    course.settle();
  }

  private void trouble() {
    List<NodeRecord> nodes = course.state().nodes().values();
    if (chance(30)) {
      course.decide(
          new Command.UpdateNodes(
              List.of(one(nodes).name()), Map.of("state", "DRAIN", "reason", "fan broken")),
          ReferenceCluster.ROOT);
    }
    if (chance(30)) {
      Instant start = course.now().plus(Duration.ofMinutes(30 + random.nextInt(300)));
      List<String> some = chance(50) ? List.of("ALL") : List.of(one(nodes).name());
      course.decide(
          new Command.CreateReservation(
              ReservationRequestBuilder.builder()
                  .name("upgrade")
                  .start(start)
                  .duration(Duration.ofMinutes(60 + random.nextInt(300)))
                  .nodes(some)
                  .users(new NameListEdit(NameListEdit.Mode.SET, List.of("root")))
                  .set(List.of(ReservationFlag.MAINT, ReservationFlag.IGNORE_JOBS))
                  .clear(List.of())
                  .build()),
          ReferenceCluster.ROOT);
    }
  }

  private void submit() {
    int user = random.nextInt(USERS.size());
    UserIdentity who = new UserIdentity(1001 + user, 1001 + user, USERS.get(user), USERS.get(user));
    try {
      List<JobSpec> specs = RecordedSubmission.components(words(), course.now());
      course.decide(
          specs.size() == 1
              ? new Command.SubmitJob(
                  specs.getFirst(), Workload.BatchSpec.nothing("/tmp"), JobTexts.NONE)
              : new Command.SubmitHetJob(
                  specs.stream()
                      .map(spec -> new Command.Component(spec, Workload.BatchSpec.nothing("/tmp")))
                      .toList(),
                  JobTexts.NONE,
                  null),
          new Caller.User(who, List.of(), false));
      submitted = course.state().nextJobId() - 1;
    } catch (CommandException e) {
      throw new IllegalStateException(e.messages().toString(), e);
    }
    course.settle();
    if (chance(3)) {
      for (Job job : course.state().pending().values()) {
        if (job.id() == submitted && job.state() instanceof JobState.Pending) {
          course.decide(
              new Command.HoldJob(new JobSelector(job.id(), null), false), ReferenceCluster.ROOT);
        }
      }
    }
  }

  private List<String> words() {
    List<String> words = new ArrayList<>();
    words.add("--job-name=" + one(List.of("train", "fold", "sweep", "count", "접힘")));
    boolean endless = unlimited && chance(6);
    int minutes = one(List.of(10, 30, 60, 90, 120, 240, 480, 1440, 2880));
    words.add("--time=" + (endless ? "UNLIMITED" : minutes));
    if (chance(20)) {
      words.add("--nodes=" + (1 + random.nextInt(4)));
      words.add("--ntasks-per-node=" + (1 + random.nextInt(4)));
    } else if (chance(40)) {
      words.add("--ntasks=" + (1 + random.nextInt(12)));
    } else {
      words.add("--cpus-per-task=" + (1 + random.nextInt(8)));
    }
    if (chance(25)) {
      words.add("--mem=" + one(List.of(1000, 4000, 8000, 16000)));
    }
    if (chance(25)) {
      words.add(
          one(List.of("--gres=gpu:1", "--gres=gpu:2", "--gres=gpu:t4:1", "--gres=gpu:a100:3")));
    }
    rare(words);
    if (chance(8)) {
      int components = 1 + random.nextInt(2);
      for (int i = 0; i < components; i++) {
        words.add(":");
        words.add("--time=" + one(List.of(30, 60, 120)));
        words.add("--ntasks=" + (1 + random.nextInt(6)));
      }
    }
    words.add("script");
    return words;
  }

  private void rare(List<String> words) {
    if (chance(8)) {
      words.add("--exclusive");
    }
    if (chance(10)) {
      words.add("--licenses=matlab:" + (1 + random.nextInt(3)));
    }
    if (chance(10)) {
      words.add("--constraint=" + one(List.of("old", "new")));
    }
    if (chance(15)) {
      words.add("--partition=short");
    }
    if (chance(3)) {
      words.add("--partition=closed");
    }
    if (chance(preempts ? 12 : 3)) {
      words.add("--partition=urgent");
    }
    if (chance(preempts ? 12 : 3)) {
      words.add("--qos=urgent");
    }
    if (chance(6)) {
      words.add("--deadline=now+" + (1 + random.nextInt(48)) + "hours");
    }
    if (chance(5)) {
      words.add("--nodelist=n1");
    }
    if (chance(4)) {
      words.add("--begin=now+" + (1 + random.nextInt(6)) + "hours");
    }
    if (chance(10) && submitted > 0) {
      words.add("--dependency=" + conditions());
    }
    if (chance(3)) {
      words.add("--no-requeue");
    }
    if (chance(2)) {
      words.add("--time-min=5");
    }
    if (chance(6)) {
      words.add("--array=1-" + (2 + random.nextInt(5)) + "%" + random.nextInt(3));
    }
  }

  private String conditions() {
    String first = condition();
    return chance(20) ? first + one(List.of(",", "?")) + condition() : first;
  }

  private String condition() {
    int other = 1 + random.nextInt(submitted);
    return switch (random.nextInt(8)) {
      case 0 -> "afterany:" + other;
      case 1 -> "afternotok:" + other;
      case 2 -> "after:" + other + "+" + random.nextInt(90);
      case 3 -> "aftercorr:" + other;
      case 4 -> "singleton";
      default -> "afterok:" + other;
    };
  }
}
