package io.dure.host.trust;

import java.io.IOException;
import java.net.Socket;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.SecureRandom;
import java.security.cert.CertificateEncodingException;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.SSLSession;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509ExtendedTrustManager;

/**
 * The certificate of a node daemon, for those that connect to it. The daemon makes it by itself,
 * for the cluster's authority is at the controllers alone; a token that is signed with the cluster
 * key and names the certificate shows that the daemon belongs to the cluster. Whoever connects says
 * nothing before it has seen that token.
 *
 * @param context for the server's side of handshakes
 * @param fingerprint SHA-256 of the certificate, hexadecimal
 */
public record DaemonCertificate(SSLContext context, String fingerprint) {
  private static final Duration PROOF_LIFE = Duration.ofMinutes(5);
  private static final Duration SKEW = Duration.ofMinutes(5);

  /** A new certificate with a key of its own. */
  public static DaemonCertificate create(String host, Instant now, SecureRandom random)
      throws IOException {
    TlsIdentity identity = new CertificateIssuer(random).alone(host, now);
    try {
      X509Certificate[] chain = {identity.certificate()};
      char[] none = new char[0];
      KeyStore keys = KeyStore.getInstance("PKCS12");
      keys.load(null, none);
      keys.setKeyEntry("daemon", identity.key(), none, chain);
      // It decrypts the key once; the "PKIX" one derives the store's key anew in each handshake.
      KeyManagerFactory managers = KeyManagerFactory.getInstance("SunX509");
      managers.init(keys, none);
      SSLContext context = SSLContext.getInstance(PinnedTls.protocols()[0]);
      context.init(managers.getKeyManagers(), null, random);
      return new DaemonCertificate(context, PinnedTls.fingerprint(identity.certificate()));
    } catch (GeneralSecurityException e) {
      throw new IOException("cannot use the daemon's certificate", e);
    }
  }

  /** What shows that this certificate is that of the node's daemon. */
  public String proof(ClusterKey key, String nodeName, Instant now, SecureRandom random) {
    return AuthToken.forCertificate(nodeName, fingerprint, now.plus(PROOF_LIFE), random).sign(key);
  }

  /**
   * Checks what a daemon has shown.
   *
   * @param nodeName the node that it must be of
   * @throws IOException if this is not that node's daemon
   */
  public static void check(
      SSLSession session, String proof, String nodeName, ClusterKey key, Instant now)
      throws IOException {
    String presented;
    try {
      presented = PinnedTls.fingerprint((X509Certificate) session.getPeerCertificates()[0]);
    } catch (SSLPeerUnverifiedException | CertificateEncodingException e) {
      throw new IOException("node " + nodeName + " presents no certificate", e);
    }
    switch (AuthToken.verify(proof, key, now, SKEW)) {
      case AuthToken.Verdict.Valid(AuthToken token) -> {
        if (token.kind() != AuthToken.Kind.CERTIFICATE || !token.host().equals(presented)) {
          throw new IOException("what answers there does not belong to the cluster");
        }
        if (!token.subject().equals(nodeName)) {
          throw new IOException(
              "node " + token.subject() + " answers at the address of node " + nodeName);
        }
      }
      case AuthToken.Verdict.Refused(AuthToken.Refusal why) ->
          throw new IOException("node " + nodeName + " does not belong to the cluster: " + why);
    }
  }

  /** A context for connections to daemons, each of which has to pass {@link #check} first. */
  public static SSLContext clientContext() {
    try {
      SSLContext context = SSLContext.getInstance(PinnedTls.protocols()[0]);
      context.init(null, new TrustManager[] {new CheckedLater()}, null);
      return context;
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every Java has TLS 1.3", e);
    }
  }

  /** The token that comes next decides. */
  private static final class CheckedLater extends X509ExtendedTrustManager {
    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type, Socket socket) {}

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type, SSLEngine engine) {}

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type) {}

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type, Socket socket) {}

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type, SSLEngine engine) {}

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type) {}

    @Override
    public X509Certificate[] getAcceptedIssuers() {
      return new X509Certificate[0];
    }
  }
}
