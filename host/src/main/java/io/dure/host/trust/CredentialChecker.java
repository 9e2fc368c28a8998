package io.dure.host.trust;

import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PublicKey;
import java.security.Signature;
import java.security.spec.X509EncodedKeySpec;

/** Checks the signatures of one {@link CredentialSigner}. Any thread. */
public final class CredentialChecker {
  private final PublicKey key;

  /**
   * Checks by a public key.
   *
   * @throws IllegalArgumentException if that is none
   */
  public CredentialChecker(byte[] publicKey) {
    try {
      key =
          KeyFactory.getInstance(CredentialSigner.ALGORITHM)
              .generatePublic(new X509EncodedKeySpec(publicKey));
    } catch (GeneralSecurityException e) {
      throw new IllegalArgumentException("not a public key", e);
    }
  }

  /** Whether the signature is of this message, by this key. */
  public boolean isValid(byte[] message, byte[] signature) {
    try {
      Signature check = Signature.getInstance(CredentialSigner.ALGORITHM);
      check.initVerify(key);
      check.update(message);
      return check.verify(signature);
    } catch (GeneralSecurityException e) {
      // A signature that is none is not valid.
      return false;
    }
  }
}
