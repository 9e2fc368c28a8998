package io.dure.agent;

import io.dure.host.config.LocalConfigSource;
import io.dure.host.net.AcceptLoop;
import io.dure.host.net.PeerCredentials;
import io.dure.host.net.UnixListener;
import io.dure.host.process.ProcFs;
import io.dure.host.quota.Quota;
import io.dure.host.relay.StepGateway;
import io.dure.host.trust.ClusterKey;
import io.dure.host.trust.ClusterKeyException;
import io.dure.host.user.CurrentProcess;
import java.io.Closeable;
import java.io.IOException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Set;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/**
 * Serves the clients of one machine: each call is a command that runs on a thread of its own. Calls
 * are bounded, so that no user keeps the others out; a client that is turned away runs its command
 * by itself.
 */
final class AgentServer implements Closeable {
  private static final int MOST_CALLS = 512;

  private static final int BACKLOG = 1024;
  private static final int ALL_USERS = 0666;
  private static final long BEAT_NANOS = Duration.ofSeconds(1).toNanos();

  private final Path socket;
  private final ConnectionPool connections;
  private final CallService work;
  private final Logger log;
  private final Quota<Integer> calls = new Quota<>(MOST_CALLS, MOST_CALLS / 2, Set.of(0));
  private final ThreadPoolExecutor threads =
      new ThreadPoolExecutor(
          0,
          MOST_CALLS + 32,
          30,
          TimeUnit.SECONDS,
          new SynchronousQueue<>(),
          Thread.ofPlatform().name("call-", 0).factory());
  private final @Nullable StepGateway gateway;
  private volatile UnixListener listener;
  private volatile boolean closed;

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
    this.connections = new ConnectionPool(configuration);
    this.gateway = gateway(socket, configuration, log);
    this.work =
        new CallService(configuration, connections, gateway == null ? null : gateway.socket(), log);
    this.log = log;
  }

  /** Null on a machine without the cluster key, from which steps reach its own nodes only. */
  private static @Nullable StepGateway gateway(Path socket, Path configuration, Logger log)
      throws IOException {
    try {
      ClusterKey key =
          ClusterKey.load(
              LocalConfigSource.keyBeside(configuration), CurrentProcess.effectiveUid());
      return new StepGateway(
          socket.resolveSibling("relay.sock"),
          key,
          ProcFs.ofThisMachine().shortHostName(),
          InstantSource.system(),
          log);
    } catch (ClusterKeyException e) {
      log.info("steps are not started on other machines from here: " + e.getMessage());
      return null;
    }
  }

  private UnixListener listen() throws IOException {
    return UnixListener.open(socket, ALL_USERS, BACKLOG);
  }

  /** Serves until it is closed. */
  void run() {
    HeapTrimmer tidiness = new HeapTrimmer();
    if (gateway != null) {
      gateway.start();
    }
    // Apart, for a disk that stands still must not keep clients from hearing that all is well.
    Thread beats = everySecond("beats", work::beat);
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
      threads.execute(() -> {
        try {
          work.serve(channel, peer);
        } finally {
          // It may have been interrupted, and goes on with other calls.
          Thread.interrupted();
          calls.release(peer.uid(), 1);
        }
      });
    } catch (RejectedExecutionException e) {
      calls.release(peer.uid(), 1);
      channel.close();
    }
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

  @Override
  public void close() throws IOException {
    closed = true;
    listener.close();
    if (gateway != null) {
      gateway.close();
    }
    threads.shutdownNow();
    connections.close();
  }
}
