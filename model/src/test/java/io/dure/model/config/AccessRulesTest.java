package io.dure.model.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.dure.model.config.slurmconf.ConfigDiagnostic.Severity;
import io.dure.model.config.slurmconf.ConfigReport;
import io.dure.model.config.slurmconf.ParsedConfig;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Rules that keep users out are enforced, or prevent a start. */
@Tag("pure")
class AccessRulesTest {
  @ParameterizedTest
  @ValueSource(
      strings = {
        "MCSPlugin=mcs/user",
        "JobSubmitPlugins=all_partitions,throttle",
        "UsePAM=1",
        "NamespaceType=namespace/linux",
        "JobContainerType=job_container/cncu",
        "CommunicationParameters=DisableIPv4",
        "PartitionName=x Nodes=ALL Exclusive=TOPO",
        "PartitionName=x Nodes=ALL ExclusiveTopo=YES",
        "FrontendName=f AllowUsers=alice"
      })
  void aRuleThatIsNotEnforcedIsAnError(String line) {
    ParsedConfig parsed = ConfText.with(line + "\n");
    assertEquals(1, parsed.errors().size(), parsed.diagnostics().toString());
    assertEquals(5, parsed.errors().getFirst().line());
    assertTrue(parsed.errors().getFirst().message().endsWith("is not enforced here"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "MCSPlugin=mcs/none",
        "JobSubmitPlugins=all_partitions,job_submit/lua",
        "UsePAM=no",
        "NamespaceType=none",
        "AccountingStorageEnforce=associations,limits,qos,safe",
        "CommunicationParameters=NoInAddrAny,NoAddrCache",
        "PartitionName=x Nodes=ALL Exclusive=USER ReqResv=YES AllocNodes=login[1-2]",
        "PartitionName=x Nodes=ALL ExclusiveTopo=NO LLN=NO"
      })
  void whatKeepsNobodyOutIsNoError(String line) {
    assertFalse(ConfText.with(line + "\n").hasErrors());
  }

  @Test
  void aMistypedWordOfARuleIsAnError() {
    assertTrue(ConfText.with("AccountingStorageEnforce=asociations\n").hasErrors());
    assertTrue(ConfText.with("PrivateData=job\n").hasErrors());
    assertTrue(ConfText.with("PartitionName=x Nodes=ALL Exclusive=USERS\n").hasErrors());
  }

  @Test
  void whatHasNoEffectIsToldWithItsLine() {
    ParsedConfig parsed = ConfText.with("SlurmctldTimeout=9\nPrologFlags=Alloc\nKillWait=1\n");
    assertEquals(
        List.of(
            "5 SlurmctldTimeout: read, and not acted on",
            "6 PrologFlags: Alloc: read, and not acted on"),
        ConfText.found(parsed, Severity.NO_EFFECT));
    assertEquals(
        List.of(
            "/etc/slurm/slurm.conf:5: no effect yet: SlurmctldTimeout: read, and not acted on",
            "/etc/slurm/slurm.conf:6: no effect yet: PrologFlags: Alloc: read, and not acted on"),
        ConfigReport.remarks(parsed));
    assertEquals(List.of(), ConfigReport.remarks(ConfText.with("PartitionName=x LLN=NO\n")));
  }
}
