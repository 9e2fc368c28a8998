package io.dure.model.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.dure.model.config.slurmconf.ConfigDiagnostic.Severity;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Keys about the daemons themselves: their logs, their connections, whom they know. */
@Tag("pure")
class DaemonKeysTest {
  private static final List<String> KEYS =
      List.of("DebugFlags", "GroupUpdateForce", "LogTimeFormat", "TCPTimeout");

  private static ClusterSettings settings(String lines) {
    var parsed = ConfText.with(lines);
    assertEquals(List.of(), parsed.errors());
    assertEquals(List.of(), ConfText.found(parsed, Severity.NO_EFFECT));
    return parsed.config().settings();
  }

  private static List<String> wrong(String lines) {
    return ConfText.found(ConfText.with(lines), Severity.ERROR);
  }

  @Test
  void defaults() {
    SiteRules rules = settings("").rules();
    assertEquals(SiteRules.USUAL, rules);
    assertEquals(Duration.ofSeconds(2), rules.connecting());
    assertEquals(List.of("iso8601_ms"), settings("").controller().logTimeFormat());
    assertEquals(
        List.of(
            "DebugFlags              = (null)",
            "GroupUpdateForce        = 1",
            "LogTimeFormat           = iso8601_ms",
            "TCPTimeout              = 2 sec"),
        ConfText.shown("", KEYS));
  }

  @Test
  void goodValues() {
    String lines =
        """
        DebugFlags=tracejobs,Backfill
        GroupUpdateForce=0
        HostUnreachRetryCount=3
        LogTimeFormat=Short,format_stderr
        TCPTimeout=9
        """;
    SiteRules rules = settings(lines).rules();
    assertEquals(List.of("TraceJobs", "Backfill"), rules.debugFlags());
    assertTrue(rules.groupsByFile());
    assertFalse(settings("GroupUpdateForce=1\n").rules().groupsByFile());
    assertEquals(3, rules.unreachableRetries());
    assertEquals(Duration.ofSeconds(9), rules.connecting());
    assertEquals(List.of("short", "format_stderr"), settings(lines).controller().logTimeFormat());
    assertEquals(
        List.of(
            "DebugFlags              = tracejobs,Backfill",
            "GroupUpdateForce        = 0",
            "LogTimeFormat           = Short,format_stderr",
            "TCPTimeout              = 9 sec"),
        ConfText.shown(lines, KEYS));
  }

  @Test
  void energyIsGatheredAndPowerLookedAtWhereTheKeysSaySo() {
    String rapl = "AcctGatherEnergyType=acct_gather_energy/rapl\n";
    assertEquals(Duration.ZERO, settings(rapl).rules().energySampling());
    assertNull(settings("AcctGatherNodeFreq=30\n").rules().energySampling());
    assertEquals(
        Duration.ofSeconds(30),
        settings(rapl + "AcctGatherNodeFreq=30\n").rules().energySampling());
    assertEquals(
        List.of(
            "AcctGatherEnergyType    = acct_gather_energy/rapl",
            "AcctGatherNodeFreq      = 30 sec"),
        ConfText.shown(
            rapl + "AcctGatherNodeFreq=30\n", List.of("AcctGatherEnergy", "AcctGatherNode")));
    assertEquals(
        List.of("5 AcctGatherEnergyType: there is no acct_gather_energy/sun"),
        wrong("AcctGatherEnergyType=acct_gather_energy/sun\n"));
    assertEquals(1, wrong("AcctGatherNodeFreq=often\n").size());
    assertEquals(
        List.of("5 AcctGatherEnergyType: acct_gather_energy/ipmi: read, and not acted on"),
        ConfText.found(
            ConfText.with("AcctGatherEnergyType=acct_gather_energy/ipmi\n"), Severity.NO_EFFECT));
  }

  @Test
  void aProgramBootsNodes() {
    assertEquals("", settings("").daemon().rebootProgram());
    assertEquals("/sbin/reboot", settings("RebootProgram=/sbin/reboot\n").daemon().rebootProgram());
    assertEquals(
        List.of("RebootProgram           = /sbin/reboot"),
        ConfText.shown("RebootProgram=/sbin/reboot\n", List.of("RebootProgram")));
    assertEquals(
        List.of(
            "5 RebootProgram: value (/sbin/[x) is not the path of a program, or a pattern in"
                + " which each [ has its ]"),
        wrong("RebootProgram=/sbin/[x\n"));
  }

  @Test
  void badValuesAreToldWithTheirLine() {
    assertEquals(List.of("5 DebugFlags: there is no flag Jobs"), wrong("DebugFlags=Jobs\n"));
    assertEquals(
        List.of("5 LogTimeFormat: value (sundial) is no format of a time"),
        wrong("LogTimeFormat=sundial\n"));
    assertEquals(
        List.of("5 TCPTimeout: value (0) is not from 1 to 65533"), wrong("TCPTimeout=0\n"));
    assertEquals(
        List.of("5 HostUnreachRetryCount: value (often) is not a number"),
        wrong("HostUnreachRetryCount=often\n"));
    assertEquals(1, wrong("GroupUpdateForce=perhaps\n").size());
    assertEquals(
        List.of("5 DebugFlags: TLS: there is nothing more to tell"),
        ConfText.found(ConfText.with("DebugFlags=TLS,Steps\n"), Severity.NO_EFFECT));
  }
}
