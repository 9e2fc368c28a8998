package io.dure.cli.connect;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.dure.host.process.ProcFs;
import io.dure.model.config.ClusterSettings;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("process")
class LocalDoorTest {
  private static ClusterSettings.Host host(String name) {
    return new ClusterSettings.Host(name, "127.0.0.1");
  }

  @Test
  void theOneWithThisMachinesName() throws IOException {
    String own = ProcFs.ofThisMachine().shortHostName();
    assertEquals(own, LocalDoor.host(List.of(host("other"), host(own))));
    assertEquals(own + ".lab", LocalDoor.host(List.of(host("other"), host(own + ".lab"))));
    assertNull(LocalDoor.host(List.of(host("other"), host("another"))));
  }
}
