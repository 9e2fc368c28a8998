package io.dure.node;

import io.dure.host.net.FrameStream;
import io.dure.host.trust.AuthToken;
import io.dure.host.trust.ClusterKey;
import io.dure.node.link.ControllerPort;
import io.dure.protocol.FromNode;
import io.dure.protocol.ToNode;
import io.dure.protocol.Wire;
import java.io.Closeable;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.time.Duration;
import java.time.Instant;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLServerSocket;
import javax.net.ssl.SSLSocket;

/** Lets node daemons reach a played controller by TLS; each must prove by its token who it is. */
final class TlsFront implements Closeable {
  private final SSLServerSocket server;
  private final ControllerPort behind;
  private final ClusterKey key;
  volatile String lastCaller = "";

  TlsFront(SSLContext context, ClusterKey key, ControllerPort behind) throws IOException {
    this.server =
        (SSLServerSocket)
            context
                .getServerSocketFactory()
                .createServerSocket(0, 5, InetAddress.getLoopbackAddress());
    this.behind = behind;
    this.key = key;
    Thread.ofVirtual().start(this::accept);
  }

  int port() {
    return server.getLocalPort();
  }

  private void accept() {
    while (!server.isClosed()) {
      try {
        SSLSocket socket = (SSLSocket) server.accept();
        Thread.ofVirtual().start(() -> serve(socket));
      } catch (IOException e) {
        // closed, or a caller that was gone at once
      }
    }
  }

  private void serve(SSLSocket socket) {
    try (socket) {
      DataInputStream in = new DataInputStream(socket.getInputStream());
      if (in.readInt() != Wire.NODE_MAGIC) {
        return;
      }
      FromNode.Hello hello =
          (FromNode.Hello) Wire.fromNode().decode(FrameStream.read(in, FrameStream.MAX_PAYLOAD));
      AuthToken.Verdict verdict =
          AuthToken.verify(hello.token(), key, Instant.now(), Duration.ofSeconds(1));
      if (!(verdict instanceof AuthToken.Verdict.Valid(AuthToken token))) {
        return;
      }
      lastCaller = token.kind() + " " + token.subject();
      try (ControllerPort.Link link = behind.open()) {
        OutputStream out = socket.getOutputStream();
        Thread.ofVirtual().start(() -> pass(link, out));
        for (byte[] frame = FrameStream.read(in, FrameStream.MAX_PAYLOAD);
            frame != null;
            frame = FrameStream.read(in, FrameStream.MAX_PAYLOAD)) {
          link.send(Wire.fromNode().decode(frame));
        }
      }
    } catch (IOException e) {
      // the node daemon is gone
    }
  }

  private static void pass(ControllerPort.Link link, OutputStream out) {
    try {
      for (ToNode message = link.receive(); message != null; message = link.receive()) {
        FrameStream.write(out, Wire.toNode().encode(message), FrameStream.MAX_PAYLOAD);
      }
      out.close();
    } catch (IOException e) {
      // the node daemon is gone
    }
  }

  @Override
  public void close() throws IOException {
    server.close();
  }
}
