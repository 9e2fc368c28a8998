package io.dure.host.trust.jwt;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import io.dure.host.storage.FileModes;
import io.dure.host.trust.jwt.JwtVerdict.Reason;
import io.dure.model.config.parameters.JwtSettings;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyPair;
import java.time.Instant;
import java.util.Arrays;
import java.util.Base64;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is tried in order to pass for a user without the key. */
@Tag("pure")
class JwtAttackTest {
  private static final Instant NOW = Instant.parse("2026-11-20T16:00:00Z");
  private static final long SECOND = NOW.getEpochSecond();
  private static final String HS256 = "{\"alg\":\"HS256\",\"typ\":\"JWT\"}";
  private static final String RSA_SIGNATURE = "SHA256withRSA";
  private static final String EC_SIGNATURE = "SHA256withECDSAinP1363Format";
  private static final byte[] SECRET = secret(1);
  private static final KeyPair RSA = SignedText.rsa(2048);
  private static final KeyPair EC = SignedText.ec("secp256r1");

  @TempDir Path directory;
  private JwtVerifier verifier;

  private static byte[] secret(long seed) {
    byte[] secret = new byte[32];
    new Random(seed).nextBytes(secret);
    return secret;
  }

  @BeforeEach
  void readKeys() throws IOException {
    verifier = new JwtVerifier(keys(), "sun");
  }

  private JwtKeys keys() throws IOException {
    Path key = Files.write(directory.resolve("jwt.key"), SECRET);
    FileModes.setMode(key, 0600);
    Path set =
        Files.writeString(
            directory.resolve("jwks.json"),
            "{\"keys\":["
                + SignedText.jwk(RSA, ",\"kid\":\"idp\",\"use\":\"sig\",\"alg\":\"RS256\"")
                + ","
                + SignedText.jwk(EC, ",\"kid\":\"curve\"")
                + "]}");
    FileModes.setMode(set, 0644);
    return JwtKeys.load(new JwtSettings(key.toString(), set.toString(), "sun", false, 0), 0);
  }

  private static String claims(String more) {
    return "{\"exp\":%d,\"iat\":%d,\"sun\":\"alice\"%s}".formatted(SECOND + 60, SECOND, more);
  }

  private void refused(Reason reason, String token) {
    assertEquals(new JwtVerdict.Refused(reason), verifier.verify(token, NOW));
  }

  private void taken(String token) {
    assertEquals(
        new JwtVerdict.Valid("alice", NOW.plusSeconds(60)), verifier.verify(token, NOW), token);
  }

  private static String header(String algorithm, String more) {
    return "{\"alg\":\"%s\",\"typ\":\"JWT\"%s}".formatted(algorithm, more);
  }

  private static String withClaims(String claims) {
    return SignedText.hs256(HS256, claims, SECRET);
  }

  @Test
  void whatTheKeysHaveSignedIsBelieved() {
    taken(withClaims(claims("")));
    taken(SignedText.hs256("{\"alg\":\"HS256\"}", claims(""), SECRET));
    taken(SignedText.signed(header("RS256", ",\"kid\":\"idp\""), claims(""), RSA, RSA_SIGNATURE));
    taken(SignedText.signed(header("ES256", ",\"kid\":\"curve\""), claims(""), EC, EC_SIGNATURE));
  }

  @Test
  void withoutASignature() {
    for (String none : new String[] {"none", "None", "NONE", "nOnE", ""}) {
      String statement = SignedText.statement(header(none, ""), claims(""));
      assertInstanceOf(JwtVerdict.Refused.class, verifier.verify(statement + ".", NOW), none);
      assertInstanceOf(JwtVerdict.Refused.class, verifier.verify(statement, NOW), none);
      assertInstanceOf(
          JwtVerdict.Refused.class,
          verifier.verify(SignedText.hs256(header(none, ""), claims(""), SECRET), NOW),
          none);
    }
    String good = withClaims(claims(""));
    refused(Reason.MALFORMED, good.substring(0, good.lastIndexOf('.') + 1));
  }

  /** The public key is known to everybody; a check that trusts the header takes it for a secret. */
  @Test
  void thePublicKeyAsASecret() {
    byte[] der = RSA.getPublic().getEncoded();
    String pem =
        "-----BEGIN PUBLIC KEY-----\n"
            + Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(der)
            + "\n-----END PUBLIC KEY-----\n";
    String[] headers = {HS256, header("HS256", ",\"kid\":\"idp\"")};
    for (String header : headers) {
      refused(Reason.WRONG_SIGNATURE, SignedText.hs256(header, claims(""), der));
      refused(
          Reason.WRONG_SIGNATURE,
          SignedText.hs256(header, claims(""), pem.getBytes(StandardCharsets.US_ASCII)));
      refused(
          Reason.WRONG_SIGNATURE,
          SignedText.hs256(
              header, claims(""), SignedText.jwk(RSA, "").getBytes(StandardCharsets.US_ASCII)));
    }
  }

  @Test
  void whereTheClusterHasNoSecretNobodySignsWithOne() throws IOException {
    JwtSettings settings =
        new JwtSettings(null, directory.resolve("jwks.json").toString(), "sun", false, 0);
    verifier = new JwtVerifier(JwtKeys.load(settings, 0), "sun");
    refused(Reason.UNKNOWN_KEY, withClaims(claims("")));
    refused(
        Reason.UNKNOWN_KEY,
        SignedText.hs256(
            header("HS256", ",\"kid\":\"idp\""), claims(""), RSA.getPublic().getEncoded()));
  }

  @Test
  void theAlgorithmBelongsToTheKey() {
    refused(
        Reason.WRONG_ALGORITHM,
        SignedText.signed(header("ES256", ",\"kid\":\"idp\""), claims(""), EC, EC_SIGNATURE));
    refused(
        Reason.WRONG_ALGORITHM,
        SignedText.signed(header("RS256", ",\"kid\":\"curve\""), claims(""), RSA, RSA_SIGNATURE));
    for (String other : new String[] {"RS384", "RS512", "PS256", "ES384", "HS384", "HS512"}) {
      refused(
          Reason.WRONG_ALGORITHM,
          SignedText.signed(header(other, ",\"kid\":\"idp\""), claims(""), RSA, RSA_SIGNATURE));
    }
    refused(Reason.WRONG_ALGORITHM, SignedText.hs256(header("hs256", ""), claims(""), SECRET));
  }

  @Test
  void namesOfKeysAreLookedUpAndNothingElse() {
    String[] names = {
      "../../../../../dev/null",
      "/etc/passwd",
      "jwt.key",
      "idp ",
      "IDP",
      "",
      "' OR 1=1 --",
      "http://x/"
    };
    for (String name : names) {
      refused(
          Reason.UNKNOWN_KEY,
          SignedText.signed(
              header("RS256", ",\"kid\":\"" + name + "\""), claims(""), RSA, RSA_SIGNATURE));
    }
    refused(
        Reason.NO_KEY_NAMED,
        SignedText.signed(header("RS256", ""), claims(""), RSA, RSA_SIGNATURE));
    refused(
        Reason.MALFORMED,
        SignedText.signed(header("RS256", ",\"kid\":7"), claims(""), RSA, RSA_SIGNATURE));
    refused(
        Reason.WRONG_SIGNATURE,
        SignedText.hs256(header("HS256", ",\"kid\":\"/dev/null\""), claims(""), new byte[] {0}));
    // The secret is one, whatever name a token gives to it.
    taken(SignedText.hs256(header("HS256", ",\"kid\":\"any\""), claims(""), SECRET));
  }

  @Test
  void keysAndAddressesInATokenAreNotLookedAt() {
    KeyPair own = SignedText.rsa(2048);
    String jwk = ",\"jwk\":" + SignedText.jwk(own, "");
    for (String extra :
        new String[] {
          jwk, ",\"jku\":\"http://127.0.0.1:1/keys\"", ",\"x5u\":\"http://127.0.0.1:1/c.pem\""
        }) {
      refused(
          Reason.NO_KEY_NAMED,
          SignedText.signed(header("RS256", extra), claims(""), own, RSA_SIGNATURE));
      refused(
          Reason.UNKNOWN_KEY,
          SignedText.signed(
              header("RS256", ",\"kid\":\"mine\"" + extra), claims(""), own, RSA_SIGNATURE));
      refused(
          Reason.WRONG_SIGNATURE,
          SignedText.signed(
              header("RS256", ",\"kid\":\"idp\"" + extra), claims(""), own, RSA_SIGNATURE));
      // They do no harm to a token of a key that is known.
      taken(
          SignedText.signed(
              header("RS256", ",\"kid\":\"idp\"" + extra), claims(""), RSA, RSA_SIGNATURE));
    }
  }

  @Test
  void extensionsThatMustBeUnderstood() {
    for (String extra :
        new String[] {
          ",\"crit\":[\"exp\"],\"exp\":1",
          ",\"crit\":[]",
          ",\"b64\":false,\"crit\":[\"b64\"]",
          ",\"b64\":false",
          ",\"crit\":\"b64\""
        }) {
      assertInstanceOf(
          JwtVerdict.Refused.class,
          verifier.verify(SignedText.hs256(header("HS256", extra), claims(""), SECRET), NOW),
          extra);
    }
    refused(
        Reason.UNSUPPORTED_HEADER,
        SignedText.hs256(header("HS256", ",\"crit\":[\"x\"],\"x\":1"), claims(""), SECRET));
    refused(
        Reason.UNSUPPORTED_HEADER,
        SignedText.hs256("{\"alg\":\"HS256\",\"typ\":\"logout+jwt\"}", claims(""), SECRET));
  }

  @Test
  void otherKeysAndChangedTexts() {
    String good = withClaims(claims(""));
    refused(Reason.WRONG_SIGNATURE, SignedText.hs256(HS256, claims(""), secret(2)));
    refused(Reason.WRONG_SIGNATURE, SignedText.hs256(HS256, claims(""), new byte[32]));
    String signature = good.substring(good.lastIndexOf('.'));
    refused(
        Reason.WRONG_SIGNATURE,
        SignedText.statement(HS256, claims("").replace("alice", "root")) + signature);
    refused(Reason.WRONG_SIGNATURE, good.substring(0, good.length() - 4));
    refused(
        Reason.WRONG_SIGNATURE,
        SignedText.signed(
            header("RS256", ",\"kid\":\"idp\""), claims(""), SignedText.rsa(2048), RSA_SIGNATURE));
    refused(
        Reason.WRONG_SIGNATURE,
        SignedText.signed(
            header("ES256", ",\"kid\":\"curve\""),
            claims(""),
            SignedText.ec("secp256r1"),
            EC_SIGNATURE));
    // CVE-2022-21449: a signature of zeros fits every key where it is not checked.
    refused(
        Reason.WRONG_SIGNATURE,
        SignedText.statement(header("ES256", ",\"kid\":\"curve\""), claims(""))
            + "."
            + SignedText.base64(new byte[64]));
  }

  @Test
  void timesThatAreOverOrNotThereOrNotYet() {
    refused(Reason.EXPIRED, withClaims("{\"exp\":%d,\"sun\":\"alice\"}".formatted(SECOND)));
    refused(Reason.EXPIRED, withClaims("{\"exp\":0,\"sun\":\"alice\"}"));
    refused(Reason.NO_EXPIRY, withClaims("{\"iat\":%d,\"sun\":\"alice\"}".formatted(SECOND)));
    refused(Reason.NO_EXPIRY, withClaims("{\"exp\":null,\"sun\":\"alice\"}"));
    refused(Reason.NO_EXPIRY, withClaims("{}"));
    taken(withClaims(claims(",\"nbf\":" + (SECOND + 30))));
    refused(Reason.NOT_YET_VALID, withClaims(claims(",\"nbf\":" + (SECOND + 31))));
    refused(
        Reason.NOT_YET_VALID,
        withClaims(
            "{\"exp\":%d,\"iat\":%d,\"sun\":\"alice\"}".formatted(SECOND + 600, SECOND + 31)));
    taken(withClaims("{\"exp\":%d.9,\"sun\":\"alice\"}".formatted(SECOND + 60)));
  }

  /** A number that wraps round would make a time of the past, or one that has always begun. */
  @Test
  void timesOutOfRange() {
    String[] numbers = {
      "-1",
      "-1e300",
      "9223372036854775807",
      "9223372036854775808",
      "18446744073709551616",
      "1e300",
      "253402300800",
      "\"5000000000\"",
      "true",
      "[5000000000]",
      "{}"
    };
    for (String number : numbers) {
      refused(Reason.BAD_CLAIM, withClaims("{\"exp\":%s,\"sun\":\"alice\"}".formatted(number)));
      refused(Reason.BAD_CLAIM, withClaims(claims(",\"nbf\":" + number)));
    }
    refused(Reason.MALFORMED, withClaims("{\"exp\":1e400,\"sun\":\"alice\"}"));
    refused(Reason.MALFORMED, withClaims("{\"exp\":NaN,\"sun\":\"alice\"}"));
    assertEquals(
        new JwtVerdict.Valid("alice", Instant.parse("9999-12-31T23:59:59Z")),
        verifier.verify(withClaims("{\"exp\":253402300799,\"sun\":\"alice\"}"), NOW));
  }

  @Test
  void claimsTwice() {
    refused(Reason.MALFORMED, withClaims(claims(",\"sun\":\"root\"")));
    refused(Reason.MALFORMED, withClaims(claims(",\"exp\":99999999999")));
    refused(Reason.MALFORMED, withClaims(claims(",\"s\\u0075n\":\"root\"")));
    refused(
        Reason.MALFORMED,
        SignedText.hs256("{\"alg\":\"HS256\",\"alg\":\"HS256\"}", claims(""), SECRET));
  }

  @Test
  void users() {
    String exp = "{\"exp\":" + (SECOND + 60);
    refused(Reason.NO_USER, withClaims(exp + "}"));
    refused(Reason.NO_USER, withClaims(exp + ",\"sun\":null}"));
    refused(Reason.NO_USER, withClaims(exp + ",\"Sun\":\"alice\",\"sub\":\"alice\"}"));
    String[] values = {
      "\"\"",
      "0",
      "[\"root\"]",
      "{\"a\":1}",
      "\"a\\u0000b\"",
      "\"a\\nb\"",
      "\"" + "a".repeat(256) + "\""
    };
    for (String value : values) {
      refused(Reason.BAD_CLAIM, withClaims(exp + ",\"sun\":" + value + "}"));
    }
  }

  @Test
  void anotherClaimForTheUser() throws IOException {
    verifier = new JwtVerifier(keys(), "preferred_username");
    String both = claims(",\"preferred_username\":\"bob\"");
    Instant end = NOW.plusSeconds(60);
    assertEquals(
        new JwtVerdict.Valid("bob", end),
        verifier.verify(
            SignedText.signed(header("RS256", ",\"kid\":\"idp\""), both, RSA, RSA_SIGNATURE), NOW));
    // Of others sun may be what anybody chose for himself; of the cluster's secret it is Slurm's.
    refused(
        Reason.NO_USER,
        SignedText.signed(header("RS256", ",\"kid\":\"idp\""), claims(""), RSA, RSA_SIGNATURE));
    assertEquals(new JwtVerdict.Valid("alice", end), verifier.verify(withClaims(claims("")), NOW));
  }

  @Test
  void hugeOnes() {
    refused(Reason.TOO_LONG, withClaims(claims(",\"x\":\"" + "a".repeat(1 << 20) + "\"")));
    refused(Reason.TOO_LONG, "a".repeat(1 << 20));
    refused(Reason.MALFORMED, ".".repeat(8192));
    refused(Reason.MALFORMED, withClaims("{\"exp\":1,\"a\":" + "[".repeat(5000)));
    refused(Reason.MALFORMED, withClaims(claims(",\"a\":" + "[".repeat(2000) + "]".repeat(2000))));
    refused(
        Reason.MALFORMED,
        SignedText.hs256(header("HS256", ",\"a\":" + "[".repeat(3000)), claims(""), SECRET));
    taken(withClaims(claims(",\"x\":\"" + "a".repeat(5000) + "\"")));
  }

  @Test
  void garbage() {
    String good = withClaims(claims(""));
    String[] texts = {
      "",
      ".",
      "..",
      "...",
      "a.b.c",
      "v1.USER.cm9vdA.0.0.99999999999.x.y",
      good + ".",
      good + "=",
      good + "!!",
      good + " ",
      " " + good,
      good + "\n",
      good.replace('.', ' '),
      good + "." + good,
      "\u0000",
      "eyJ",
      "Bearer " + good,
      "\ud800" + good
    };
    for (String text : texts) {
      assertInstanceOf(JwtVerdict.Refused.class, verifier.verify(text, NOW), text);
    }
    for (String claims : new String[] {"", "[]", "7", "\"x\"", "{} {}", "{exp:1}", "null"}) {
      assertInstanceOf(JwtVerdict.Refused.class, verifier.verify(withClaims(claims), NOW), claims);
    }
  }

  /** Whatever is done to a token, it is refused, and nothing is thrown. */
  @Test
  void randomChanges() {
    long seed = 23;
    Random random = new Random(seed);
    String good = withClaims(claims(""));
    for (int i = 0; i < 5_000; i++) {
      char[] letters = good.toCharArray();
      int changes = 1 + random.nextInt(4);
      for (int c = 0; c < changes; c++) {
        letters[random.nextInt(letters.length)] =
            (char) (random.nextInt(8) == 0 ? random.nextInt(0x300) : '+' + random.nextInt(80));
      }
      String text = new String(letters, 0, random.nextInt(20) == 0 ? 40 : letters.length);
      JwtVerdict verdict = verifier.verify(text, NOW);
      boolean same = Arrays.equals(decoded(text), decoded(good));
      if (!same) {
        assertInstanceOf(JwtVerdict.Refused.class, verdict, "seed " + seed + ": " + text);
      }
    }
    for (int i = 0; i < 2_000; i++) {
      byte[] bytes = new byte[random.nextInt(200)];
      random.nextBytes(bytes);
      String text = SignedText.hs256(new String(bytes, StandardCharsets.ISO_8859_1), "{}", SECRET);
      assertInstanceOf(JwtVerdict.Refused.class, verifier.verify(text, NOW), "seed " + seed);
    }
  }

  /** The last letter of a signature has bits that mean nothing. */
  private static byte[] decoded(String text) {
    String[] parts = text.split("\\.", -1);
    try {
      byte[] signature = Base64.getUrlDecoder().decode(parts[parts.length - 1]);
      byte[] statement =
          text.substring(0, Math.max(0, text.lastIndexOf('.'))).getBytes(StandardCharsets.UTF_8);
      byte[] all = Arrays.copyOf(statement, statement.length + signature.length);
      System.arraycopy(signature, 0, all, statement.length, signature.length);
      return all;
    } catch (IllegalArgumentException e) {
      return new byte[] {1};
    }
  }
}
