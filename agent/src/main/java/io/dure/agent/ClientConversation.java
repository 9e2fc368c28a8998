package io.dure.agent;

import io.dure.host.net.SocketReadiness;
import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.ProtocolException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The frames between the agent and one client: a type (1 byte), a length (4 bytes, big-endian), the
 * payload. One thread runs the command; others may call {@link #beat} and {@link #close}.
 */
final class ClientConversation implements Closeable {
  private static final byte[] MAGIC = {'D', 'u', 'r', 'e', 'A', 'g', '0', '1'};
  private static final int MOST_CALL_BYTES = 8 << 20;
  private static final Duration CALL_PATIENCE = Duration.ofSeconds(3);
  private static final Duration ROWS_PATIENCE = Duration.ofSeconds(3);
  private static final Duration INPUT_PATIENCE = Duration.ofSeconds(10);
  private static final int HEADER = 5;
  private static final int CHUNK = 1 << 16;

  /** A chunk and the number before it. */
  private static final int MOST_FRAME_BYTES = CHUNK + 8;

  /** No longer than the answer that the file has ended. */
  private static final int EMPTY = 4;

  private final SocketChannel channel;
  private final int uid;
  private final LargeListingSlots.Turn turn;
  private final ByteBuffer in = ByteBuffer.allocate(1 << 13).flip();
  private final ReentrantLock sending = new ReentrantLock();
  private final ByteBuffer out = ByteBuffer.allocate(1 << 13);
  private final MemoryBudget budget;
  private long callHeld;
  private long inputHeld;
  private long inputBytes;
  private long rowsHeld;
  private boolean ending;
  private boolean over;
  private volatile long lastSent = System.nanoTime();
  private volatile boolean called;
  private boolean complained;

  /**
   * A conversation over a channel in blocking mode whose peer the kernel has named.
   *
   * @param turn the call's turn to make something large, which it lends to others while the client
   *     reads and ends when it asks the client for something
   * @param budget what is charged for the call's memory, until {@link #over}
   */
  ClientConversation(
      SocketChannel channel, int uid, LargeListingSlots.Turn turn, MemoryBudget budget) {
    this.channel = channel;
    this.uid = uid;
    this.turn = turn;
    this.budget = budget;
  }

  /**
   * Reads the call, once there is room for it.
   *
   * @throws ProtocolException if what comes is no call
   * @throws IOException if there is no room
   */
  ClientCall receiveCall() throws IOException {
    if (!Arrays.equals(receive(MAGIC.length), MAGIC)) {
      throw new ProtocolException("no client of this agent");
    }
    byte[] header = receive(HEADER);
    int length = ByteBuffer.wrap(header).getInt(1);
    if (header[0] != 'A' || length < 0 || length > MOST_CALL_BYTES) {
      throw new ProtocolException("a call of " + Integer.toUnsignedString(length) + " bytes");
    }
    long unread = MemoryBudget.ofCall(length, 0);
    if (!MemoryBudget.await(budget.calls(), uid, unread, CALL_PATIENCE)) {
      throw new IOException("no room for a call of " + length + " bytes");
    }
    callHeld = unread;
    byte[] payload = receive(length);
    long strings = 0;
    for (byte letter : payload) {
      strings += letter == 0 ? 1 : 0;
    }
    long more = MemoryBudget.ofCall(length, strings) - callHeld;
    if (!budget.calls().tryAcquire(uid, more)) {
      throw new IOException("no room for a call of " + strings + " strings");
    }
    callHeld += more;
    ClientCall call = ClientCall.read(payload);
    called = true;
    return call;
  }

  /** Sees that there is room for more bytes that the command reads; else why there is none. */
  private @Nullable IOException makeRoom(int more) {
    inputBytes += more;
    if (inputBytes > MemoryBudget.MOST_INPUT) {
      return new IOException("more input than the agent takes");
    }
    long needed = MemoryBudget.ofInput(inputBytes);
    if (more > EMPTY && needed > inputHeld) {
      // Calls that kept their memory while they wait for more would deadlock.
      holdInput(0);
      if (!MemoryBudget.await(budget.input(), uid, needed, INPUT_PATIENCE)) {
        return new IOException("the agent has no room for more input now");
      }
      inputHeld = needed;
    }
    return null;
  }

  /**
   * Takes memory for a long listing, until it is out.
   *
   * @throws MemoryQuotaExceededException if the user has too many that are not over, or all users
   *     together
   */
  void makeRoomForRows(int jobs) {
    long more = budget.ofRows(jobs) - rowsHeld;
    if (more <= 0) {
      return;
    }
    if (!budget.rows().tryAcquire(uid, more)) {
      // Those that are under way are soon out, if their readers read.
      turn.leave();
      try {
        if (!MemoryBudget.await(budget.rows(), uid, more, ROWS_PATIENCE)) {
          throw new MemoryQuotaExceededException("a listing of " + jobs + " jobs");
        }
      } finally {
        turn.comeBack();
      }
    }
    rowsHeld += more;
  }

  /** All input has been read: from now on it takes what it is. */
  void allRead() {
    holdInput(Math.min(inputHeld, MemoryBudget.ofRead(inputBytes)));
  }

  private void holdInput(long less) {
    budget.input().release(uid, inputHeld - less);
    inputHeld = less;
  }

  /** Whether the call has come. */
  boolean called() {
    return called;
  }

  /** When the last frame was sent, by {@link System#nanoTime}. */
  long lastSent() {
    return lastSent;
  }

  private byte[] receive(int length) throws IOException {
    byte[] bytes = new byte[Math.min(length, CHUNK)];
    int at = 0;
    while (at < length) {
      if (at == bytes.length) {
        bytes = Arrays.copyOf(bytes, Math.min(length, 2 * bytes.length));
      }
      if (!in.hasRemaining()) {
        in.clear();
        int got = channel.read(in);
        in.flip();
        if (got < 0) {
          throw new EOFException("the client is gone");
        }
      }
      int part = Math.min(in.remaining(), bytes.length - at);
      in.get(bytes, at, part);
      at += part;
    }
    return bytes;
  }

  /**
   * Sends a frame and waits for the one that answers it; others that come meanwhile are dropped.
   */
  byte[] ask(char question, byte[] payload, char answer) throws IOException {
    byte[] reply = ask(question, payload, answer, signal -> true);
    if (reply == null) {
      throw new IOException("no answer was waited for");
    }
    return reply;
  }

  /**
   * The same, for a frame whose answer takes a while.
   *
   * @param goesOn told of each signal that the client has got: false to wait no longer
   * @return null if it was not waited for
   */
  byte @Nullable [] ask(char question, byte[] payload, char answer, Predicate<ByteBuffer> goesOn)
      throws IOException {
    turn.end();
    send(question, payload, 0, payload.length, true);
    while (true) {
      byte[] header = receive(HEADER);
      int length = ByteBuffer.wrap(header).getInt(1);
      if (length < 0 || length > MOST_FRAME_BYTES) {
        throw new ProtocolException("a frame of " + Integer.toUnsignedString(length) + " bytes");
      }
      IOException refused = answer == 'I' || answer == 'r' ? makeRoom(length) : null;
      byte[] reply = receive(length);
      if (refused != null) {
        throw refused;
      }
      if (header[0] == answer) {
        return reply;
      }
      if (header[0] == 'G' && length >= Integer.BYTES && !goesOn.test(ByteBuffer.wrap(reply))) {
        return null;
      }
    }
  }

  /** Sends a frame, now or with the next one that is sent now. */
  void send(char type, byte[] bytes, int from, int length, boolean now) throws IOException {
    sending.lock();
    try {
      if (out.remaining() < HEADER + length) {
        drain();
      }
      if (HEADER + length > out.capacity()) {
        ByteBuffer large = ByteBuffer.allocate(HEADER + length);
        write(large.put((byte) type).putInt(length).put(bytes, from, length).flip());
        return;
      }
      out.put((byte) type).putInt(length).put(bytes, from, length);
      if (now) {
        drain();
      }
    } catch (IOException e) {
      // A print stream keeps this for itself, and the command would go on.
      Thread.currentThread().interrupt();
      throw e;
    } finally {
      sending.unlock();
    }
  }

  private void drain() throws IOException {
    out.flip();
    try {
      write(out);
    } finally {
      out.clear();
    }
  }

  private void write(ByteBuffer bytes) throws IOException {
    while (bytes.hasRemaining()) {
      channel.write(bytes);
    }
    lastSent = System.nanoTime();
  }

  /**
   * Says that the command is at work, unless the client does not read, and interrupts the command's
   * thread if the client is gone. Does not block; does nothing while something is being sent, since
   * the sending thread finds out.
   */
  void beat(Thread thread) {
    if (!sending.tryLock()) {
      return;
    }
    try {
      SocketReadiness client = SocketReadiness.of(channel);
      if (client.gone()) {
        abandon(thread);
      } else if (client.writable()) {
        // What waits there goes along, unless it leaves no room.
        if (out.remaining() >= HEADER) {
          out.put((byte) 'K').putInt(0);
        }
        drain();
      }
    } catch (IOException e) {
      abandon(thread);
    } finally {
      sending.unlock();
    }
  }

  /** Interrupts the command's thread, unless the command is over. Holds the lock. */
  private void abandon(Thread thread) {
    if (!over) {
      thread.interrupt();
    }
  }

  /**
   * Says that the command begins. A client that hears nothing for a while runs the command by
   * itself, and this agent may have stood still for so long: a client that has not gone by now
   * waits for the command's end.
   *
   * @throws IOException if the client is gone
   */
  void begin() throws IOException {
    send('K', new byte[0], 0, 0, true);
  }

  /**
   * Checks that the client still wants what the command is about to do.
   *
   * @throws CallerDisconnectedException if the client is gone
   */
  void checkPresence() {
    CallerDisconnectedException.check();
    boolean gone;
    try {
      gone = SocketReadiness.of(channel).gone();
    } catch (IOException e) {
      gone = true;
    }
    if (gone) {
      Thread.currentThread().interrupt();
      throw new CallerDisconnectedException();
    }
  }

  /** The command's thread has nothing more to do with this, and keeps nothing of it. */
  void over() {
    sending.lock();
    try {
      over = true;
    } finally {
      sending.unlock();
    }
    holdInput(0);
    budget.calls().release(uid, callHeld);
    callHeld = 0;
    giveRowsBack();
  }

  /** What was to be listed is out, or text by now. */
  void giveRowsBack() {
    budget.rows().release(uid, rowsHeld);
    rowsHeld = 0;
  }

  /** Whether something went to standard error. */
  boolean complained() {
    return complained;
  }

  /** From now on output goes out with the exit code. */
  void ending() {
    ending = true;
  }

  /** Ends the command. */
  void exit(int code) throws IOException {
    byte[] payload = ByteBuffer.allocate(4).putInt(code).array();
    send('X', payload, 0, payload.length, true);
  }

  /** Lets the client run the command by itself. */
  void fallBack() throws IOException {
    send('F', new byte[0], 0, 0, true);
  }

  /** Standard output ({@code '1'}) or error ({@code '2'}) of the client. */
  OutputStream output(char type) {
    return new OutputStream() {
      @Override
      public void write(int letter) throws IOException {
        write(new byte[] {(byte) letter}, 0, 1);
      }

      @Override
      public void write(byte[] bytes, int from, int length) throws IOException {
        complained |= type == '2';
        turn.leave();
        try {
          for (int at = 0; at < length; at += CHUNK) {
            send(type, bytes, from + at, Math.min(CHUNK, length - at), !ending);
          }
        } finally {
          turn.comeBack();
        }
      }

      @Override
      public void flush() {
        // The large part is out; after a flush the command may wait for something.
        turn.end();
        if (type == '1') {
          giveRowsBack();
        }
      }
    };
  }

  /** Standard input of the client, which sends a chunk whenever one is asked for. */
  InputStream input() {
    return new ChunkedInputStream(() -> {
      byte[] chunk = ask('S', new byte[0], 'I');
      if (chunk.length == 0) {
        allRead();
      }
      return chunk;
    });
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }
}
