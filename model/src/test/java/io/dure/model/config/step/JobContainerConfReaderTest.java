package io.dure.model.config.step;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.dure.model.config.slurmconf.ConfigDiagnostic;
import io.dure.model.config.slurmconf.ParsedConfig;
import io.dure.model.config.slurmconf.SlurmConfParser;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What job_container.conf beside slurm.conf says. */
@Tag("pure")
class JobContainerConfReaderTest {
  private static ParsedConfig parsed(String type, @Nullable String text) {
    Map<String, String> files = new TreeMap<>();
    files.put(
        "/etc/slurm.conf",
        "ClusterName=c\nSlurmctldHost=h\n"
            + type
            + "\nNodeName=n[1-9]\nPartitionName=p Nodes=ALL\n");
    if (text != null) {
      files.put("/etc/job_container.conf", text);
    }
    return SlurmConfParser.parse("/etc/slurm.conf", files::get);
  }

  private static JobContainer.@Nullable OnNode of(String text, String node) {
    JobContainer container =
        parsed("JobContainerType=job_container/tmpfs", text)
            .config()
            .settings()
            .steps()
            .container();
    return container == null ? null : container.of(node);
  }

  private static List<String> findings(String text) {
    return parsed("NamespaceType=namespace/tmpfs", text).diagnostics().stream()
        .filter(one -> one.file().endsWith("container.conf"))
        .map(one -> one.severity() + " " + one.line() + " " + one.key() + ": " + one.message())
        .toList();
  }

  @Test
  void aNodesOwnLineComesBeforeThoseOfAll() {
    String text =
        """
        AutoBasePath=true
        NodeName=n[1-2] BasePath=/fast/%n Dirs=/tmp,/scratch Shared=yes
        BasePath=/var/jobs InitScript=/etc/init.sh
        NodeName=n3 BasePath=none
        """;
    List<String> usual = List.of("/tmp", "/dev/shm");
    assertEquals(
        new JobContainer.OnNode(
            "/fast/n2", true, List.of("/tmp", "/scratch"), "/etc/init.sh", true),
        of(text, "n2"));
    assertNull(of(text, "n3"));
    assertEquals(
        new JobContainer.OnNode("/var/jobs", true, usual, "/etc/init.sh", false), of(text, "n4"));
    assertEquals(new JobContainer.OnNode("", false, usual, "", false), of("Shared=no\n", "n4"));
  }

  @Test
  void withoutThePluginItIsNotRead() {
    assertEquals(List.of(), parsed("", "Nonsense\n").diagnostics());
    assertNull(parsed("", "BasePath=/x\n").config().settings().steps().container());
  }

  @Test
  void withoutTheFileTheClusterDoesNotStart() {
    ParsedConfig parsed = parsed("NamespaceType=namespace/tmpfs", null);
    assertEquals(
        List.of("there is no job_container.conf beside this file"),
        parsed.errors().stream().map(ConfigDiagnostic::message).toList());
  }

  @Test
  void whatIsWrongIsSaid() {
    String text =
        """
        AutoBasePath=perhaps
        BasePath=relative
        Dirs=/tmp,shm
        Dirs=/
        EntireStepInNS=true
        NodeName=n[1- BasePath=/x
        Path=/x
        """;
    assertEquals(
        List.of(
            "ERROR 1 AutoBasePath: value (perhaps) is not valid",
            "ERROR 2 BasePath: value (relative) is not valid",
            "ERROR 3 Dirs: value (/tmp,shm) is not valid",
            "ERROR 4 Dirs: value (/) is not valid",
            "NO_EFFECT 5 EntireStepInNS: read, and not acted on",
            "ERROR 6 NodeName: value (n[1-) is no host list",
            "ERROR 7 Path: Parsing error at unrecognized key: Path"),
        findings(text));
  }
}
