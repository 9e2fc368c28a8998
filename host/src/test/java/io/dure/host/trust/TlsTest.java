package io.dure.host.trust;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.dure.host.net.ConnectLimits;
import io.dure.host.net.Connection;
import io.dure.host.net.ConnectionFactory;
import io.dure.host.net.FrameStream;
import io.dure.host.storage.FileModes;
import java.io.Closeable;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.KeyStore;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLServerSocket;
import javax.net.ssl.SSLSession;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
@SuppressWarnings("try") // closing early is what one of these tests is about
@Tag("process")
class TlsTest {
  private static final ConnectLimits ONCE = new ConnectLimits(Duration.ofSeconds(10), 0);
  private static final Duration LIMIT = Duration.ofSeconds(20);

  @TempDir Path directory;

  @Test
  void aClientOfTheClusterTalksToItsController() throws Exception {
    ClusterTrust trust = open("one");
    try (EchoServer server = new EchoServer(trust.ca().serverContext());
        Connection client = connect(server, trust.key())) {
      client.send(new byte[] {1, 2, 3});
      assertArrayEquals(new byte[] {1, 2, 3}, client.receive());
      byte[] large = new byte[5_000_000];
      client.send(large);
      assertArrayEquals(large, client.receive());
      assertEquals("TLSv1.3", server.session().getProtocol());
    }
  }

  @Test
  void aControllerOfAnotherClusterIsRefused() throws Exception {
    ClusterTrust ours = open("ours");
    ClusterTrust theirs = open("theirs");
    try (EchoServer server = new EchoServer(theirs.ca().serverContext())) {
      SSLException refused =
          assertThrows(SSLException.class, () -> connect(server, ours.key()).close());
      assertTrue(refused.getMessage().contains("belongs to another cluster"), refused::getMessage);
    }
  }

  @Test
  void aServerThatOnlyShowsOurAuthorityIsRefused() throws Exception {
    // It knows our CA certificate, as everybody does, but has no certificate signed by it.
    ClusterTrust ours = open("ours");
    TlsIdentity ca = TlsIdentity.load(directory.resolve("ours/tls/ca.pem"));
    CertificateIssuer certificates = new CertificateIssuer(new SecureRandom());
    TlsIdentity falseCa = certificates.authority("Dure CA of cluster ours", Instant.now());
    TlsIdentity server = certificates.server("evil", falseCa, Instant.now());
    assertHandshakeFails(ours, server, ca.certificate());
  }

  @Test
  void aCertificateThatIsOverIsRefused() throws Exception {
    ClusterTrust ours = open("ours");
    TlsIdentity ca = TlsIdentity.load(directory.resolve("ours/tls/ca.pem"));
    Instant past = Instant.now().minus(CertificateIssuer.SERVER_VALIDITY).minusSeconds(60);
    TlsIdentity server = new CertificateIssuer(new SecureRandom()).server("old", ca, past);
    assertHandshakeFails(ours, server, ca.certificate());
  }

  @Test
  void aServerThatShowsTheAuthorityAsItsOwnCertificateIsRefused() throws Exception {
    ClusterTrust ours = open("ours");
    TlsIdentity ca = TlsIdentity.load(directory.resolve("ours/tls/ca.pem"));
    assertHandshakeFails(ours, ca);
  }

  private static void assertHandshakeFails(
      ClusterTrust ours, TlsIdentity server, X509Certificate... more) throws Exception {
    X509Certificate[] chain = new X509Certificate[1 + more.length];
    chain[0] = server.certificate();
    System.arraycopy(more, 0, chain, 1, more.length);
    KeyStore store = KeyStore.getInstance("PKCS12");
    store.load(null, null);
    store.setEntry(
        "x",
        new KeyStore.PrivateKeyEntry(server.key(), chain),
        new KeyStore.PasswordProtection(new char[0]));
    KeyManagerFactory keys = KeyManagerFactory.getInstance("SunX509");
    keys.init(store, new char[0]);
    SSLContext context = SSLContext.getInstance("TLSv1.3");
    context.init(keys.getKeyManagers(), null, null);
    try (EchoServer echo = new EchoServer(context)) {
      SSLException refused =
          assertThrows(SSLException.class, () -> connect(echo, ours.key()).close());
      assertTrue(refused.getMessage().contains("certificate"), refused::getMessage);
    }
  }

  @Test
  void anOldProtocolIsRefused() throws Exception {
    ClusterTrust trust = open("one");
    try (EchoServer server = new EchoServer(trust.ca().serverContext(), "TLSv1.2")) {
      assertThrows(SSLException.class, () -> connect(server, trust.key()).close());
    }
    assertArrayEquals(
        new String[] {"TLSv1.3"},
        ClusterCa.serverEngine(trust.ca().serverContext()).getEnabledProtocols());
  }

  @Test
  void aServerThatSaysNothingRunsIntoTheTimeLimit() throws Exception {
    ClusterTrust trust = open("one");
    SSLContext context = PinnedTls.clientContext(trust.key());
    try (ServerSocket silent = new ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
      InetSocketAddress address =
          new InetSocketAddress(InetAddress.getLoopbackAddress(), silent.getLocalPort());
      assertThrows(
          SocketTimeoutException.class,
          () -> ConnectionFactory.tls(address, context, Duration.ofMillis(100), ONCE).close());
      silent.close();
      assertThrows(
          ConnectException.class,
          () -> ConnectionFactory.tls(address, context, LIMIT, ONCE).close());
    }
  }

  @Test
  void theSecondStartFindsTheSameAuthority() throws Exception {
    ClusterTrust first = open("one");
    ClusterTrust second = open("one");
    assertEquals(first.ca().fingerprint(), second.ca().fingerprint());
    assertEquals(first.ca().serverExpiry(), second.ca().serverExpiry());
    assertEquals(0700, FileModes.modeOf(directory.resolve("one/tls")));
    for (String file : new String[] {"tls/ca.pem", "tls/server.pem", "etc/dure.key"}) {
      assertEquals(0600, FileModes.modeOf(directory.resolve("one").resolve(file)), file);
    }
    try (EchoServer server = new EchoServer(second.ca().serverContext());
        Connection client = connect(server, first.key())) {
      client.send(new byte[] {1});
      assertArrayEquals(new byte[] {1}, client.receive());
    }
  }

  @Test
  void otherProgramsAcceptTheCertificatesToo() throws Exception {
    Path tls = directory.resolve("tls");
    ClusterCa.open(tls, "odd, name=\"x\" \\ \u00fc", "ctl.example", null, Instant.now());
    Process openssl;
    try {
      openssl =
          new ProcessBuilder(
                  "openssl",
                  "verify",
                  "-x509_strict",
                  "-purpose",
                  "sslserver",
                  "-CAfile",
                  "ca.pem",
                  "server.pem")
              .directory(tls.toFile())
              .redirectErrorStream(true)
              .start();
    } catch (IOException e) {
      assumeTrue(false, "no openssl here");
      return;
    }
    String printed = new String(openssl.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertEquals("server.pem: OK", printed.strip());
  }

  @Test
  void aFirstStartThatWasKilledIsFinishedByTheNext() throws Exception {
    ClusterTrust first = open("one");
    Files.delete(directory.resolve("one/etc/dure.key"));
    Files.delete(directory.resolve("one/tls/server.pem"));
    ClusterTrust second = open("one");
    assertEquals(first.ca().fingerprint(), second.key().caFingerprint());
  }

  @Test
  void keyAndAuthorityMustFitTogether() throws Exception {
    open("one");
    open("two");
    Path key = directory.resolve("one/etc/dure.key");
    Files.copy(
        directory.resolve("two/etc/dure.key"),
        key,
        StandardCopyOption.REPLACE_EXISTING,
        StandardCopyOption.COPY_ATTRIBUTES);
    ClusterKeyException mixed = assertThrows(ClusterKeyException.class, () -> open("one"));
    assertTrue(mixed.getMessage().contains("another cluster"), mixed::getMessage);
    Files.delete(directory.resolve("one/tls/ca.pem"));
    ClusterKeyException lost = assertThrows(ClusterKeyException.class, () -> open("one"));
    assertTrue(lost.getMessage().contains("remove the key file"), lost::getMessage);
    assertFalse(Files.exists(directory.resolve("one/tls/ca.pem")));
  }

  @Test
  void aDamagedAuthorityIsNotReplaced() throws Exception {
    open("one");
    Path ca = directory.resolve("one/tls/ca.pem");
    Files.writeString(ca, "-----BEGIN PRIVATE KEY-----\nnonsense\n-----END PRIVATE KEY-----\n");
    IOException damaged = assertThrows(IOException.class, () -> open("one"));
    assertTrue(damaged.getMessage().contains("ca.pem is damaged"), damaged::getMessage);
  }

  @Test
  void theServersCertificateIsRenewedInTimeAndWhileItRuns() throws Exception {
    Instant longAgo = Instant.now().minus(Duration.ofDays(350));
    ClusterTrust trust = ClusterTrust.open(place("one"), 0, longAgo);
    Instant firstEnd = trust.ca().serverExpiry();
    try (EchoServer server = new EchoServer(trust.ca().serverContext())) {
      connect(server, trust.key()).close();
      assertFalse(trust.ca().renewIfDue(longAgo.plus(Duration.ofDays(300))));
      assertTrue(trust.ca().renewIfDue(Instant.now()));
      assertFalse(trust.ca().renewIfDue(Instant.now()));
      assertTrue(trust.ca().serverExpiry().isAfter(firstEnd));
      try (Connection client = connect(server, trust.key())) {
        client.send(new byte[] {1});
        assertArrayEquals(new byte[] {1}, client.receive());
        X509Certificate shown = (X509Certificate) server.session().getLocalCertificates()[0];
        assertEquals(trust.ca().serverExpiry(), shown.getNotAfter().toInstant());
      }
    }
    assertEquals(trust.ca().serverExpiry(), open("one").ca().serverExpiry());
  }

  private ClusterTrust open(String name) throws IOException {
    return ClusterTrust.open(place(name), 0, Instant.now());
  }

  private ClusterTrust.TrustLocations place(String name) {
    Path root = directory.resolve(name);
    return new ClusterTrust.TrustLocations(
        root.resolve("etc/dure.key"), root.resolve("tls"), name, "ctl.example", null);
  }

  private static Connection connect(EchoServer server, ClusterKey key) throws IOException {
    return ConnectionFactory.tls(server.address(), PinnedTls.clientContext(key), LIMIT, ONCE);
  }

  /** Sends back what it gets, one connection after the other. */
  private static final class EchoServer implements Closeable {
    private final SSLServerSocket listener;
    private final BlockingQueue<SSLSession> sessions = new LinkedBlockingQueue<>();

    EchoServer(SSLContext context, String... protocols) throws IOException {
      listener =
          (SSLServerSocket)
              context
                  .getServerSocketFactory()
                  .createServerSocket(0, 5, InetAddress.getLoopbackAddress());
      listener.setEnabledProtocols(protocols.length == 0 ? PinnedTls.protocols() : protocols);
      Thread.ofPlatform().daemon().name("echo").start(this::serve);
    }

    InetSocketAddress address() {
      return new InetSocketAddress(listener.getInetAddress(), listener.getLocalPort());
    }

    SSLSession session() throws InterruptedException {
      SSLSession last = sessions.take();
      while (!sessions.isEmpty()) {
        last = sessions.take();
      }
      return last;
    }

    private void serve() {
      while (!listener.isClosed()) {
        try (SSLSocket socket = (SSLSocket) listener.accept()) {
          socket.startHandshake();
          for (byte[] payload = FrameStream.read(socket.getInputStream(), FrameStream.MAX_PAYLOAD);
              payload != null;
              payload = FrameStream.read(socket.getInputStream(), FrameStream.MAX_PAYLOAD)) {
            sessions.add(socket.getSession());
            FrameStream.write(socket.getOutputStream(), payload, FrameStream.MAX_PAYLOAD);
          }
        } catch (IOException e) {
          // The client ended or refused; the next is served.
        }
      }
    }

    @Override
    public void close() throws IOException {
      listener.close();
    }
  }
}
