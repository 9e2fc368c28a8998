package io.dure.cli.connect;

import io.dure.host.process.ProcFs;
import io.dure.model.config.ClusterSettings;
import java.io.IOException;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The controller behind the socket of this machine. */
final class LocalDoor {
  private LocalDoor() {}

  /**
   * Which of the configured ones it is, as the controller itself finds out: the one with this
   * machine's name, else the one whose address it has; null if none is.
   */
  static @Nullable String host(List<ClusterSettings.Host> hosts) {
    try {
      String name = ProcFs.ofThisMachine().shortHostName();
      for (ClusterSettings.Host host : hosts) {
        if (host.name().equals(name) || host.name().startsWith(name + ".")) {
          return host.name();
        }
      }
    } catch (IOException e) {
      // the addresses may say it
    }
    for (ClusterSettings.Host host : hosts) {
      if (isLocal(host)) {
        return host.name();
      }
    }
    return null;
  }

  private static boolean isLocal(ClusterSettings.Host host) {
    try {
      InetAddress address = InetAddress.getByName(host.address());
      return !address.isLoopbackAddress() && NetworkInterface.getByInetAddress(address) != null;
    } catch (IOException e) {
      return false;
    }
  }
}
