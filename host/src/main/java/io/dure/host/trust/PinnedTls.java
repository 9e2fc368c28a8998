package io.dure.host.trust;

import java.net.Socket;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.cert.CertPathValidator;
import java.security.cert.CertificateEncodingException;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.PKIXParameters;
import java.security.cert.TrustAnchor;
import java.security.cert.X509Certificate;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509ExtendedTrustManager;

/**
 * TLS for a client that trusts exactly one certificate authority: the one whose SHA-256 is in the
 * cluster key.
 *
 * <p>The server presents its chain up to that authority. Names in the certificate do not matter:
 * only controllers of the cluster get one, and they move between hosts. This class needs the JDK
 * alone, so that commands do not load the code that makes certificates.
 */
public final class PinnedTls {
  private static final String SERVER_AUTHENTICATION = "1.3.6.1.5.5.7.3.1";
  private static final String PROTOCOL = "TLSv1.3";

  private PinnedTls() {}

  /** The protocol versions that programs of a cluster speak: TLS 1.3 alone. */
  public static String[] protocols() {
    return new String[] {PROTOCOL};
  }

  /**
   * The ciphers that programs of a cluster offer, the one they like best first: without a second
   * compiler, as they run on small machines, Java takes for AES-GCM four times as long as for this.
   */
  public static String[] ciphers() {
    return new String[] {
      "TLS_CHACHA20_POLY1305_SHA256", "TLS_AES_256_GCM_SHA384", "TLS_AES_128_GCM_SHA256"
    };
  }

  /** A context for connections to the cluster's controllers. Any thread may call and use it. */
  public static SSLContext clientContext(ClusterKey key) {
    return clientContext(key.caFingerprint());
  }

  /** The same for the authority with that SHA-256, in hexadecimal digits. */
  public static SSLContext clientContext(String authority) {
    try {
      SSLContext context = SSLContext.getInstance(PROTOCOL);
      TrustManager trust = new PinnedTrust(authority);
      context.init(null, new TrustManager[] {trust}, null);
      return context;
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every Java has " + PROTOCOL, e);
    }
  }

  /** SHA-256 of the certificate's DER encoding, 64 small hexadecimal digits. */
  static String fingerprint(X509Certificate certificate) throws CertificateEncodingException {
    try {
      MessageDigest sha256 = MessageDigest.getInstance("SHA-256");
      return HexFormat.of().formatHex(sha256.digest(certificate.getEncoded()));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }

  /** Extended, because the JDK adds checks of the host name to a plain trust manager. */
  private static final class PinnedTrust extends X509ExtendedTrustManager {
    private final String pin;

    PinnedTrust(String pin) {
      this.pin = pin;
    }

    private void check(X509Certificate[] chain) throws CertificateException {
      if (chain.length < 2) {
        throw new CertificateException("the server presents no certificate authority");
      }
      X509Certificate root = chain[chain.length - 1];
      String presented = fingerprint(root);
      if (!presented.equals(pin)) {
        throw new CertificateException(
            "the server belongs to another cluster: its certificate authority is "
                + presented
                + ", the cluster key names "
                + pin);
      }
      root.checkValidity();
      List<String> uses = chain[0].getExtendedKeyUsage();
      if (uses == null || !uses.contains(SERVER_AUTHENTICATION)) {
        throw new CertificateException("the certificate is not for a server");
      }
      try {
        PKIXParameters parameters = new PKIXParameters(Set.of(new TrustAnchor(root, null)));
        parameters.setRevocationEnabled(false);
        List<X509Certificate> path = Arrays.asList(chain).subList(0, chain.length - 1);
        CertPathValidator.getInstance("PKIX")
            .validate(CertificateFactory.getInstance("X.509").generateCertPath(path), parameters);
      } catch (CertificateException e) {
        throw e;
      } catch (GeneralSecurityException e) {
        throw new CertificateException(
            "the server's certificate is not valid: " + e.getMessage(), e);
      }
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type, Socket socket)
        throws CertificateException {
      check(chain);
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type, SSLEngine engine)
        throws CertificateException {
      check(chain);
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type)
        throws CertificateException {
      check(chain);
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type, Socket socket)
        throws CertificateException {
      throw clientCertificate();
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type, SSLEngine engine)
        throws CertificateException {
      throw clientCertificate();
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type)
        throws CertificateException {
      throw clientCertificate();
    }

    private static CertificateException clientCertificate() {
      return new CertificateException(
          "clients of a cluster authenticate by tokens, not by certificates");
    }

    @Override
    public X509Certificate[] getAcceptedIssuers() {
      return new X509Certificate[0];
    }
  }
}
