package io.dure.host.relay;

import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import org.jspecify.annotations.Nullable;

/** One node's plain connection, whose frames name no node: at its daemon, or at a front end. */
final class StepFrameLink implements RelayLink {
  private static final int LARGEST = 17 << 20;

  private final int node;
  private final SocketChannel channel;
  private final DataInputStream in;
  private final OutputStream out;

  /** Over a channel in blocking mode, of which nothing was read that {@code in} does not have. */
  StepFrameLink(int node, SocketChannel channel, InputStream in) {
    this.node = node;
    this.channel = channel;
    this.in = new DataInputStream(in);
    this.out = Channels.newOutputStream(channel);
  }

  /** As a node's daemon hears it: the first frame comes with the user that sent it. */
  static StepFrameLink toDaemon(int node, SocketChannel channel, int uid, int gid)
      throws IOException {
    StepFrameLink link =
        new StepFrameLink(
            node, channel, new BufferedInputStream(Channels.newInputStream(channel), 1 << 16));
    link.out.write(
        ByteBuffer.allocate(13).put((byte) 'V').putInt(8).putInt(uid).putInt(gid).array());
    return link;
  }

  @Override
  public void send(byte[] message) throws IOException {
    if (RelayMessage.type(message) == RelayMessage.LOST) {
      channel.close();
    } else {
      out.write(RelayMessage.frame(message));
    }
  }

  @Override
  public byte @Nullable [] receive() throws IOException {
    int type = in.read();
    if (type < 0) {
      return null;
    }
    int length = in.readInt();
    if (length < 0 || length > LARGEST) {
      throw new IOException("a frame of " + Integer.toUnsignedString(length) + " bytes");
    }
    byte[] payload = in.readNBytes(length);
    if (payload.length < length) {
      throw new EOFException("the connection ended within a frame");
    }
    return RelayMessage.of(node, (byte) type, payload);
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }
}
