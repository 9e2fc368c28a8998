package io.dure.model.config.step;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.dure.model.config.slurmconf.ParsedConfig;
import io.dure.model.config.slurmconf.SlurmConfParser;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What cgroup.conf beside slurm.conf says. */
@Tag("pure")
class CgroupConfReaderTest {
  private static ParsedConfig parsed(String plugin, String cgroupConf) {
    String conf =
        "ClusterName=c\nSlurmctldHost=h\nTaskPlugin="
            + plugin
            + "\nNodeName=n1\nPartitionName=p Nodes=n1\n";
    Map<String, String> files =
        Map.of("/etc/slurm/slurm.conf", conf, "/etc/slurm/cgroup.conf", cgroupConf);
    return SlurmConfParser.parse("/etc/slurm/slurm.conf", files::get);
  }

  private static boolean constrains(String cgroupConf) {
    return parsed("task/affinity,task/cgroup", cgroupConf)
        .config()
        .settings()
        .steps()
        .constrainsDevices();
  }

  private static List<String> findings(ParsedConfig parsed) {
    return parsed.diagnostics().stream()
        .filter(one -> one.file().endsWith("cgroup.conf"))
        .map(one -> one.severity() + " " + one.line() + " " + one.key() + ": " + one.message())
        .toList();
  }

  @Test
  void devicesStayOpenUnlessItSaysOtherwise() {
    assertFalse(constrains("# nothing\n"));
    assertFalse(constrains("ConstrainDevices=no\n"));
    assertTrue(constrains("ConstrainCores=yes\nconstraindevices=YES\n"));
    assertFalse(
        SlurmConfParser.parseAlone("/slurm.conf", "ClusterName=c\n")
            .config()
            .settings()
            .steps()
            .constrainsDevices());
  }

  @Test
  void withoutControlGroupsForTasksItIsNotInForce() {
    ParsedConfig parsed = parsed("task/affinity", "\nConstrainDevices=yes\n");
    assertFalse(parsed.config().settings().steps().constrainsDevices());
    assertEquals(
        List.of(
            "NO_EFFECT 2 ConstrainDevices:"
                + " without task/cgroup in TaskPlugin devices stay open"),
        findings(parsed));
  }

  @Test
  void whatIsWrongOrHasNoEffectIsSaid() {
    String lines =
        """
        CgroupPlugin=autodetect
        ConstrainCores=yes
        ConstrainRAMSpace=yes
        ConstrainSwapSpace=yes
        ConstrainDevices=perhaps
        AllowedRAMSpace=90
        Constrain=yes
        """;
    assertEquals(
        List.of(
            "NO_EFFECT 4 ConstrainSwapSpace: read, and not acted on",
            "ERROR 5 ConstrainDevices: value (perhaps) is not yes or no",
            "NO_EFFECT 6 AllowedRAMSpace: read, and not acted on",
            "ERROR 7 Constrain: Parsing error at unrecognized key: Constrain"),
        findings(parsed("task/cgroup", lines)));
  }
}
