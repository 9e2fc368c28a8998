package io.dure.model.config.step;

import io.dure.model.config.gres.GresConfFindings;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Reads cgroup.conf, of which devices alone are a choice here. Used once.
 *
 * @see <a href="https://slurm.schedmd.com/cgroup.conf.html">cgroup.conf(5)</a>
 */
public final class CgroupConfReader {
  /** What is so in any case. */
  private static final List<String> AS_USUAL =
      List.of(
          "cgroupautomount=yes",
          "cgroupautomount=no",
          "cgroupplugin=autodetect",
          "constraincores=yes",
          "constrainramspace=yes",
          "constrainswapspace=no",
          "ignoresystemdonfailure=yes",
          "ignoresystemdonfailure=no");

  private static final List<String> OTHERS =
      List.of(
          "allowedramspace",
          "allowedswapspace",
          "cgroupmountpoint",
          "cgroupautomount",
          "cgroupplugin",
          "cgroupslice",
          "constraincores",
          "constrainramspace",
          "constrainswapspace",
          "enablecontrollers",
          "enableextracontrollers",
          "ignoresystemd",
          "ignoresystemdonfailure",
          "maxrampercent",
          "maxswappercent",
          "memoryswappiness",
          "minramspace",
          "signalchildrenprocesses",
          "systemdtimeout");

  private static final String DEVICES = "ConstrainDevices";

  private final GresConfFindings findings;
  private final boolean inForce;
  private boolean constrainsDevices;

  /**
   * A reader.
   *
   * @param inForce whether the cluster has its tasks confined by control groups
   */
  public CgroupConfReader(GresConfFindings findings, boolean inForce) {
    this.findings = findings;
    this.inForce = inForce;
  }

  /** Whether steps may open the devices of generic resources that they have, and no others. */
  public boolean constrainsDevices() {
    return constrainsDevices;
  }

  /** Takes in a line. */
  public void add(String file, int line, List<Map.Entry<String, String>> words) {
    for (Map.Entry<String, String> word : words) {
      String key = word.getKey().toLowerCase(Locale.ROOT);
      String value = word.getValue().toLowerCase(Locale.ROOT);
      if (key.equals(DEVICES.toLowerCase(Locale.ROOT))) {
        devices(file, line, value);
      } else if (!OTHERS.contains(key)) {
        String message = "Parsing error at unrecognized key: " + word.getKey();
        findings.error(file, line, word.getKey(), message, "Remove it");
      } else if (!AS_USUAL.contains(key + "=" + value)) {
        findings.noEffect(file, line, word.getKey(), "read, and not acted on");
      }
    }
  }

  private void devices(String file, int line, String value) {
    Boolean wanted = flag(value);
    if (wanted == null) {
      findings.error(file, line, DEVICES, "value (" + value + ") is not yes or no", "Write yes");
    } else if (wanted && !inForce) {
      findings.noEffect(file, line, DEVICES, "without task/cgroup in TaskPlugin devices stay open");
    }
    constrainsDevices = inForce && Boolean.TRUE.equals(wanted);
  }

  private static @Nullable Boolean flag(String value) {
    return switch (value) {
      case "yes", "up", "true", "1" -> Boolean.TRUE;
      case "no", "down", "false", "0" -> Boolean.FALSE;
      default -> null;
    };
  }
}
