package io.dure.model.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.dure.model.config.parameters.MetricsSettings;
import io.dure.model.config.power.PowerSettings;
import io.dure.model.config.slurmconf.ConfigDiagnostic;
import io.dure.model.config.slurmconf.ParsedConfig;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Keys that most sites leave as they are: what they say, and which of their words say nothing. */
@Tag("pure")
class SiteRulesTest {
  private static List<String> told(ParsedConfig parsed) {
    return parsed.diagnostics().stream()
        .filter(d -> d.severity() == ConfigDiagnostic.Severity.NO_EFFECT)
        .map(d -> d.key() + ": " + d.message())
        .toList();
  }

  private static SiteRules rules(String text) {
    ParsedConfig parsed = ConfText.with(text);
    assertEquals(List.of(), parsed.errors());
    return parsed.config().settings().rules();
  }

  @Test
  void withoutAWordNothingIsSpecial() {
    assertEquals(SiteRules.USUAL, rules(""));
  }

  @Test
  void eachWordSaysItsOwn() {
    SiteRules rules =
        rules(
            """
            MaxNodeCount=40
            MaxNodeFailRequeue=2
            JobSubmitPlugins=job_submit/all_partitions,require_timelimit,lua
            CliFilterPlugins=cli_filter/lua
            PrologFlags=Serial,ForceRequeueOnFail
            SlurmctldParameters=node_reg_mem_percent=90,max_powered_nodes=7,idle_on_node_suspend
            ReconfigFlags=KeepPartState
            TopologyParam=TopoOptional
            VSizeFactor=150
            GroupUpdateTime=30
            SlurmctldSyslogDebug=error
            SlurmdSyslogDebug=2
            SlurmSchedLogLevel=1
            SlurmSchedLogFile=/var/log/sched
            """);
    assertEquals(
        SiteRules.USUAL
            .with()
            .maxNodes(40)
            .maxNodeFailRequeue(2)
            .allPartitions(true)
            .requiresTimeLimit(true)
            .serialPrologs(true)
            .requeueOnPrologFailure(true)
            .nodeMemoryPercent(90)
            .maxPoweredNodes(7)
            .goodOnSuspend(true)
            .keptPartitions(SiteRules.KeptPartitions.STATES)
            .topologyOptional(true)
            .addressSpacePercent(150)
            .groupUpdate(Duration.ofSeconds(30))
            .controllerSyslog("error")
            .nodeSyslog("error")
            .schedulerLog("/var/log/sched")
            .luaSubmission(true)
            .luaFilter(true)
            .build(),
        rules);
  }

  @Test
  void requestsAreBoundedAsTheWordsSay() {
    assertNull(rules("SlurmctldParameters=rl_bucket_size=5\n").requestRate());
    assertEquals(
        new SiteRules.RequestRate(2, 30), rules("SlurmctldParameters=rl_enable\n").requestRate());
    assertEquals(
        new SiteRules.RequestRate(2.5, 9),
        rules(
                "SlurmctldParameters=rl_enable,rl_bucket_size=9,rl_refill_rate=5,rl_refill_period=2\n")
            .requestRate());
  }

  @Test
  void wordsOfWhichNothingComesAreTold() {
    ParsedConfig parsed =
        ConfText.with("SlurmctldParameters=enable_rpc_queue,user_resv_delete\nAuthInfo=ttl=7\n");
    assertEquals(
        List.of(
            "SlurmctldParameters: enable_rpc_queue: read, and not acted on",
            "AuthInfo: ttl: read, and not acted on"),
        told(parsed));
    assertTrue(parsed.config().settings().rules().usersDeleteReservations());
  }

  @Test
  void aCredentialsLifeIsTheWaitOfARequeuedJob() {
    assertEquals(
        Duration.ofSeconds(31),
        ConfText.with("AuthInfo=cred_expire=30\n").config().settings().scheduling().requeueDelay());
    assertEquals(
        Duration.ofSeconds(121), ConfText.with("").config().settings().scheduling().requeueDelay());
  }

  @Test
  void aKeyWhoseDefaultHappensIsToldWithAnotherValueAlone() {
    assertEquals(List.of(), told(ConfText.with("SwitchType=switch/none\n")));
    assertEquals(List.of(), told(ConfText.with("TrackWCKey=no\nInactiveLimit=0\n")));
    assertEquals(
        List.of("SwitchType: read, and not acted on"),
        told(ConfText.with("SwitchType=switch/hpe_slingshot\n")));
  }

  @Test
  void powerSavingWantsBothPrograms() {
    ParsedConfig half = ConfText.with("SuspendProgram=/off\nSuspendTime=60\n");
    assertFalse(half.config().settings().power().isEnabled());
    assertTrue(
        half.diagnostics().stream()
            .anyMatch(d -> d.message().startsWith("nodes are switched off only with")));
    PowerSettings power =
        ConfText.with(
                "SuspendProgram=/off\nResumeProgram=/on\nSuspendTime=-1\nSuspendExcNodes=n[1-3]:2,n7\n")
            .config()
            .settings()
            .power();
    assertTrue(power.isEnabled());
    assertNull(power.suspendTime());
    assertEquals(
        List.of(
            new PowerSettings.KeptUp(List.of("n1", "n2", "n3"), 2),
            new PowerSettings.KeptUp(List.of("n7"), Integer.MAX_VALUE)),
        power.keptUp());
  }

  @Test
  void metricsAreForWhoIsNamedOrWhoAsks() {
    String http = "SlurmctldParameters=dure_http=:6820\nMetricsType=metrics/openmetrics\n";
    MetricsSettings usual = Objects.requireNonNull(rules(http).metrics());
    assertEquals(new MetricsSettings(false, List.of()), usual);
    assertTrue(usual.isOpen(List.of()));
    assertFalse(usual.isOpen(List.of("jobs")));
    MetricsSettings open =
        Objects.requireNonNull(rules(http + "MetricsParameters=ignore_private_data").metrics());
    assertTrue(open.isOpen(List.of("jobs")));
    MetricsSettings named =
        Objects.requireNonNull(
            rules(http + "MetricsParameters=ignore_private_data\nMetricsAuthUsers=ann,bob")
                .metrics());
    assertEquals(new MetricsSettings(true, List.of("ann", "bob")), named);
    assertFalse(named.isOpen(List.of()));
    assertNull(rules("MetricsAuthUsers=ann").metrics());
  }

  @Test
  void metricsThatNothingTellsAreSaidToHaveNoEffect() {
    assertEquals(
        List.of(
            "MetricsType: metrics are read by HTTP; write"
                + " SlurmctldParameters=dure_http=[HOST]:PORT",
            "MetricsParameters: more: read, and not acted on"),
        told(ConfText.with("MetricsType=openmetrics\nMetricsParameters=more")));
    ParsedConfig unknown = ConfText.with("MetricsType=metrics/other");
    assertEquals("there is no metrics/other", unknown.errors().getFirst().message());
  }
}
