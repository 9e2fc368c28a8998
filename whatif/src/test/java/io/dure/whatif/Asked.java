package io.dure.whatif;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** A site with a log, accounts and a configuration, and questions about it. */
final class Asked {
  /** Two nodes of four cores, the first with eight GPUs. */
  static final String CONF =
      """
      ClusterName=site
      SlurmctldHost=head
      SelectType=select/cons_tres
      SelectTypeParameters=CR_Core
      GresTypes=gpu
      SchedulerParameters=requeue_delay=10
      PriorityWeightAge=1000
      PriorityCalcPeriod=1
      AccountingStorageTRES=gres/gpu
      AccountingStorageEnforce=associations,limits,qos
      NodeName=n1 CPUs=4 Sockets=1 CoresPerSocket=4 Gres=gpu:8
      NodeName=n2 CPUs=4 Sockets=1 CoresPerSocket=4
      PartitionName=day Nodes=ALL Default=YES MaxTime=10:00:00
      """;

  static final String ACCOUNTS =
      """
      add cluster Name=site Fairshare=1 QOS=normal
      add qos Name=gpu GrpTRES=gres/gpu=2
      add qos Name=high
      modify cluster set QOS=normal,gpu,high
      add account bio,physics
      add user ann account=bio
      add user bob account=physics
      """;

  private static final List<String> LOG =
      List.of("--trace", "jobs.events", "--conf", "slurm.conf", "--accounts", "accounts");

  final ByteArrayOutputStream out = new ByteArrayOutputStream();
  final ByteArrayOutputStream err = new ByteArrayOutputStream();
  private final Path folder;
  private Instant now = Instant.ofEpochSecond(1_700_000_000);

  Asked(Path folder) throws IOException {
    this.folder = folder;
    Files.writeString(folder.resolve("slurm.conf"), CONF);
    Files.writeString(folder.resolve("accounts"), ACCOUNTS);
  }

  Asked at(Instant time) {
    now = time;
    return this;
  }

  /** A submission of a log. */
  static String job(int second, String user, int runs, String more) {
    return "-dt "
        + second
        + " -e submit_batch_job | -sim-walltime "
        + runs
        + " --uid="
        + user
        + " -t 60 "
        + more
        + " x.job\n";
  }

  Asked log(String... jobs) throws IOException {
    Files.writeString(folder.resolve("jobs.events"), String.join("", jobs));
    return this;
  }

  /** A file in the directory of whoever asks. */
  void file(String name, String text) throws IOException {
    Files.writeString(folder.resolve(name), text);
  }

  private WhatIfCommand whatIf() {
    out.reset();
    err.reset();
    return new WhatIfCommand(
        new PrintStream(out, true, StandardCharsets.UTF_8),
        new PrintStream(err, true, StandardCharsets.UTF_8),
        new WhatIfCommand.WhatIfEnvironment(
            folder,
            folder.resolve("slurm.conf"),
            "ann",
            () -> now,
            ZoneOffset.UTC,
            () -> 1L,
            false));
  }

  /** The answer about the log, looked at for three hours. */
  WhatIfComparison answer(String... changes) throws Exception {
    return whatIf().compare(new WhatIfOptionReader(folder).read(ofLog(changes)));
  }

  /** The answer to other words about the log. */
  WhatIfComparison answerTo(List<String> more) throws Exception {
    List<String> words = new ArrayList<>(LOG);
    words.addAll(more);
    return whatIf().compare(new WhatIfOptionReader(folder).read(words));
  }

  static List<String> ofLog(String... changes) {
    List<String> words = new ArrayList<>(LOG);
    words.addAll(List.of("--for", "3h"));
    words.addAll(Arrays.asList(changes));
    return words;
  }

  /** What a call prints that is answered. */
  String printed(List<String> words) {
    int code = whatIf().run(words);
    assertEquals(0, code, err.toString(StandardCharsets.UTF_8));
    return out.toString(StandardCharsets.UTF_8);
  }

  /** Exit code and complaint of a call. */
  String refused(List<String> words) {
    int code = whatIf().run(words);
    return code + " " + err.toString(StandardCharsets.UTF_8).strip();
  }

  /** When jobs of an outcome start, by the order of the log; {@code -} for one that does not. */
  static String starts(ScenarioResult outcome) {
    List<String> starts = new ArrayList<>();
    for (WhatIfJobResult fate : outcome.fates()) {
      starts.add(fate.start() == null ? "-" : Long.toString(fate.start()));
    }
    return String.join(" ", starts);
  }
}
