package io.dure.node.step;

import io.dure.host.trust.CredentialChecker;
import io.dure.model.UserIdentity;
import io.dure.model.step.StepShare;
import io.dure.node.noderun.RunId;
import io.dure.protocol.StepCredential;
import io.dure.protocol.StepLaunchOrder;
import io.dure.protocol.WireCodecs;
import io.dure.protocol.codec.MalformedMessageException;
import io.dure.protocol.codec.RecordCodec;
import io.dure.protocol.step.FileCredential;
import io.dure.protocol.step.FileOrder;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.function.Function;

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
  private static final String INVALID = "Invalid job credential";
  private static final String EXPIRED = "Job credential expired";
  private static final String DENIED = "Access/permission denied";
  private static final String UNEXPECTED = "Unexpected message received";

  private final RecordCodec<StepLaunchOrder> orders = WireCodecs.launchOrders().strict();
  private final RecordCodec<StepCredential> credentials = WireCodecs.credentials().strict();
  private final RecordCodec<FileOrder> fileOrders = WireCodecs.fileOrders().strict();
  private final RecordCodec<FileCredential> fileCredentials = WireCodecs.fileCredentials().strict();
  private final Deque<Key> keys = new ArrayDeque<>();
  private final InstantSource clock;
  private final Function<byte[], SignatureCheck> checks;

  @SuppressWarnings("ArrayRecordComponent") // bytes are handed on, never compared
  private record Key(byte[] bytes, SignatureCheck check) {}

  /** Checks signatures of one key. */
  public interface SignatureCheck {
    /** Whether the signature is of this message, by that key. */
    boolean isValid(byte[] message, byte[] signature);
  }

  /** What it decides. */
  public sealed interface Verdict {
    /** The step may be started. */
    record Allowed(StepRequest request) implements Verdict {}

    /** It may not. */
    record Refused(int code, String text) implements Verdict {}
  }

  /** What it decides about a file. */
  public sealed interface FileVerdict {
    /** It may be written and read as that user. */
    record Allowed(RunId run, UserIdentity owner) implements FileVerdict {}

    /** It may not. */
    record Refused(int code, String text) implements FileVerdict {}
  }

  /** A gate that lets nothing through before it knows a key. */
  public CredentialGate(InstantSource clock) {
    this(clock, key -> new CredentialChecker(key)::isValid);
  }

  /**
   * With other signatures than the product's.
   *
   * @param checks gives the check of a public key
   */
  public CredentialGate(InstantSource clock, Function<byte[], SignatureCheck> checks) {
    this.clock = clock;
    this.checks = checks;
  }

  /** The controller that leads signs with this key from now on. */
  public synchronized void trust(byte[] publicKey) {
    if (keys.stream().anyMatch(key -> Arrays.equals(key.bytes(), publicKey))) {
      return;
    }
    keys.addFirst(new Key(publicKey, checks.apply(publicKey)));
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
      if (!isSigned(order.credential(), order.signature())) {
        return new Verdict.Refused(CREDENTIAL, INVALID);
      }
      credential = credentials.decode(order.credential());
    } catch (MalformedMessageException e) {
      return new Verdict.Refused(BAD_INPUT, UNEXPECTED);
    }
    if (!isTimely(credential.issued(), credential.expires())) {
      return new Verdict.Refused(CREDENTIAL, EXPIRED);
    }
    int owner = credential.job().owner().uid();
    if (connection.uid() != owner && connection.uid() != 0) {
      return new Verdict.Refused(ACCESS, DENIED);
    }
    int index = credential.step().indexOf(node);
    if (index < 0) {
      return new Verdict.Refused(CREDENTIAL, INVALID);
    }
    StepShare share = credential.step().shares().get(index);
    return new Verdict.Allowed(new StepRequest(connection, credential, share, index, order));
  }

  /** Judges a wish to write or read a file; the user as which that may be done. */
  public FileVerdict judgeFile(Spawner.StepConnection connection, byte[] payload, String node) {
    FileCredential credential;
    try {
      FileOrder order = fileOrders.decode(payload);
      if (!isSigned(FileCredential.signed(order.credential()), order.signature())) {
        return new FileVerdict.Refused(CREDENTIAL, INVALID);
      }
      credential = fileCredentials.decode(order.credential());
    } catch (MalformedMessageException e) {
      return new FileVerdict.Refused(BAD_INPUT, UNEXPECTED);
    }
    if (!isTimely(credential.issued(), credential.expires())) {
      return new FileVerdict.Refused(CREDENTIAL, EXPIRED);
    }
    if (connection.uid() != credential.owner().uid() && connection.uid() != 0) {
      return new FileVerdict.Refused(ACCESS, DENIED);
    }
    return credential.nodes().contains(node)
        ? new FileVerdict.Allowed(
            new RunId(credential.jobId(), credential.run()), credential.owner())
        : new FileVerdict.Refused(CREDENTIAL, INVALID);
  }

  private boolean isTimely(Instant issued, Instant expires) {
    Instant now = clock.instant();
    return now.isBefore(expires.plus(SKEW)) && !issued.isAfter(now.plus(SKEW));
  }

  private synchronized boolean isSigned(byte[] message, byte[] signature) {
    return keys.stream().anyMatch(key -> key.check().isValid(message, signature));
  }
}
