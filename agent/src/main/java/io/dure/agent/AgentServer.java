package io.dure.agent;

import io.dure.cli.CommandRegistry;
import io.dure.cli.command.CliCommand;
import io.dure.cli.command.CommandContext;
import io.dure.cli.process.CurrentProcessCaller;
import io.dure.host.config.LocalConfigSource;
import io.dure.host.log.LogMarkers;
import io.dure.host.net.AcceptLoop;
import io.dure.host.net.PeerCredentials;
import io.dure.host.net.UnixListener;
import io.dure.host.quota.Quota;
import java.io.BufferedOutputStream;
import java.io.Closeable;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.slf4j.Logger;

/**
 * Serves the clients of one machine: each call is a command that runs on a thread of its own with
 * its caller's identity, words, streams and files. Calls, and the memory of each, are bounded, so
 * that no user keeps the others out; a client that is turned away runs its command by itself.
 */
final class AgentServer implements Closeable {
  private static final int MOST_CALLS = 512;

  /** Half of the processors make large listings: the rest is there for everything else. */
  private static final int MOST_LARGE = Math.max(1, Runtime.getRuntime().availableProcessors() / 2);

  private static final int BACKLOG = 1024;
  private static final int ALL_USERS = 0666;
  private static final int MOST_SENDERS = 2;
  private static final long PATIENCE_MILLIS = 20;
  private static final int OUTPUT_BUFFER = 1 << 14;
  private static final long BEAT_NANOS = Duration.ofSeconds(1).toNanos();
  private static final long CALL_NANOS = Duration.ofSeconds(10).toNanos();

  private final Path socket;
  private final Path configuration;
  private final ConnectionPool connections;
  private final Logger log;
  private final MemoryBudget budget = MemoryBudget.of(Runtime.getRuntime().maxMemory());
  private final Semaphore senders = new Semaphore(MOST_SENDERS, true);
  private final ListingCoalescer sameListings = new ListingCoalescer();
  private final LargeListingSlots turns = new LargeListingSlots(MOST_LARGE);
  private final Quota<Integer> calls = new Quota<>(MOST_CALLS, MOST_CALLS / 2, Set.of(0));
  private final Map<ClientConversation, Thread> running = new ConcurrentHashMap<>();
  private final ThreadPoolExecutor threads =
      new ThreadPoolExecutor(
          0,
          MOST_CALLS + 32,
          30,
          TimeUnit.SECONDS,
          new SynchronousQueue<>(),
          Thread.ofPlatform().name("call-", 0).factory());
  private volatile UnixListener listener;
  private volatile boolean closed;

  /** A call while its command runs. */
  private record Served(
      CliCommand command,
      ClientCall call,
      PeerCredentials peer,
      ClientConversation conversation,
      LargeListingSlots.Turn turn) {}

  /**
   * An agent that listens.
   *
   * @param socket where; its pid file is held
   * @param configuration the cluster whose commands are run; callers of other clusters run theirs
   *     by themselves
   * @throws IOException if it cannot listen there
   */
  AgentServer(Path socket, Path configuration, Logger log) throws IOException {
    this.socket = socket;
    this.listener = listen();
    this.configuration = configuration;
    this.connections = new ConnectionPool(configuration);
    this.log = log;
  }

  private UnixListener listen() throws IOException {
    return UnixListener.open(socket, ALL_USERS, BACKLOG);
  }

  /** Serves until it is closed. */
  void run() {
    HeapTrimmer tidiness = new HeapTrimmer();
    // Apart, for a disk that stands still must not keep clients from hearing that all is well.
    Thread beats = everySecond("beats", this::beat);
    Thread house =
        everySecond(
            "house",
            () -> {
              lookAfterSocket();
              connections.tidy();
              tidiness.look();
            });
    new AcceptLoop("agent's socket", () -> !closed, this::accept, log).run();
    beats.interrupt();
    house.interrupt();
  }

  private void accept() throws IOException {
    UnixListener now = listener;
    try {
      begin(now.accept());
    } catch (ClosedChannelException e) {
      if (now == listener) {
        throw e;
      }
    }
  }

  /** Creates the socket again if it was removed; ends if another agent has taken its place. */
  private void lookAfterSocket() {
    UnixListener before = listener;
    if (closed || before.isInPlace()) {
      return;
    }
    try {
      if (Files.exists(socket, LinkOption.NOFOLLOW_LINKS)) {
        throw new IOException("another process listens on it");
      }
      listener = listen();
      log.info("socket " + socket + " was removed, creating it again");
      before.close();
      if (closed) {
        listener.close();
      }
    } catch (IOException e) {
      log.error(
          "cannot create socket " + socket + " again: " + e.getMessage() + "; dure-agent exits");
      end();
    }
  }

  private void end() {
    try {
      close();
    } catch (IOException e) {
      log.error("cannot close the socket: " + e.getMessage());
    }
  }

  private void begin(SocketChannel channel) throws IOException {
    PeerCredentials peer;
    try {
      peer = PeerCredentials.of(channel);
    } catch (IOException e) {
      channel.close();
      return;
    }
    if (!calls.tryAcquire(peer.uid(), 1)) {
      channel.close();
      return;
    }
    try {
      threads.execute(() -> serve(channel, peer));
    } catch (RejectedExecutionException e) {
      calls.release(peer.uid(), 1);
      channel.close();
    }
  }

  private void serve(SocketChannel channel, PeerCredentials peer) {
    LargeListingSlots.Turn turn = turns.turn();
    ClientConversation conversation = new ClientConversation(channel, peer.uid(), turn, budget);
    running.put(conversation, Thread.currentThread());
    try {
      ClientCall call = conversation.receiveCall();
      CliCommand command = CommandRegistry.forUsers(call.program());
      if (command == null || call.directory().isEmpty() || !isMine(call)) {
        conversation.fallBack();
      } else {
        conversation.begin();
        carryOut(new Served(command, call, peer, conversation, turn));
      }
    } catch (MemoryQuotaExceededException e) {
      log.info(LogMarkers.VERBOSE, "user " + peer.uid() + ": " + e.getMessage());
      fallBack(conversation);
    } catch (IOException | CallerDisconnectedException e) {
      log.info(LogMarkers.VERBOSE, "call of user " + peer.uid() + " ended: " + e.getMessage());
    } catch (RuntimeException | StackOverflowError bug) {
      log.error("command of user " + peer.uid() + " failed, a bug in Dure", bug);
    } finally {
      hangUp(conversation);
      running.remove(conversation);
      turn.end();
      conversation.over();
      // It may have been interrupted, and goes on with other calls.
      Thread.interrupted();
      calls.release(peer.uid(), 1);
    }
  }

  /** Whether the caller's configuration is this agent's file, by whatever name. */
  private boolean isMine(ClientCall call) {
    String named = call.environment().get("SLURM_CONF");
    try {
      Path file =
          Path.of(call.directory())
              .resolve(named == null || named.isEmpty() ? LocalConfigSource.DEFAULT_PATH : named);
      return file.equals(configuration) || Files.isSameFile(file, configuration);
    } catch (InvalidPathException | IOException e) {
      return false;
    }
  }

  private void carryOut(Served served) throws IOException {
    ClientConversation conversation = served.conversation();
    ListingCoalescer.Listing listing =
        connections.manyJobs() ? ListingCoalescer.of(served.call(), served.peer()) : null;
    if (listing != null) {
      SharedListingOutput own =
          new SharedListingOutput(conversation.output('1'), budget.outputs(), served.peer().uid());
      SharedListingOutput other = sameListings.join(listing, own);
      if (other == null) {
        makeForAll(served, listing, own);
        return;
      }
      try {
        SharedListingOutput.Result result = other.await();
        if (result != null) {
          conversation.ending();
          send(result, conversation.output('1'));
          conversation.exit(result.code());
          return;
        }
      } finally {
        other.letGo();
      }
    }
    PrintStream out = printing(conversation.output('1'));
    int code = run(served, out);
    conversation.ending();
    out.flush();
    conversation.exit(code);
  }

  private void makeForAll(
      Served served, ListingCoalescer.Listing listing, SharedListingOutput output)
      throws IOException {
    ClientConversation conversation = served.conversation();
    try {
      LockSupport.parkNanos(sameListings.patience(listing));
      CallerDisconnectedException.check();
      served.turn().take();
      sameListings.begin(listing, output);
      PrintStream out = printing(output);
      int code = run(served, out);
      conversation.ending();
      out.flush();
      output.end(code, !conversation.complained());
      conversation.exit(code);
    } finally {
      sameListings.begin(listing, output);
      output.keepForOneself();
      output.letGo();
    }
  }

  /** A few at a time, but no call waits long for a client that does not read. */
  private void send(SharedListingOutput.Result result, OutputStream output) throws IOException {
    boolean mine = false;
    try {
      mine = senders.tryAcquire(PATIENCE_MILLIS, TimeUnit.MILLISECONDS);
      result.writeTo(output);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new CallerDisconnectedException();
    } finally {
      if (mine) {
        senders.release();
      }
    }
  }

  private static PrintStream printing(OutputStream output) {
    return new PrintStream(
        new BufferedOutputStream(output, OUTPUT_BUFFER), false, StandardCharsets.UTF_8);
  }

  private int run(Served served, PrintStream out) {
    ClientCall call = served.call();
    PeerCredentials peer = served.peer();
    ClientConversation conversation = served.conversation();
    LargeListingSlots.Turn turn = served.turn();
    CallerFileOpener files = new CallerFileOpener(conversation);
    int code =
        served
            .command()
            .run(
                new CommandContext(
                    call.program(),
                    call.arguments(),
                    call.environment(),
                    Path.of(call.directory()),
                    conversation.input(),
                    out,
                    new PrintStream(conversation.output('2'), true, StandardCharsets.UTF_8),
                    (call.terminals() & 2) != 0,
                    new ClientProcess(
                        peer,
                        call,
                        files,
                        new CurrentProcessCaller(Path.of("/proc")),
                        conversation),
                    new CallerZoneClock(call.environment().get("TZ"), turn),
                    connections.of(peer.uid(), peer.gid(), turn, conversation)));
    turn.end();
    conversation.giveRowsBack();
    return code;
  }

  private Thread everySecond(String name, Runnable work) {
    return Thread.ofPlatform()
        .daemon()
        .name(name)
        .start(() -> {
          while (!closed) {
            LockSupport.parkNanos(BEAT_NANOS);
            try {
              work.run();
            } catch (RuntimeException bug) {
              log.error("thread " + name + " failed, a bug in Dure", bug);
            }
          }
        });
  }

  /** Tells clients that their commands are at work, and ends the calls of those that are gone. */
  private void beat() {
    long now = System.nanoTime();
    running.forEach((conversation, thread) -> {
      long silent = now - conversation.lastSent();
      if (conversation.called()) {
        if (silent > BEAT_NANOS) {
          conversation.beat(thread);
        }
      } else if (silent > CALL_NANOS) {
        hangUp(conversation);
      }
    });
  }

  private void fallBack(ClientConversation conversation) {
    try {
      conversation.fallBack();
    } catch (IOException e) {
      log.info(LogMarkers.VERBOSE, "client disconnected: " + e.getMessage());
    }
  }

  private void hangUp(ClientConversation conversation) {
    try {
      conversation.close();
    } catch (IOException e) {
      log.info(LogMarkers.VERBOSE, "cannot close a connection: " + e.getMessage());
    }
  }

  @Override
  public void close() throws IOException {
    closed = true;
    listener.close();
    threads.shutdownNow();
    connections.close();
  }
}
