package io.dure.controller.accounting;

import io.dure.host.relay.RelayDialer;
import io.dure.host.trust.AuthToken;
import io.dure.host.trust.ClusterKey;
import io.dure.host.user.CurrentProcess;
import io.dure.model.config.accounting.BookPrivacyReader;
import io.dure.protocol.WireCodecs;
import io.dure.protocol.codec.MalformedMessageException;
import io.dure.protocol.codec.RecordCodec;
import io.dure.protocol.slurmdbd.BookKeeper;
import io.dure.protocol.slurmdbd.SlurmdbdReply;
import io.dure.protocol.slurmdbd.SlurmdbdRequest;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Speaks with slurmdbd, or with the one that stands in for it where the first does not answer. Any
 * thread.
 */
public final class SlurmdbdClient implements AutoCloseable {
  private static final String NAME = "slurmdbd";
  private static final Duration TOKEN_LIFE = Duration.ofMinutes(5);
  private static final int MOST_IDLE = 4;

  private final List<InetSocketAddress> addresses;
  private final ClusterKey key;
  private final InstantSource clock;
  private final RelayDialer dialer;
  private final SecureRandom random = new SecureRandom();
  private final ReentrantLock lock = new ReentrantLock();

  /** Connections that nobody uses, the newest first; guarded by the lock. */
  private final Deque<RelayDialer.DaemonConnection> idle = new ArrayDeque<>();

  /** All that are open; guarded by the lock. */
  private final Deque<RelayDialer.DaemonConnection> open = new ArrayDeque<>();

  /** As long as the daemon has not said it, all. */
  private final AtomicReference<List<String>> privateData =
      new AtomicReference<>(BookPrivacyReader.WORDS);

  private boolean closed;

  /**
   * A client that has not connected yet.
   *
   * @param addresses where to ask, the first one first
   */
  public SlurmdbdClient(List<InetSocketAddress> addresses, ClusterKey key, InstantSource clock) {
    this.addresses = List.copyOf(addresses);
    this.key = key;
    this.clock = clock;
    dialer = new RelayDialer(key, clock);
  }

  /** Where it asks, for logs. */
  public String name() {
    StringBuilder name = new StringBuilder("slurmdbd at ");
    for (InetSocketAddress address : addresses) {
      name.append(name.charAt(name.length() - 1) == ' ' ? "" : ", ");
      name.append(address.getHostString()).append(':').append(address.getPort());
    }
    return name.toString();
  }

  /**
   * The answer to a request.
   *
   * @param limit how long it may take
   * @throws IOException if there is none, or it says that it could not be done; what was asked for
   *     may be done or not
   */
  public SlurmdbdReply ask(SlurmdbdRequest request, Duration limit) throws IOException {
    // What must not be repeated goes over a connection that was not idle, so that it is known to
    // be alive.
    boolean once =
        request instanceof SlurmdbdRequest.ChangeAccounts
            || request instanceof SlurmdbdRequest.RemoveClusters
            || request instanceof SlurmdbdRequest.Archive
            || request instanceof SlurmdbdRequest.LoadArchive;
    RelayDialer.DaemonConnection used = once ? null : idle();
    if (used != null) {
      try {
        return exchange(used, request, limit);
      } catch (IOException e) {
        drop(used);
      }
    }
    RelayDialer.DaemonConnection fresh = dial();
    try {
      return exchange(fresh, request, limit);
    } catch (IOException e) {
      drop(fresh);
      throw e;
    }
  }

  /** The same, where only one kind of answer makes sense. */
  <R extends SlurmdbdReply> R ask(SlurmdbdRequest request, Class<R> type, Duration limit)
      throws IOException {
    SlurmdbdReply reply = ask(request, limit);
    if (reply instanceof SlurmdbdReply.Failed(String text)) {
      throw new IOException(text);
    }
    if (!type.isInstance(reply)) {
      throw new IOException("slurmdbd is of another release");
    }
    return type.cast(reply);
  }

  private SlurmdbdReply exchange(
      RelayDialer.DaemonConnection with, SlurmdbdRequest request, Duration limit)
      throws IOException {
    RecordCodec<SlurmdbdRequest> requests = WireCodecs.slurmdbdRequests();
    RecordCodec<SlurmdbdReply> replies = WireCodecs.slurmdbdReplies();
    with.connection().timeLimit(limit);
    with.connection().send(requests.encode(request));
    byte[] answer = with.connection().receive(WireCodecs.MAX_RESPONSE);
    if (answer == null) {
      throw new IOException("slurmdbd closed the connection");
    }
    try {
      SlurmdbdReply reply = replies.decode(answer);
      learn(reply);
      keep(with);
      return reply;
    } catch (MalformedMessageException e) {
      throw new IOException("slurmdbd is of another release", e);
    }
  }

  /** A daemon that began anew may hide more; whoever has a connection to it would not notice. */
  private void learn(SlurmdbdReply reply) {
    List<String> said =
        reply instanceof SlurmdbdReply.Position there
            ? there.privateData()
            : reply instanceof SlurmdbdReply.SharedUsage usage ? usage.privateData() : null;
    if (said != null) {
      privateData.set(said);
    }
  }

  /** What of the books is hidden from others, as the daemon last said. */
  List<String> privateData() {
    return privateData.get();
  }

  private RelayDialer.DaemonConnection dial() throws IOException {
    IOException first = null;
    for (InetSocketAddress address : addresses) {
      try {
        return opened(dial(address));
      } catch (IOException e) {
        first =
            first == null
                ? new IOException(
                    address.getHostString() + ":" + address.getPort() + ": " + e.getMessage(), e)
                : first;
      }
    }
    throw first == null ? new IOException("no address") : first;
  }

  private RelayDialer.DaemonConnection dial(InetSocketAddress address) throws IOException {
    String token =
        AuthToken.forUser(
                NAME,
                CurrentProcess.effectiveUid(),
                CurrentProcess.effectiveGid(),
                "",
                clock.instant().plus(TOKEN_LIFE),
                random)
            .sign(key);
    return dialer.connect(
        NAME, new InetSocketAddress(address.getHostString(), address.getPort()), token);
  }

  /** Which of the daemons answer now, by connections of their own. */
  List<BookKeeper> ping() {
    List<BookKeeper> all = new ArrayList<>();
    for (InetSocketAddress address : addresses) {
      long began = System.nanoTime();
      boolean responding;
      try {
        dial(address).socket().close();
        responding = true;
      } catch (IOException e) {
        responding = false;
      }
      long micros = (System.nanoTime() - began) / 1000;
      all.add(new BookKeeper(address.getHostString(), responding, micros));
    }
    return all;
  }

  private RelayDialer.DaemonConnection opened(RelayDialer.DaemonConnection made)
      throws IOException {
    lock.lock();
    try {
      if (!closed) {
        open.add(made);
        return made;
      }
    } finally {
      lock.unlock();
    }
    made.socket().close();
    throw new IOException("closed");
  }

  private RelayDialer.@Nullable DaemonConnection idle() {
    lock.lock();
    try {
      return idle.pollFirst();
    } finally {
      lock.unlock();
    }
  }

  private void keep(RelayDialer.DaemonConnection used) throws IOException {
    lock.lock();
    try {
      if (!closed && idle.size() < MOST_IDLE) {
        idle.addFirst(used);
        return;
      }
    } finally {
      lock.unlock();
    }
    drop(used);
  }

  private void drop(RelayDialer.DaemonConnection used) throws IOException {
    lock.lock();
    try {
      open.remove(used);
    } finally {
      lock.unlock();
    }
    used.socket().close();
  }

  /** Hangs up, also on what waits for an answer. */
  @Override
  public void close() throws IOException {
    lock.lock();
    try {
      closed = true;
      idle.clear();
      for (RelayDialer.DaemonConnection connection : open) {
        connection.socket().close();
      }
      open.clear();
    } finally {
      lock.unlock();
    }
  }
}
