package io.dure.host.trust;

import io.dure.host.storage.AtomicFile;
import io.dure.host.storage.DirectoryCreator;
import io.dure.host.storage.FileOwner;
import java.io.IOException;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.Principal;
import java.security.PrivateKey;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedKeyManager;
import org.jspecify.annotations.Nullable;

/**
 * The cluster's own certificate authority and the controller's certificate, made at first start.
 *
 * <p>The directory holds {@code ca.pem} and {@code server.pem}, each a private key with its
 * certificate, mode 0600 in a directory of mode 0700. The server's certificate is made anew when it
 * has less than 90 days left; contexts already given out then present the new one. Any thread may
 * call.
 */
public final class ClusterCa {
  /** A server certificate with less time left is replaced. */
  static final Duration RENEW_BEFORE_END = Duration.ofDays(90);

  private static final int FILE_MODE = 0600;
  private static final int DIRECTORY_MODE = 0700;

  private final Path serverFile;
  private final String hostName;
  private final @Nullable FileOwner owner;
  private final CertificateIssuer certificates;
  private final TlsIdentity ca;
  private volatile TlsIdentity server;
  private volatile TlsIdentity previous;

  private ClusterCa(
      Path serverFile,
      String hostName,
      @Nullable FileOwner owner,
      CertificateIssuer certificates,
      TlsIdentity ca,
      TlsIdentity server) {
    this.serverFile = serverFile;
    this.hostName = hostName;
    this.owner = owner;
    this.certificates = certificates;
    this.ca = ca;
    this.server = server;
    this.previous = server;
  }

  /**
   * Loads the authority from {@code directory}, or makes it where there is none.
   *
   * @param hostName name of this host, shown in its certificate
   * @param owner owner of new files (SlurmUser); null leaves the running user
   * @throws IOException if the files cannot be read or written, or are damaged
   */
  public static ClusterCa open(
      Path directory, String clusterName, String hostName, @Nullable FileOwner owner, Instant now)
      throws IOException {
    DirectoryCreator.ensure(directory, DIRECTORY_MODE, owner);
    CertificateIssuer certificates = new CertificateIssuer(new SecureRandom());
    Path caFile = directory.resolve("ca.pem");
    Path serverFile = directory.resolve("server.pem");
    TlsIdentity ca;
    if (Files.exists(caFile)) {
      ca = TlsIdentity.load(caFile);
    } else {
      ca = certificates.authority("Dure CA of cluster " + clusterName, now);
      AtomicFile.create(caFile, ca.pem(), FILE_MODE, owner);
    }
    TlsIdentity server = Files.exists(serverFile) ? TlsIdentity.load(serverFile) : null;
    if (server == null || isDue(server, now) || !isSignedBy(server, ca)) {
      server = certificates.server(hostName, ca, now);
      AtomicFile.write(serverFile, server.pem(), FILE_MODE, owner);
    }
    return new ClusterCa(serverFile, hostName, owner, certificates, ca, server);
  }

  /**
   * Replaces the server's certificate if it is close to its end; to be called once a day or so.
   *
   * @return true if there is a new one
   * @throws IOException if it cannot be stored; the old one then stays in use
   */
  public synchronized boolean renewIfDue(Instant now) throws IOException {
    if (!isDue(server, now)) {
      return false;
    }
    TlsIdentity renewed = certificates.server(hostName, ca, now);
    AtomicFile.write(serverFile, renewed.pem(), FILE_MODE, owner);
    previous = server;
    server = renewed;
    return true;
  }

  private static boolean isDue(TlsIdentity server, Instant now) {
    Instant end = server.certificate().getNotAfter().toInstant();
    return now.isAfter(end.minus(RENEW_BEFORE_END));
  }

  private static boolean isSignedBy(TlsIdentity server, TlsIdentity ca) {
    try {
      server.certificate().verify(ca.certificate().getPublicKey());
      return true;
    } catch (GeneralSecurityException e) {
      return false;
    }
  }

  /** SHA-256 of the CA certificate, as the cluster key holds it. */
  public String fingerprint() {
    try {
      return PinnedTls.fingerprint(ca.certificate());
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("a certificate that was decoded can be encoded", e);
    }
  }

  /** When the server's present certificate ends. */
  public Instant serverExpiry() {
    return server.certificate().getNotAfter().toInstant();
  }

  /** A context whose server sockets and engines present the certificate in use at that moment. */
  public SSLContext serverContext() {
    try {
      SSLContext context = SSLContext.getInstance(PinnedTls.protocols()[0]);
      context.init(new KeyManager[] {new CurrentKey()}, null, null);
      return context;
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every Java has TLS 1.3", e);
    }
  }

  /** An engine for one accepted connection: server's side, TLS 1.3 alone, no client certificate. */
  public static SSLEngine serverEngine(SSLContext context) {
    SSLEngine engine = context.createSSLEngine();
    engine.setUseClientMode(false);
    engine.setEnabledProtocols(PinnedTls.protocols());
    return engine;
  }

  /** Reads the identity at each handshake, so that a renewal needs no restart. */
  private final class CurrentKey extends X509ExtendedKeyManager {
    private static final String TYPE = "EC";

    // The alias carries the serial number, so that key and chain of one handshake fit together.
    private String alias() {
      return serial(server);
    }

    private TlsIdentity identity(String alias) {
      TlsIdentity now = server;
      return alias.equals(serial(now)) ? now : previous;
    }

    private static String serial(TlsIdentity identity) {
      return identity.certificate().getSerialNumber().toString();
    }

    @Override
    public @Nullable String chooseEngineServerAlias(
        String keyType, Principal @Nullable [] issuers, SSLEngine engine) {
      return chooseServerAlias(keyType, issuers, null);
    }

    @Override
    public @Nullable String chooseServerAlias(
        String keyType, Principal @Nullable [] issuers, @Nullable Socket socket) {
      return TYPE.equals(keyType) ? alias() : null;
    }

    @Override
    public X509Certificate @Nullable [] getCertificateChain(String alias) {
      return new X509Certificate[] {identity(alias).certificate(), ca.certificate()};
    }

    @Override
    public @Nullable PrivateKey getPrivateKey(String alias) {
      return identity(alias).key();
    }

    @Override
    public String @Nullable [] getServerAliases(String keyType, Principal @Nullable [] issuers) {
      return new String[] {alias()};
    }

    @Override
    public String @Nullable [] getClientAliases(String keyType, Principal @Nullable [] issuers) {
      return null;
    }

    @Override
    public @Nullable String chooseClientAlias(
        String[] keyType, Principal @Nullable [] issuers, @Nullable Socket socket) {
      return null;
    }
  }
}
