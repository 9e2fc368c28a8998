package io.dure.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ConversationTest {
  @TempDir private Path dir;

  private SocketChannel client;
  private SocketChannel channel;
  private Conversation conversation;

  @BeforeEach
  void connect() throws IOException {
    UnixDomainSocketAddress address = UnixDomainSocketAddress.of(dir.resolve("s"));
    try (ServerSocketChannel server = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
      server.bind(address);
      client = SocketChannel.open(address);
      channel = server.accept();
    }
    conversation = new Conversation(channel, 1, new Turns(1).turn());
  }

  @AfterEach
  void close() throws IOException {
    Thread.interrupted();
    client.close();
    channel.close();
  }

  @Test
  void aCommandWhoseCallerHasGoneDoesNotBegin() throws IOException {
    client.write(ByteBuffer.wrap("DureAg01".getBytes(StandardCharsets.US_ASCII)));
    client.close();
    assertThrows(IOException.class, conversation::begin);
  }

  @Test
  void aCommandGoesNoFurtherThanItsCaller() throws IOException {
    conversation.begin();
    conversation.checkPresence();
    assertFalse(Thread.currentThread().isInterrupted());
    client.close();
    assertThrows(CallerGoneException.class, conversation::checkPresence);
  }

  @Test
  void aBeatFindsOutThatTheClientIsGone() throws IOException {
    client.close();
    conversation.beat(Thread.currentThread());
    assertTrue(Thread.interrupted());
    conversation.over();
    conversation.beat(Thread.currentThread());
    assertFalse(Thread.interrupted(), "the thread does something else by now");
  }

  @Test
  void beatsToAClientThatDoesNotReadWaitForNobody() throws IOException {
    channel.configureBlocking(false);
    ByteBuffer some = ByteBuffer.allocate(1 << 10);
    while (channel.write(some.clear()) > 0) {
      assertFalse(some.hasRemaining());
    }
    channel.configureBlocking(true);
    assertTimeoutPreemptively(
        Duration.ofSeconds(60), () -> conversation.beat(Thread.currentThread()));
    assertFalse(Thread.currentThread().isInterrupted());
  }

  @Test
  void aBeatIsAFrameWithoutContent() throws IOException {
    conversation.beat(Thread.currentThread());
    ByteBuffer frame = ByteBuffer.allocate(6);
    assertEquals(5, client.read(frame));
    assertEquals('K', frame.get(0));
  }
}
