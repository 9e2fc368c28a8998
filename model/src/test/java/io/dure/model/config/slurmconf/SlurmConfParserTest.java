package io.dure.model.config.slurmconf;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.dure.model.config.ClusterSettings;
import io.dure.model.config.ConfText;
import io.dure.model.config.MemoryLimit;
import io.dure.model.config.NodeConfig;
import io.dure.model.config.PartitionConfig;
import io.dure.model.config.slurmconf.ConfigDiagnostic.Severity;
import io.dure.testkit.Cases;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("pure")
class SlurmConfParserTest {
  private static List<String> errors(ParsedConfig parsed) {
    return ConfText.found(parsed, Severity.ERROR);
  }

  private static boolean ownPlacement(String lines) {
    return ConfText.with(lines).config().settings().scheduling().ownGpuPlacement();
  }

  private static List<String> warnings(ParsedConfig parsed) {
    return ConfText.found(parsed, Severity.WARNING);
  }

  private static String remedy(ParsedConfig parsed) {
    return parsed.errors().getFirst().remedy();
  }

  @Test
  void aSmallFileIsReadWithoutFindings() {
    ParsedConfig parsed = ConfText.with("");
    assertEquals(List.of(), parsed.diagnostics());
    assertEquals("test", parsed.config().settings().controller().clusterName());
    assertEquals(4, parsed.config().nodes().size());
    assertEquals(List.of("n1", "n2", "n3", "n4"), parsed.config().partitions().getFirst().nodes());
  }

  @Test
  void defaultsAreSlurms() {
    ClusterSettings settings = ConfText.with("").config().settings();
    assertEquals(6817, settings.controller().port());
    assertEquals(Duration.ofMinutes(5), settings.controller().nodeTimeout());
    assertEquals(ClusterSettings.ReturnToService.NEVER, settings.controller().returnToService());
    assertEquals("root", settings.controller().user());
    assertEquals(10_000, settings.jobs().maxJobCount());
    assertEquals(1001, settings.jobs().maxArraySize());
    assertEquals(0x03ff0000, settings.jobs().maxJobId());
    assertEquals(Duration.ofSeconds(30), settings.jobs().killWait());
    assertEquals(Duration.ofMinutes(5), settings.jobs().minJobAge());
    assertEquals(Duration.ZERO, settings.jobs().overTimeLimit());
    assertTrue(settings.jobs().requeue());
    assertEquals(10, settings.jobs().propagatedLimits().size());
    assertNull(settings.jobs().defaultMemory());
    assertEquals(ClusterSettings.Unit.CORE, settings.scheduling().unit());
    assertTrue(settings.scheduling().memoryConsumable());
    assertTrue(settings.scheduling().backfill());
    assertEquals(1001, settings.scheduling().maxArrayTasks());
    assertNull(settings.scripts().prologTimeout());
    assertEquals(Duration.ofMinutes(1), settings.daemon().unkillableStepTimeout());
    assertNull(settings.daemon().healthCheck());
  }

  @Test
  void settingsAreReadAsWritten() {
    ClusterSettings settings =
        ConfText.with(
                """
                slurmuser=slurm
                KillWait=5 MINJOBAGE=0
                ReturnToService=2
                SelectTypeParameters=CR_CPU
                DefMemPerCPU=100
                MaxMemPerNode=2G
                EnforcePartLimits=yes
                PrivateData=Jobs,usage
                RequeueExit=1-3,42
                PropagateResourceLimitsExcept=MEMLOCK,RLIMIT_CORE
                SchedulerParameters=default_queue_depth=2500,bf_continue,max_array_tasks=10
                DependencyParameters=kill_invalid_depend
                Prolog=/a.sh
                Prolog="/b c.sh"
                PrologEpilogTimeout=90
                EpilogTimeout=10
                OverTimeLimit=UNLIMITED
                HealthCheckProgram=/nhc
                HealthCheckInterval=300
                SlurmctldPort=7000-7003
                SlurmctldDebug=6
                """)
            .config()
            .settings();
    assertEquals("slurm", settings.controller().user());
    assertEquals(Duration.ofSeconds(5), settings.jobs().killWait());
    assertEquals(Duration.ZERO, settings.jobs().minJobAge());
    assertEquals(ClusterSettings.ReturnToService.ALWAYS, settings.controller().returnToService());
    assertEquals(ClusterSettings.Unit.CPU, settings.scheduling().unit());
    assertFalse(settings.scheduling().memoryConsumable());
    assertEquals(new MemoryLimit(MemoryLimit.Scope.CPU, 100), settings.jobs().defaultMemory());
    assertEquals(new MemoryLimit(MemoryLimit.Scope.NODE, 2048), settings.jobs().maxMemory());
    assertEquals(ClusterSettings.EnforcePartLimits.ALL, settings.jobs().enforcePartLimits());
    assertEquals(List.of("jobs", "usage"), settings.controller().privateData());
    assertEquals(List.of(1, 2, 3, 42), settings.jobs().requeueExit());
    assertEquals(
        List.of("AS", "CPU", "DATA", "FSIZE", "NOFILE", "NPROC", "RSS", "STACK"),
        settings.jobs().propagatedLimits());
    assertEquals(2500, settings.scheduling().defaultQueueDepth());
    assertEquals(10, settings.scheduling().maxArrayTasks());
    assertTrue(settings.scheduling().parameters().containsKey("bf_continue"));
    assertTrue(settings.jobs().killInvalidDependency());
    assertEquals(List.of("/a.sh", "/b c.sh"), settings.scripts().prolog());
    assertEquals(Duration.ofSeconds(90), settings.scripts().prologTimeout());
    assertEquals(Duration.ofSeconds(10), settings.scripts().epilogTimeout());
    assertNull(settings.jobs().overTimeLimit());
    assertEquals(7000, settings.controller().port());
    assertEquals(4, settings.controller().portCount());
    assertEquals("debug2", settings.controller().debugLevel());
    assertEquals(List.of("ANY"), settings.daemon().healthCheck().nodeStates());
  }

  @Test
  void controllersHaveAddresses() {
    ParsedConfig parsed = ConfText.with("SlurmctldHost=b(10.0.0.2)\n");
    List<ClusterSettings.Host> hosts = parsed.config().settings().controller().hosts();
    assertEquals(
        List.of(new ClusterSettings.Host("ctl", "ctl"), new ClusterSettings.Host("b", "10.0.0.2")),
        hosts);
    assertEquals(
        List.of("2 SlurmctldHost: value (a() is not NAME or NAME(ADDRESS)"),
        errors(ConfText.alone("ClusterName=c\nSlurmctldHost=a(\nNodeName=n1\nPartitionName=p\n")));
  }

  @Test
  void oldNamesOfTheControllerStillWork() {
    ParsedConfig parsed =
        ConfText.alone(
            """
            ClusterName=c
            ControlMachine=a
            ControlAddr=10.0.0.1
            BackupController=b
            NodeName=n1
            PartitionName=p Nodes=n1 Shared=FORCE:2 Priority=7
            """);
    assertEquals(List.of(), errors(parsed));
    assertEquals(5, warnings(parsed).size());
    assertEquals(
        List.of(new ClusterSettings.Host("a", "10.0.0.1"), new ClusterSettings.Host("b", "b")),
        parsed.config().settings().controller().hosts());
    PartitionConfig partition = parsed.config().partition("p");
    assertEquals(7, partition.priorityTier());
    assertEquals(7, partition.priorityJobFactor());
    assertEquals(
        new PartitionConfig.OverSubscribe(PartitionConfig.OverSubscribe.Mode.FORCE, 2),
        partition.sharing());
  }

  @Test
  void commentsContinuationsAndQuotes() {
    ParsedConfig parsed =
        ConfText.alone(
            """
            # a comment \\\r
            eaten by the comment
              ClusterName = Test   # the name\r
            SlurmctldHost=ctl KillWait=7
            NodeName=n1 CPUs=2 \\
              RealMemory=500 \\
              Reason="out of \\# order" State=down
            PartitionName=p Nodes=n1 Bogus=1
            """);
    assertEquals(List.of("8 Bogus: Parsing error at unrecognized key: Bogus"), errors(parsed));
    NodeConfig node = parsed.config().node("n1");
    assertEquals(500, node.realMemoryMib());
    assertEquals("out of # order", node.reason());
    assertEquals(NodeConfig.State.DOWN, node.state());
    assertEquals("test", parsed.config().settings().controller().clusterName());
    assertEquals(Duration.ofSeconds(7), parsed.config().settings().jobs().killWait());
  }

  @Test
  void aTypoProposesTheNearestKey() {
    ParsedConfig parsed = ConfText.with("SlurmctldProt=1\n");
    assertEquals(
        List.of("5 SlurmctldProt: Parsing error at unrecognized key: SlurmctldProt"),
        errors(parsed));
    assertEquals("Did you mean SlurmctldPort?", remedy(parsed));
    assertEquals("Did you mean KillWait?", remedy(ConfText.with("KilWait=1\n")));
    assertEquals("Did you mean RealMemory?", remedy(ConfText.with("NodeName=x RealMemry=1\n")));
    assertEquals("It belongs on a NodeName line", remedy(ConfText.with("CoresPerSocket=2\n")));
    assertEquals(
        "It belongs on a line of its own", remedy(ConfText.with("NodeName=x KillWait=2\n")));
    assertEquals("Remove it", remedy(ConfText.with("Xyzzyplugh=2\n")));
  }

  @Test
  void badValuesAreErrorsOnlyWhereTheyMatter() {
    assertEquals(
        List.of("5 KillWait: value (soon) is not a number of seconds"),
        errors(ConfText.with("KillWait=soon\n")));
    ParsedConfig parsed = ConfText.with("InactiveLimit=soon\n");
    assertEquals(List.of(), errors(parsed));
    assertEquals(
        List.of("5 InactiveLimit: value (soon) is not a number of seconds"), warnings(parsed));
    assertEquals(
        List.of("5 ReturnToService: value (3) is not from 0 to 2"),
        errors(ConfText.with("ReturnToService=3\n")));
    assertEquals(
        List.of("5 : Parse error: \"hello there\""), errors(ConfText.with("hello there\n")));
  }

  @Test
  void keysThatAreGoneOrOldAreWarnings() {
    ParsedConfig parsed = ConfText.with("CryptoType=crypto/munge\nFrontendName=f State=UP\n");
    assertEquals(List.of(), errors(parsed));
    assertEquals(
        List.of(
            "5 CryptoType: Slurm has this key no more",
            "6 FrontendName: front-end nodes are gone from Slurm; the line is ignored"),
        warnings(parsed));
    assertEquals(
        List.of("6 KillWait: specified more than once, latest value used"),
        warnings(ConfText.with("KillWait=1\nKillWait=2\n")));
  }

  @Test
  void whoPlacesGpusIsAWordOrTheFault() {
    assertTrue(ownPlacement("SchedulerParameters=gpu_placement=dure\n"));
    assertTrue(ownPlacement("SchedulerParameters=policy=dure\n"));
    assertFalse(ownPlacement("SchedulerParameters=policy=dure,gpu_placement=slurm\n"));
    assertFalse(ownPlacement(""));
    ParsedConfig wrong = ConfText.with("SchedulerParameters=gpu_placement=best\n");
    assertEquals(
        "gpu_placement: value (best) is neither dure nor slurm",
        wrong.errors().getFirst().message());
  }

  @Test
  void keysNotActedOnAreReported() {
    ParsedConfig parsed =
        ConfText.with(
            "SlurmctldTimeout=300\nSchedulerParameters=bf_window=5,bf_busy_nodes,defer\n");
    assertEquals(
        List.of(
            "5 SlurmctldTimeout: read, and not acted on",
            "6 SchedulerParameters: bf_busy_nodes, defer: read, and not acted on"),
        ConfText.found(parsed, Severity.NO_EFFECT));
    assertEquals("300", parsed.config().values().get("SlurmctldTimeout"));
  }

  @Test
  void theSameIsNotSaidTwice() {
    String lines = "NodeName=DEFAULT CPUs=5 Sockets=2\nNodeName=x\nNodeName=y\n";
    assertEquals(1, warnings(ConfText.with(lines)).size());
    assertEquals(List.of(), ConfText.with("WaitTime=0\nTLSType=tls/none\n").diagnostics());
  }

  @Test
  void whatIsMissingIsSaid() {
    ParsedConfig parsed = ConfText.alone("");
    assertEquals(List.of("0 SlurmctldHost: not set"), errors(parsed));
    assertEquals(3, warnings(parsed).size());
    ParsedConfig absent = new ConfText().parse();
    assertEquals(List.of("0 : cannot read /etc/slurm/slurm.conf"), errors(absent));
    assertEquals(1, absent.diagnostics().size());
  }

  @Test
  void filesInclude() {
    ParsedConfig parsed =
        new ConfText()
            .file(
                ConfText.PATH, "ClusterName=Lab\nSlurmctldHost=c\ninclude %c.conf\nInclude d/*.c\n")
            .file("/etc/slurm/lab.conf", "\nNodeName=n1 Oops=1\n")
            .file("/etc/slurm/d/2.c", "PartitionName=two Nodes=n1\n")
            .file("/etc/slurm/d/1.c", "PartitionName=one Nodes=n1\n")
            .file("/etc/slurm/d/3.txt", "nonsense")
            .parse();
    assertEquals(1, parsed.diagnostics().size());
    assertEquals("/etc/slurm/lab.conf", parsed.diagnostics().getFirst().file());
    assertEquals(2, parsed.diagnostics().getFirst().line());
    assertEquals(
        List.of("one", "two"),
        parsed.config().partitions().stream().map(PartitionConfig::name).toList());
  }

  @Test
  void includesEnd() {
    assertEquals(
        List.of("5 Include: cannot read /etc/slurm/none"), errors(ConfText.with("Include none\n")));
    assertEquals(
        List.of("5 Include: /etc/slurm/slurm.conf includes itself"),
        errors(ConfText.with("Include slurm.conf\n")));
    ConfText many = new ConfText().file(ConfText.PATH, ConfText.HEAD + "Include /f0\n");
    for (int i = 0; i < 30; i++) {
      many.file("/f" + i, ("Include /f" + (i + 1) + "\n").repeat(10));
    }
    assertTrue(many.parse().hasErrors());
  }

  @Test
  void textOfAnyKindIsReadOrReported() {
    Random random = new Random(5 + Cases.seeds());
    String[] words = {
      "NodeName=",
      "n[1-4]",
      "[",
      "]",
      "\"",
      "\\",
      "\n",
      "=",
      "#",
      " ",
      "PartitionName=",
      "DEFAULT",
      "Nodes=ALL",
      "Port=",
      "1-2",
      "CPUs=",
      "999999999999",
      "-1",
      "Include ",
      "x",
      "SlurmctldHost=",
      "(",
      ")",
      "State=",
      "KillWait=",
      "UNLIMITED",
      "7-00:00",
      "Sockets=",
      "CoresPerSocket=",
      "65533",
      "MaxTime=",
      "RequeueExit=",
      "NodeSet=",
      "Feature=",
      ","
    };
    for (int round = 0; round < Cases.of(1000); round++) {
      StringBuilder text = new StringBuilder();
      for (int i = random.nextInt(40); i > 0; i--) {
        text.append(words[random.nextInt(words.length)]);
      }
      ConfText.alone(text.toString());
      ConfText.with(text.toString());
    }
    for (int round = 0; round < Cases.of(300); round++) {
      byte[] bytes = new byte[random.nextInt(4000)];
      random.nextBytes(bytes);
      ConfText.alone(new String(bytes, StandardCharsets.ISO_8859_1));
      ConfText.alone(new String(bytes, StandardCharsets.UTF_8));
    }
  }

  @Test
  void aHopelessFileDoesNotFloodTheReport() {
    ParsedConfig parsed = ConfText.alone("foo=bar\n".repeat(100_000));
    assertTrue(parsed.diagnostics().size() <= DiagnosticCollector.MOST + 10);
    ParsedConfig late =
        ConfText.with("PartitionName=x QOS=a QOS=b QOS=c\n".repeat(3000) + "Typo=1\n");
    assertEquals(List.of("3005 Typo: Parsing error at unrecognized key: Typo"), errors(late));
    ParsedConfig huge = ConfText.alone("NodeName=a[1-60000]\nNodeName=b[1-60000]\n");
    assertTrue(errors(huge).contains("2 NodeName: more than 65536 nodes"));
    assertEquals(60_000, huge.config().nodes().size());
  }

  @Test
  void turnsOnSharedCoresAreRead() {
    assertNull(ConfText.with("").config().settings().preempt().timeSlice());
    ParsedConfig usual = ConfText.with("PreemptMode=GANG");
    assertEquals(List.of(), usual.diagnostics());
    assertEquals(Duration.ofSeconds(30), usual.config().settings().preempt().timeSlice());
    ParsedConfig short5 = ConfText.with("PreemptMode=gang\nSchedulerTimeSlice=5");
    assertEquals(Duration.ofSeconds(5), short5.config().settings().preempt().timeSlice());
    String both = "PreemptType=preempt/partition_prio\nPreemptMode=SUSPEND,GANG";
    assertEquals(List.of(), ConfText.with(both).diagnostics());
    assertEquals(1, errors(ConfText.with("SchedulerTimeSlice=4")).size());
    assertEquals(1, errors(ConfText.with("SchedulerTimeSlice=65534")).size());
  }

  @Test
  void jobsAreExemptToTheSecond() {
    String qos = "PreemptType=preempt/qos\nPreemptMode=CANCEL\nPreemptExemptTime=";
    ParsedConfig some = ConfText.with(qos + "00:00:30");
    assertEquals(Duration.ofSeconds(30), some.config().settings().preempt().exemptTime());
    ParsedConfig minutes = ConfText.with(qos + "5");
    assertEquals(Duration.ofMinutes(5), minutes.config().settings().preempt().exemptTime());
  }

  @Test
  void anUnknownPreemptTypeIsOneError() {
    String text = "PreemptType=preempt/luck\nPreemptMode=CANCEL";
    assertEquals(1, errors(ConfText.with(text)).size());
  }
}
