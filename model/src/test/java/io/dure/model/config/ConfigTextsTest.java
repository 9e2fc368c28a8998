package io.dure.model.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.dure.model.accounting.PrioritySettings;
import io.dure.model.config.NodeConfig.Shape;
import io.dure.model.config.slurmconf.ClusterLayout;
import io.dure.model.config.slurmconf.ConfigDump;
import io.dure.model.config.slurmconf.ConfigReport;
import io.dure.model.config.slurmconf.DefaultConfig;
import io.dure.model.config.slurmconf.HardwareFacts;
import io.dure.model.config.slurmconf.ParsedConfig;
import io.dure.model.config.slurmconf.SettingDefinition;
import io.dure.model.config.slurmconf.SettingDefinition.Kind;
import io.dure.model.config.slurmconf.SettingDefinition.Section;
import io.dure.model.config.slurmconf.SettingTable;
import io.dure.model.config.slurmconf.SlurmConfParser;
import io.dure.model.config.slurmconf.ValueSyntax;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("pure")
class ConfigTextsTest {
  private static List<String> dump(String text) {
    ParsedConfig parsed = ConfText.with(text);
    assertEquals(List.of(), parsed.errors());
    Instant now = Instant.parse("2026-11-20T16:01:34Z");
    Instant boot = Instant.parse("2026-11-20T15:41:17Z");
    return ConfigDump.lines(
        parsed.config(),
        new ConfigDump.RuntimeFacts(now, boot, ZoneOffset.UTC, 182, "26.05.3", 64_030, 0));
  }

  private static final String SHOWN =
      """
      AccountingStorageBackupHost = (null)
      AccountingStorageTRES   = cpu,mem,energy,node,billing,fs/disk,vmem,pages,gres/gpu
      BatchStartTimeout       = 10 sec
      BOOT_TIME               = 2026-11-20T15:41:17
      ClusterName             = test
      DefMemPerCPU            = 100
      DisableRootJobs         = no
      Epilog[0]               = /a
      Epilog[1]               = /b
      EpilogMsgTime           = 2000 usec
      FairShareDampeningFactor = 1
      JobRequeue              = 0
      KillWait                = 5 sec
      MaxDBDMsgs              = 400016
      MaxMemPerNode           = UNLIMITED
      MaxNodeCount            = 4
      NEXT_JOB_ID             = 182
      OverTimeLimit           = 0 min
      PreemptExemptTime       = 00:00:00
      PriorityCalcPeriod      = 00:05:00
      PriorityDecayHalfLife   = 7-00:00:00
      PriorityFlags           =\s
      PriorityMaxAge          = 14-00:00:00
      PrologEpilogTimeout     = 65534
      ResumeRate              = 300 nodes/min
      SelectTypeParameters    = CR_CORE_MEMORY
      SLURM_CONF              = /etc/slurm/slurm.conf
      SLURM_VERSION           = 26.05.3
      SlurmctldHost[0]        = ctl
      SlurmctldHost[1]        = b(10.0.0.2)
      SlurmdUser              = root(0)
      SlurmUser               = slurm(64030)
      SuspendTime             = INFINITE
      UnkillableStepTimeout   = 60 sec
      AllowSpecResourcesUsage = yes
      VSizeFactor             = 0 percent
      """;

  @Test
  void theConfigurationIsShownAsSlurmShowsIt() {
    List<String> lines =
        dump(
            """
            SlurmUser=slurm
            DefMemPerCPU=100
            KillWait=5
            SlurmctldHost=b(10.0.0.2)
            SelectTypeParameters=CR_Core_Memory
            PriorityCalcPeriod=5
            PriorityMaxAge=14-0
            MaxJobCount=200000
            Epilog=/a
            Epilog=/b
            AccountingStorageTRES=gres/gpu
            JobRequeue=0
            AllowSpecResourcesUsage=1
            """);
    assertEquals("Configuration data as of 2026-11-20T16:01:34", lines.getFirst());
    for (String expected : SHOWN.lines().toList()) {
      assertTrue(lines.contains(expected), expected);
    }
    assertTrue(lines.stream().noneMatch(l -> l.startsWith("DefMemPerNode")));
    assertTrue(lines.stream().noneMatch(l -> l.startsWith("AccountingStoragePass")));
    assertTrue(dump("").contains("DefMemPerNode           = UNLIMITED"));
  }

  @Test
  void aReportNamesFileLineKeyAndRemedy() {
    ParsedConfig parsed = ConfText.with("KilWait=1\nSlurmctldTimeout=9\nGetEnvTimeout=1\n");
    assertEquals(
        List.of(
            "/etc/slurm/slurm.conf:5: error: KilWait: Parsing error at unrecognized key: KilWait."
                + " Did you mean KillWait?",
            "/etc/slurm/slurm.conf:6: no effect yet: SlurmctldTimeout: read, and not acted on",
            "/etc/slurm/slurm.conf:7: warning: GetEnvTimeout: Slurm has this key no more."
                + " Remove it.",
            "/etc/slurm/slurm.conf: 1 error, 1 warning, 1 setting without effect yet; 4 nodes,"
                + " 1 partition"),
        ConfigReport.lines(parsed));
  }

  @Test
  void flagsOfThePriorityThatChangeNothingAreReported() {
    String text = "PriorityWeightAge=9\nPriorityFlags=NO_FAIR_TREE,INCR_ONLY,CALCULATE_RUNNING\n";
    assertEquals(
        List.of("PriorityFlags: INCR_ONLY: not acted on"),
        ConfText.with(text).diagnostics().stream().map(d -> d.key() + ": " + d.message()).toList());
  }

  @Test
  void oneWordStandsForAllFlagsThatLeaveAPartAsItIs() {
    ParsedConfig parsed = ConfText.with("PriorityFlags=NO_NORMAL_ALL\n");
    assertEquals(List.of(), parsed.diagnostics());
    assertEquals(PrioritySettings.Flag.NO_NORMAL, parsed.config().settings().priority().flags());
  }

  @Test
  void whatAConfigurationSaysOfItselfMeansTheSame() {
    ParsedConfig parsed = ConfText.with("");
    StringBuilder again = new StringBuilder();
    parsed
        .config()
        .values()
        .forEach((key, value) ->
            value
                .lines()
                .filter(line -> !line.isEmpty())
                .forEach(line -> again.append(key).append("=\"").append(line).append("\"\n")));
    assertEquals(
        parsed.config().settings(),
        SlurmConfParser.parseAlone("/slurm.conf", again.toString()).config().settings());
  }

  @Test
  void theTableHasDefaultsThatCanBeRead() {
    for (Section section : Section.values()) {
      for (SettingDefinition setting : SettingTable.all(section)) {
        String text = setting.defaultText();
        assertTrue(text.isEmpty() || ValueSyntax.accepts(setting.kind(), text), setting.name());
        String upper = setting.name().toUpperCase(Locale.ROOT);
        boolean found = setting.equals(SettingTable.find(section, upper));
        assertEquals(setting.kind() != Kind.RUNTIME, found, setting.name());
        assertTrue(!SettingTable.isRemoved(section, setting.name()), setting.name());
      }
    }
    assertTrue(SettingTable.all(Section.CLUSTER).size() > 200);
    assertNotNull(SettingTable.find(Section.NODE, "procs"));
    assertNull(SettingTable.find(Section.NODE, "KillWait"));
    assertEquals("KillWait", SettingTable.nearest(Section.CLUSTER, "KlilWait"));
    assertNull(SettingTable.nearest(Section.CLUSTER, "x".repeat(100_000)));
  }

  private static final HardwareFacts MACHINE =
      new HardwareFacts("vm", 2, 8, 2, 64_000, 100_000, "gpu:a100:2");

  private static ClusterConfig described(int nodes, Integer cpus) {
    ClusterLayout layout =
        new ClusterLayout("demo", "/tmp/a b#c", 6817, 17_001, nodes, cpus, "me", "root");
    ParsedConfig parsed = ConfText.alone(DefaultConfig.text(MACHINE, layout));
    assertEquals(
        List.of(),
        parsed.diagnostics().stream().filter(d -> !d.key().equals("GresTypes")).toList());
    return parsed.config();
  }

  @Test
  void aMachineDescribesItself() {
    ClusterConfig config = described(1, null);
    NodeConfig node = config.nodes().getFirst();
    assertEquals(new Shape(32, 1, 2, 8, 2), node.shape());
    assertEquals("vm", node.name());
    assertEquals(64_000, node.realMemoryMib());
    assertEquals("gpu:a100:2", node.gres());
    assertEquals("/tmp/a b#c/spool/vm", node.fill(config.settings().daemon().spoolDir()));
    assertEquals("/tmp/a b#c/state", config.settings().controller().stateSaveLocation());
    assertEquals("main", config.defaultPartition().name());
    assertEquals(List.of("vm"), config.defaultPartition().nodes());
  }

  @Test
  void nodesShareAMachine() {
    ClusterConfig config = described(4, null);
    assertEquals(
        List.of("n1 17001", "n2 17002", "n3 17003", "n4 17004"),
        config.nodes().stream().map(n -> n.name() + " " + n.port()).toList());
    for (NodeConfig node : config.nodes()) {
      assertEquals(new Shape(8, 1, 1, 4, 2), node.shape());
      assertEquals(16_000, node.realMemoryMib());
      assertEquals("vm", node.hostName());
    }
    assertEquals(
        List.of("gpu:a100:2", "", "", ""), config.nodes().stream().map(NodeConfig::gres).toList());
    assertEquals(2, described(2, null).nodes().size());
    assertEquals(new Shape(2, 1, 1, 1, 2), described(40, null).nodes().getFirst().shape());
  }

  @Test
  void nodesMayClaimMoreThanTheirShare() {
    for (NodeConfig node : described(3, 16).nodes()) {
      assertEquals(new Shape(16, 1, 1, 16, 1), node.shape());
    }
    assertEquals(5, described(1, 5).nodes().getFirst().shape().cpus());
    assertTrue(described(3, 16).settings().daemon().configOverrides());
  }

  @Test
  void everyKeyOfTheTextsIsKnown() {
    Stream<String> names = ConfText.with("").config().values().keySet().stream();
    assertTrue(names.allMatch(name -> SettingTable.find(Section.CLUSTER, name) != null));
  }
}
