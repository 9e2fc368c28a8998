package io.dure.host.trust;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.dure.host.trust.AuthToken.Refusal;
import io.dure.host.trust.AuthToken.Verdict;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("pure")
class TokenTest {
  private static final Instant NOW = Instant.parse("2026-11-20T16:00:00Z");
  private static final Duration SKEW = Duration.ofSeconds(30);

  private final SecureRandom random = new SecureRandom();
  private final ClusterKey key = ClusterKey.generate(random, "00".repeat(32));
  private final AuthToken token =
      AuthToken.forUser("ann.lee", 1001, -2, "login-1", NOW.plusSeconds(60), random);

  @Test
  void aSignedTokenIsBelieved() {
    assertEquals(new Verdict.Valid(token), verify(token.sign(key)));
    AuthToken node = AuthToken.forNode("gpu-01.cluster", 0, 0, NOW.plusSeconds(60), random);
    assertEquals(new Verdict.Valid(node), verify(node.sign(key)));
    AuthToken odd =
        AuthToken.forUser("ü ".repeat(60), 0, 0, "h".repeat(255), NOW.plusSeconds(60), random);
    assertEquals(new Verdict.Valid(odd), verify(odd.sign(key)));
    assertTrue(odd.sign(key).length() <= AuthToken.MAX_LENGTH);
  }

  @Test
  void theTextIsAsDocumented() {
    String[] parts = token.sign(key).split("\\.", -1);
    assertEquals(8, parts.length);
    assertEquals("v1", parts[0]);
    assertEquals("USER", parts[1]);
    assertEquals(
        "ann.lee", new String(Base64.getUrlDecoder().decode(parts[2]), StandardCharsets.UTF_8));
    assertEquals("1001", parts[3]);
    assertEquals("4294967294", parts[4]);
    assertEquals(Long.toString(NOW.getEpochSecond() + 60), parts[5]);
  }

  @Test
  void eachTokenIsUnique() {
    AuthToken again =
        AuthToken.forUser("ann.lee", 1001, -2, "login-1", NOW.plusSeconds(60), random);
    assertNotEquals(token.sign(key), again.sign(key));
  }

  @Test
  void itEndsAtItsExpiryAndAGracePeriod() {
    String text = token.sign(key);
    Instant end = NOW.plusSeconds(60);
    assertInstanceOf(Verdict.Valid.class, AuthToken.verify(text, key, end, Duration.ZERO));
    assertRefused(Refusal.EXPIRED, AuthToken.verify(text, key, end.plusMillis(1), Duration.ZERO));
    assertInstanceOf(Verdict.Valid.class, AuthToken.verify(text, key, end.plus(SKEW), SKEW));
    assertRefused(Refusal.EXPIRED, AuthToken.verify(text, key, end.plus(SKEW).plusMillis(1), SKEW));
  }

  @Test
  void anotherClustersKeyIsRefused() {
    ClusterKey other = ClusterKey.generate(random, "00".repeat(32));
    assertRefused(Refusal.WRONG_SIGNATURE, verify(token.sign(other)));
  }

  @Test
  void everyChangedCharacterIsRefused() {
    String text = token.sign(key);
    for (int i = 0; i < text.length(); i++) {
      for (char c : new char[] {'0', 'A', '.', '-', '\0', 'é'}) {
        if (text.charAt(i) != c) {
          String changed = text.substring(0, i) + c + text.substring(i + 1);
          assertInstanceOf(Verdict.Refused.class, verify(changed), changed);
        }
      }
      assertInstanceOf(Verdict.Refused.class, verify(text.substring(0, i)));
      assertInstanceOf(Verdict.Refused.class, verify(text.substring(i + 1)));
    }
  }

  @Test
  void whatIsNoTokenIsRefused() {
    assertRefused(Refusal.MALFORMED, verify(""));
    assertRefused(Refusal.MALFORMED, verify("........."));
    assertRefused(Refusal.UNKNOWN_VERSION, verify("......."));
    assertRefused(Refusal.UNKNOWN_VERSION, verify("v2.USER.x.0.0.0.x.x"));
    assertRefused(Refusal.WRONG_SIGNATURE, verify("v1.USER.x.0.0.0.x."));
    assertRefused(Refusal.MALFORMED, verify("v1." + "x".repeat(2_000_000)));
  }

  @Test
  void whatTheKeyHolderSignedWronglyIsMalformed() {
    String[] statements = {
      "v1.KING.YQ.0.0.99999999999.n",
      "v1.USER.!!.0.0.99999999999.n",
      "v1.USER.YQ.-1.0.99999999999.n",
      "v1.USER.YQ.0.4294967296.99999999999.n",
      "v1.USER.YQ.0.0.never.n",
      "v1.USER.YQ.0.0.9223372036854775807.n",
      "v1.USER." + "YWFh".repeat(86) + ".0.0.99999999999.n"
    };
    for (String statement : statements) {
      assertRefused(Refusal.MALFORMED, verify(signed(statement)));
    }
    assertInstanceOf(Verdict.Valid.class, verify(signed("v1.USER.YQ.0.0.31556889864403199.n")));
    assertRefused(Refusal.EXPIRED, verify(signed("v1.USER.YQ.0.0.-31557014167219200.n")));
  }

  @Test
  void noRandomTextMakesItThrow() {
    Random noise = new Random(11);
    String letters = "v1.USERNOD0123456789-_=.\0é\uD800\uFFFF";
    for (int i = 0; i < 20_000; i++) {
      StringBuilder text = new StringBuilder("v1.USER.");
      for (int length = noise.nextInt(60); length > 0; length--) {
        text.append(letters.charAt(noise.nextInt(letters.length())));
      }
      assertInstanceOf(Verdict.Refused.class, verify(text.toString()));
    }
  }

  @Test
  void aSubjectThatDoesNotFitIsRefusedAtOnce() {
    assertThrows(
        IllegalArgumentException.class,
        () -> AuthToken.forUser("x".repeat(256), 0, 0, "", NOW, random));
  }

  private String signed(String statement) {
    byte[] hmac = key.authenticate(statement.getBytes(StandardCharsets.US_ASCII));
    return statement + "." + Base64.getUrlEncoder().withoutPadding().encodeToString(hmac);
  }

  private Verdict verify(String text) {
    return AuthToken.verify(text, key, NOW, SKEW);
  }

  private static void assertRefused(Refusal reason, Verdict verdict) {
    assertEquals(new Verdict.Refused(reason), verdict);
  }
}
