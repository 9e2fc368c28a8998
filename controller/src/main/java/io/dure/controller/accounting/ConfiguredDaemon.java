package io.dure.controller.accounting;

import io.dure.host.trust.ClusterKey;
import io.dure.host.user.CurrentProcess;
import io.dure.model.config.ClusterConfig;
import io.dure.model.config.accounting.SlurmdbdPlace;
import io.dure.model.config.accounting.SlurmdbdSettings;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/** The slurmdbd that slurm.conf names. */
final class ConfiguredDaemon {
  private ConfiguredDaemon() {}

  /**
   * A client of the daemon, null where slurmctld does its part.
   *
   * @throws IOException if its key cannot be used
   */
  static @Nullable SlurmdbdClient find(ClusterConfig config, InstantSource clock, Logger log)
      throws IOException {
    SlurmdbdPlace place = SlurmdbdPlace.of(config.values());
    if (place == null) {
      return null;
    }
    Path key = key(config);
    if (!isChosen(config)) {
      log.info(
          "there is no {}: slurmctld does the part of slurmdbd. To have a slurmdbd of its own,"
              + " start it, copy the slurmdbd.key beside its slurmdbd.conf here, and restart"
              + " slurmctld",
          key);
      return null;
    }
    List<InetSocketAddress> addresses =
        place.hosts().stream()
            .map(host -> InetSocketAddress.createUnresolved(host, place.port()))
            .toList();
    return new SlurmdbdClient(
        addresses, ClusterKey.load(key, CurrentProcess.effectiveUid()), clock);
  }

  private static Path key(ClusterConfig config) {
    return Path.of(config.path()).resolveSibling(SlurmdbdSettings.KEY_FILE);
  }

  /** Whether the books are those of a slurmdbd. */
  static boolean isChosen(ClusterConfig config) {
    return SlurmdbdPlace.of(config.values()) != null && Files.exists(key(config));
  }
}
