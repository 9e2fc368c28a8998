package io.dure.host.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("pure")
class ConfigFilesTest {

  @Test
  void theEnvironmentNamesTheFile() {
    assertEquals(Path.of("/x/y.conf"), LocalConfigSource.locate(Map.of("SLURM_CONF", "/x/y.conf")));
    assertEquals(Path.of("/etc/slurm/slurm.conf"), LocalConfigSource.locate(Map.of()));
    assertEquals(
        Path.of("/etc/slurm/slurm.conf"), LocalConfigSource.locate(Map.of("SLURM_CONF", "")));
  }

  @Test
  void keyAndSocketLieBeside() {
    assertEquals(Path.of("/x/dure.key"), LocalConfigSource.keyBeside(Path.of("/x/slurm.conf")));
    assertEquals(Path.of("/run/a.sock"), LocalConfigSource.socketBeside("/run/a.pid"));
    assertEquals(Path.of("/run/a.sock"), LocalConfigSource.socketBeside("/run/a"));
  }

  @Test
  void filesAreReadAndListed(@TempDir Path directory) throws IOException {
    Files.writeString(directory.resolve("b"), "text");
    Files.writeString(directory.resolve("a"), "");
    LocalConfigSource files = new LocalConfigSource();
    assertEquals("text", files.read(directory.resolve("b").toString()));
    assertNull(files.read(directory.resolve("c").toString()));
    assertNull(files.read(directory.toString()));
    assertEquals(List.of("a", "b"), files.list(directory.toString()));
    assertEquals(List.of(), files.list(directory.resolve("c").toString()));
  }
}
