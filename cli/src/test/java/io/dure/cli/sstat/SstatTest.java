package io.dure.cli.sstat;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.dure.cli.command.FakeContext;
import io.dure.cli.command.ScriptedController;
import io.dure.cli.scontrol.JobFixture;
import io.dure.host.process.ProcFs;
import io.dure.model.step.LaunchedStep;
import io.dure.model.step.RunSteps;
import io.dure.model.step.StepShare;
import io.dure.model.step.StepSpec;
import io.dure.protocol.JobInfo;
import io.dure.protocol.Response;
import io.dure.protocol.WireCodecs;
import io.dure.protocol.step.GpuFigures;
import io.dure.protocol.step.StepAnswer;
import io.dure.protocol.step.StepFigures;
import io.dure.protocol.step.TaskFigures;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What sstat says of the figures that nodes tell. */
@Tag("pure")
class SstatTest {
  private final FakeContext world = new FakeContext();
  private final ScriptedController controller = new ScriptedController();

  private int sstat(String... words) {
    world.controller = controller;
    String[] all = new String[words.length + 1];
    all[0] = "sstat";
    System.arraycopy(words, 0, all, 1, words.length);
    return new Sstat().run(world.call(all));
  }

  private static JobInfo job() {
    List<StepShare> shares =
        List.of(
            new StepShare("n1", List.of(0, 1), 2, 0, List.of(0, 1)),
            new StepShare("n2", List.of(0), 1, 0, List.of(2)));
    LaunchedStep step = LaunchedStep.begun(1, StepSpec.of("sh", 3), shares, Instant.EPOCH, null);
    JobInfo info = JobFixture.running(12).info();
    return info.withJob(info.job().withLaunched(RunSteps.NONE.with(step)));
  }

  private static Path socket(String node) {
    return Path.of("/spool/" + node);
  }

  private void node(String name, StepAnswer answer) {
    byte[] bytes = WireCodecs.stepAnswers().encode(answer);
    ByteBuffer frame = ByteBuffer.allocate(5 + bytes.length);
    world.sockets.put(socket(name), frame.put((byte) 'U').putInt(bytes.length).put(bytes).array());
  }

  private void answered() throws IOException {
    String boot = ProcFs.ofThisMachine().bootId();
    List<Response.StepNode> nodes =
        List.of(
            new Response.StepNode("n1", boot, socket("n1").toString(), "n1", 6818),
            new Response.StepNode("n2", boot, socket("n2").toString(), "n2", 6818));
    controller
        .answer(new Response.Jobs(List.of(job()), FakeContext.NOW))
        .answer(new Response.NodePlaces(nodes));
  }

  private static TaskFigures task(int rank, int local, long seconds, long memory, Integer... pids) {
    return new TaskFigures(
        rank,
        local,
        List.of(pids),
        seconds * 1_000_000,
        memory,
        4 * memory,
        7,
        100,
        1,
        2600,
        null,
        0);
  }

  private static StepAnswer answer(List<Integer> others, TaskFigures... tasks) {
    return new StepAnswer(false, List.of(new StepFigures(12, "1", List.of(tasks), others)));
  }

  @Test
  void theTasksOfAllNodesAreCompared() throws IOException {
    node("n1", answer(List.of(40), task(0, 0, 65, 4096, 10, 11), task(1, 1, 5, 2 << 20, 12)));
    node("n2", answer(List.of(), task(2, 0, 80, 8192, 20)));
    answered();
    String columns =
        "jobid,ntasks,maxrss,maxrssnode,maxrsstask,averss,mincpu,mincpunode,mincputask,avecpu,"
            + "avecpufreq,maxdiskwrite,maxdiskread,nodelist,pids,tresusageinmaxtask";
    assertEquals(0, sstat("-nP", "-o", columns, "-j", "12"), world.errors());
    assertEquals(
        "12.1|3|2M|n1|1|703146|00:00:05|n1|1|00:00:50|2.60M|1.00M|100|n[1-2]|10,11,12,40,20|"
            + "cpu=00:00:02,fs/disk=0,mem=1,pages=0,vmem=1\n",
        world.printed());
  }

  @Test
  void gpusAndEnergyAreToldWhereTheyAreKnown() throws IOException {
    TaskFigures plain = task(0, 0, 65, 4096, 10);
    TaskFigures busy =
        new TaskFigures(1, 0, List.of(20), 0, 8, 8, 0, 0, 0, 0, new GpuFigures(170, 3 << 20), 1234);
    node("n1", answer(List.of(), plain));
    node("n2", answer(List.of(), busy));
    answered();
    String columns =
        "consumedenergy,consumedenergyraw,tresusageintot,tresusageinmaxnode,tresusageinmintask,tresusageouttot";
    assertEquals(0, sstat("-nP", "-o", columns, "-j", "12"), world.errors());
    assertEquals(
        "1.23K|1234|cpu=00:01:05,energy=1234,fs/disk=100,gres/gpumem=3M,gres/gpuutil=170,mem=4104,pages=7,"
            + "vmem=16392|"
            + "cpu=n1,energy=n2,fs/disk=n1,gres/gpumem=n2,gres/gpuutil=n2,mem=n1,pages=n1,vmem=n1|"
            + "cpu=00:00:01,fs/disk=1,gres/gpumem=0,gres/gpuutil=0,mem=1,pages=1,vmem=1|"
            + "energy=0,fs/disk=1\n",
        world.printed());
  }

  @Test
  void processesAreListedByNodeAndAmountsWhole() throws IOException {
    node("n1", answer(List.of(), task(0, 0, 0, 4096, 10)));
    node("n2", answer(List.of(), task(2, 0, 0, 4096, 20)));
    answered();
    assertEquals(0, sstat("-nP", "-i", "-j", "12.1"), world.errors());
    assertEquals("12.1|n1|10\n12.1|n2|20\n", world.printed());
    world.out.reset();
    answered();
    assertEquals(0, sstat("-n", "--noconvert", "-p", "-o", "maxrss", "12"), world.errors());
    assertEquals("4096|\n", world.printed());
  }

  @Test
  void whatCannotBeToldIsSaidAndIsNoFailure() throws IOException {
    node("n1", new StepAnswer(true, List.of()));
    answered();
    assertEquals(0, sstat("-n", "-j", "12.1"));
    controller.answer(new Response.Jobs(List.of(job()), FakeContext.NOW));
    assertEquals(0, sstat("-n", "-j", "12.7"));
    controller.answer(new Response.Jobs(List.of(), FakeContext.NOW));
    assertEquals(0, sstat("-n", "-j", "99"));
    controller.answer(new Response.Jobs(List.of(JobFixture.running(12).info()), FakeContext.NOW));
    assertEquals(0, sstat("-n", "-j", "12"));
    assertEquals(
        """
        sstat: error: problem getting step_layout for StepId=12.1: Invalid user id
        sstat: error: slurm_job_step_stat: there was an error with the request to n1 rc = Invalid user id
        sstat: error: StepId=12.7 not found running.
        sstat: error: couldn't get steps for job 99
        sstat: error: No steps running for job 12
        """,
        world.errors());
  }

  @Test
  void wrongWordsGetSlurmsTexts() {
    assertEquals(1, sstat());
    assertEquals(1, sstat("-j", "x"));
    assertEquals(1, sstat("-j", "12.x"));
    assertEquals(1, sstat("-o", "Nothing", "-j", "12"));
    assertEquals(
        """
        sstat: error: You didn't give me any jobs to stat.
        sstat: fatal: Bad job/step specified: x
        sstat: fatal: Bad step specified: 12
        sstat: error: Invalid field requested: "Nothing"
        """,
        world.errors());
    assertEquals(0, sstat("-e"));
    assertTrue(world.printed().startsWith("AveCPU              AveCPUFreq  "), world.printed());
  }
}
