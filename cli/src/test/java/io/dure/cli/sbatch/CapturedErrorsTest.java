package io.dure.cli.sbatch;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.dure.cli.command.FakeContext;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What a real Slurm 22.05 says to the same command lines; the exit code is that of 26.05, which
 * ends with 1 where the older one ended with 255.
 */
@Tag("pure")
class CapturedErrorsTest {

  private static final String TRY = "Try \"sbatch --help\" for more information\n";
  private static final String NO_SCRIPT =
      """
      sbatch: error: This does not look like a batch script.  The first
      sbatch: error: line must start with #! followed by the path to an interpreter.
      sbatch: error: For instance: #!/bin/sh
      """;

  private final FakeContext world = new FakeContext();

  private void refuses(String expected, String... words) {
    refuses(1, expected, words);
  }

  private void refuses(int exitCode, String expected, String... words) {
    String[] all = new String[words.length + 1];
    all[0] = "sbatch";
    System.arraycopy(words, 0, all, 1, words.length);
    int code = new Sbatch().run(world.call(all));
    assertEquals(expected, world.errors());
    assertEquals("", world.printed());
    assertEquals(exitCode, code);
  }

  /** Here 26.05 has kept the exit code of the older release. */
  @Test
  void wrongOpenMode() {
    String text = "sbatch: error: Invalid --open-mode specification\n";
    refuses(255, text, "--open-mode=x", "--wrap", "true");
  }

  @ParameterizedTest
  @ValueSource(strings = {"uid", "gid"})
  void onlyRootSubmitsForOthers(String option) {
    String text = "sbatch: error: --" + option + " only permitted by root user\n";
    refuses(255, text, "--" + option + "=1002", "--wrap", "true");
  }

  @ParameterizedTest
  @CsvSource({"uid,nobody_at_all", "uid,99999", "gid,no_group", "gid,99999"})
  void noMachineKnowsTheUserOrGroup(String option, String value) {
    world.uid = 0;
    String text = "sbatch: error: Invalid --" + option + " specification\n";
    refuses(255, text, "--" + option + "=" + value, "--wrap", "x");
  }

  @ParameterizedTest
  @CsvSource({
    "--mem=abc,Invalid --mem specification",
    "-tabc,Invalid --time specification",
    "-Nabc,\"abc\" is not a valid node count",
    "-N3-2,Maximum node count 2 is less than minimum node count 3",
    "-n-1,Invalid numeric value \"-1\" for --ntasks.",
    "--mail-type=XX,Invalid --mail-type specification",
    "--signal=NOPE@60,Invalid --signal specification",
    "-Babc,Invalid numeric value \"abc\" for first arg of -B.",
    "-B1:abc,Invalid numeric value \"abc\" for second arg of -B.",
    "-B1:1:abc,Invalid numeric value \"abc\" for third arg of -B.",
    "--tres-per-task=abc,Invalid --tres-per-task specification",
    "--export-file=abc,Could not open user environment file abc",
    "--priority=-1,Priority must be >= 0",
    "--priority=4294967296,Priority must be < 4294967294",
    "--priority=abc,Invalid --priority specification",
    "-marbitrary,With Arbitrary distribution you need to specify a nodelist or hostfile with the -w option",
    "--switches=x,Invalid numeric value \"x\" for --switches.",
    "-mfoo,Invalid --distribution specification",
    "--no-kill=x,Invalid --no-kill specification",
    "--gpu-freq=foo,Invalid --gpu-freq argument: gpu:foo",
    "--gpu-freq=,Invalid --gpu-freq argument: gpu:",
    "--gpu-freq=memory=foo,Invalid --gpu-freq argument: gpu:memory=foo",
    "--acctg-freq=foo,Invalid --acctg-freq specification: foo",
    "--acctg-freq=task=x,Invalid --acctg-freq specification: task=x",
    "'--acctg-freq=task=30,foo=1',Invalid --acctg-freq specification: foo=1",
    "--acctg-freq=-1,Invalid --acctg-freq specification: -1",
    "--profile=foo,invalid --profile=foo option",
    "--profile=,invalid --profile= option",
    "--delay-boot=x,Invalid --delay-boot specification",
    "--wait-all-nodes=2,Invalid --wait-all-nodes specification",
    "--wait-all-nodes=x,Invalid numeric value \"x\" for --wait-all-nodes.",
    "--gpu-bind=map_gpu,Invalid --gpu-bind argument: gres/gpu:map_gpu",
    "--gpu-bind=map_gpu:,Invalid --gpu-bind argument: gres/gpu:map_gpu:",
    "--gpu-bind=mask_gpu:,Invalid --gpu-bind argument: gres/gpu:mask_gpu:",
    "--gpu-bind=verbose,Invalid --gpu-bind argument: gres/gpu:verbose",
    "'--gpu-bind=v,none','Invalid --gpu-bind argument: gres/gpu:v,none'",
    "--gpu-bind=,Invalid --gpu-bind argument: gres/gpu:",
    "--tres-bind=gpu:closest,Invalid --tres-bind argument: gpu:closest",
    "--tres-bind=gres/gpu:map:,Invalid --tres-bind argument: gres/gpu:map:",
    "-dnonsense:1,Batch job submission failed: Job dependency problem"
  })
  void wrongArguments(String option, String text) {
    refuses("sbatch: error: " + text + "\n", "-o", "/dev/null", option, "--wrap", "true");
  }

  @Test
  void moreNodesAreNamedThanWanted() {
    refuses(
        "sbatch: error: invalid number of nodes (-N 3-2)\n", "-N1-2", "-wn[1-3]", "--wrap", "true");
  }

  @Test
  void aLimitThatThereIsNot() {
    refuses(
        """
        sbatch: error: Bad rlimit name: abc
        sbatch: error: --propagate=NPROC,abc is not valid.
        """,
        "--propagate=NPROC,abc",
        "--wrap",
        "true");
  }

  @Test
  void wrongNumbersOfGpus() {
    refuses(
        """
        sbatch: error: Failed to validate zz, offending character is z
        sbatch: error: Invalid --gpu-bind argument: gres/gpu:mask_gpu:zz
        """,
        "--gpu-bind=mask_gpu:zz",
        "--wrap",
        "true");
  }

  @Test
  void wrongHint() {
    refuses(
        "sbatch: error: unrecognized --hint argument \"x\", see --hint=help\n",
        "--hint=x",
        "--wrap",
        "true");
  }

  @Test
  void wrongBegin() {
    refuses(
        """
        Invalid time specification (pos=0): whenever
        sbatch: error: Invalid --begin specification
        """,
        "-b",
        "whenever",
        "--wrap",
        "true");
  }

  @Test
  void wrongFrequency() {
    refuses(
        """
        sbatch: error: unrecognized --cpu-freq argument "foo"
        sbatch: error: Invalid --cpu-freq argument
        """,
        "--cpu-freq=foo",
        "--wrap",
        "true");
  }

  @Test
  void memoryTwice() {
    refuses(
        "sbatch: fatal: --mem, --mem-per-cpu, and --mem-per-gpu are mutually exclusive.\n",
        "--mem=100",
        "--mem-per-cpu=100",
        "--wrap",
        "true");
  }

  @ParameterizedTest
  @CsvSource({
    "-c2,--cpus-per-task is mutually exclusive with --tres-per-task=cpu.",
    "--cpus-per-gpu=2,--cpus-per-gpu is mutually exclusive with --tres-per-task=cpu.",
    "-O,--overcommit is mutually exclusive with --tres-per-task.",
    "--ntasks-per-gpu=2,--ntasks-per-gpu is mutually exclusive with --tres-per-task."
  })
  void resourcesOfATaskTwice(String option, String text) {
    refuses(
        "sbatch: fatal: " + text + "\n", "--tres-per-task=cpu=1", "-n2", option, "--wrap", "true");
  }

  @Test
  void unknownOptions() {
    refuses("sbatch: unrecognized option '--nonsense'\n" + TRY, "--nonsense", "--wrap", "true");
  }

  @Test
  void unknownLetter() {
    refuses("sbatch: invalid option -- 'Z'\n" + TRY, "-Z", "--wrap", "true");
  }

  @Test
  void missingArgument() {
    refuses("sbatch: option '--comment' requires an argument\n" + TRY, "--comment");
  }

  @Test
  void nothingAtAll() {
    refuses("sbatch: error: Batch script is empty!\n");
  }

  @Test
  void anArgumentThatSwallowsTheNextOption(@TempDir Path directory) throws IOException {
    Files.writeString(directory.resolve("true"), "\u007fELF");
    world.directory = Path.of("/");
    world.environment.put("PATH", "/nowhere:" + directory);
    refuses(NO_SCRIPT, "-o", "/dev/null", "-i", "--wrap", "true");
  }

  @Test
  void scripts(@TempDir Path directory) throws IOException {
    world.directory = directory;
    List<List<String>> cases =
        List.of(
            List.of("", "sbatch: error: Batch script is empty!\n"),
            List.of(" \n\t\n", "sbatch: error: Batch script contains only whitespace!\n"),
            List.of("echo hi\n", NO_SCRIPT),
            List.of(
                "#!/bin/sh\r\necho\r\n",
                """
                sbatch: error: Batch script contains DOS line breaks (\\r\\n)
                sbatch: error: instead of expected UNIX line breaks (\\n).
                """),
            List.of(
                "#!/bin/sh\n\0",
                "sbatch: error: The Slurm controller does not allow scripts that contain a NULL"
                    + " character '\\0'.\n"),
            List.of(
                "#!/bin/sh\n#SBATCH --nonsense=1\n",
                "sbatch: unrecognized option '--nonsense=1'\n" + TRY),
            List.of(
                "#!/bin/sh\n#SBATCH -t abc\n", "sbatch: error: Invalid --time specification\n"));
    for (List<String> each : cases) {
      Files.writeString(directory.resolve("job.sh"), each.get(0));
      world.err.reset();
      refuses(each.get(1), "job.sh");
    }
  }

  @Test
  void anotherExitCodeCanBeAskedFor() {
    world.environment.put("SLURM_EXIT_ERROR", "42");
    assertEquals(42, new Sbatch().run(world.call("sbatch", "--nope")));
  }
}
