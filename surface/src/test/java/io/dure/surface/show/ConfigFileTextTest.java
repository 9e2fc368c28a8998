package io.dure.surface.show;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.dure.model.config.ClusterConfig;
import io.dure.model.config.slurmconf.ConfigDiagnostic;
import io.dure.model.config.slurmconf.ConfigDump;
import io.dure.model.config.slurmconf.ParsedConfig;
import io.dure.model.config.slurmconf.SlurmConfParser;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A configuration that is written down and read again is the same. */
@Tag("pure")
class ConfigFileTextTest {
  private static final String NODES =
      """
      NodeName=n[1-3] CPUs=8 Sockets=2 CoresPerSocket=2 ThreadsPerCore=2 RealMemory=4000
      NodeName=g1 NodeHostname=host NodeAddr=10.0.0.7 Port=7000 CPUs=4 Features=a,b Weight=7 \
      State=DOWN Reason="bad disk" MemSpecLimit=100 TmpDisk=900 CoreSpecCount=1 SuspendTime=INFINITE
      PartitionName=main Nodes=n[1-3] Default=YES MaxTime=2-00:00:00 DefMemPerCPU=100
      PartitionName=gpu Nodes=g1 OverSubscribe=FORCE:2 AllowAccounts=bio,chem Hidden=YES State=DRAIN
      """;

  private static ClusterConfig read(String text) {
    ParsedConfig parsed = SlurmConfParser.parseAlone("/etc/slurm/slurm.conf", text);
    List<ConfigDiagnostic> errors =
        parsed.diagnostics().stream()
            .filter(one -> one.severity() == ConfigDiagnostic.Severity.ERROR)
            .toList();
    assertEquals(List.of(), errors, text);
    return parsed.config();
  }

  private static String written(ClusterConfig config) {
    Instant now = Instant.parse("2026-11-20T16:00:00Z");
    ConfigDump.RuntimeFacts facts =
        new ConfigDump.RuntimeFacts(now, now, ZoneOffset.UTC, 1, "26.05.3", 0, 0);
    return ConfigFileText.of(
        "now", ConfigDump.lines(config, facts), config.nodes(), config.partitions());
  }

  /** Each part of the settings as text. */
  private static List<String> parts(ClusterConfig config) {
    return List.of(config.settings().toString().split("(?=, [a-zA-Z]+=[A-Z])", -1));
  }

  private static void same(String text) {
    ClusterConfig before = read(text);
    ClusterConfig after = read(written(before));
    List<String> parts = parts(before);
    for (int i = 0; i < parts.size(); i++) {
      assertEquals(parts.get(i), parts(after).get(i));
    }
    assertEquals(before.nodes(), after.nodes());
    assertEquals(before.partitions(), after.partitions());
  }

  @Test
  void whatIsUsualIsWrittenAndReadAgain() {
    same("ClusterName=lab\nSlurmctldHost=vm\n" + NODES);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SlurmctldHost=c2(10.0.0.2)",
        "SlurmUser=root",
        "SlurmctldPort=7000",
        "SchedulerParameters=bf_window=1440,bf_max_job_test=50",
        "PriorityType=priority/multifactor\nPriorityWeightAge=1000\nPriorityDecayHalfLife=7-0",
        "PriorityFlags=CALCULATE_RUNNING,DEPTH_OBLIVIOUS",
        "Licenses=a:3,b:4",
        "Prolog=/etc/p1\nEpilog=/etc/e1",
        "KillWait=UNLIMITED",
        "MaxMemPerNode=2000",
        "PreemptType=preempt/partition_prio\nPreemptMode=REQUEUE",
        "SuspendTime=60\nSuspendProgram=/bin/off\nResumeProgram=/bin/on",
        "JobDefaults=DefCpuPerGPU=4",
        "SlurmctldDebug=debug2",
        "EnforcePartLimits=ALL",
        "GresTypes=gpu",
        "AccountingStorageTRES=gres/gpu,license/a",
        "OverTimeLimit=UNLIMITED",
      })
  void eachSettingIsWrittenAndReadAgain(String setting) {
    same("ClusterName=lab\nSlurmctldHost=vm\n" + setting + "\n" + NODES);
  }

  @Test
  void whatIsNotSetIsAComment() {
    String text = written(read("ClusterName=lab\nSlurmctldHost=vm\n" + NODES));
    assertTrue(text.contains("\n#SuspendProgram=\n"), text);
    assertTrue(text.contains("\nNodeName=g1 NodeHostname=host NodeAddr=10.0.0.7 Port=7000 "), text);
    assertTrue(text.contains(" Reason=\"bad disk\""), text);
  }
}
