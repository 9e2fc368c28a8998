package io.dure.lifecycle;

import static io.dure.testkit.cluster.JobBuilder.job;
import static io.dure.testkit.cluster.TestCluster.ALICE;
import static io.dure.testkit.cluster.TestCluster.BOB;
import static io.dure.testkit.cluster.TestCluster.ROOT;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.dure.cluster.Decision;
import io.dure.cluster.decide.CommandDecider;
import io.dure.model.ErrorCode;
import io.dure.model.ExitStatus;
import io.dure.model.accounting.AccountingChange;
import io.dure.model.accounting.Qos;
import io.dure.model.command.Caller;
import io.dure.model.command.Command;
import io.dure.model.command.CrontabChange;
import io.dure.model.command.Reply;
import io.dure.model.config.NodeConfig;
import io.dure.model.config.PartitionConfig;
import io.dure.model.config.gres.GpuDefaults;
import io.dure.model.hook.Trigger;
import io.dure.model.hook.TriggerChange;
import io.dure.model.hook.TriggerKind;
import io.dure.model.step.StepSpec;
import io.dure.testkit.cluster.Ask;
import io.dure.testkit.cluster.ClusterBuilder;
import io.dure.testkit.cluster.TestCluster;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Who may do what, and which partition takes whose jobs. */
@Tag("pure")
class AccessTest {
  private final TestCluster cluster =
      ClusterBuilder.of(2)
          .partition("debug", "Nodes=ALL Default=YES MaxTime=60")
          .partition("staff", "Nodes=ALL AllowGroups=staff")
          .partition("root", "Nodes=ALL RootOnly=YES")
          .partition("down", "Nodes=ALL State=DOWN")
          .partition("drain", "Nodes=ALL State=DRAIN")
          .partition("off", "Nodes=ALL State=INACTIVE")
          .partition("users", "Nodes=ALL DisableRootJobs=YES")
          .start();

  private String answer(Command command, Caller caller) {
    Decision decision = CommandDecider.decide(cluster.state(), command, caller, cluster.now());
    return switch (decision.reply()) {
      case Reply.Done _ -> "done";
      case Reply.Submitted _ -> "submitted";
      case Reply.StepCreated _ -> "step";
      case Reply.Reserved _ -> "reserved";
      case Reply.Killed(List<Reply.KillFailure> failures, _) ->
          failures.isEmpty() ? "killed" : failures.getFirst().code().name();
      case Reply.Refused(ErrorCode code, _, _) -> code.name();
    };
  }

  /** Every user command by the owner, another user, root, and somebody who is no user. */
  @Test
  void whoMayDoWhat() {
    int id = cluster.submit(ALICE, job().held());
    PartitionConfig debug = cluster.state().partitions().getFirst();
    var node = cluster.node("n1").config();
    List<Command.UserCommand> commands = commands(id, debug, node);
    List<String> found = new ArrayList<>();
    for (Command.UserCommand command : commands) {
      found.add(
          command.getClass().getSimpleName()
              + ": "
              + answer(command, ALICE)
              + ", "
              + answer(command, BOB)
              + ", "
              + answer(command, ROOT)
              + ", "
              + answer(command, new Caller.NodeDaemon("n1"))
              + ", "
              + answer(command, new Caller.Self()));
    }
    String stranger = ", AUTHENTICATION, AUTHENTICATION";
    assertEquals(
        List.of(
            "SubmitJob: submitted, submitted, submitted" + stranger,
            "SubmitHetJob: submitted, submitted, submitted" + stranger,
            "KillJob: done, ACCESS_DENIED, done" + stranger,
            "KillJobs: killed, ACCESS_DENIED, killed" + stranger,
            "HoldJob: done, USER_ID_MISSING, done" + stranger,
            "ReleaseJob: done, USER_ID_MISSING, done" + stranger,
            "RequeueJob: JOB_PENDING, ACCESS_DENIED, JOB_PENDING" + stranger,
            "SuspendJob: ACCESS_DENIED, ACCESS_DENIED, JOB_PENDING" + stranger,
            "ResumeJob: ACCESS_DENIED, ACCESS_DENIED, JOB_PENDING" + stranger,
            "UpdateJob: done, USER_ID_MISSING, done" + stranger,
            "TopJobs: ACCESS_DENIED, ACCESS_DENIED, DISABLED" + stranger,
            "NotifyJob: JOB_PENDING, USER_ID_MISSING, JOB_PENDING" + stranger,
            "UpdateNodes: USER_ID_MISSING, USER_ID_MISSING, done" + stranger,
            "CreateNodes: USER_ID_MISSING, USER_ID_MISSING, INVALID_NODE_NAME" + stranger,
            "DeleteNodes: USER_ID_MISSING, USER_ID_MISSING, NODE_IN_USE" + stranger,
            "ChangePartition: USER_ID_MISSING, USER_ID_MISSING, done" + stranger,
            "DeletePartition: USER_ID_MISSING, USER_ID_MISSING, done" + stranger,
            "ChangeAccounting: ACCESS_DENIED, ACCESS_DENIED, done" + stranger,
            "CreateReservation: USER_ID_MISSING, USER_ID_MISSING, reserved" + stranger,
            "UpdateReservation: USER_ID_MISSING, USER_ID_MISSING, RESERVATION_INVALID" + stranger,
            "DeleteReservation: USER_ID_MISSING, USER_ID_MISSING, RESERVATION_INVALID" + stranger,
            "CreateStep: JOB_PENDING, ACCESS_DENIED, JOB_PENDING" + stranger,
            "KillStep: INVALID_JOB_ID, ACCESS_DENIED, INVALID_JOB_ID" + stranger,
            "UpdateStep: INVALID_JOB_ID, ACCESS_DENIED, INVALID_JOB_ID" + stranger,
            "CompleteAllocation: NOT_SUPPORTED, ACCESS_DENIED, NOT_SUPPORTED" + stranger,
            "ChangeTriggers: ACCESS_DENIED, ACCESS_DENIED, done" + stranger,
            "ChangeCrontab: DISABLED, DISABLED, DISABLED" + stranger),
        found);
    assertEquals(
        Command.UserCommand.class.getPermittedSubclasses().length,
        commands.size(),
        "every command");
  }

  private static List<Command.UserCommand> commands(
      int id, PartitionConfig debug, NodeConfig node) {
    return List.of(
        job().submission(),
        new Command.SubmitHetJob(
            List.of(
                new Command.Component(job().spec(), job().batch()),
                new Command.Component(job().spec(), job().batch())),
            job().submission().texts(),
            null),
        Ask.cancel(id),
        Command.KillJobs.named(List.of(Ask.all(id)), null, false, false),
        Ask.hold(id),
        Ask.release(id),
        Ask.requeue(id),
        new Command.SuspendJob(Ask.all(id)),
        new Command.ResumeJob(Ask.all(id)),
        Ask.timeLimit(id, 5),
        Ask.top(id),
        Ask.notice(id),
        Ask.node("n1", "state", "RESUME"),
        new Command.CreateNodes(List.of(node)),
        new Command.DeleteNodes(List.of("n1")),
        new Command.ChangePartition(debug, false),
        new Command.DeletePartition("down"),
        new Command.ChangeAccounting(
            0, List.of(new AccountingChange.QosSet(Qos.plain(2, "high", "high")))),
        Ask.reservation("r", "n1"),
        Ask.longer("r"),
        new Command.DeleteReservation("r"),
        new Command.CreateStep(id, StepSpec.of("true", 1)),
        new Command.KillStep(id, 0, null),
        new Command.UpdateStep(id, 0, 5, false),
        new Command.CompleteAllocation(id, ExitStatus.OK),
        new Command.ChangeTriggers(
            new TriggerChange.SetTrigger(
                new Trigger.Wish(
                    null, "n1", List.of(TriggerKind.NODE_DOWN), 0, "/bin/true", false))),
        new Command.ChangeCrontab(new CrontabChange("", List.of())));
  }

  @Test
  void usersSpeakForNobodyElse() {
    for (Command command :
        List.of(new Command.Tick(), new Command.StartJobs(List.of()), new Command.NodeUnfit("x"))) {
      assertEquals("AUTHENTICATION", answer(command, ALICE));
      assertEquals("AUTHENTICATION", answer(command, ROOT));
    }
    assertEquals("AUTHENTICATION", answer(new Command.Tick(), new Caller.NodeDaemon("n1")));
    assertEquals("AUTHENTICATION", answer(new Command.NodeUnfit("x"), new Caller.Self()));
  }

  @Test
  void partitionsTakeWhomTheyMay() {
    assertEquals(ErrorCode.PARTITION_GROUP, cluster.refusal(ALICE, job().partition("staff")));
    assertNull(cluster.refusal(BOB, job().partition("staff")));
    assertEquals(ErrorCode.ACCESS_DENIED, cluster.refusal(ALICE, job().partition("root")));
    assertNull(cluster.refusal(ROOT, job().partition("root")));
    assertEquals(ErrorCode.ACCESS_DENIED, cluster.refusal(ROOT, job().partition("users")));
    assertEquals(
        ErrorCode.INVALID_PARTITION_NAME, cluster.refusal(ALICE, job().partition("nowhere")));
    assertNull(cluster.refusal(ALICE, job().partition("staff", "debug")), "one is enough");
    int id = cluster.submit(ALICE, job().partition("staff", "debug").held());
    assertEquals(List.of("debug"), cluster.job(id).spec().partitions(), "only where she may");
  }

  @Test
  void partitionStates() {
    int waits = cluster.submit(ALICE, job().partition("down"));
    assertEquals("PENDING PartitionDown", cluster.state(waits) + " " + cluster.reason(waits));
    assertEquals(
        ErrorCode.PARTITION_NOT_AVAILABLE, cluster.refusal(ALICE, job().partition("drain")));
    assertEquals(ErrorCode.PARTITION_NOT_AVAILABLE, cluster.refusal(ALICE, job().partition("off")));
    cluster.ask(ROOT, change("down", PartitionConfig.State.UP));
    assertEquals("RUNNING", cluster.state(waits));
    int held = cluster.submit(ALICE, job().held());
    cluster.ask(ROOT, change("debug", PartitionConfig.State.DRAIN));
    cluster.ask(ALICE, Ask.release(held));
    assertEquals("RUNNING", cluster.state(held), "what waits there may still start");
    int inactive = cluster.submit(ALICE, job().partition("down").held());
    cluster.ask(ROOT, change("down", PartitionConfig.State.INACTIVE));
    cluster.ask(ALICE, Ask.release(inactive));
    assertEquals("PartitionInactive", cluster.reason(inactive));
  }

  private Command.UserCommand change(String name, PartitionConfig.State state) {
    PartitionConfig now = cluster.state().partition(name);
    if (now == null) {
      throw new AssertionError(name);
    }
    return new Command.ChangePartition(
        now.with()
            .state(state)
            .billingWeights(Map.of())
            .qos(null)
            .preemptMode(null)
            .graceTime(Duration.ZERO)
            .gpuDefaults(GpuDefaults.NONE)
            .build(),
        false);
  }

  @Test
  void aPartitionInUseIsNotDeleted() {
    cluster.submit(ALICE, job());
    assertEquals(
        ErrorCode.PARTITION_IN_USE, cluster.refusal(ROOT, new Command.DeletePartition("debug")));
    assertNull(cluster.refusal(ROOT, new Command.DeletePartition("off")));
    assertEquals(
        ErrorCode.INVALID_PARTITION_NAME,
        cluster.refusal(ROOT, new Command.DeletePartition("off")));
    cluster.checkReplay();
  }

  @Test
  void senselessRequestsAreRefused() {
    assertEquals(ErrorCode.INVALID_NODE_COUNT, cluster.refusal(ALICE, job().nodes(0)));
    assertEquals(ErrorCode.INVALID_NODE_COUNT, cluster.refusal(ALICE, job().nodes(-1)));
    assertEquals(ErrorCode.CPU_COUNT_INVALID, cluster.refusal(ALICE, job().tasks(0)));
    assertEquals(ErrorCode.CPU_COUNT_INVALID, cluster.refusal(ALICE, job().cpus(-4)));
    assertEquals(
        ErrorCode.TOO_MANY_CPUS, cluster.refusal(ALICE, job().tasks(100_000).cpus(100_000)));
    assertEquals(ErrorCode.MEMORY_UNAVAILABLE, cluster.refusal(ALICE, job().memory(-1)));
    assertEquals(
        ErrorCode.MEMORY_UNAVAILABLE, cluster.refusal(ALICE, job().memory(Long.MAX_VALUE)));
    assertEquals(ErrorCode.INVALID_TIME_LIMIT, cluster.refusal(ALICE, job().time(0)));
    assertEquals(
        ErrorCode.INVALID_TIME_LIMIT, cluster.refusal(ALICE, job().time(Long.MAX_VALUE / 60)));
    assertEquals(
        ErrorCode.TOO_MANY_CPUS, cluster.refusal(ALICE, job().tasks(Integer.MAX_VALUE).cpus(2)));
    assertEquals(0, cluster.state().jobCount());
  }
}
