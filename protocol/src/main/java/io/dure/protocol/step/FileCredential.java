package io.dure.protocol.step;

import io.dure.model.UserIdentity;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;

/**
 * What a controller vouches for with its signature: that the nodes of a job may write and read
 * files as its user.
 *
 * @param jobId the job
 * @param owner its user
 * @param nodes its nodes, or those of a step
 * @param issued when it was signed
 * @param expires from when on nothing may be begun by it
 * @param run of the job, after whose end nothing is begun by it
 */
public record FileCredential(
    int jobId, UserIdentity owner, List<String> nodes, Instant issued, Instant expires, int run) {
  /** Before what is signed: no other credential can be taken for one of these. */
  private static final byte[] PURPOSE = "file transfer\0".getBytes(StandardCharsets.US_ASCII);

  /** What is signed for a credential of these bytes. */
  public static byte[] signed(byte[] credential) {
    byte[] all = new byte[PURPOSE.length + credential.length];
    System.arraycopy(PURPOSE, 0, all, 0, PURPOSE.length);
    System.arraycopy(credential, 0, all, PURPOSE.length, credential.length);
    return all;
  }
}
