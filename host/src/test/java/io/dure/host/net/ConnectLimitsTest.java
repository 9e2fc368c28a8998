package io.dure.host.net;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.dure.model.config.SiteRules;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NoRouteToHostException;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** How long and how often a TCP connection is tried. */
@Tag("pure")
class ConnectLimitsTest {
  private static final InetSocketAddress THERE =
      new InetSocketAddress(InetAddress.getLoopbackAddress(), 1);

  private final List<Integer> patience = new ArrayList<>();

  private Socket connect(int unreachable, ConnectLimits limits) throws IOException {
    return ConnectionFactory.connected(
        () ->
            new Socket() {
              @Override
              public void connect(SocketAddress address, int millis) throws IOException {
                patience.add(millis);
                if (patience.size() <= unreachable) {
                  throw new NoRouteToHostException("no route");
                }
              }
            },
        THERE,
        limits);
  }

  @Test
  void eachTryHasItsTimeAndAnUnreachableHostIsTriedAgain() throws Exception {
    connect(2, new ConnectLimits(Duration.ofSeconds(7), 2)).close();
    assertEquals(List.of(7000, 7000, 7000), patience);
  }

  @Test
  void itIsGivenUpAfterAsManyTries() {
    ConnectLimits once = ConnectLimits.of(SiteRules.USUAL);
    assertEquals(new ConnectLimits(Duration.ofSeconds(2), 0), once);
    assertThrows(NoRouteToHostException.class, () -> connect(1, once));
    assertEquals(List.of(2000), patience);
  }

  @Test
  void otherFailuresAreNotTriedAgain() {
    ConnectLimits often = new ConnectLimits(Duration.ofSeconds(1), 9);
    assertThrows(
        SocketTimeoutException.class,
        () ->
            ConnectionFactory.connected(
                () ->
                    new Socket() {
                      @Override
                      public void connect(SocketAddress address, int millis) throws IOException {
                        patience.add(millis);
                        throw new SocketTimeoutException("late");
                      }
                    },
                THERE,
                often));
    assertEquals(1, patience.size());
  }
}
