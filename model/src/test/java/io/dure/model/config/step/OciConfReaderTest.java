package io.dure.model.config.step;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.dure.model.config.slurmconf.ParsedConfig;
import io.dure.model.config.slurmconf.SlurmConfParser;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What oci.conf beside slurm.conf says. */
@Tag("pure")
class OciConfReaderTest {
  private static ParsedConfig parsed(String text) {
    Map<String, String> files =
        Map.of(
            "/etc/slurm.conf",
            "ClusterName=c\nSlurmctldHost=h\nNodeName=n1\nPartitionName=p Nodes=n1\n",
            "/etc/oci.conf",
            text);
    return SlurmConfParser.parse("/etc/slurm.conf", files::get);
  }

  @Test
  void patternsAreKeptAsTheyAre() {
    ParsedConfig parsed =
        parsed(
            """
            EnvExclude="^(SLURM_CONF|SLURM_CONF_SERVER)="
            RunTimeQuery="runc --rootless=true --root=/run/user/%U/ state %n.%u.%j.%s.%t"
            RunTimeRun="runc --root=/run/user/%U/ run %n.%u.%j.%s.%t -b %b"
            CreateEnvFile=yes
            DisableCleanup=true
            MountSpoolDir=/slurm
            """);
    assertEquals(List.of(), parsed.diagnostics());
    assertEquals(
        new OciSettings(
            "",
            "/slurm",
            "",
            "",
            "runc --root=/run/user/%U/ run %n.%u.%j.%s.%t -b %b",
            "",
            "",
            "runc --rootless=true --root=/run/user/%U/ state %n.%u.%j.%s.%t",
            "null",
            "^(SLURM_CONF|SLURM_CONF_SERVER)=",
            "",
            true,
            false),
        parsed.config().settings().steps().oci());
  }

  @Test
  void withoutACommandThereAreNone() {
    assertNull(parsed("RunTimeCreate=/x\n").config().settings().steps().oci());
    assertNull(parsed("").config().settings().steps().oci());
  }

  @Test
  void whatIsWrongIsSaid() {
    String lines =
        """
        ContainerPath=relative
        CreateEnvFile=tabs
        FileDebug=debug
        Runtime=crun
        """;
    assertEquals(
        List.of(
            "ERROR 1 ContainerPath: value (relative) is not valid",
            "ERROR 2 CreateEnvFile: value (tabs) is not valid",
            "NO_EFFECT 3 FileDebug: read, and not acted on",
            "ERROR 4 Runtime: Parsing error at unrecognized key: Runtime"),
        parsed(lines).diagnostics().stream()
            .map(one -> one.severity() + " " + one.line() + " " + one.key() + ": " + one.message())
            .toList());
  }
}
