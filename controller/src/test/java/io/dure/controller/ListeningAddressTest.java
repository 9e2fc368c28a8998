package io.dure.controller;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.dure.model.config.ClusterSettings;
import io.dure.model.config.slurmconf.ParsedConfig;
import io.dure.model.config.slurmconf.SlurmConfParser;
import java.io.IOException;
import java.net.InetAddress;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** At which of the machine's addresses a controller listens. */
@Tag("process")
class ListeningAddressTest {
  private static @Nullable InetAddress address(String lines) throws IOException {
    ParsedConfig parsed =
        SlurmConfParser.parseAlone("/slurm.conf", "ClusterName=lab\n" + lines + "\n");
    assertEquals(List.of(), parsed.errors());
    ClusterSettings.Controller settings = parsed.config().settings().controller();
    return LocalControllerHost.listening(settings, settings.hosts().getFirst());
  }

  @Test
  void anAddressBesideTheNameIsTheOnlyOne() throws IOException {
    assertEquals(InetAddress.ofLiteral("127.0.0.1"), address("SlurmctldHost=vm(127.0.0.1)"));
    assertEquals(InetAddress.ofLiteral("127.0.0.2"), address("SlurmctldHost=vm(127.0.0.2)"));
  }

  @Test
  void otherwiseItListensAtAll() throws IOException {
    assertNull(address("SlurmctldHost=localhost"));
    assertNull(address("SlurmctldHost=vm(192.0.2.1)"), "an address in front of the machine");
  }

  @Test
  void noInAddrAnyIsKeptTo() throws IOException {
    for (String word : new String[] {"NoInAddrAny", "NoCtldInAddrAny"}) {
      String also = "\nCommunicationParameters=" + word;
      assertEquals(InetAddress.getLoopbackAddress(), address("SlurmctldHost=localhost" + also));
      IOException refusal =
          assertThrows(IOException.class, () -> address("SlurmctldHost=vm(192.0.2.1)" + also));
      assertTrue(refusal.getMessage().contains("192.0.2.1"), refusal.getMessage());
    }
  }
}
