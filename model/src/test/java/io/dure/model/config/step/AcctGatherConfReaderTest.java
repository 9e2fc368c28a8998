package io.dure.model.config.step;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.dure.model.config.slurmconf.ParsedConfig;
import io.dure.model.config.slurmconf.SlurmConfParser;
import io.dure.model.config.step.StepSettings.Profiles;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What acct_gather.conf beside slurm.conf says. */
@Tag("pure")
class AcctGatherConfReaderTest {
  private static ParsedConfig parsed(String type, String acctGatherConf) {
    String conf =
        "ClusterName=c\nSlurmctldHost=h\nAcctGatherProfileType=acct_gather_profile/"
            + type
            + "\nNodeName=n1\nPartitionName=p Nodes=n1\n";
    Map<String, String> files =
        Map.of("/etc/slurm/slurm.conf", conf, "/etc/slurm/acct_gather.conf", acctGatherConf);
    return SlurmConfParser.parse("/etc/slurm/slurm.conf", files::get);
  }

  private static Profiles profiles(ParsedConfig parsed) {
    return parsed.config().settings().steps().profiles();
  }

  private static List<String> findings(ParsedConfig parsed) {
    return parsed.diagnostics().stream()
        .filter(one -> one.file().endsWith("acct_gather.conf") || one.key().contains("Profile"))
        .map(one -> one.severity() + " " + one.line() + " " + one.key() + ": " + one.message())
        .toList();
  }

  @Test
  void profilesAreKeptWhereItSays() {
    ParsedConfig parsed = parsed("hdf5", "# where\nprofilehdf5dir=/var/profiles\n");
    assertEquals(new Profiles("/var/profiles", false), profiles(parsed));
    assertEquals(List.of(), findings(parsed));
    ParsedConfig all = parsed("HDF5", "ProfileHDF5Dir=/p ProfileHDF5Default=ALL\n");
    assertEquals(new Profiles("/p", true), profiles(all));
  }

  @Test
  void withoutThePluginNothingIsKept() {
    assertNull(profiles(parsed("none", "ProfileHDF5Dir=/p\n")));
  }

  @Test
  void whatCannotBeIsTold() {
    assertEquals(
        List.of(
            "NO_EFFECT 3 AcctGatherProfileType: without ProfileHDF5Dir in acct_gather.conf nothing is"
                + " kept",
            "ERROR 1 ProfileHDF5Dir: value (here) is no absolute path",
            "ERROR 2 Where: Parsing error at unrecognized key: Where",
            "NO_EFFECT 3 ProfileHDF5Default: energy: read, and not acted on",
            "ERROR 3 ProfileHDF5Default: there is no much",
            "NO_EFFECT 4 EnergyIPMIFrequency: read, and not acted on"),
        findings(
            parsed(
                "hdf5",
                """
                ProfileHDF5Dir=here
                Where=1
                ProfileHDF5Default=energy,much
                EnergyIPMIFrequency=1
                """)));
  }
}
