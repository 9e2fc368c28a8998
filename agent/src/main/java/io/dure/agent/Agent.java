package io.dure.agent;

import io.dure.cli.Commands;
import io.dure.cli.command.Command;
import io.dure.cli.command.CommandContext;
import io.dure.cli.process.ProcessCaller;
import io.dure.host.config.ConfigFiles;
import io.dure.host.log.Log;
import io.dure.host.net.AcceptLoop;
import io.dure.host.net.PeerCredentials;
import io.dure.host.net.Places;
import io.dure.host.net.UnixListener;
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

/**
 * Serves the clients of one machine: each call is a command that runs on a thread of its own with
 * its caller's identity, words, streams and files. Calls, and the memory of each, are bounded, so
 * that nobody keeps the others out; a client that is turned away runs its command by itself.
 */
final class Agent implements Closeable {
  private static final int MOST_CALLS = 512;

  /** Half of the processors make large listings: the rest is there for everything else. */
  private static final int MOST_LARGE = Math.max(1, Runtime.getRuntime().availableProcessors() / 2);

  private static final int BACKLOG = 1024;
  private static final int EVERYBODY = 0666;
  private static final int MOST_SENDERS = 2;
  private static final long PATIENCE_MILLIS = 20;
  private static final int OUTPUT_BUFFER = 1 << 14;
  private static final long BEAT_NANOS = Duration.ofSeconds(1).toNanos();
  private static final long CALL_NANOS = Duration.ofSeconds(10).toNanos();

  private final Path socket;
  private final Path configuration;
  private final WarmConnections connections;
  private final Log log;
  private final Budget budget = Budget.of(Runtime.getRuntime().maxMemory());
  private final Semaphore senders = new Semaphore(MOST_SENDERS, true);
  private final ListingCoalescer sameListings = new ListingCoalescer();
  private final Turns turns = new Turns(MOST_LARGE);
  private final Places<Integer> places = new Places<>("user", MOST_CALLS, Set.of(0));
  private final Map<Conversation, Thread> running = new ConcurrentHashMap<>();
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
      Command command,
      Call call,
      PeerCredentials peer,
      Conversation conversation,
      Turns.Turn turn) {}

  /**
   * An agent that listens.
   *
   * @param socket where; its pid file is held
   * @param configuration the cluster whose commands are run; callers of other clusters run theirs
   *     by themselves
   * @throws IOException if it cannot listen there
   */
  Agent(Path socket, Path configuration, Log log) throws IOException {
    this.socket = socket;
    this.listener = listen();
    this.configuration = configuration;
    this.connections = new WarmConnections(configuration);
    this.log = log;
  }

  private UnixListener listen() throws IOException {
    return UnixListener.open(socket, EVERYBODY, BACKLOG);
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

  /** Listens anew if somebody has removed the socket; ends if another agent has taken its place. */
  private void lookAfterSocket() {
    UnixListener before = listener;
    if (closed || before.isInPlace()) {
      return;
    }
    try {
      if (Files.exists(socket, LinkOption.NOFOLLOW_LINKS)) {
        throw new IOException("somebody else listens there");
      }
      listener = listen();
      log.info("the socket " + socket + " was removed; listening anew");
      before.close();
      if (closed) {
        listener.close();
      }
    } catch (IOException e) {
      log.error("the socket " + socket + " is lost: " + e.getMessage() + "; the agent ends");
      end();
    }
  }

  private void end() {
    try {
      close();
    } catch (IOException e) {
      log.error("the socket cannot be closed: " + e.getMessage());
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
    if (!places.take(peer.uid())) {
      channel.close();
      return;
    }
    try {
      threads.execute(() -> serve(channel, peer));
    } catch (RejectedExecutionException e) {
      places.giveBack(peer.uid());
      channel.close();
    }
  }

  private void serve(SocketChannel channel, PeerCredentials peer) {
    Turns.Turn turn = turns.turn();
    Conversation conversation = new Conversation(channel, peer.uid(), turn, budget);
    running.put(conversation, Thread.currentThread());
    try {
      Call call = conversation.receiveCall();
      Command command = Commands.forUsers(call.program());
      if (command == null || call.directory().isEmpty() || !isMine(call)) {
        conversation.fallBack();
      } else {
        conversation.begin();
        carryOut(new Served(command, call, peer, conversation, turn));
      }
    } catch (OutOfQuotaException e) {
      log.verbose("user " + peer.uid() + ": " + e.getMessage());
      fallBack(conversation);
    } catch (IOException | CallerGoneException e) {
      log.verbose("a call of user " + peer.uid() + " ended: " + e.getMessage());
    } catch (RuntimeException | StackOverflowError bug) {
      log.error("bug in a command of user " + peer.uid(), bug);
    } finally {
      hangUp(conversation);
      running.remove(conversation);
      turn.end();
      conversation.over();
      // It may have been interrupted, and goes on with other calls.
      Thread.interrupted();
      places.giveBack(peer.uid());
    }
  }

  /** Whether the caller's configuration is this agent's file, by whatever name. */
  private boolean isMine(Call call) {
    String named = call.environment().get("SLURM_CONF");
    try {
      Path file =
          Path.of(call.directory())
              .resolve(named == null || named.isEmpty() ? ConfigFiles.DEFAULT_PATH : named);
      return file.equals(configuration) || Files.isSameFile(file, configuration);
    } catch (InvalidPathException | IOException e) {
      return false;
    }
  }

  private void carryOut(Served served) throws IOException {
    Conversation conversation = served.conversation();
    ListingCoalescer.Listing listing =
        connections.manyJobs() ? ListingCoalescer.of(served.call(), served.peer()) : null;
    if (listing != null) {
      SharedOutput own =
          new SharedOutput(conversation.output('1'), budget.outputs(), served.peer().uid());
      SharedOutput other = sameListings.join(listing, own);
      if (other == null) {
        makeForAll(served, listing, own);
        return;
      }
      try {
        SharedOutput.Result result = other.await();
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

  private void makeForAll(Served served, ListingCoalescer.Listing listing, SharedOutput output)
      throws IOException {
    Conversation conversation = served.conversation();
    try {
      LockSupport.parkNanos(sameListings.patience(listing));
      CallerGoneException.check();
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

  /** A few at a time, but nobody waits long for somebody who does not read. */
  private void send(SharedOutput.Result result, OutputStream output) throws IOException {
    boolean mine = false;
    try {
      mine = senders.tryAcquire(PATIENCE_MILLIS, TimeUnit.MILLISECONDS);
      result.writeTo(output);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new CallerGoneException();
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
    Call call = served.call();
    PeerCredentials peer = served.peer();
    Conversation conversation = served.conversation();
    Turns.Turn turn = served.turn();
    ClientFiles files = new ClientFiles(conversation);
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
                    new ClientCaller(peer, call, files, new ProcessCaller(Path.of("/proc"))),
                    new CallerClock(call.environment().get("TZ"), turn),
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
              log.error("bug in the thread " + name, bug);
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

  private void fallBack(Conversation conversation) {
    try {
      conversation.fallBack();
    } catch (IOException e) {
      log.verbose("a client that is gone: " + e.getMessage());
    }
  }

  private void hangUp(Conversation conversation) {
    try {
      conversation.close();
    } catch (IOException e) {
      log.verbose("a connection that cannot be closed: " + e.getMessage());
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
