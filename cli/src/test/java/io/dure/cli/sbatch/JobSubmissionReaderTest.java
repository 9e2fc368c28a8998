package io.dure.cli.sbatch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.dure.cli.command.CommandContext;
import io.dure.cli.command.FakeContext;
import io.dure.cli.filter.SiteFilter;
import io.dure.model.request.ArrayRequest;
import io.dure.model.request.KeptOptions;
import io.dure.model.request.MemoryRequest;
import io.dure.model.request.OpenMode;
import io.dure.model.request.OversubscribeMode;
import io.dure.model.request.RequeuePolicy;
import io.dure.model.request.ResourceRequest;
import io.dure.model.request.TimeLimit;
import io.dure.surface.message.CommandException;
import io.dure.surface.message.StderrMessage;
import io.dure.surface.option.OptionParser;
import io.dure.surface.option.ParsedOption;
import io.dure.surface.sbatch.BatchScriptReader;
import io.dure.surface.sbatch.SbatchOption;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("pure")
class JobSubmissionReaderTest {

  @TempDir Path directory;
  private final FakeContext world = new FakeContext();

  @BeforeEach
  void start() {
    world.directory = directory;
  }

  private JobSubmission read(CommandContext context) throws CommandException {
    OptionParser<SbatchOption> parser =
        new OptionParser<>(
            "sbatch", SbatchOption.specs(), OptionParser.Operands.END_OPTIONS, context.arguments());
    List<ParsedOption<SbatchOption>> options = parser.all();
    return new JobSubmissionReader(context, SiteFilter.of(context))
        .read(List.of(options), parser.operands());
  }

  private JobSubmission wrapped(String... words) throws CommandException {
    String[] all = new String[words.length + 3];
    all[0] = "sbatch";
    System.arraycopy(words, 0, all, 1, words.length);
    all[words.length + 1] = "--wrap";
    all[words.length + 2] = "true";
    return read(world.call(all));
  }

  private JobSubmission script(String text, String... words) throws CommandException {
    world.in = text.getBytes(StandardCharsets.UTF_8);
    String[] all = new String[words.length + 1];
    all[0] = "sbatch";
    System.arraycopy(words, 0, all, 1, words.length);
    return read(world.call(all));
  }

  private ResourceRequest resources(String... words) throws CommandException {
    return wrapped(words).spec().resources();
  }

  private String refused(String... words) {
    return assertThrows(CommandException.class, () -> wrapped(words)).getMessage();
  }

  @Test
  void aWrappedCommandIsAScript() throws CommandException {
    JobSubmission found = wrapped();
    assertEquals("wrap", found.spec().name());
    assertEquals(
        "#!/bin/sh\n# This script was created by sbatch --wrap.\n\ntrue\n", found.texts().script());
    assertNull(found.batch().command());
    assertEquals("sbatch --wrap true", found.batch().submitLine());
    assertEquals(new TimeLimit.PartitionDefault(), found.spec().timeLimit());
    assertEquals(new MemoryRequest.Default(), found.spec().resources().memory());
    assertEquals(directory.toString(), found.batch().workDirectory());
    assertEquals(List.of("wrap"), found.spec().asked());
  }

  @Test
  void jobsAreNamedAfterTheirScript() throws Exception {
    assertEquals("sbatch", script("#!/bin/sh\n").spec().name());
    Files.createDirectory(directory.resolve("sub"));
    Path file = Files.writeString(directory.resolve("sub/job.sh"), "#!/bin/sh\n");
    JobSubmission found = script("", "sub/job.sh", "-n", "x");
    assertEquals("job.sh", found.spec().name());
    assertEquals(file.toString(), found.batch().command());
    assertEquals(List.of("-n", "x"), found.batch().arguments());
    assertEquals("other", script("#!/bin/sh\n#SBATCH -J other\n").spec().name());
    assertTrue(script("#!/bin/sh\n").texts().assignments().contains("SLURM_JOB_NAME=sbatch"));
  }

  @Test
  void theCommandLineBeatsTheEnvironmentWhichBeatsTheScript() throws CommandException {
    String text = "#!/bin/sh\n#SBATCH -t 10 -p a -A one\n";
    world.environment.put("SBATCH_TIMELIMIT", "20");
    world.environment.put("SBATCH_PARTITION", "b");
    JobSubmission found = script(text, "-t", "30");
    assertEquals(TimeLimit.minutes(30), found.spec().timeLimit());
    assertEquals(List.of("b"), found.spec().partitions());
    assertEquals("one", found.spec().account());
  }

  @Test
  void aHigherSourceReplacesWhatItExcludes() throws CommandException {
    world.environment.put("SBATCH_MEM_PER_NODE", "1G");
    assertEquals(new MemoryRequest.PerNode(1024), resources().memory());
    assertEquals(new MemoryRequest.PerCpu(100), resources("--mem-per-cpu=100").memory());
    assertEquals(OversubscribeMode.USER, resources("--exclusive=user").sharing());
    assertEquals(
        "--exclusive and --oversubscribe options are mutually exclusive.",
        refused("-s", "--exclusive"));
  }

  @Test
  void whatStepsAndPluginsWouldFollowIsKept() throws CommandException {
    assertEquals(
        new KeptOptions(
            "gres/gpu:verbose,map:0,1*2+gres/nic:closest",
            "medium,memory=high,verbose",
            "task,energy",
            "x",
            "b",
            "q",
            "m",
            "e",
            Duration.ofMinutes(5),
            "/images/a",
            "c1",
            "oci",
            "task=5"),
        resources(
                "--tres-bind=gres/gpu:verbose,map:0,1*2+gres/nic:closest",
                "--acctg-freq=task=5",
                "--gpu-freq=medium,memory=high,verbose",
                "--profile=task,energy",
                "--network=x",
                "--bb=b",
                "--cluster-constraint=q",
                "--mcs-label=m",
                "--extra=e",
                "--delay-boot=5",
                "--container=/images/a",
                "--container-id=c1",
                "--container-type=oci")
            .more()
            .shown());
    assertEquals(KeptOptions.NONE, resources("-N1").more().shown());
    resources("--wait-all-nodes=1", "--oom-kill-step=1", "--no-kill", "-N1");
    resources("--gpu-bind=verbose,closest", "-N2", "--no-kill=off");
    assertTrue(wrapped("-N2", "--no-kill").spec().survivesNodes());
    assertFalse(wrapped("-N2", "--no-kill=off").spec().survivesNodes());
  }

  @Test
  void tasksFollowNodesAndNodesFollowTasks() throws CommandException {
    assertEquals("1-1 1", shape());
    assertEquals("3-3 3", shape("-N3"));
    assertEquals("2-4 2", shape("-N", "2-4"));
    assertEquals("3-3 12", shape("-N3", "--ntasks-per-node=4"));
    assertEquals("1-8 8", shape("-n8"));
    assertEquals("2-2 8", shape("-N2", "-n8"));
    assertEquals("3-3 3", shape("-w", "n[1-3]"));
    assertEquals("2-2 2", shape("-N4", "-n2"));
    assertEquals(
        List.of(StderrMessage.warning("can't run 2 processes on 4 nodes, setting nnodes to 2")),
        wrapped("-N4", "-n2").warnings());
    assertEquals(
        "Batch job submission failed: More processors requested than permitted",
        refused("-N1000000", "--ntasks-per-node=1000000"));
  }

  private String shape(String... words) throws CommandException {
    ResourceRequest found = resources(words);
    return found.minNodes() + "-" + found.maxNodes() + " " + found.tasks();
  }

  @Test
  void nodesComeFromListsAndFiles() throws Exception {
    Files.writeString(directory.resolve("hosts"), "n1\nn3, n[5-6]\n");
    assertEquals(List.of("n1", "n3", "n5", "n6"), resources("-F", "hosts").requiredNodes());
    assertEquals(List.of("n1", "n3", "n5", "n6"), resources("-w", "./hosts").requiredNodes());
    assertEquals(
        List.of("n1", "n2"),
        resources("-w", "n2,n[1-2]", "-x", "n9").requiredNodes().stream().sorted().toList());
    assertEquals(List.of("n9"), resources("-x", "n9").excludedNodes());
    assertEquals("Batch job submission failed: Invalid node name specified", refused("-w", "n[1-"));
    assertEquals(
        "Batch job submission failed: Invalid node name specified", refused("-w", "n[1-1000000]"));
    assertEquals("Unable to open file gone", refused("-F", "gone"));
  }

  @Test
  void theRestOfTheRequest() throws CommandException {
    JobSubmission found =
        wrapped(
            "-H",
            "--parsable",
            "--nice",
            "-a",
            "0-9%2",
            "-q",
            "high",
            "--comment=hello",
            "--requeue",
            "--mail-type=end,FAIL",
            "--kill-on-invalid-dep=yes",
            "--time-min=5",
            "-B",
            "2:*:1",
            "--mincpus=3",
            "-c2",
            "--tmp=1G",
            "-O",
            "-C",
            "a&b",
            "-vvQ");
    assertEquals(0L, found.spec().priority());
    world.uid = 0;
    assertEquals("bob", wrapped("--uid=bob").runAs());
    assertEquals("bob:staff", wrapped("--uid=bob", "--gid=staff").runAs());
    assertEquals(":50", wrapped("--gid=50").runAs());
    assertEquals(RequeuePolicy.YES, wrapped("--requeue=expedite").spec().requeue());
    assertEquals(7L, wrapped("--priority=7").spec().priority());
    assertTrue(found.parsable());
    assertTrue(found.quiet());
    assertEquals(2, found.verbosity());
    assertEquals(100, found.spec().nice());
    assertEquals(new ArrayRequest("0-9%2"), found.spec().arrayTasks());
    assertEquals(RequeuePolicy.YES, found.spec().requeue());
    assertEquals("END,FAIL", found.spec().mailType());
    assertEquals(true, found.spec().killOnInvalidDependency());
    assertEquals(5, found.spec().timeMin().toMinutes());
    ResourceRequest shape = found.spec().resources();
    assertEquals(2, shape.socketsPerNode());
    assertNull(shape.coresPerSocket());
    assertEquals(1, shape.threadsPerCore());
    assertEquals(3, shape.minCpusPerNode());
    assertEquals(1024, shape.tmpDiskMib());
    assertTrue(shape.overcommit());
  }

  @Test
  void laterOfRequeueAndNoRequeueHolds() throws CommandException {
    assertEquals(RequeuePolicy.NO, wrapped("--requeue", "--no-requeue").spec().requeue());
    assertEquals(RequeuePolicy.YES, wrapped("--no-requeue", "--requeue").spec().requeue());
    assertEquals(RequeuePolicy.DEFAULT, wrapped().spec().requeue());
  }

  @Test
  void workloadKeyIsKept() throws CommandException {
    assertNull(wrapped().spec().wckey());
    assertEquals("submitit", wrapped("--wckey=submitit").spec().wckey());
    world.environment.put("SBATCH_WCKEY", "site");
    assertEquals("site", wrapped().spec().wckey());
    assertEquals("own", wrapped("--wckey", "own").spec().wckey());
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "=L", "=S", "=l", "=30", "=30L", "=15s"})
  void loginEnvironmentIsAskedForInOldForms(String argument) throws CommandException {
    assertTrue(wrapped("--get-user-env" + argument).batch().loadUserEnvironment());
  }

  @Test
  void otherWaysToLogInAreRefused() throws CommandException {
    assertEquals("Invalid --get-user-env specification", refused("--get-user-env=X"));
    world.environment.put("SBATCH_GET_USER_ENV", "true");
    assertTrue(wrapped().batch().loadUserEnvironment());
  }

  @Test
  void niceIsBounded() throws CommandException {
    assertEquals(0, wrapped("--nice=abc").spec().nice());
    assertEquals(2147483645, wrapped("--nice=2147483645").spec().nice());
    String text = "Invalid --nice value, out of range (+/- 2147483645)";
    assertEquals(text, refused("--nice=99999999999"));
    assertEquals(text, refused("--nice=-2147483646"));
  }

  @Test
  void whereTheJobRuns() throws CommandException {
    world.nice = 5;
    JobSubmission found =
        wrapped("-D", "sub", "-o", "%j.out", "-i", "none", "--open-mode=a", "--propagate=CORE");
    assertEquals(directory + "/sub", found.batch().workDirectory());
    assertEquals("%j.out", found.batch().standardOutput());
    assertEquals("/dev/null", found.batch().standardInput());
    assertEquals("/dev/null", wrapped("-o", "none").batch().standardOutput());
    assertEquals(OpenMode.APPEND, found.batch().openMode());
    assertEquals(1, found.batch().limits().size());
    assertFalse(found.batch().limitsOfSite());
    assertTrue(wrapped().batch().limitsOfSite());
    assertEquals(022, found.batch().umask());
    assertEquals(
        List.of(
            "SLURM_JOB_NAME=wrap",
            "SLURM_PRIO_PROCESS=5",
            "SLURM_SUBMIT_DIR=" + directory,
            "SLURM_SUBMIT_HOST=vm",
            "SLURM_UMASK=0022"),
        found.texts().assignments());
  }

  @Test
  void whatOnlyStepsOrPluginsFollowIsTaken() throws CommandException, IOException {
    JobSubmission found = wrapped("--cpu-freq=high", "--resv-ports=4", "--reboot");
    assertTrue(found.texts().assignments().contains("SLURM_CPU_FREQ_REQ=high"));
    Files.writeString(directory.resolve("bb.txt"), "#DW stage\n");
    assertEquals(
        "#DW stage\n", wrapped("--bbf=bb.txt").spec().resources().more().shown().burstBuffer());
    assertEquals("Invalid --bbf specification", refused("--bbf=none.txt"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "--exclusive=topo",
        "--context=x",
        "--mem-update=10@60",
        "--resources=x",
        "--stepmgr"
      })
  void whatNeedsAnAbsentPluginIsRefusedAsSlurmDoes(String option) {
    CommandException refusal = assertThrows(CommandException.class, () -> resources(option));
    boolean whole = option.startsWith("--ex") || option.startsWith("--req");
    String name = whole ? option : option.replaceFirst("=.*", "");
    assertEquals(
        List.of(
            name + " is not available on this cluster",
            "Batch job submission failed: Requested operation not supported on this system"),
        refusal.messages().stream().map(StderrMessage::text).toList());
  }

  @Test
  void segmentsAndTheNodeOfTheScript() throws CommandException {
    assertTrue(resources("-N4", "--segment=2", "--spread-segments").reach().spreadSegments());
    assertFalse(resources("-N4", "--segment=2", "--consolidate-segments").reach().spreadSegments());
    assertEquals("fast", resources("-Cfast", "--batch=fast").more().batchFeatures());
    assertEquals(OversubscribeMode.OVERSUBSCRIBE, resources("--exclusive=oversubscribe").sharing());
    assertEquals(OversubscribeMode.DEFAULT, resources("--exclusive=mcs").sharing());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "--tres-per-task=bb/x=1",
        "--signal=R:USR1",
      })
  void whatIsNotBuiltIsRefused(String option) {
    String text = refused(option);
    assertTrue(text.endsWith(" is not supported by this version of Dure yet"), text);
    assertTrue(text.startsWith("--"), text);
  }

  @ParameterizedTest
  @ValueSource(strings = {"--gres=none", "--gpus=0", "--profile=none", "--no-kill=off", "-mblock"})
  void whatAsksForTheUsualPasses(String option) throws CommandException {
    assertNull(wrapped(option).spec().priority());
  }

  @Test
  void variablesNameThemselvesWhenTheyAreRefused() {
    world.environment.put("SBATCH_TRES_BIND", "x");
    assertEquals("Invalid --tres-bind argument: x", refused());
  }

  @Test
  void leftOverWordsAreNoDirectives() {
    CommandException refusal =
        assertThrows(CommandException.class, () -> script("#!/bin/sh\n#SBATCH -n 1 extra -n 2\n"));
    assertEquals("Invalid directive found in batch script: extra", refusal.getMessage());
    assertEquals(255, refusal.exitCode());
  }

  @Test
  void otherDialectsAreReadUnlessPassedOver() throws CommandException {
    String text =
        "#!/bin/sh\n#PBS -l walltime=1:00:00\n#BSUB -J other\n#PBS -N pbs\n#SBATCH -J own\n";
    assertEquals("pbs", script(text).spec().name());
    assertEquals(TimeLimit.minutes(60), script(text).spec().timeLimit());
    assertEquals("mine", script(text, "-J", "mine").spec().name());
    assertEquals("own", script(text, "--ignore-pbs").spec().name());
    assertEquals("own", script(text + "#SBATCH --ignore-pbs\n").spec().name());
    assertEquals("lsf", script("#!/bin/sh\n#BSUB -J lsf\n").spec().name());
    world.environment.put("SBATCH_IGNORE_PBS", "1");
    assertEquals("own", script(text).spec().name());
  }

  @Test
  void noMoreThanTheBoundIsReadOfAnEndlessScript() {
    CommandContext call = world.call("sbatch");
    int[] given = new int[1];
    InputStream endless =
        new InputStream() {
          @Override
          public int read() {
            given[0]++;
            return '#';
          }

          @Override
          public int read(byte[] buffer, int from, int count) {
            given[0] += count;
            java.util.Arrays.fill(buffer, from, from + count, (byte) '#');
            return count;
          }
        };
    CommandContext context = call.with().in(endless).terminal(false).build();
    assertThrows(CommandException.class, () -> read(context));
    assertEquals(BatchScriptReader.MAX_BYTES + 1, given[0]);
  }

  @Test
  void missingScripts() {
    assertEquals(
        "Unable to open file gone.sh",
        assertThrows(CommandException.class, () -> script("", "gone.sh")).getMessage());
    assertEquals(
        "Unable to open file .",
        assertThrows(CommandException.class, () -> script("", ".")).getMessage());
    assertEquals(
        "Script arguments not permitted with --wrap option",
        assertThrows(CommandException.class, () -> script("", "--wrap=true", "x")).getMessage());
  }

  @Test
  void exportFilesReplaceTheEnvironment() throws IOException, CommandException {
    world.environment.put("HOME", "/home/alice");
    Files.writeString(directory.resolve("env"), "A=1\0B=x=y\nz\0bad\0");
    List<String> found = wrapped("--export-file=env").texts().assignments();
    assertEquals(List.of("A=1", "B=x=y\nz"), found.subList(0, 2));
    assertFalse(found.contains("HOME=/home/alice"));
  }
}
