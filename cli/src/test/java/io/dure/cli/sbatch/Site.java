package io.dure.cli.sbatch;

import io.dure.cli.command.ControllerConnection;
import io.dure.cli.command.FakeContext;
import io.dure.cli.filter.SiteFilter;
import io.dure.cli.sacctmgr.Sacctmgr;
import io.dure.cli.scontrol.Scontrol;
import io.dure.cluster.ClusterState;
import io.dure.cluster.Decision;
import io.dure.cluster.EventApplier;
import io.dure.cluster.NodeRecord;
import io.dure.cluster.decide.CommandDecider;
import io.dure.cluster.invariants.StateInvariants;
import io.dure.model.ExitStatus;
import io.dure.model.UserIdentity;
import io.dure.model.command.Caller;
import io.dure.model.command.Command;
import io.dure.model.command.PendingVerdict;
import io.dure.model.command.Reply;
import io.dure.model.command.StepEnd;
import io.dure.model.config.ClusterConfig;
import io.dure.model.config.slurmconf.ParsedConfig;
import io.dure.model.config.slurmconf.SlurmConfParser;
import io.dure.model.gres.GresShare;
import io.dure.model.gres.License;
import io.dure.model.job.Job;
import io.dure.model.job.JobState;
import io.dure.model.job.NodeShare;
import io.dure.model.node.NodeFacts;
import io.dure.model.reservation.Reservation;
import io.dure.protocol.Request;
import io.dure.protocol.Response;
import io.dure.scheduler.Planner;
import io.dure.scheduler.SchedulingPlan;
import io.dure.surface.message.CommandException;
import io.dure.surface.message.StderrMessage;
import io.dure.surface.option.OptionParser;
import io.dure.surface.option.ParsedOption;
import io.dure.surface.sbatch.SbatchOption;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * A cluster of its configuration files: what users type is read, checked, placed and started by the
 * programs' own rules, without processes.
 */
final class Site {
  private static final String PATH = "/etc/slurm/slurm.conf";
  private static final String HEAD =
      """
      ClusterName=test
      SlurmctldHost=ctl
      SelectType=select/cons_tres
      """;

  private final FakeContext world = new FakeContext();
  private final Map<String, UserIdentity> users = new TreeMap<>();
  private Instant now = FakeContext.NOW;
  private ClusterState state;
  private SchedulingPlan plan;

  /** A cluster without a topology. */
  Site(List<String> conf, List<String> gres, List<String> missing) {
    this(conf, gres, List.of(), missing);
  }

  /** A cluster of these lines, with all nodes there. */
  Site(List<String> conf, List<String> gres, List<String> topology, List<String> missing) {
    String text = HEAD + String.join("\n", conf) + "\n";
    if (!text.contains("GresTypes")) {
      text += "GresTypes=gpu,shard,mps,tmp\n";
    }
    if (!text.contains("SelectTypeParameters")) {
      text += "SelectTypeParameters=CR_Core_Memory\n";
    }
    if (!text.contains("PartitionName")) {
      text += "PartitionName=debug Nodes=ALL Default=YES MaxTime=INFINITE\n";
    }
    Map<String, String> files = new TreeMap<>(Map.of(PATH, text));
    if (!gres.isEmpty()) {
      files.put("/etc/slurm/gres.conf", String.join("\n", gres) + "\n");
    }
    if (!topology.isEmpty()) {
      files.put("/etc/slurm/topology.conf", String.join("\n", topology) + "\n");
    }
    ParsedConfig parsed = SlurmConfParser.parse(PATH, files::get);
    if (!parsed.errors().isEmpty()) {
      throw new IllegalArgumentException(parsed.errors().toString());
    }
    ClusterConfig config = parsed.config();
    state = ClusterState.initial(config);
    decide(new Command.Configure(config, Command.Recovery.START), new Caller.Self());
    for (NodeRecord node : state.nodes().values()) {
      register(node, missing);
    }
  }

  private void register(NodeRecord node, List<String> missing) {
    NodeFacts facts =
        node.config()
            .asConfigured(now)
            .with()
            .confinement("cgroup/v2")
            .missingDevices(missing)
            .build();
    decide(new Command.RegisterNode(facts, List.of(), null), new Caller.NodeDaemon(node.name()));
  }

  /** Decides and applies; the invariants hold afterwards. */
  Decision decide(Command command, Caller caller) {
    Decision decision = CommandDecider.decide(state, command, caller, now);
    state = EventApplier.applyAll(state, decision.events());
    StateInvariants.check(state);
    return decision;
  }

  /**
   * Submits as that user and lets the scheduler run once.
   *
   * @return what came of it: a line for each node, {@code waits REASON} or {@code refused TEXT}
   */
  List<String> submit(String user, String arguments) {
    Accepted accepted = accept(user, false, arguments);
    if (accepted.refusal() != null) {
      return List.of(accepted.refusal());
    }
    schedule();
    return seen(accepted.job());
  }

  /** A job's number, or {@code refused TEXT}. */
  record Accepted(int job, String refusal) {}

  /** Submits as that user. */
  Accepted accept(String user, boolean operator, String arguments) {
    JobSubmission submission;
    try {
      submission = read(arguments);
    } catch (CommandException e) {
      return new Accepted(0, "refused " + text(e));
    }
    UserIdentity who =
        users.computeIfAbsent(
            user, name -> new UserIdentity(1001 + users.size(), 1001 + users.size(), name, name));
    Command.SubmitJob command =
        new Command.SubmitJob(submission.spec(), submission.batch(), submission.texts());
    Reply reply = decide(command, new Caller.User(who, List.of(), operator)).reply();
    return reply instanceof Reply.Refused refused
        ? new Accepted(0, "refused " + refused.code().text())
        : new Accepted(((Reply.Submitted) reply).jobId(), null);
  }

  private static String text(CommandException e) {
    List<String> texts = new ArrayList<>();
    for (StderrMessage message : e.messages()) {
      texts.add(message.text());
    }
    return String.join(" / ", texts);
  }

  /** One pass whose starts are carried out. */
  void schedule() {
    plan = Planner.once(state, now);
    decide(new Command.StartJobs(plan.starts()), new Caller.Self());
    decide(new Command.PreemptJobs(plan.preemptions()), new Caller.Self());
  }

  /** The job's nodes and what it holds there, or why it waits. */
  List<String> seen(int id) {
    Job job = state.job(id);
    if (!(job.state() instanceof JobState.Running running)) {
      PendingVerdict verdict = plan.verdicts().get(id);
      return List.of("waits " + (verdict == null ? "None" : verdict.reason()));
    }
    List<String> lines = new ArrayList<>();
    for (NodeShare share : running.allocation().shares()) {
      StringBuilder line = new StringBuilder(share.node());
      line.append(" cpus=").append(share.cpus());
      line.append(" cores=").append(GresShare.ranges(share.cores()));
      line.append(" mem=").append(share.memoryMib());
      line.append(" tasks=").append(share.tasks());
      for (GresShare gres : share.gres()) {
        line.append(' ').append(gres.text());
      }
      lines.add(line.toString());
    }
    return lines;
  }

  /** The job is over. */
  void end(int id) {
    Job job = state.job(id);
    if (job.state() instanceof JobState.Running running) {
      for (String node : running.allocation().nodes()) {
        Caller daemon = new Caller.NodeDaemon(node);
        if (node.equals(running.allocation().batchHost())) {
          decide(new Command.StepLaunched(id, job.run()), daemon);
          decide(
              new Command.StepEnded(id, job.run(), new StepEnd.Ran(ExitStatus.OK, false), true),
              daemon);
        }
        decide(new Command.NodeCleaned(id, job.run(), null), daemon);
      }
    }
  }

  /** An administrator drains a node. */
  void drain(String node) {
    drain(node, "mending");
  }

  /** The same for a reason. */
  void drain(String node, String reason) {
    UserIdentity root = new UserIdentity(0, 0, "root", "root");
    decide(
        new Command.UpdateNodes(List.of(node), Map.of("state", "DRAIN", "reason", reason)),
        new Caller.User(root, List.of(), true));
  }

  /** What an administrator is told who types {@code sacctmgr} and these words. */
  String sacctmgr(String text) {
    FakeContext own = new FakeContext();
    sacctmgr(own, text);
    return own.errors().strip();
  }

  /** The same with a context to look at afterwards; gives the exit code. */
  int sacctmgr(FakeContext own, String text) {
    own.controller = Desk::new;
    return new Sacctmgr().run(own.call(("sacctmgr -i " + text).split(" ", -1)));
  }

  /** What an administrator is told who types {@code scontrol} and these words. */
  String scontrol(String text) {
    FakeContext own = new FakeContext();
    own.controller = Desk::new;
    new Scontrol().run(own.call(("scontrol " + text).split(" ", -1)));
    return (own.printed() + own.errors()).strip().replace("\n", " / ");
  }

  /** Where the administrator's commands are heard. */
  private final class Desk implements ControllerConnection {
    @Override
    public Response ask(Request request) {
      UserIdentity root = new UserIdentity(0, 0, "root", "root");
      if (request instanceof Request.ShowAccounts) {
        return new Response.Accounts(
            "test", "", 0, state.accounts().records(), "root", true, List.of());
      }
      Command.UserCommand command = ((Request.Change) request).command();
      return new Response.Decided(decide(command, new Caller.User(root, List.of(), true)).reply());
    }

    @Override
    public Response await(Request request) {
      return ask(request);
    }

    @Override
    public void close() {}
  }

  /** When and where a job that waits is to start: seconds from now, and nodes. */
  String planned(int id) {
    PendingVerdict verdict = plan.verdicts().get(id);
    if (verdict == null || verdict.expectedStart() == null) {
      return "never";
    }
    long seconds = Duration.between(now, verdict.expectedStart()).toSeconds();
    return seconds + " " + String.join(",", verdict.plannedNodes());
  }

  /** The reservation of that name in short: its nodes and cores, and its licences. */
  String reserved(String name) {
    Reservation made = state.reservationBook().named(name);
    if (made == null) {
      return "none";
    }
    List<String> words = new ArrayList<>();
    for (String node : made.nodes()) {
      List<Integer> cores = made.coresOf(node);
      words.add(cores == null ? node : node + "/" + GresShare.ranges(cores));
    }
    if (!made.licenses().isEmpty()) {
      words.add(License.text(made.licenses()));
    }
    made.flags().forEach(flag -> words.add(flag.word()));
    return String.join(" ", words);
  }

  /** Time goes by, then the scheduler runs. */
  void pass(int seconds) {
    now = now.plusSeconds(seconds);
    schedule();
  }

  /** Why a node takes no jobs, empty if it does. */
  String drained(String node) {
    NodeRecord record = state.node(node);
    String reason = record.condition().reason();
    return record.available() ? "" : String.valueOf(reason);
  }

  /** Why the job waits as the scheduler last said, null for nothing. */
  String verdict(int id) {
    PendingVerdict verdict = plan.verdicts().get(id);
    return verdict == null ? null : verdict.reason();
  }

  /** Time goes by, and nothing happens. */
  void advance(Instant until) {
    now = until;
  }

  /** The time. */
  Instant now() {
    return now;
  }

  /** The state of the cluster. */
  ClusterState state() {
    return state;
  }

  private JobSubmission read(String arguments) throws CommandException {
    List<String> words = new ArrayList<>(List.of("sbatch"));
    for (String word : arguments.strip().split("\\s+", -1)) {
      if (!word.isEmpty()) {
        words.add(word);
      }
    }
    words.addAll(List.of("--wrap", "true"));
    var context = world.call(words.toArray(String[]::new));
    OptionParser<SbatchOption> parser =
        new OptionParser<>(
            "sbatch", SbatchOption.specs(), OptionParser.Operands.END_OPTIONS, context.arguments());
    List<ParsedOption<SbatchOption>> options = parser.all();
    return new JobSubmissionReader(context, SiteFilter.of(context))
        .read(List.of(options), parser.operands());
  }
}
