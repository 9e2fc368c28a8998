package io.dure.host.trust;

import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.Signature;

/**
 * Signs what node daemons act on without asking, with a key that exists in this process alone: a
 * node, which holds the cluster key, can check signatures and cannot make them. Any thread.
 */
public final class CredentialSigner {
  static final String ALGORITHM = "Ed25519";

  private final PrivateKey key;
  private final byte[] publicKey;

  private CredentialSigner(KeyPair pair) {
    key = pair.getPrivate();
    publicKey = pair.getPublic().getEncoded();
  }

  /** A signer with a new key. */
  public static CredentialSigner generate() {
    try {
      return new CredentialSigner(KeyPairGenerator.getInstance(ALGORITHM).generateKeyPair());
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every Java has " + ALGORITHM, e);
    }
  }

  /** The signature of a message. */
  public byte[] sign(byte[] message) {
    try {
      Signature signature = Signature.getInstance(ALGORITHM);
      signature.initSign(key);
      signature.update(message);
      return signature.sign();
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every Java has " + ALGORITHM, e);
    }
  }

  /** With what signatures are checked, as {@link CredentialChecker} reads it. */
  public byte[] publicKey() {
    return publicKey.clone();
  }
}
