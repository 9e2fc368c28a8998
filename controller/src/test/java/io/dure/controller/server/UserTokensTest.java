package io.dure.controller.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.JWSObject;
import com.nimbusds.jose.Payload;
import com.nimbusds.jose.crypto.ECDSASigner;
import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.gen.ECKeyGenerator;
import io.dure.controller.service.CallerDirectory;
import io.dure.host.log.DaemonLog;
import io.dure.host.log.LogLevel;
import io.dure.host.storage.FileModes;
import io.dure.host.trust.jwt.JwtKeyException;
import io.dure.host.user.CachedUserDatabase;
import io.dure.model.command.Caller;
import io.dure.model.config.parameters.JwtSettings;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tokens at the controller: who is let in by them, what the log says, and changes of keys. */
@Tag("pure")
class UserTokensTest {
  private static final Instant NOW = Instant.parse("2026-11-20T16:00:00Z");

  @TempDir Path directory;
  private final ByteArrayOutputStream said = new ByteArrayOutputStream();
  private Path key;
  private Path set;
  private UserTokens tokens;

  @BeforeEach
  void prepare() throws IOException {
    key = directory.resolve("jwt.key");
    set = directory.resolve("jwks.json");
    write(key, "s".repeat(32), 0600);
    DaemonLog log =
        DaemonLog.toStream(
            new PrintStream(said, true, StandardCharsets.UTF_8),
            LogLevel.INFO,
            InstantSource.fixed(NOW),
            ZoneOffset.UTC);
    tokens =
        new UserTokens(
            new CallerDirectory(CachedUserDatabase.ofThisMachine(), 0, "c1"),
            0,
            InstantSource.fixed(NOW),
            log);
  }

  private static void write(Path file, String content, int mode) throws IOException {
    Files.writeString(file, content);
    FileModes.setMode(file, mode);
  }

  private void load(Path keyFile, Path keySet) throws IOException {
    tokens.use(
        tokens.read(
            new JwtSettings(
                keyFile == null ? null : keyFile.toString(),
                keySet == null ? null : keySet.toString(),
                "sun",
                false,
                0)));
  }

  private String log() {
    return said.toString(StandardCharsets.UTF_8);
  }

  private static String signed(ECKey key, String user) throws JOSEException {
    JWSObject token =
        new JWSObject(
            new JWSHeader.Builder(JWSAlgorithm.ES256).keyID(key.getKeyID()).build(),
            new Payload(Map.of("exp", NOW.getEpochSecond() + 60, "sun", user)));
    token.sign(new ECDSASigner(key));
    return token.serialize();
  }

  private void publish(ECKey published) throws IOException {
    write(set, new JWKSet(published).toString(), 0644);
  }

  @Test
  void aTokenIsItsUserOnNoKnownMachine() throws IOException {
    load(key, null);
    String token = tokens.issue("nobody", 60);
    Caller.User caller = tokens.caller(token);
    assertNotNull(caller, log());
    assertEquals("nobody", caller.identity().userName());
    assertEquals("", caller.host());
    assertFalse(caller.operator());
    assertTrue(tokens.caller(tokens.issue("root", 60)).operator());
    assertTrue(log().contains("auth/jwt: created token for nobody for 60 seconds"), log());
    assertFalse(log().contains(token), "the log gives no token away");
  }

  @Test
  void theLogHasWhyATokenIsRefused() throws IOException {
    assertNull(tokens.caller("a.b.c"));
    assertTrue(log().contains("AuthAltTypes does not have auth/jwt"), log());
    assertNull(tokens.issue("root", 60));
    load(key, null);
    assertNull(tokens.caller(tokens.issue("no_such_user", 60)));
    assertTrue(log().contains("token refused: there is no user no_such_user"), log());
    String forged = tokens.issue("root", 60).replaceFirst("\\.[^.]*$", ".AAAA");
    assertNull(tokens.caller(forged));
    assertTrue(log().contains("token refused: wrong signature"), log());
    assertFalse(log().contains(forged), log());
    assertNull(tokens.caller("x".repeat(1 << 20)));
    assertTrue(log().contains("token refused: longer than any token"), log());
  }

  @Test
  void whoHasNoSecretSignsNothing() throws IOException, JOSEException {
    publish(new ECKeyGenerator(Curve.P_256).keyID("one").generate().toPublicJWK());
    load(null, set);
    assertNull(tokens.issue("root", 60));
    assertTrue(log().contains("auth/jwt: cannot issue tokens, no key loaded"), log());
  }

  @Test
  void otherKeysAreInForceAtAReconfiguration() throws IOException, JOSEException {
    ECKey one = new ECKeyGenerator(Curve.P_256).keyID("one").generate();
    ECKey two = new ECKeyGenerator(Curve.P_256).keyID("two").generate();
    publish(one.toPublicJWK());
    load(null, set);
    assertNotNull(tokens.caller(signed(one, "nobody")), log());
    assertNull(tokens.caller(signed(two, "nobody")));

    publish(two.toPublicJWK());
    assertNotNull(tokens.caller(signed(one, "nobody")), "nothing is read in between");
    load(null, set);
    assertNotNull(tokens.caller(signed(two, "nobody")), log());
    assertNull(tokens.caller(signed(one, "nobody")), "the key is gone");

    load(key, null);
    String before = tokens.issue("nobody", 60);
    write(key, "t".repeat(32), 0600);
    load(key, null);
    assertNull(tokens.caller(before), "another secret ends all tokens");
  }

  @Test
  void filesThatCannotBeUsedChangeNothing() throws IOException {
    load(key, null);
    String token = tokens.issue("nobody", 60);
    FileModes.setMode(key, 0644);
    String refused = assertThrows(JwtKeyException.class, () -> load(key, null)).getMessage();
    assertTrue(refused.contains("chmod 600 " + key), refused);
    assertNotNull(tokens.caller(token));
  }
}
