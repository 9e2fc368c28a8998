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
        AllowedRAMSpace=much
        Constrain=yes
        CgroupPlugin=cgroup/v3
        CgroupMountpoint=cgroup
        EnableExtraControllers=io,cpu
        SystemdTimeout=1000
        IgnoreSystemd=no
        IgnoreSystemdOnFailure=no
        EnableControllers=yes
        TaskAffinity=yes
        """;
    assertEquals(
        List.of(
            "ERROR 5 ConstrainDevices: value (perhaps) is not yes or no",
            "ERROR 6 AllowedRAMSpace: value (much) is not valid",
            "ERROR 7 Constrain: Parsing error at unrecognized key: Constrain",
            "ERROR 8 CgroupPlugin: value (cgroup/v3) is not valid",
            "ERROR 9 CgroupMountpoint: value (cgroup) is not valid",
            "ERROR 10 EnableExtraControllers: value (io,cpu) is not valid",
            "NO_EFFECT 11 SystemdTimeout: read, and not acted on",
            "NO_EFFECT 12 IgnoreSystemd: read, and not acted on",
            "WARNING 15 TaskAffinity: The option \"TaskAffinity\" is defunct"),
        findings(parsed("task/cgroup", lines)));
  }

  @Test
  void whatItSaysIsKept() {
    String lines =
        """
        CgroupPlugin=cgroup/v1
        CgroupMountpoint=/Groups
        CgroupAutomount=yes
        ConstrainCores=no
        ConstrainRAMSpace=no
        ConstrainSwapSpace=yes
        AllowedRAMSpace=101.5
        AllowedSwapSpace=20
        MaxRAMPercent=90
        MaxSwapPercent=95.5%
        MinRAMSpace=64
        MemorySwappiness=10
        SignalChildrenProcesses=no
        EnableExtraControllers=io,misc
        """;
    ParsedConfig parsed = parsed("task/cgroup", lines);
    assertEquals(List.of(), findings(parsed));
    assertEquals(
        new CgroupSettings(
            CgroupSettings.Plugin.V1,
            "/Groups",
            true,
            false,
            false,
            true,
            new CgroupSettings.Memory(101.5, 20, 90.0, 95.5, 64, 10),
            false,
            List.of("io", "misc")),
        parsed.config().settings().steps().cgroup());
    assertEquals(
        CgroupSettings.USUAL,
        parsed("task/cgroup", "MemorySwappiness=101\n").config().settings().steps().cgroup());
  }
}
