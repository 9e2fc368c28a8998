package io.dure.twin.result;

import io.dure.model.job.Allocation;
import io.dure.model.job.NodeShare;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** Takes in the starts and suspensions of a replay one after another. For one thread. */
final class ScheduleDigest {
  private final MessageDigest digest;
  private final ByteBuffer numbers = ByteBuffer.allocate(Long.BYTES * 2);

  /** Of nothing. */
  ScheduleDigest() {
    digest = sha256();
  }

  /** Of what another took in until now. */
  ScheduleDigest(ScheduleDigest before) {
    digest = copy(before.digest);
  }

  private static MessageDigest copy(MessageDigest digest) {
    try {
      return (MessageDigest) digest.clone();
    } catch (CloneNotSupportedException e) {
      throw new IllegalStateException("the SHA-256 of every Java can be copied", e);
    }
  }

  private static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }

  void start(long second, int job, Allocation allocation) {
    add(second, job);
    for (NodeShare share : allocation.shares()) {
      digest.update(share.node().getBytes(StandardCharsets.UTF_8));
      add(share.cpus(), share.memoryMib());
    }
  }

  /** A job stands still from then on. */
  void pause(long second, int job) {
    add(second, -job);
  }

  private void add(long one, long other) {
    numbers.clear();
    numbers.putLong(one).putLong(other);
    digest.update(numbers.array());
  }

  /** The digest of all until now. */
  String text() {
    return HexFormat.of().formatHex(copy(digest).digest());
  }
}
