package io.dure.host.trust.jwt;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSVerifier;
import com.nimbusds.jose.crypto.ECDSAVerifier;
import com.nimbusds.jose.crypto.MACVerifier;
import com.nimbusds.jose.crypto.RSASSAVerifier;
import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.KeyOperation;
import com.nimbusds.jose.jwk.KeyUse;
import com.nimbusds.jose.jwk.RSAKey;
import io.dure.model.config.parameters.JwtSettings;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.text.ParseException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The keys that tokens are checked with: a secret of the cluster's (HS256), and public keys of
 * those who sign elsewhere (RS256, ES256). Which algorithm a key is for is said by the key and
 * never by a token. They are read once; any thread may use them.
 */
public final class JwtKeys {
  private static final int LEAST_SECRET_BYTES = 32;
  private static final int MOST_SECRET_BYTES = 64 << 10;
  private static final int MOST_SET_BYTES = 1 << 20;
  private static final int LEAST_RSA_BITS = 2048;
  private static final int MOST_RSA_BITS = 16_384;
  private static final int LONGEST_NAME = 255;

  /** A public key and the one algorithm that it is for. */
  record PublishedKey(JWSAlgorithm algorithm, JWSVerifier verifier) {}

  private final byte @Nullable [] secret;
  private final @Nullable JWSVerifier secretVerifier;
  private final Map<String, PublishedKey> published = new LinkedHashMap<>();
  private final List<String> remarks = new ArrayList<>();

  private JwtKeys(byte @Nullable [] secret) throws JOSEException {
    this.secret = secret;
    this.secretVerifier = secret == null ? null : new MACVerifier(secret);
  }

  /**
   * Reads the files that the settings name.
   *
   * @param slurmUserUid number of SlurmUser, whose files are trusted as root's and the running
   *     user's
   * @throws JwtKeyException if one is missing, unsafe or no file of keys
   */
  public static JwtKeys load(JwtSettings settings, int slurmUserUid) throws IOException {
    String keyFile = settings.keyFile();
    String keySetFile = settings.keySetFile();
    JwtKeys keys;
    try {
      keys =
          new JwtKeys(
              keyFile == null
                  ? null
                  : secret(new KeyFile("jwt_key", Path.of(keyFile), slurmUserUid)));
    } catch (JOSEException e) {
      throw new JwtKeyException("AuthAltParameters: jwt_key=" + keyFile + ": " + e.getMessage());
    }
    if (keySetFile != null) {
      keys.addAll(new KeyFile("jwks", Path.of(keySetFile), slurmUserUid));
    }
    return keys;
  }

  private static byte[] secret(KeyFile file) throws IOException {
    byte[] secret = file.secret(MOST_SECRET_BYTES);
    if (secret.length < LEAST_SECRET_BYTES) {
      throw file.refused(
          "has "
              + secret.length
              + " bytes, which can be guessed: at least "
              + LEAST_SECRET_BYTES
              + " are needed; make it by: dd if=/dev/random bs=32 count=1 of="
              + file.path());
    }
    String beginning = new String(secret, 0, LEAST_SECRET_BYTES, StandardCharsets.ISO_8859_1);
    if (beginning.startsWith("-----BEGIN PUBLIC KEY")
        || beginning.startsWith("-----BEGIN RSA PUBLIC KEY")
        || beginning.startsWith("-----BEGIN CERTIFICATE")) {
      throw file.refused(
          "is a public key, which is no secret: whoever has it could sign."
              + " Write it as a JWKS file and name that by jwks=");
    }
    return secret;
  }

  private void addAll(KeyFile file) throws IOException {
    String text = new String(file.published(MOST_SET_BYTES), StandardCharsets.UTF_8);
    JWKSet set;
    try {
      set = JWKSet.parse(text);
    } catch (ParseException e) {
      throw file.refused("is no JWKS file: " + e.getMessage());
    }
    for (JWK key : set.getKeys()) {
      String name = key.getKeyID();
      String obstacle = obstacle(key);
      if (name == null || obstacle != null) {
        remarks.add(
            "AuthAltParameters: jwks="
                + file.path()
                + ": "
                + (name == null ? "a key without kid" : "key " + name)
                + " is not used"
                + (obstacle == null ? "" : ": " + obstacle));
      } else if (published.containsKey(name)) {
        throw file.refused("has two keys of kid " + name + ": remove one of them");
      } else {
        try {
          published.put(name, verifying(key));
        } catch (JOSEException e) {
          throw file.refused("has a key that is damaged: kid " + name);
        }
      }
    }
    if (published.isEmpty()) {
      remarks.add(
          "AuthAltParameters: jwks="
              + file.path()
              + " has no key that can be used: no token that was signed elsewhere is taken");
    }
  }

  /** Why a key is not for tokens here, null if it is. */
  private static @Nullable String obstacle(JWK key) {
    JWSAlgorithm algorithm = algorithm(key);
    if (algorithm == null) {
      return "only RSA keys (RS256) and EC keys of the curve P-256 (ES256) are";
    }
    if (key.getAlgorithm() != null && !key.getAlgorithm().equals(algorithm)) {
      return "it is for " + key.getAlgorithm().getName();
    }
    if (key.getKeyUse() != null && !key.getKeyUse().equals(KeyUse.SIGNATURE)) {
      return "it is not for signatures";
    }
    if (key.getKeyOperations() != null && !key.getKeyOperations().contains(KeyOperation.VERIFY)) {
      return "it is not for verifying";
    }
    if (key instanceof RSAKey && (key.size() < LEAST_RSA_BITS || key.size() > MOST_RSA_BITS)) {
      return "it has " + key.size() + " bits and not " + LEAST_RSA_BITS + " to " + MOST_RSA_BITS;
    }
    return key.getKeyID() != null && key.getKeyID().length() > LONGEST_NAME
        ? "its name is too long"
        : null;
  }

  private static @Nullable JWSAlgorithm algorithm(JWK key) {
    return switch (key) {
      case RSAKey _ -> JWSAlgorithm.RS256;
      case ECKey ec when ec.getCurve().equals(Curve.P_256) -> JWSAlgorithm.ES256;
      default -> null;
    };
  }

  private static PublishedKey verifying(JWK key) throws JOSEException {
    return key instanceof RSAKey rsa
        ? new PublishedKey(JWSAlgorithm.RS256, new RSASSAVerifier(rsa.toRSAPublicKey()))
        : new PublishedKey(JWSAlgorithm.ES256, new ECDSAVerifier(key.toECKey().toECPublicKey()));
  }

  /** What is to be said of the files, for the log. */
  public List<String> remarks() {
    return List.copyOf(remarks);
  }

  /** Whether the cluster can sign tokens by itself. */
  public boolean canSign() {
    return secret != null;
  }

  /** The cluster's secret, null where it has none. */
  byte @Nullable [] secret() {
    return secret;
  }

  /** Checks what was signed with the secret, null where there is none. */
  @Nullable JWSVerifier secretVerifier() {
    return secretVerifier;
  }

  /** The public key of that name, null if there is none. */
  @Nullable PublishedKey published(String name) {
    return published.get(name);
  }

  /** Says nothing of the secret. */
  @Override
  public String toString() {
    return "JwtKeys[canSign=" + canSign() + ", published=" + published.keySet() + "]";
  }
}
