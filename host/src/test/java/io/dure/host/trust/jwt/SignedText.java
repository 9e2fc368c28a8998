package io.dure.host.trust.jwt;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.Signature;
import java.security.interfaces.ECPublicKey;
import java.security.interfaces.RSAPublicKey;
import java.security.spec.ECGenParameterSpec;
import java.util.Arrays;
import java.util.Base64;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** Tokens and key sets written by hand with the JDK alone, as an attacker would. */
final class SignedText {
  private SignedText() {}

  static String base64(byte[] bytes) {
    return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
  }

  static String base64(String text) {
    return base64(text.getBytes(StandardCharsets.UTF_8));
  }

  static String statement(String header, String claims) {
    return base64(header) + "." + base64(claims);
  }

  static String hs256(String header, String claims, byte[] secret) {
    String statement = statement(header, claims);
    try {
      Mac mac = Mac.getInstance("HmacSHA256");
      mac.init(new SecretKeySpec(secret, "HmacSHA256"));
      return statement + "." + base64(mac.doFinal(statement.getBytes(StandardCharsets.US_ASCII)));
    } catch (GeneralSecurityException e) {
      throw new AssertionError(e);
    }
  }

  /** {@code algorithm} is Java's: SHA256withRSA or SHA256withECDSAinP1363Format. */
  static String signed(String header, String claims, KeyPair key, String algorithm) {
    String statement = statement(header, claims);
    try {
      Signature signature = Signature.getInstance(algorithm);
      signature.initSign(key.getPrivate());
      signature.update(statement.getBytes(StandardCharsets.US_ASCII));
      return statement + "." + base64(signature.sign());
    } catch (GeneralSecurityException e) {
      throw new AssertionError(e);
    }
  }

  static KeyPair rsa(int bits) {
    try {
      KeyPairGenerator generator = KeyPairGenerator.getInstance("RSA");
      generator.initialize(bits);
      return generator.generateKeyPair();
    } catch (GeneralSecurityException e) {
      throw new AssertionError(e);
    }
  }

  static KeyPair ec(String curve) {
    try {
      KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
      generator.initialize(new ECGenParameterSpec(curve));
      return generator.generateKeyPair();
    } catch (GeneralSecurityException e) {
      throw new AssertionError(e);
    }
  }

  /** A member of a key set; {@code more} are further members, each with a comma before it. */
  static String jwk(KeyPair key, String more) {
    if (key.getPublic() instanceof RSAPublicKey rsa) {
      return "{\"kty\":\"RSA\",\"n\":\"%s\",\"e\":\"%s\"%s}"
          .formatted(
              base64(unsigned(rsa.getModulus().toByteArray(), 0)),
              base64(unsigned(rsa.getPublicExponent().toByteArray(), 0)),
              more);
    }
    ECPublicKey ec = (ECPublicKey) key.getPublic();
    int bits = ec.getParams().getCurve().getField().getFieldSize();
    int size = (bits + 7) / 8;
    return "{\"kty\":\"EC\",\"crv\":\"P-%d\",\"x\":\"%s\",\"y\":\"%s\"%s}"
        .formatted(
            bits,
            base64(unsigned(ec.getW().getAffineX().toByteArray(), size)),
            base64(unsigned(ec.getW().getAffineY().toByteArray(), size)),
            more);
  }

  /** Without the sign's byte, and with zeros in front up to a size. */
  private static byte[] unsigned(byte[] number, int size) {
    int from = 0;
    while (from < number.length - 1 && number[from] == 0) {
      from++;
    }
    byte[] plain = Arrays.copyOfRange(number, from, number.length);
    byte[] filled = new byte[Math.max(size, plain.length)];
    System.arraycopy(plain, 0, filled, filled.length - plain.length, plain.length);
    return filled;
  }
}
