package io.dure.host.trust.jwt;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.dure.host.storage.FileModes;
import io.dure.host.storage.FileOwner;
import io.dure.host.user.CurrentProcess;
import io.dure.model.config.parameters.JwtSettings;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyPair;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Files of keys that are taken, and that are not; and what is made with them. */
@Tag("pure")
class JwtKeysTest {
  private static final KeyPair RSA = SignedText.rsa(2048);

  @TempDir Path directory;

  private Path file(String name, String content, int mode) throws IOException {
    Path file = Files.writeString(directory.resolve(name), content, StandardCharsets.ISO_8859_1);
    FileModes.setMode(file, mode);
    return file;
  }

  private static JwtSettings own(Path key) {
    return new JwtSettings(key.toString(), null, "sun", false, 0);
  }

  private static JwtSettings others(Path set) {
    return new JwtSettings(null, set.toString(), "sun", false, 0);
  }

  private static String refusal(JwtSettings settings) {
    return assertThrows(JwtKeyException.class, () -> JwtKeys.load(settings, 0)).getMessage();
  }

  @Test
  void aSecretOfItsOwnerIsTaken() throws IOException {
    for (int mode : new int[] {0600, 0400, 0700}) {
      Path key = file("key" + mode, "s".repeat(32), mode);
      JwtKeys keys = JwtKeys.load(own(key), 0);
      assertTrue(keys.canSign());
      assertEquals(List.of(), keys.remarks());
      assertFalse(keys.toString().contains("sss"));
    }
  }

  @Test
  void aSecretThatOthersMayReadIsNot() throws IOException {
    for (int mode : new int[] {0640, 0604, 0620, 0602, 0666}) {
      Path key = file("key" + mode, "s".repeat(32), mode);
      String said = refusal(own(key));
      assertTrue(
          said.startsWith("AuthAltParameters: jwt_key=" + key + " has mode 0")
              && said.endsWith("chmod 600 " + key),
          said);
    }
  }

  @Test
  void aSecretOfAnotherUserIsNot() throws IOException {
    Assumptions.assumeTrue(CurrentProcess.effectiveUid() == 0, "only root gives files away");
    Path key = file("key", "s".repeat(32), 0600);
    FileModes.setOwner(key, new FileOwner(4711, 4711));
    assertTrue(refusal(own(key)).contains("belongs to user 4711"));
    assertTrue(JwtKeys.load(own(key), 4711).canSign(), "SlurmUser's is");
  }

  @Test
  void aSecretThatIsNoneIsNot() throws IOException {
    assertTrue(refusal(own(file("short", "s".repeat(31), 0600))).contains("has 31 bytes"));
    assertTrue(refusal(own(file("empty", "", 0600))).contains("has 0 bytes"));
    assertTrue(refusal(own(directory.resolve("gone"))).contains("does not exist"));
    assertTrue(refusal(own(file("long", "s".repeat(70_000), 0600))).contains("more than"));
    String pem =
        "-----BEGIN PUBLIC KEY-----\n"
            + Base64.getMimeEncoder().encodeToString(RSA.getPublic().getEncoded());
    assertTrue(refusal(own(file("public", pem, 0600))).contains("is a public key"));
  }

  @Test
  void aSetThatOthersMayWriteIsNotTaken() throws IOException {
    String set = "{\"keys\":[" + SignedText.jwk(RSA, ",\"kid\":\"a\"") + "]}";
    assertNotNull(JwtKeys.load(others(file("good", set, 0644)), 0).published("a"));
    assertTrue(refusal(others(file("bad", set, 0664))).contains("others may write it"));
    assertTrue(refusal(others(file("worse", set, 0646))).contains("others may write it"));
  }

  @Test
  void aSetThatIsNoneIsNotTaken() throws IOException {
    for (String text : new String[] {"", "x", "[]", "{}", "{\"keys\":7}", "{\"keys\":[7]}"}) {
      String said = refusal(others(file("set", text, 0644)));
      assertTrue(said.contains("is no JWKS file"), text + " -> " + said);
    }
    String twice = SignedText.jwk(RSA, ",\"kid\":\"a\"");
    assertTrue(
        refusal(others(file("set", "{\"keys\":[" + twice + "," + twice + "]}", 0644)))
            .contains("two keys of kid a"));
  }

  @Test
  void keysForSomethingElseAreLeftOut() throws IOException {
    List<String> keys =
        List.of(
            SignedText.jwk(RSA, ""),
            SignedText.jwk(RSA, ",\"kid\":\"encrypts\",\"use\":\"enc\""),
            SignedText.jwk(RSA, ",\"kid\":\"other\",\"alg\":\"RS512\""),
            SignedText.jwk(RSA, ",\"kid\":\"signs\",\"key_ops\":[\"sign\"]"),
            SignedText.jwk(SignedText.rsa(1024), ",\"kid\":\"small\""),
            SignedText.jwk(SignedText.ec("secp384r1"), ",\"kid\":\"wide\""),
            "{\"kty\":\"oct\",\"kid\":\"secret\",\"k\":\"" + "A".repeat(64) + "\"}",
            SignedText.jwk(RSA, ",\"kid\":\"good\""));
    Path set = file("set", "{\"keys\":[" + String.join(",", keys) + "]}", 0644);
    JwtKeys read = JwtKeys.load(others(set), 0);
    assertFalse(read.canSign(), "a secret in a set is no secret");
    assertNotNull(read.published("good"));
    for (String name : List.of("encrypts", "other", "signs", "small", "wide", "secret")) {
      assertNull(read.published(name), name);
    }
    assertEquals(7, read.remarks().size(), read.remarks().toString());
    assertTrue(read.remarks().getFirst().contains("a key without kid is not used"));
    Path none = file("none", "{\"keys\":[]}", 0644);
    assertTrue(JwtKeys.load(others(none), 0).remarks().getFirst().contains("has no key"));
  }

  @Test
  void tokensAreMadeAsSlurmMakesThem() throws IOException {
    byte[] secret = "s".repeat(32).getBytes(StandardCharsets.US_ASCII);
    JwtKeys keys = JwtKeys.load(own(file("key", "s".repeat(32), 0600)), 0);
    Instant now = Instant.ofEpochSecond(1_796_098_512);
    String token = JwtIssuer.of(keys).issue("root", now, 1800);
    String[] parts = token.split("\\.", -1);
    String claims = new String(Base64.getUrlDecoder().decode(parts[1]), StandardCharsets.UTF_8);
    assertEquals("{\"exp\":1796100312,\"iat\":1796098512,\"sun\":\"root\"}", claims);
    String header = new String(Base64.getUrlDecoder().decode(parts[0]), StandardCharsets.UTF_8);
    assertTrue(header.contains("\"alg\":\"HS256\"") && header.contains("\"typ\":\"JWT\""), header);
    assertEquals(SignedText.hs256(header, claims, secret), token);
    assertEquals(
        new JwtVerdict.Valid("root", now.plusSeconds(1800)),
        new JwtVerifier(keys, "sun").verify(token, now));
    // With its header in the order of Slurm.
    String slurms =
        SignedText.hs256(
            "{\"alg\":\"HS256\",\"typ\":\"JWT\"}",
            "{\"exp\":1796100312,\"iat\":1796098512,\"sun\":\"root\"}",
            secret);
    assertEquals(
        new JwtVerdict.Valid("root", now.plusSeconds(1800)),
        new JwtVerifier(keys, "sun").verify(slurms, now));
    assertNull(
        JwtIssuer.of(JwtKeys.load(others(file("none", "{\"keys\":[]}", 0644)), 0)),
        "without a secret nothing is signed");
  }
}
