package io.dure.host.net;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("process")
final class ConnectionsTest {
  @Test
  void fewDescriptorsAreFewConnections() {
    assertEquals(768, ConnectionFactory.affordable(1024, 16_384));
    assertEquals(16_384, ConnectionFactory.affordable(Long.MAX_VALUE, 16_384));
    assertEquals(64, ConnectionFactory.affordable(100, 16_384));
  }
}
