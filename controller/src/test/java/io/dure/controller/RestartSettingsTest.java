package io.dure.controller;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;

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
    return SlurmConfParser.parse("/slurm.conf", _ -> text).config();
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
