package io.dure.cli.sbatch;

import io.dure.cli.command.ControllerConnection;
import io.dure.cli.command.FakeContext;
import io.dure.cli.sacctmgr.Sacctmgr;
import io.dure.cluster.ClusterState;
import io.dure.cluster.Decision;
import io.dure.cluster.EventApplier;
import io.dure.cluster.NodeRecord;
import io.dure.cluster.decide.CommandDecider;
import io.dure.cluster.invariants.StateInvariants;
import io.dure.model.ExitStatus;
import io.dure.model.Job;
import io.dure.model.JobState;
import io.dure.model.NodeFacts;
import io.dure.model.UserIdentity;
import io.dure.model.accounting.Association;
import io.dure.model.accounting.Qos;
import io.dure.model.accounting.usage.FairShareCalculation;
import io.dure.model.accounting.usage.FairShareTable;
import io.dure.model.accounting.usage.UsageDecay;
import io.dure.model.command.Caller;
import io.dure.model.command.Command;
import io.dure.model.command.JobSelector;
import io.dure.model.command.PendingVerdict;
import io.dure.model.command.Reply;
import io.dure.model.command.StepEnd;
import io.dure.model.config.ClusterConfig;
import io.dure.model.config.ParsedConfig;
import io.dure.model.config.SlurmConfParser;
import io.dure.protocol.Request;
import io.dure.protocol.Response;
import io.dure.rules.priority.PriorityTable;
import io.dure.scheduler.Planner;
import io.dure.scheduler.SchedulingPlan;
import io.dure.surface.message.CommandException;
import io.dure.surface.message.StderrMessage;
import io.dure.surface.option.OptionParser;
import io.dure.surface.sbatch.SbatchOption;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * A cluster with accounts, whose time passes: alice and bob are charged to bio, alice also to chem;
 * all have the QOS normal and gold.
 */
final class AccountSite {
  private static final String PATH = "/etc/slurm/slurm.conf";
  private static final String HEAD =
      """
      ClusterName=test
      SlurmctldHost=ctl
      SelectType=select/cons_tres
      SelectTypeParameters=CR_Core_Memory
      DefMemPerCPU=100
      """;
  private static final Caller.User ROOT =
      new Caller.User(new UserIdentity(0, 0, "root", "root"), List.of(), true);

  private final Map<String, UserIdentity> users = new TreeMap<>();
  private Instant now = FakeContext.NOW;
  private ClusterState state;
  private SchedulingPlan plan;

  AccountSite(List<String> conf) {
    String text = HEAD + String.join("\n", conf) + "\n";
    text += text.contains("NodeName") ? "" : "NodeName=n[1-2] CPUs=8 RealMemory=8000\n";
    text += text.contains("Enforce") ? "" : "AccountingStorageEnforce=associations,limits,qos\n";
    text +=
        text.contains("PartitionName")
            ? ""
            : "PartitionName=debug Nodes=ALL Default=YES MaxTime=INFINITE DefaultTime=60\n";
    String whole = text;
    ParsedConfig parsed = SlurmConfParser.parse(PATH, name -> name.equals(PATH) ? whole : null);
    if (!parsed.errors().isEmpty()) {
      throw new IllegalArgumentException(parsed.errors().toString());
    }
    ClusterConfig config = parsed.config();
    state = ClusterState.initial(config);
    decide(new Command.Configure(config, Command.Recovery.START), new Caller.Self());
    for (NodeRecord node : state.nodes().values()) {
      register(node);
    }
    admin("add account bio,chem");
    admin("add qos gold");
    admin("modify account root set qos+=gold");
    admin("add user alice account=bio,chem defaultaccount=bio");
    admin("add user bob account=bio");
  }

  private void register(NodeRecord node) {
    NodeFacts facts = node.config().asConfigured(now).withConfinement("cgroup/v2");
    decide(new Command.RegisterNode(facts, List.of(), null), new Caller.NodeDaemon(node.name()));
  }

  private Decision decide(Command command, Caller caller) {
    Decision decision = CommandDecider.decide(state, command, caller, now);
    state = EventApplier.applyAll(state, decision.events());
    StateInvariants.check(state);
    return decision;
  }

  /** What an administrator says to sacctmgr. */
  void admin(String words) {
    FakeContext world = new FakeContext();
    world.controller = Desk::new;
    List<String> all = new ArrayList<>(List.of("sacctmgr", "-i"));
    all.addAll(Arrays.asList(words.split(" ", -1)));
    int code = new Sacctmgr().run(world.call(all.toArray(String[]::new)));
    if (code != 0) {
      throw new IllegalArgumentException(words + ": " + world.printed() + world.errors());
    }
  }

  /** The way from sacctmgr to this cluster. */
  private final class Desk implements ControllerConnection {
    @Override
    public Response ask(Request request) throws IOException {
      if (request instanceof Request.ShowAccounts) {
        return new Response.Accounts("test", "", 0, state.accounts().records(), "root", true);
      }
      if (request instanceof Request.Change(Command.ChangeAccounting change, _, _)) {
        return new Response.Decided(decide(change, ROOT).reply());
      }
      throw new IOException("not expected: " + request);
    }

    @Override
    public Response await(Request request) throws IOException {
      return ask(request);
    }

    @Override
    public void close() {}
  }

  /** Submits as that user and lets the scheduler run once. */
  String submit(String user, String arguments) {
    JobSubmission submission;
    try {
      submission = read(arguments);
    } catch (CommandException e) {
      return "refused " + text(e);
    }
    UserIdentity who =
        users.computeIfAbsent(
            user, name -> new UserIdentity(1001 + users.size(), 1001 + users.size(), name, name));
    Command.SubmitJob command =
        new Command.SubmitJob(submission.spec(), submission.batch(), submission.texts());
    Reply reply = decide(command, new Caller.User(who, List.of(), user.equals("root"))).reply();
    if (reply instanceof Reply.Refused refused) {
      return "refused " + refused.code().text();
    }
    schedule();
    return seen(((Reply.Submitted) reply).jobId());
  }

  private static String text(CommandException e) {
    return String.join(" / ", e.messages().stream().map(StderrMessage::text).toList());
  }

  void schedule() {
    plan = Planner.once(state, now);
    decide(new Command.StartJobs(plan.starts()), new Caller.Self());
    for (Job job : state.active().values()) {
      if (job.state() instanceof JobState.Running running && !running.launched()) {
        Caller daemon = new Caller.NodeDaemon(running.allocation().batchHost());
        decide(new Command.StepLaunched(job.id(), job.run()), daemon);
      }
    }
  }

  /** What a user sees of a job. */
  String seen(int id) {
    Job job = state.job(id);
    return switch (job.state()) {
      case JobState.Running _ -> "runs";
      case JobState.Suspended _ -> "is suspended";
      case JobState.Completing _ -> "ends";
      case JobState.Ended ended -> ended.outcome().getClass().getSimpleName();
      case JobState.Pending _ -> {
        PendingVerdict verdict = plan.verdicts().get(id);
        yield "waits " + (verdict == null ? "None" : verdict.reason());
      }
    };
  }

  /** Time passes, the controller looks every ten seconds. */
  void pass(Duration time) {
    Instant end = now.plus(time);
    long step = Math.max(10, time.toSeconds() / 500);
    while (now.isBefore(end)) {
      now = now.plusSeconds(step).isAfter(end) ? end : now.plusSeconds(step);
      decide(new Command.Tick(), new Caller.Self());
      clean();
    }
    schedule();
  }

  private void clean() {
    for (Job job : state.active().values()) {
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
    Job job = state.job(id);
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
    Job job = state.job(id);
    PriorityTable table =
        PriorityTable.of(state, state.accounts(), state.usage(), List.of(job), now);
    return table.priority(job, state.partition(job.spec().partitions().getFirst()));
  }

  /** The waiting jobs, the first to be considered first. */
  String order() {
    List<Job> waiting = new ArrayList<>(state.pending().values());
    waiting.sort(
        Comparator.comparingLong((Job job) -> -priority(job.id())).thenComparingInt(Job::id));
    return String.join(" ", waiting.stream().map(job -> Integer.toString(job.id())).toList());
  }

  private Association at(String account, String user) {
    return state.accounts().association(account, user.isEmpty() ? null : user, null);
  }

  /** The fair share of a user of an account. */
  double share(String account, String user) {
    FairShareTable shares =
        FairShareCalculation.of(state.settings().priority(), state.accounts(), state.usage(), now);
    return shares.factor(at(account, user));
  }

  private UsageDecay decay() {
    return UsageDecay.of(state.settings().priority().halfLife());
  }

  /** What an account, or a user of it, has used: billed seconds. */
  double used(String account, String user) {
    return state.usage().of(at(account, user), now, decay()).raw();
  }

  /** What the jobs of a QOS have used: billed seconds. */
  double used(String qos) {
    Qos one = state.accounts().qos(qos);
    return state.usage().of(one, now, decay()).raw();
  }

  /** CPU minutes of an account. */
  double cpuMinutes(String account) {
    return state.usage().of(at(account, ""), now, decay()).seconds("cpu") / 60;
  }

  private JobSubmission read(String arguments) throws CommandException {
    List<String> words = new ArrayList<>(List.of("sbatch"));
    for (String word : arguments.strip().split("\\s+", -1)) {
      if (!word.isEmpty()) {
        words.add(word);
      }
    }
    words.addAll(List.of("--wrap", "true"));
    var context = new FakeContext().call(words.toArray(String[]::new));
    OptionParser<SbatchOption> parser =
        new OptionParser<>(
            "sbatch", SbatchOption.specs(), OptionParser.Operands.END_OPTIONS, context.arguments());
    return new JobSubmissionReader(context).read(List.of(parser.all()), parser.operands());
  }
}
