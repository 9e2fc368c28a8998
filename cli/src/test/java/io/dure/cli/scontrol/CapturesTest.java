package io.dure.cli.scontrol;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.dure.cli.command.CliCommand;
import io.dure.cli.command.FakeContext;
import io.dure.cli.command.ScriptedController;
import io.dure.cli.scancel.Scancel;
import io.dure.model.ErrorCode;
import io.dure.model.accounting.AccountingRecords;
import io.dure.model.command.Reply;
import io.dure.model.config.preempt.PreemptMode;
import io.dure.model.gres.License;
import io.dure.protocol.JobInfo;
import io.dure.protocol.Request;
import io.dure.protocol.Response;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What a real Slurm printed for a call is what these commands print. */
@Tag("pure")
class CapturesTest {

  private static final String SCHEDULER = "which of two schedulers looked last; here is but one";

  private static int agreed;
  private static int tried;

  /**
   * A captured call.
   *
   * @param name the capture
   * @param call what was typed and what came out
   * @param answers what the controller says
   * @param comparison null to compare to the letter, else keys excused and why
   */
  record Case(
      String name,
      Captures.Call call,
      List<Response> answers,
      @Nullable Map<String, String> comparison) {
    @Override
    public String toString() {
      return name;
    }
  }

  static Stream<Case> cases() {
    return Stream.of(jobRecords(), records(), refusals(), successes(), scancels())
        .flatMap(List::stream);
  }

  private static Response jobs(JobFixture... jobs) {
    List<JobInfo> infos = Stream.of(jobs).map(JobFixture::info).toList();
    return new Response.Jobs(infos, FakeContext.NOW);
  }

  private static Response refused(ErrorCode code) {
    return new Response.Decided(new Reply.Refused(code, ""));
  }

  private static Response done() {
    return new Response.Decided(new Reply.Done());
  }

  private static Case exact(String name, Response... answers) {
    return new Case(name, Captures.call(name), List.of(answers), null);
  }

  private static Case fields(String name, Map<String, String> excused, Response... answers) {
    return new Case(name, Captures.call(name), List.of(answers), excused);
  }

  private static List<Case> jobRecords() {
    Map<String, String> common = Map.of("Scheduler", SCHEDULER);
    Map<String, String> licences =
        Map.of(
            "Scheduler",
            SCHEDULER,
            "Licenses",
            "is told with the jobs that have captures of their own");
    Map<String, String> gres =
        Map.of(
            "Scheduler",
            SCHEDULER,
            "TresPerNode",
            "the older release wrote gres:gpu, the newer one gres/gpu");
    Map<String, String> times =
        Map.of("Scheduler", SCHEDULER, "EligibleTime", "was forgotten for an array's rest");
    List<Case> cases = new ArrayList<>();
    CapturedJobs.ended()
        .forEach((name, job) -> cases.add(fields("scontrol/job_" + name, common, jobs(job))));
    CapturedJobs.standing()
        .forEach((name, job) -> cases.add(fields("scontrol/job_" + name, common, jobs(job))));
    JobFixture[] array = CapturedJobs.array().toArray(JobFixture[]::new);
    cases.add(fields("scontrol/job_ARR", times, jobs(array)));
    JobFixture[] het = CapturedJobs.het().toArray(JobFixture[]::new);
    cases.add(fields("scontrol/job_HET", common, jobs(het)));
    cases.add(fields("scontrol/job_d", gres, jobs(CapturedJobs.gpu())));
    cases.add(fields("scontrol/job_dd", gres, jobs(CapturedJobs.gpu())));
    cases.add(fields("scontrol/job_o", gres, jobs(CapturedJobs.gpu())));
    CapturedJobs.listed()
        .forEach((id, job) ->
            cases.add(new Case("job " + id, Captures.job(id), List.of(jobs(job)), licences)));
    return cases;
  }

  private static List<Case> records() {
    Response cluster = ClusterFixture.cluster();
    Response pong = new Response.Pong("vm", "26.05.3", null);
    return List.of(
        fields("scontrol/node_n1", Map.of(), cluster),
        fields("scontrol/node_n4", Map.of(), cluster),
        fields("scontrol/nodes_o", Map.of(), cluster),
        fields("scontrol/partition_o", Map.of(), cluster),
        fields(
            "scontrol/step",
            Map.of(),
            jobs(CapturedJobs.gpu()),
            new Response.WaitingSteps(List.of())),
        exact(
            "scontrol/licenses",
            new Response.Cluster(
                "lab",
                List.of(),
                List.of(),
                FakeContext.NOW,
                List.of(),
                List.of(),
                List.of(new License("matlab", 10), new License("ansys", 2)),
                List.of(new License("matlab", 8)),
                PreemptMode.OFF,
                List.of(),
                false,
                List.of())),
        exact("scontrol/hostnames"),
        exact("scontrol/topology", new Response.NodeTopology(null, null)),
        exact("scontrol/aliases"),
        exact(
            "scontrol/federation",
            new Response.Accounts(
                "labreal", "vm", 6817, AccountingRecords.INITIAL, "alice", false, List.of())),
        exact("scontrol/ping", pong));
  }

  private static List<Case> refusals() {
    Response cluster = ClusterFixture.cluster();
    return List.of(
        exact("errors/scontrol_badjob", jobs()),
        exact("errors/scontrol_badnode", cluster),
        exact("errors/scontrol_badpart", cluster),
        exact("errors/scontrol_badent"),
        exact("errors/scontrol_badcmd"),
        exact("errors/scontrol_badstate"),
        exact("errors/scontrol_noreason"),
        exact("errors/scontrol_denied", refused(ErrorCode.USER_ID_MISSING)),
        exact("errors/scontrol_upd_denied", cluster, refused(ErrorCode.USER_ID_MISSING)),
        exact("errors/scontrol_upd_time_up", refused(ErrorCode.ACCESS_DENIED)),
        exact("errors/scontrol_reconf", new Response.Failed(ErrorCode.USER_ID_MISSING, "")),
        exact("errors/scontrol_shutdown", new Response.Failed(ErrorCode.USER_ID_MISSING, "")),
        exact("errors/requeue_pending", refused(ErrorCode.JOB_PENDING)),
        exact("behaviour/top", refused(ErrorCode.ACCESS_DENIED)));
  }

  private static List<Case> successes() {
    return List.of(
        exact("errors/requeue_done", done()),
        exact("behaviour/hold", done()),
        exact("behaviour/release", done()),
        exact("behaviour/uhold", done()),
        exact("behaviour/update", done()),
        exact("behaviour/requeue", done()));
  }

  private static List<Case> scancels() {
    return List.of(
        exact("errors/scancel_bad"),
        exact("errors/scancel_badsig"),
        exact("errors/scancel_missing", refused(ErrorCode.INVALID_JOB_ID)),
        exact("errors/scancel_denied", refused(ErrorCode.ACCESS_DENIED)),
        exact("behaviour/scancel_v", done()),
        exact("misc/usage_scancel"));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("cases")
  void agrees(Case captured) {
    tried++;
    FakeContext world = new FakeContext();
    ScriptedController controller = new ScriptedController();
    captured.answers().forEach(controller::answer);
    world.controller = controller;
    Captures.Call call = captured.call();
    CliCommand command = call.words().getFirst().equals("scancel") ? new Scancel() : new Scontrol();
    int code = command.run(world.call(call.words().toArray(String[]::new)));
    assertEquals(call.err(), world.errors());
    if (captured.comparison() == null) {
      assertEquals(call.out(), world.printed());
    } else {
      assertEquals(
          List.of(),
          RecordFields.differences(call.out(), world.printed(), captured.comparison()),
          () -> call.out() + world.printed());
      assertEquals(lineEnds(call.out()), lineEnds(world.printed()));
    }
    assertEquals(call.exitCode(), code);
    assertEquals(List.of(), unanswered(controller));
    agreed++;
  }

  /** The blank lines between records, and that each record is one line where it should be. */
  private static String lineEnds(String text) {
    boolean oneLine = !text.contains("\n   ");
    return (oneLine ? "one line" : "lines") + ", " + text.split("\n\n", -1).length + " records";
  }

  private static List<Request> unanswered(ScriptedController controller) {
    return controller.isDone() ? List.of() : controller.requests;
  }

  @AfterAll
  static void count() {
    System.out.println("captures: " + agreed + " of " + tried + " cases agree");
  }
}
