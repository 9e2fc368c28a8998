package io.dure.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Where clients find the agent of a configuration. */
@Tag("pure")
class AgentOptionsTest {
  private static final Path USUAL = Path.of("/run/dure/agent.sock");

  @Test
  void theUsualFileHasTheUsualSocketHoweverItIsNamed() {
    String file = "/etc/slurm/slurm.conf";
    assertEquals(USUAL, socket(Map.of()));
    assertEquals(USUAL, socket(Map.of(), "-f", file));
    assertEquals(USUAL, socket(Map.of("SLURM_CONF", file)));
    assertEquals(USUAL, socket(Map.of("SLURM_CONF", "/srv/c/slurm.conf"), "-D", "-f", file));
  }

  @Test
  void anotherFileHasASocketBesideIt() {
    Path beside = Path.of("/srv/c/run/agent.sock");
    assertEquals(beside, socket(Map.of(), "-f", "/srv/c/slurm.conf"));
    assertEquals(beside, socket(Map.of("SLURM_CONF", "/srv/c/slurm.conf")));
  }

  private static Path socket(Map<String, String> environment, String... words) {
    return AgentOptions.parse(words, environment).socket();
  }
}
