package io.dure.host.trust.jwt;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JOSEObjectType;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.JWSObject;
import com.nimbusds.jose.JWSSigner;
import com.nimbusds.jose.Payload;
import com.nimbusds.jose.crypto.MACSigner;
import io.dure.model.config.parameters.JwtSettings;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Makes tokens as Slurm makes them, signed with the cluster's secret. Any thread. */
public final class JwtIssuer {
  private final JWSSigner signer;

  private JwtIssuer(JWSSigner signer) {
    this.signer = signer;
  }

  /** With these keys, null where there is no secret among them. */
  public static @Nullable JwtIssuer of(JwtKeys keys) {
    byte[] secret = keys.secret();
    if (secret == null) {
      return null;
    }
    try {
      return new JwtIssuer(new MACSigner(secret));
    } catch (JOSEException e) {
      throw new IllegalStateException("the secret was long enough when it was read", e);
    }
  }

  /**
   * A token for a user.
   *
   * @param user login name
   * @param seconds how long it is valid
   */
  public String issue(String user, Instant now, int seconds) {
    Map<String, Object> claims = new LinkedHashMap<>();
    claims.put("exp", now.getEpochSecond() + seconds);
    claims.put("iat", now.getEpochSecond());
    claims.put(JwtSettings.SLURM_USER, user);
    JWSHeader header = new JWSHeader.Builder(JWSAlgorithm.HS256).type(JOSEObjectType.JWT).build();
    JWSObject token = new JWSObject(header, new Payload(claims));
    try {
      token.sign(signer);
    } catch (JOSEException e) {
      throw new IllegalStateException("every Java has HMAC-SHA256", e);
    }
    return token.serialize();
  }
}
