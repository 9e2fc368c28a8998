package io.dure.controller;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.dure.model.config.ClusterConfig;
import io.dure.model.config.slurmconf.SlurmConfParser;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What a controller takes up only when it is started again. */
@Tag("pure")
class RestartSettingsTest {
  private static ClusterConfig config(String lines) {
    String text = "SlurmctldHost=vm\n" + lines;
    return SlurmConfParser.parseAlone("/slurm.conf", text).config();
  }

  private final ClusterConfig started =
      config("ClusterName=lab\nSlurmctldPort=7000\nStateSaveLocation=/state\n");

  @Test
  void theOldPortStaysInForceAndIsShown() {
    RestartSettings.Kept kept =
        RestartSettings.keep(
            started,
            config("ClusterName=lab\nSlurmctldPort=7001\nStateSaveLocation=/other\nKillWait=7\n"));
    assertEquals(7000, kept.config().settings().controller().port());
    assertEquals("7000", kept.config().values().get("SlurmctldPort"));
    assertEquals("/state", kept.config().settings().controller().stateSaveLocation());
    assertEquals("7", kept.config().values().get("KillWait"));
    assertEquals(
        List.of(
            "SlurmctldPort: 7001 takes effect when slurmctld is restarted; until then it is 7000",
            "StateSaveLocation: /other takes effect when slurmctld is restarted; until then it is"
                + " /state"),
        kept.lines());
  }

  @Test
  void whereItListensAndWhatItBeginsWithStays() {
    ClusterConfig next =
        SlurmConfParser.parseAlone(
                "/slurm.conf",
                """
                ClusterName=lab
                SlurmctldPort=7000
                StateSaveLocation=/state
                SlurmctldHost=vm(10.0.0.7)
                CommunicationParameters=NoInAddrAny
                GroupUpdateTime=30
                SlurmctldSyslogDebug=error
                """)
            .config();
    RestartSettings.Kept kept = RestartSettings.keep(started, next);
    assertEquals(
        started.settings().controller().hosts(), kept.config().settings().controller().hosts());
    assertFalse(kept.config().settings().controller().ownAddressOnly());
    assertNull(kept.config().settings().rules().groupUpdate());
    assertNull(kept.config().settings().rules().controllerSyslog());
    assertEquals(4, kept.lines().size(), kept.lines().toString());
    for (String value :
        List.of(
            "SlurmctldHost: vm(10.0.0.7)",
            "CommunicationParameters: NoInAddrAny",
            "GroupUpdateTime: 30",
            "SlurmctldSyslogDebug: error")) {
      String line = value + " takes effect when slurmctld is restarted";
      assertTrue(kept.lines().stream().anyMatch(l -> l.startsWith(line)), kept.lines().toString());
    }
  }

  @Test
  void whatIsTheSameIsNotMentioned() {
    ClusterConfig next =
        config("ClusterName=LAB\nSlurmctldPort=7000\nStateSaveLocation=/state\nKillWait=7\n");
    assertEquals(new RestartSettings.Kept(next, List.of()), RestartSettings.keep(started, next));
    assertNull(RestartSettings.refusal(started, next));
  }

  @Test
  void anotherClusterIsRefused() {
    assertNotNull(RestartSettings.refusal(started, config("ClusterName=other\n")));
  }
}
