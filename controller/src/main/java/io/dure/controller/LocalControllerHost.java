package io.dure.controller;

import io.dure.host.process.ProcFs;
import io.dure.model.config.ClusterSettings;
import java.io.IOException;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.UnknownHostException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Which of the configured controllers this machine's is. */
final class LocalControllerHost {
  private LocalControllerHost() {}

  /**
   * The line of the configuration that means this machine: the one with its name, else the one
   * whose address it has.
   *
   * @throws IOException if none does; the message says what to write
   */
  static ClusterSettings.Host of(List<ClusterSettings.Host> hosts) throws IOException {
    String name = ProcFs.ofThisMachine().shortHostName();
    for (ClusterSettings.Host host : hosts) {
      if (host.name().equals(name) || host.name().startsWith(name + ".")) {
        return host;
      }
    }
    if (hosts.size() == 1) {
      return hosts.getFirst();
    }
    for (ClusterSettings.Host host : hosts) {
      InetAddress address = resolved(host);
      if (address != null && !address.isLoopbackAddress() && isLocal(address)) {
        return host;
      }
    }
    List<String> names = hosts.stream().map(ClusterSettings.Host::name).toList();
    throw new IOException(
        "This host ("
            + name
            + ") is not a valid controller: SlurmctldHost names "
            + String.join(", ", names)
            + "; name this one too or start the controller there");
  }

  /**
   * The address to listen at: that of its line where this machine has it and the line says it
   * beside the name, or there are several controllers; null for all addresses.
   *
   * @throws IOException if it may be no other (NoInAddrAny), and this machine does not have it
   */
  static @Nullable InetAddress listening(
      ClusterSettings.Controller settings, ClusterSettings.Host own) throws IOException {
    InetAddress address = resolved(own);
    boolean here = address != null && isLocal(address);
    if (settings.ownAddressOnly()) {
      if (!here) {
        throw new IOException(
            "CommunicationParameters allows no address but that of SlurmctldHost="
                + own.name()
                + "("
                + own.address()
                + "), which is none of this machine's: write one of its addresses");
      }
      return address;
    }
    boolean said = settings.address().isEmpty() && !own.address().equals(own.name());
    return here && (said || settings.hosts().size() > 1) ? address : null;
  }

  private static @Nullable InetAddress resolved(ClusterSettings.Host host) {
    try {
      return InetAddress.getByName(host.address());
    } catch (UnknownHostException e) {
      return null;
    }
  }

  private static boolean isLocal(InetAddress address) throws IOException {
    return address.isLoopbackAddress() || NetworkInterface.getByInetAddress(address) != null;
  }
}
