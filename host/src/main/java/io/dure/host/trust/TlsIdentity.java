package io.dure.host.trust;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.Signature;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Base64;

/**
 * A private key with its certificate, kept in one PEM file, so that a crash cannot separate them.
 *
 * @param key an elliptic-curve key
 * @param certificate the certificate of its public half
 */
record TlsIdentity(PrivateKey key, X509Certificate certificate) {
  private static final String KEY = "PRIVATE KEY";
  private static final String CERTIFICATE = "CERTIFICATE";

  /** Reads what {@link #pem} wrote; throws IOException, naming the file, if it is damaged. */
  static TlsIdentity load(Path file) throws IOException {
    String text = Files.readString(file, StandardCharsets.ISO_8859_1);
    try {
      PrivateKey key =
          KeyFactory.getInstance("EC").generatePrivate(new PKCS8EncodedKeySpec(block(text, KEY)));
      X509Certificate certificate =
          (X509Certificate)
              CertificateFactory.getInstance("X.509")
                  .generateCertificate(new ByteArrayInputStream(block(text, CERTIFICATE)));
      TlsIdentity identity = new TlsIdentity(key, certificate);
      if (!text.equals(new String(identity.pem(), StandardCharsets.ISO_8859_1))
          || !identity.isPair()) {
        throw new IOException(
            file
                + " is damaged: its content does not match its checksum; restore it from a backup or from another"
                + " controller");
      }
      return identity;
    } catch (GeneralSecurityException | IllegalArgumentException e) {
      throw new IOException(
          file
              + " is damaged: no private key and certificate in PEM; restore it from a backup or from another controller",
          e);
    }
  }

  /** Whether what one half signs the other half confirms. */
  private boolean isPair() throws GeneralSecurityException {
    byte[] word = {1};
    Signature signature = Signature.getInstance("SHA256withECDSA");
    signature.initSign(key);
    signature.update(word);
    byte[] signed = signature.sign();
    signature.initVerify(certificate.getPublicKey());
    signature.update(word);
    return signature.verify(signed);
  }

  private static byte[] block(String text, String type) {
    String begin = "-----BEGIN " + type + "-----";
    int from = text.indexOf(begin);
    int to = text.indexOf("-----END " + type + "-----");
    if (from < 0 || to < from) {
      throw new IllegalArgumentException("no " + type);
    }
    return Base64.getMimeDecoder().decode(text.substring(from + begin.length(), to).strip());
  }

  /** Both as PEM text, the key first. */
  byte[] pem() throws IOException {
    try {
      String text = block(KEY, key.getEncoded()) + block(CERTIFICATE, certificate.getEncoded());
      return text.getBytes(StandardCharsets.ISO_8859_1);
    } catch (GeneralSecurityException e) {
      throw new IOException("certificate cannot be encoded", e);
    }
  }

  private static String block(String type, byte[] der) {
    String body = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(der);
    return "-----BEGIN " + type + "-----\n" + body + "\n-----END " + type + "-----\n";
  }

  /** Says nothing of the key. */
  @Override
  public String toString() {
    return "Identity[" + certificate.getSubjectX500Principal() + "]";
  }
}
