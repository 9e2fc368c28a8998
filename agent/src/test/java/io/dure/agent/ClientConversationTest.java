package io.dure.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
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
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("process")
class ClientConversationTest {
  @TempDir private Path dir;

  private final MemoryBudget budget = MemoryBudget.of(512L << 20);
  private SocketChannel client;
  private SocketChannel channel;
  private ClientConversation conversation;

  @BeforeEach
  void connect() throws IOException {
    UnixDomainSocketAddress address = UnixDomainSocketAddress.of(dir.resolve("s"));
    try (ServerSocketChannel server = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
      server.bind(address);
      client = SocketChannel.open(address);
      channel = server.accept();
    }
    conversation = new ClientConversation(channel, 1, new LargeListingSlots(1).turn(), budget);
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
    assertThrows(CallerDisconnectedException.class, conversation::checkPresence);
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

  private void sends(char type, byte[] payload) throws IOException {
    client.write(
        ByteBuffer.allocate(5 + payload.length)
            .put((byte) type)
            .putInt(payload.length)
            .put(payload)
            .flip());
  }

  @Test
  void wordsThatWouldFillTheHeapAreNotTakenApart() throws Exception {
    Thread sender =
        Thread.ofPlatform()
            .start(() -> {
              try {
                client.write(ByteBuffer.wrap("DureAg01".getBytes(StandardCharsets.US_ASCII)));
                sends('A', new byte[1 << 20]);
              } catch (IOException e) {
                throw new UncheckedIOException(e);
              }
            });
    IOException refused = assertThrows(IOException.class, conversation::receiveCall);
    assertTrue(String.valueOf(refused.getMessage()).contains("strings"), refused.getMessage());
    sender.join();
    conversation.over();
    assertTrue(budget.calls().tryAcquire(1, 20 << 20), "nothing is held any more");
  }

  @Test
  void aScriptIsChargedToItsUserUntilTheCallEnds() throws IOException {
    InputStream input = conversation.input();
    byte[] chunk = new byte[1 << 16];
    for (int i = 0; i < 5; i++) {
      sends('I', chunk);
      assertEquals(chunk.length, input.readNBytes(chunk.length).length);
    }
    assertFalse(budget.input().tryAcquire(1, 8 << 20), "it may become long");
    assertTrue(budget.input().tryAcquire(2, 8 << 20), "others have their own");
    sends('I', new byte[0]);
    assertEquals(-1, input.read());
    assertTrue(budget.input().tryAcquire(1, 8 << 20), "it has not become long");
    budget.input().release(1, 8 << 20);
    conversation.over();
    assertTrue(budget.input().tryAcquire(1, 32 << 20), "nothing is held any more");
  }

  @Test
  void moreThanTheAgentTakesIsAnErrorOfReading() throws IOException {
    InputStream input = conversation.input();
    byte[] chunk = new byte[1 << 16];
    assertThrows(
        IOException.class,
        () -> {
          for (int i = 0; i < 200; i++) {
            sends('I', chunk);
            assertEquals(chunk.length, input.readNBytes(chunk.length).length);
          }
        });
  }

  @Test
  void longListingsThatNobodyReadsAreNotManyOfOneUser() throws IOException {
    conversation.makeRoomForRows(10_000_000);
    ClientConversation second =
        new ClientConversation(channel, 1, new LargeListingSlots(1).turn(), budget);
    assertThrows(MemoryQuotaExceededException.class, () -> second.makeRoomForRows(2_000));
    ClientConversation of2 =
        new ClientConversation(channel, 2, new LargeListingSlots(1).turn(), budget);
    of2.makeRoomForRows(10_000_000);
    conversation.output('1').flush();
    second.makeRoomForRows(2_000);
    second.over();
    conversation.makeRoomForRows(10_000_000);
  }
}
