package io.dure.host.trust;

import io.dure.host.storage.DirectoryCreator;
import io.dure.host.storage.FileOwner;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What the controller needs to be trusted: the cluster key and the authority it names.
 *
 * @param key the cluster key
 * @param ca the authority with the controller's certificate
 */
public record ClusterTrust(ClusterKey key, ClusterCa ca) {
  /** The cluster and where its files lie; {@code owner} is SlurmUser or null. */
  public record TrustLocations(
      Path keyFile,
      Path tlsDirectory,
      String clusterName,
      String hostName,
      @Nullable FileOwner owner) {}

  /**
   * Loads both, or makes what is missing at the first start. A start that was killed in the middle
   * is finished by the next.
   *
   * @param slurmUserUid number of SlurmUser, who may own the key file
   * @throws ClusterKeyException if the key file is unsafe or damaged, or names another authority
   *     than the one in the directory, in which case no node would trust this controller
   * @throws IOException if a file cannot be read or written
   */
  public static ClusterTrust open(TrustLocations place, int slurmUserUid, Instant now)
      throws IOException {
    Path keyFile = place.keyFile();
    ClusterKey key = Files.exists(keyFile) ? ClusterKey.load(keyFile, slurmUserUid) : null;
    if (key != null && !Files.exists(place.tlsDirectory().resolve("ca.pem"))) {
      throw new ClusterKeyException(
          keyFile
              + " names a certificate authority, but there is none in "
              + place.tlsDirectory()
              + ": copy it from another controller, if there are several, or restore it, or remove"
              + " the key file to have both created again"
              + " (then copy the key file to each machine)");
    }
    ClusterCa ca =
        ClusterCa.open(
            place.tlsDirectory(), place.clusterName(), place.hostName(), place.owner(), now);
    if (key == null) {
      Path directory = keyFile.toAbsolutePath().getParent();
      if (directory != null) {
        DirectoryCreator.ensure(directory, 0755, place.owner());
      }
      key = ClusterKey.generate(new SecureRandom(), ca.fingerprint());
      key.create(keyFile, place.owner());
    } else if (!key.caFingerprint().equals(ca.fingerprint())) {
      throw new ClusterKeyException(
          keyFile
              + " names the certificate authority "
              + key.caFingerprint()
              + ", but "
              + place.tlsDirectory()
              + " holds "
              + ca.fingerprint()
              + ": one of the two belongs to another cluster");
    }
    return new ClusterTrust(key, ca);
  }
}
