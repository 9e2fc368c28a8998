package io.dure.model.config.step;

import io.dure.model.config.gres.GresConfFindings;
import io.dure.model.config.step.StepSettings.Profiles;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Reads acct_gather.conf, of which profiles alone are a choice here. Used once.
 *
 * @see <a href="https://slurm.schedmd.com/acct_gather.conf.html">acct_gather.conf(5)</a>
 */
public final class AcctGatherConfReader {
  private static final String DIRECTORY = "ProfileHDF5Dir";
  private static final String USUAL = "ProfileHDF5Default";

  private static final List<String> OTHERS =
      List.of(
          "energyipmicalcadjustment",
          "energyipmifrequency",
          "energyipmipowersensors",
          "energyipmiusername",
          "energyipmipassword",
          "energyipmitimeout",
          "energyipmivariable",
          "infinibandofedport",
          "interconnectofedport",
          "profileinfluxdbdatabase",
          "profileinfluxdbdefault",
          "profileinfluxdbhost",
          "profileinfluxdbpass",
          "profileinfluxdbrtpolicy",
          "profileinfluxdbtimeout",
          "profileinfluxdbuser",
          "sysfsinterfaces");

  private static final List<String> SERIES =
      List.of("none", "all", "energy", "task", "lustre", "filesystem", "network");

  private final GresConfFindings findings;
  private String directory = "";
  private boolean usual;

  /** A reader. */
  public AcctGatherConfReader(GresConfFindings findings) {
    this.findings = findings;
  }

  /** Where profiles are kept, null if no directory is named. */
  public @Nullable Profiles profiles() {
    return directory.isEmpty() ? null : new Profiles(directory, usual);
  }

  /** Takes in a line. */
  public void add(String file, int line, List<Map.Entry<String, String>> words) {
    for (Map.Entry<String, String> word : words) {
      String key = word.getKey();
      if (key.equalsIgnoreCase(DIRECTORY)) {
        directory(file, line, word.getValue());
      } else if (key.equalsIgnoreCase(USUAL)) {
        usual(file, line, word.getValue().toLowerCase(Locale.ROOT));
      } else if (OTHERS.contains(key.toLowerCase(Locale.ROOT))) {
        findings.noEffect(file, line, key, "read, and not acted on");
      } else {
        String message = "Parsing error at unrecognized key: " + key;
        findings.error(file, line, key, message, "Remove it");
      }
    }
  }

  private void directory(String file, int line, String value) {
    if (value.startsWith("/")) {
      directory = value;
    } else {
      String message = "value (" + value + ") is no absolute path";
      findings.error(file, line, DIRECTORY, message, "Write such as /var/spool/profiles");
    }
  }

  private void usual(String file, int line, String value) {
    for (String word : value.split(",", -1)) {
      if (!SERIES.contains(word)) {
        String message = "there is no " + word;
        findings.error(file, line, USUAL, message, "Write none, task or all");
      } else if (word.equals("task") || word.equals("all")) {
        usual = true;
      } else if (!word.equals("none")) {
        findings.noEffect(file, line, USUAL, word + ": read, and not acted on");
      }
    }
  }
}
