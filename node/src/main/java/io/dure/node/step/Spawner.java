package io.dure.node.step;

import io.dure.model.UserIdentity;
import java.io.BufferedOutputStream;
import java.io.Closeable;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.StringJoiner;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/**
 * The program that accepts front ends of steps at the local socket and forks shepherds: it holds
 * the connections, which a JVM could not hand over. It is started again if it ends; front ends that
 * were not served yet have to connect again then. Any thread may give orders.
 */
public final class Spawner implements Closeable {
  private static final int LARGEST_NEWS = 17 << 20;
  private static final long PAUSE_MILLIS = 500;
  private static final Duration LONGEST_END = Duration.ofSeconds(5);

  private final Path program;
  private final Path socket;
  private final Path shepherd;
  private final Listener listener;
  private final Logger log;
  private final AtomicReference<@Nullable Thread> serving = new AtomicReference<>();
  private final CountDownLatch closed = new CountDownLatch(1);
  private final Map<Integer, CompletableFuture<Integer>> started = new ConcurrentHashMap<>();
  private volatile @Nullable Process process;
  private volatile @Nullable DataOutputStream orders;

  /** Takes what happens; called by one thread, and must not block for long. */
  public interface Listener {
    /** A front end sent its first frame. */
    void connected(StepConnection connection, byte[] payload);

    /** A shepherd was started for the step of that directory. */
    void started(int pid, Path directory);

    /** No shepherd could be started for the step of that directory. */
    void notStarted(int errno, Path directory);

    /** A shepherd ended, with its status as {@code wait(2)} gives it. */
    void ended(int pid, int status);

    /** The spawner ended: what was under way with it is lost. */
    void lost();
  }

  /**
   * A front end that waits to be served.
   *
   * @param spawn which spawner holds it: numbers begin again with each
   * @param id its number there
   * @param uid the user at the other end, by the kernel's word
   * @param gid the user's group
   * @param pid the process
   * @param type of the frame it began with
   */
  public record StepConnection(long spawn, int id, int uid, int gid, int pid, char type) {}

  /** Starts nothing before {@link #start}. */
  public Spawner(Path program, Path socket, Path shepherd, Listener listener, Logger log) {
    this.program = program;
    this.socket = socket;
    this.shepherd = shepherd;
    this.listener = listener;
    this.log = log;
  }

  /** Begins to serve, unless it does. */
  public void start() {
    Thread thread = Thread.ofPlatform().daemon().name("step spawner").unstarted(this::keepServing);
    if (serving.compareAndSet(null, thread)) {
      thread.start();
    }
  }

  private void keepServing() {
    try {
      do {
        serve();
      } while (!closed.await(PAUSE_MILLIS, TimeUnit.MILLISECONDS));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void serve() throws InterruptedException {
    try {
      Process child =
          new ProcessBuilder(program.toString(), socket.toString(), shepherd.toString())
              .redirectError(ProcessBuilder.Redirect.INHERIT)
              .start();
      process = child;
      orders = new DataOutputStream(new BufferedOutputStream(child.getOutputStream()));
      if (closed.getCount() == 0) {
        child.destroy(); // close() came before it was there to be seen
      }
      try (DataInputStream news = new DataInputStream(child.getInputStream())) {
        while (true) {
          hear(news, child.pid());
        }
      } finally {
        orders = null;
        child.destroy();
        child.waitFor();
      }
    } catch (EOFException e) {
      if (closed.getCount() > 0) {
        log.error("the step spawner " + program + " ended, starting it again");
      }
    } catch (IOException e) {
      if (closed.getCount() > 0) {
        log.error("the step spawner " + program + " cannot be used, trying again: " + e);
      }
    }
    started.values().forEach(process -> process.complete(-1));
    started.clear();
    if (closed.getCount() > 0) {
      listener.lost();
    }
  }

  private void hear(DataInputStream news, long spawn) throws IOException {
    char type = (char) news.readByte();
    int length = news.readInt();
    if (length < 0 || length > LARGEST_NEWS) {
      throw new IOException("news of " + Integer.toUnsignedString(length) + " bytes");
    }
    byte[] bytes = news.readNBytes(length);
    if (bytes.length < length) {
      throw new EOFException();
    }
    ByteBuffer payload = ByteBuffer.wrap(bytes);
    switch (type) {
      case 'C' -> {
        StepConnection connection =
            new StepConnection(
                spawn,
                payload.getInt(),
                payload.getInt(),
                payload.getInt(),
                payload.getInt(),
                (char) payload.get());
        listener.connected(connection, Arrays.copyOfRange(bytes, payload.position(), bytes.length));
      }
      case 'P' -> {
        payload.getInt();
        listener.started(payload.getInt(), path(payload));
      }
      case 'N' -> {
        payload.getInt();
        listener.notStarted(payload.getInt(), path(payload));
      }
      case 'W' -> listener.ended(payload.getInt(), payload.getInt());
      case 'X' -> {
        CompletableFuture<Integer> process = started.remove(payload.getInt());
        if (process != null) {
          process.complete(payload.getInt());
        }
      }
      default -> log.debug("step spawner: news " + type);
    }
  }

  private static Path path(ByteBuffer payload) {
    String text = StandardCharsets.UTF_8.decode(payload).toString();
    int end = text.indexOf('\0');
    return Path.of(end < 0 ? text : text.substring(0, end));
  }

  /**
   * Starts a shepherd for the step of a directory, with the connection if there is one.
   *
   * @throws IOException if there is no spawner now, or it is not the one that has the connection
   */
  public void startShepherd(@Nullable StepConnection connection, Path directory)
      throws IOException {
    order('S', connection, withId(connection, bytes(directory)));
  }

  /** Sends frames to a front end and closes its connection; one that is gone hears nothing. */
  public void answer(StepConnection connection, byte[] frames) {
    try {
      order('A', connection, withId(connection, frames));
    } catch (IOException e) {
      log.debug("a front end is not answered: " + e.getMessage());
    }
  }

  /** Sends one frame to a front end and closes its connection. */
  public void answer(StepConnection connection, char type, byte[] payload) {
    ByteBuffer frame = ByteBuffer.allocate(5 + payload.length);
    answer(connection, frame.put((byte) type).putInt(payload.length).put(payload).array());
  }

  /**
   * Lets a front end write or read a file as a user.
   *
   * @throws IOException if there is no spawner now, or it is not the one that has the connection
   */
  public CompletableFuture<Integer> moveFile(
      StepConnection connection, UserIdentity user, List<Integer> groups, @Nullable Path space)
      throws IOException {
    String words = words(user, groups) + (space == null ? "" : "\0" + space);
    return serve('F', connection, words);
  }

  /** A process that has the connection from now on, negative if there is none. */
  private CompletableFuture<Integer> serve(char type, StepConnection connection, String words)
      throws IOException {
    CompletableFuture<Integer> process = new CompletableFuture<>();
    started.put(connection.id(), process);
    try {
      order(type, connection, withId(connection, bytes(words)));
    } catch (IOException e) {
      started.remove(connection.id());
      throw e;
    }
    return process;
  }

  private static String words(UserIdentity user, List<Integer> groups) {
    StringJoiner all = new StringJoiner(",");
    groups.forEach(group -> all.add(Integer.toUnsignedString(group)));
    String uid = Integer.toUnsignedString(user.uid());
    return uid + "\0" + Integer.toUnsignedString(user.gid()) + "\0" + all;
  }

  /**
   * Gives a front end a display of this node, as a user.
   *
   * @param rest what its process is told beside the user
   * @return the process, negative if there is none, which the front end has heard then
   * @throws IOException if there is no spawner now, or it is not the one that has the connection
   */
  public CompletableFuture<Integer> openDisplay(
      StepConnection connection, UserIdentity user, List<Integer> groups, List<String> rest)
      throws IOException {
    String words = words(user, groups) + "\0" + String.join("\0", rest);
    return serve('X', connection, words);
  }

  /**
   * Hands a front end to a shepherd that runs; one that has just ended refuses it.
   *
   * @param control the socket of the shepherd
   * @throws IOException if there is no spawner now, or it is not the one that has the connection
   */
  public void join(StepConnection connection, Path control) throws IOException {
    order('J', connection, withId(connection, bytes(control)));
  }

  /** Tells a front end that its step is not started, and why. */
  public void refuse(StepConnection connection, int code, String text) {
    byte[] words = bytes(text);
    ByteBuffer frame = ByteBuffer.allocate(5 + 4 + words.length);
    frame.put((byte) 'R').putInt(4 + words.length).putInt(code).put(words);
    answer(connection, frame.array());
  }

  private static byte[] withId(@Nullable StepConnection connection, byte[] rest) {
    return ByteBuffer.allocate(4 + rest.length)
        .putInt(connection == null ? 0 : connection.id())
        .put(rest)
        .array();
  }

  private static byte[] bytes(Object text) {
    return (text + "\0").getBytes(StandardCharsets.UTF_8);
  }

  private synchronized void order(char type, @Nullable StepConnection connection, byte[] payload)
      throws IOException {
    DataOutputStream to = orders;
    Process now = process;
    if (to == null || now == null || connection != null && connection.spawn() != now.pid()) {
      throw new IOException("the step spawner has ended");
    }
    to.writeByte(type);
    to.writeInt(payload.length);
    to.write(payload);
    to.flush();
  }

  /** Ends to serve: the socket takes no front end any more when this returns. */
  @Override
  public void close() {
    closed.countDown();
    Process now = process;
    if (now != null) {
      now.destroy();
    }
    Thread thread = serving.get();
    if (thread != null) {
      try {
        thread.join(LONGEST_END);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
