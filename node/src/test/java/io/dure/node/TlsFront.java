package io.dure.node;

import io.dure.host.net.FrameStream;
import io.dure.host.trust.AuthToken;
import io.dure.host.trust.ClusterKey;
import io.dure.node.link.ControllerEndpoint;
import io.dure.protocol.ControllerToNodeMessage;
import io.dure.protocol.NodeToControllerMessage;
import io.dure.protocol.WireCodecs;
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
  private final ControllerEndpoint behind;
  private final ClusterKey key;
  volatile String lastCaller = "";

  TlsFront(SSLContext context, ClusterKey key, ControllerEndpoint behind) throws IOException {
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
      if (in.readInt() != WireCodecs.NODE_MAGIC) {
        return;
      }
      NodeToControllerMessage.Hello hello =
          (NodeToControllerMessage.Hello)
              WireCodecs.fromNode().decode(FrameStream.read(in, FrameStream.MAX_PAYLOAD));
      AuthToken.Verdict verdict =
          AuthToken.verify(hello.token(), key, Instant.now(), Duration.ofSeconds(1));
      if (!(verdict instanceof AuthToken.Verdict.Valid(AuthToken token))) {
        return;
      }
      lastCaller = token.kind() + " " + token.subject();
      try (ControllerEndpoint.Link link = behind.open()) {
        OutputStream out = socket.getOutputStream();
        Thread.ofVirtual().start(() -> pass(link, out));
        for (byte[] frame = FrameStream.read(in, FrameStream.MAX_PAYLOAD);
            frame != null;
            frame = FrameStream.read(in, FrameStream.MAX_PAYLOAD)) {
          link.send(WireCodecs.fromNode().decode(frame));
        }
      }
    } catch (IOException e) {
      // the node daemon is gone
    }
  }

  private static void pass(ControllerEndpoint.Link link, OutputStream out) {
    try {
      for (ControllerToNodeMessage message = link.receive();
          message != null;
          message = link.receive()) {
        FrameStream.write(out, WireCodecs.toNode().encode(message), FrameStream.MAX_PAYLOAD);
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
