package io.dure.node.step;

import io.dure.host.trust.CredentialChecker;
import io.dure.model.step.StepShare;
import io.dure.protocol.StepCredential;
import io.dure.protocol.StepLaunchOrder;
import io.dure.protocol.WireCodecs;
import io.dure.protocol.codec.MalformedMessageException;
import io.dure.protocol.codec.RecordCodec;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;

/**
 * Decides by its credential whether a step may be started here: signed by a controller that led
 * within the lifetime of a credential, for this node, for the user at the other end, now. Any
 * thread.
 */
public final class CredentialGate {
  /** How far clocks of controller and node may differ. */
  private static final Duration SKEW = Duration.ofMinutes(1);

  private static final int MOST_KEYS = 8;
  private static final int ACCESS = 2002;
  private static final int CREDENTIAL = 1018;
  private static final int BAD_INPUT = 1000;

  private final RecordCodec<StepLaunchOrder> orders = WireCodecs.launchOrders().strict();
  private final RecordCodec<StepCredential> credentials = WireCodecs.credentials().strict();
  private final Deque<Key> keys = new ArrayDeque<>();
  private final InstantSource clock;

  @SuppressWarnings("ArrayRecordComponent") // bytes are handed on, never compared
  private record Key(byte[] bytes, CredentialChecker checker) {}

  /** What it decides. */
  public sealed interface Verdict {
    /** The step may be started. */
    record Allowed(StepRequest request) implements Verdict {}

    /** It may not. */
    record Refused(int code, String text) implements Verdict {}
  }

  /** A gate that lets nothing through before it knows a key. */
  public CredentialGate(InstantSource clock) {
    this.clock = clock;
  }

  /** The controller that leads signs with this key from now on. */
  public synchronized void trust(byte[] publicKey) {
    if (keys.stream().anyMatch(key -> Arrays.equals(key.bytes(), publicKey))) {
      return;
    }
    keys.addFirst(new Key(publicKey, new CredentialChecker(publicKey)));
    if (keys.size() > MOST_KEYS) {
      keys.removeLast();
    }
  }

  /** Judges what a front end sent. */
  public Verdict judge(Spawner.StepConnection connection, byte[] payload, String node) {
    StepLaunchOrder order;
    StepCredential credential;
    try {
      order = orders.decode(payload);
      if (!isSigned(order)) {
        return new Verdict.Refused(CREDENTIAL, "Invalid job credential");
      }
      credential = credentials.decode(order.credential());
    } catch (MalformedMessageException e) {
      return new Verdict.Refused(BAD_INPUT, "Unexpected message received");
    }
    Instant now = clock.instant();
    if (!now.isBefore(credential.expires().plus(SKEW))
        || credential.issued().isAfter(now.plus(SKEW))) {
      return new Verdict.Refused(CREDENTIAL, "Job credential expired");
    }
    int owner = credential.job().owner().uid();
    if (connection.uid() != owner && connection.uid() != 0) {
      return new Verdict.Refused(ACCESS, "Access/permission denied");
    }
    StepShare share = credential.step().shareOn(node);
    if (share == null) {
      return new Verdict.Refused(CREDENTIAL, "Invalid job credential");
    }
    return new Verdict.Allowed(new StepRequest(connection, credential, share, order));
  }

  private synchronized boolean isSigned(StepLaunchOrder order) {
    return keys.stream()
        .anyMatch(key -> key.checker().isValid(order.credential(), order.signature()));
  }
}
