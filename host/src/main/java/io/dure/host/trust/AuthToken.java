package io.dure.host.trust;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A statement, signed with the cluster key, of the identity at the other end of a TLS connection: a
 * user, a node daemon, or a controller.
 *
 * <p>As text: {@code v1.KIND.subject.uid.gid.expiry.nonce.HMAC}, where the subject (names may hold
 * dots), the nonce and the HMAC are in base64url without padding, the expiry in seconds since 1970,
 * and the HMAC-SHA256 covers everything before its dot. Behind the nonce stands {@code ~HOST}, the
 * signing machine's name in base64url, where a user's token says it.
 *
 * @param kind the kind of identity
 * @param subject login name of the user, or name of the node; at most 255 bytes in UTF-8
 * @param uid number of the user, unsigned 32 bits in an int; of the daemon's user for a node
 * @param gid number of the user's primary group, likewise
 * @param expiry when it ends to be valid, in whole seconds
 * @param nonce random text that makes each token unique
 * @param host short name of the machine on which a user was identified; empty where it is not said
 */
public record AuthToken(
    Kind kind, String subject, int uid, int gid, Instant expiry, String nonce, String host) {
  /** The kind of identity. */
  public enum Kind {
    /** A user of the cluster. */
    USER,
    /** The node daemon of the node that the subject names. */
    NODE,
    /** The controller on the host that the subject names. */
    CONTROLLER,
    /** The holder of the certificate whose fingerprint stands for the host: a node's daemon. */
    CERTIFICATE
  }

  /** Longest token text that is looked at, in characters. */
  public static final int MAX_LENGTH = 1024;

  /** How a text begins that is such a token, and no other. */
  public static final String BEGINNING = "v1.";

  private static final int NONCE_BYTES = 16;
  private static final int MAX_SUBJECT_BYTES = 255;
  private static final String VERSION = "v1";
  private static final int PARTS = 8;

  /** No sign of base64url, and part of the nonce for versions that know no host. */
  private static final char HOST = '~';

  /** Cuts the expiry to whole seconds and refuses subjects that do not fit. */
  public AuthToken {
    expiry = Instant.ofEpochSecond(expiry.getEpochSecond());
    if (subject.getBytes(StandardCharsets.UTF_8).length > MAX_SUBJECT_BYTES
        || host.getBytes(StandardCharsets.UTF_8).length > MAX_SUBJECT_BYTES) {
      throw new IllegalArgumentException("a token's subject and host have at most 255 bytes");
    }
  }

  /** A token for a user, identified on the machine of that short name. */
  public static AuthToken forUser(
      String name, int uid, int gid, String host, Instant expiry, SecureRandom random) {
    return new AuthToken(Kind.USER, name, uid, gid, expiry, newNonce(random), host);
  }

  /** A token for a node daemon, which runs as the user with the given numbers. */
  public static AuthToken forNode(
      String nodeName, int uid, int gid, Instant expiry, SecureRandom random) {
    return new AuthToken(Kind.NODE, nodeName, uid, gid, expiry, newNonce(random), "");
  }

  /** A token for a controller, shown to the others of its cluster. */
  public static AuthToken forController(String host, Instant expiry, SecureRandom random) {
    return new AuthToken(Kind.CONTROLLER, host, 0, 0, expiry, newNonce(random), "");
  }

  /** A token by which the holder of a certificate shows that it belongs to the cluster. */
  static AuthToken forCertificate(
      String nodeName, String fingerprint, Instant expiry, SecureRandom random) {
    return new AuthToken(Kind.CERTIFICATE, nodeName, 0, 0, expiry, newNonce(random), fingerprint);
  }

  /** The text to send, signed with the cluster key. Any thread may call. */
  public String sign(ClusterKey key) {
    String statement =
        VERSION
            + '.'
            + kind.name()
            + '.'
            + encode(subject.getBytes(StandardCharsets.UTF_8))
            + '.'
            + Integer.toUnsignedString(uid)
            + '.'
            + Integer.toUnsignedString(gid)
            + '.'
            + expiry.getEpochSecond()
            + '.'
            + nonce
            + (host.isEmpty() ? "" : HOST + encode(host.getBytes(StandardCharsets.UTF_8)));
    return statement + '.' + encode(key.authenticate(ascii(statement)));
  }

  /**
   * Checks a text that came from outside. Never throws, whatever the text. Any thread may call.
   *
   * @param now the present
   * @param skew how far the clocks of two machines may differ: a token is still taken so long after
   *     its expiry
   */
  public static Verdict verify(String text, ClusterKey key, Instant now, Duration skew) {
    if (text.length() > MAX_LENGTH) {
      return new Verdict.Refused(Refusal.MALFORMED);
    }
    List<String> parts = split(text);
    if (parts.size() != PARTS) {
      return new Verdict.Refused(Refusal.MALFORMED);
    }
    if (!parts.getFirst().equals(VERSION)) {
      return new Verdict.Refused(Refusal.UNKNOWN_VERSION);
    }
    String statement = text.substring(0, text.lastIndexOf('.'));
    byte[] expected = ascii(encode(key.authenticate(statement.getBytes(StandardCharsets.UTF_8))));
    byte[] given = parts.getLast().getBytes(StandardCharsets.UTF_8);
    if (!MessageDigest.isEqual(expected, given)) {
      return new Verdict.Refused(Refusal.WRONG_SIGNATURE);
    }
    AuthToken token = parse(parts);
    if (token == null) {
      return new Verdict.Refused(Refusal.MALFORMED);
    }
    // Compared by subtraction from now, for an expiry at the end of time has no later instant.
    if (now.minus(skew).isAfter(token.expiry)) {
      return new Verdict.Refused(Refusal.EXPIRED);
    }
    return new Verdict.Valid(token);
  }

  private static @Nullable AuthToken parse(List<String> parts) {
    String last = parts.get(6);
    int host = last.indexOf(HOST);
    try {
      return new AuthToken(
          Kind.valueOf(parts.get(1)),
          decode(parts.get(2)),
          Integer.parseUnsignedInt(parts.get(3)),
          Integer.parseUnsignedInt(parts.get(4)),
          Instant.ofEpochSecond(Long.parseLong(parts.get(5))),
          host < 0 ? last : last.substring(0, host),
          host < 0 ? "" : decode(last.substring(host + 1)));
    } catch (IllegalArgumentException | DateTimeException e) {
      return null;
    }
  }

  /** By hand, because a regular expression is slow to load in a short-lived command. */
  private static List<String> split(String text) {
    List<String> parts = new ArrayList<>(PARTS);
    int from = 0;
    for (int dot = text.indexOf('.'); dot >= 0 && parts.size() < PARTS; ) {
      parts.add(text.substring(from, dot));
      from = dot + 1;
      dot = text.indexOf('.', from);
    }
    parts.add(text.substring(from));
    return parts;
  }

  private static String newNonce(SecureRandom random) {
    byte[] nonce = new byte[NONCE_BYTES];
    random.nextBytes(nonce);
    return encode(nonce);
  }

  private static String encode(byte[] bytes) {
    return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
  }

  private static String decode(String text) {
    return new String(Base64.getUrlDecoder().decode(text), StandardCharsets.UTF_8);
  }

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }

  /** Why a token is not accepted. */
  public enum Refusal {
    /** It is no token at all. */
    MALFORMED,
    /** A later version of Dure may have made it. */
    UNKNOWN_VERSION,
    /** It was not signed with this cluster's key, or changed afterwards. */
    WRONG_SIGNATURE,
    /** Its time is over, or the clocks of the two machines differ too much. */
    EXPIRED
  }

  /** What became of a text that claims to be a token. */
  public sealed interface Verdict {
    /** Signed with the cluster key and still valid. */
    record Valid(AuthToken token) implements Verdict {}

    /** Not to be believed. */
    record Refused(Refusal reason) implements Verdict {}
  }
}
