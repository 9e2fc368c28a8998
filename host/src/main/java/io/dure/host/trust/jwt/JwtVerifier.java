package io.dure.host.trust.jwt;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JOSEObjectType;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.JWSObject;
import com.nimbusds.jose.JWSVerifier;
import io.dure.host.trust.jwt.JwtVerdict.Reason;
import io.dure.model.config.parameters.JwtSettings;
import java.nio.charset.StandardCharsets;
import java.text.ParseException;
import java.time.Duration;
import java.time.Instant;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Checks tokens that came from outside: the one place where it is decided whether a token is
 * believed. Nothing that a token says chooses how it is checked but the name of a key, which is
 * looked up among those of the configuration; addresses and keys in its header ({@code jku}, {@code
 * x5u}, {@code jwk}, {@code x5c}) are not looked at. Claims are read only after the signature. Any
 * thread.
 */
public final class JwtVerifier {
  /** Longest text that is looked at, in characters. */
  public static final int MAX_LENGTH = 8192;

  /** How far the clock of who signed may be ahead; a token is not taken after its expiry at all. */
  public static final Duration LEEWAY = Duration.ofSeconds(30);

  private static final int LONGEST_USER = 255;
  private static final long LAST_SECOND = 253_402_300_799L; // of the year 9999
  private static final Set<String> TYPES = Set.of("jwt", "at+jwt", "application/at+jwt");

  private final JwtKeys keys;
  private final String userClaim;

  /**
   * A verifier.
   *
   * @param userClaim the claim that names the user; what is signed with the cluster's secret may
   *     name it as Slurm does
   */
  public JwtVerifier(JwtKeys keys, String userClaim) {
    this.keys = keys;
    this.userClaim = userClaim;
  }

  /** A claim that is not as it must be. */
  private static final class ClaimException extends Exception {
    private static final long serialVersionUID = 1L;

    private final Reason reason;

    ClaimException(Reason reason) {
      super(null, null, false, false);
      this.reason = reason;
    }
  }

  /** Whether a text is to be believed now. Never throws, whatever the text. */
  public JwtVerdict verify(String text, Instant now) {
    if (text.length() > MAX_LENGTH) {
      return new JwtVerdict.Refused(Reason.TOO_LONG);
    }
    // The library passes over letters that are not of base64url.
    if (!isCompact(text)) {
      return new JwtVerdict.Refused(Reason.MALFORMED);
    }
    JWSObject token;
    try {
      token = JWSObject.parse(text);
    } catch (ParseException e) {
      return new JwtVerdict.Refused(Reason.MALFORMED);
    }
    Reason doubt = doubt(token);
    if (doubt != null) {
      return new JwtVerdict.Refused(doubt);
    }
    try {
      return judge(token, now);
    } catch (ClaimException e) {
      return new JwtVerdict.Refused(e.reason);
    }
  }

  /** Three parts, each of letters of base64url. */
  private static boolean isCompact(String text) {
    int dots = 0;
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == '.') {
        dots++;
      } else if (!(c >= 'a' && c <= 'z')
          && !(c >= 'A' && c <= 'Z')
          && !(c >= '0' && c <= '9')
          && c != '-'
          && c != '_') {
        return false;
      }
    }
    return dots == 2;
  }

  /** What is wrong with header and signature, null if nothing is. */
  private @Nullable Reason doubt(JWSObject token) {
    JWSHeader header = token.getHeader();
    JOSEObjectType type = header.getType();
    if (header.getCriticalParams() != null
        || header.getIncludedParams().contains("b64")
        || (type != null && !TYPES.contains(type.getType().toLowerCase(Locale.ROOT)))) {
      return Reason.UNSUPPORTED_HEADER;
    }
    JWSVerifier verifier;
    if (isOwn(header)) {
      verifier = keys.secretVerifier();
    } else {
      if (!header.getAlgorithm().equals(JWSAlgorithm.RS256)
          && !header.getAlgorithm().equals(JWSAlgorithm.ES256)) {
        return Reason.WRONG_ALGORITHM;
      }
      String name = header.getKeyID();
      if (name == null) {
        return Reason.NO_KEY_NAMED;
      }
      JwtKeys.PublishedKey key = keys.published(name);
      if (key != null && !key.algorithm().equals(header.getAlgorithm())) {
        return Reason.WRONG_ALGORITHM;
      }
      verifier = key == null ? null : key.verifier();
    }
    if (verifier == null) {
      return Reason.UNKNOWN_KEY;
    }
    try {
      return token.verify(verifier) ? null : Reason.WRONG_SIGNATURE;
    } catch (JOSEException e) {
      return Reason.WRONG_SIGNATURE;
    }
  }

  /** Whether the cluster's own secret has signed it, or nobody has. */
  private static boolean isOwn(JWSHeader header) {
    return header.getAlgorithm().equals(JWSAlgorithm.HS256);
  }

  private JwtVerdict judge(JWSObject token, Instant now) throws ClaimException {
    Map<String, Object> claims = token.getPayload().toJSONObject();
    if (claims == null) {
      return new JwtVerdict.Refused(Reason.MALFORMED);
    }
    Instant expiry = time(claims, "exp");
    if (expiry == null) {
      return new JwtVerdict.Refused(Reason.NO_EXPIRY);
    }
    if (!now.isBefore(expiry)) {
      return new JwtVerdict.Refused(Reason.EXPIRED);
    }
    Instant latest = now.plus(LEEWAY);
    Instant begin = time(claims, "nbf");
    Instant made = time(claims, "iat");
    if ((begin != null && begin.isAfter(latest)) || (made != null && made.isAfter(latest))) {
      return new JwtVerdict.Refused(Reason.NOT_YET_VALID);
    }
    String user = text(claims, userClaim);
    if (user == null && isOwn(token.getHeader())) {
      user = text(claims, JwtSettings.SLURM_USER);
    }
    return user == null
        ? new JwtVerdict.Refused(Reason.NO_USER)
        : new JwtVerdict.Valid(user, expiry);
  }

  /** The time that a claim names in seconds since 1970, cut to whole ones; null without it. */
  private static @Nullable Instant time(Map<String, Object> claims, String name)
      throws ClaimException {
    Object value = claims.get(name);
    if (value == null) {
      return null;
    }
    if (!(value instanceof Number number)) {
      throw new ClaimException(Reason.BAD_CLAIM);
    }
    // Compared as a fraction, of which no value is too large: a long one wraps round.
    double seconds = number.doubleValue();
    if (!(seconds >= 0 && seconds <= LAST_SECOND)) {
      throw new ClaimException(Reason.BAD_CLAIM);
    }
    return Instant.ofEpochSecond((long) seconds);
  }

  private static @Nullable String text(Map<String, Object> claims, String name)
      throws ClaimException {
    Object value = claims.get(name);
    if (value == null) {
      return null;
    }
    if (!(value instanceof String text)
        || text.isEmpty()
        || text.getBytes(StandardCharsets.UTF_8).length > LONGEST_USER
        || text.chars().anyMatch(Character::isISOControl)) {
      throw new ClaimException(Reason.BAD_CLAIM);
    }
    return text;
  }
}
