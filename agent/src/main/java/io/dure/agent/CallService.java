package io.dure.agent;

import io.dure.cli.CommandRegistry;
import io.dure.cli.command.CliCommand;
import io.dure.cli.command.CommandContext;
import io.dure.cli.command.ControllerConnector;
import io.dure.cli.connect.ClusterConnector;
import io.dure.cli.process.CurrentProcessCaller;
import io.dure.cli.process.FilterScripts;
import io.dure.host.config.LocalConfigSource;
import io.dure.host.log.LogMarkers;
import io.dure.host.net.PeerCredentials;
import io.dure.host.user.CurrentProcess;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/**
 * Carries out calls of clients: each is a command with its caller's identity, words, streams and
 * files. The memory of each is bounded.
 */
final class CallService {
  /** Half of the processors make large listings: the rest is there for everything else. */
  private static final int MOST_LARGE = Math.max(1, Runtime.getRuntime().availableProcessors() / 2);

  private static final int MOST_SENDERS = 2;
  private static final long PATIENCE_MILLIS = 20;
  private static final int OUTPUT_BUFFER = 1 << 14;
  private static final long BEAT_NANOS = Duration.ofSeconds(1).toNanos();
  private static final long CALL_NANOS = Duration.ofSeconds(10).toNanos();

  /** Commands whose options a script of the site may judge. */
  private static final List<String> FILTERED =
      List.of("sbatch", "srun", "salloc", "scrontab", "qsub", "bsub");

  private final Path configuration;
  private final ConnectionPool connections;
  private final @Nullable Path gateway;
  private final Logger log;
  private final MemoryBudget budget = MemoryBudget.of(Runtime.getRuntime().maxMemory());
  private final Semaphore senders = new Semaphore(MOST_SENDERS, true);
  private final ListingCoalescer sameListings = new ListingCoalescer();
  private final LargeListingSlots turns = new LargeListingSlots(MOST_LARGE);
  private final CurrentProcessCaller here = new CurrentProcessCaller(Path.of("/proc"));
  private final Map<ClientConversation, Thread> running = new ConcurrentHashMap<>();

  /** A call while its command runs. */
  private record Served(
      CliCommand command,
      ClientCall call,
      PeerCredentials peer,
      ClientConversation conversation,
      LargeListingSlots.Turn turn) {}

  /**
   * A service.
   *
   * @param configuration the cluster whose commands are run; callers of other clusters run theirs
   *     by themselves
   * @param gateway socket at which callers reach nodes of other machines, null for none
   */
  CallService(Path configuration, ConnectionPool connections, @Nullable Path gateway, Logger log) {
    this.configuration = configuration;
    this.gateway = gateway;
    this.connections = connections;
    this.log = log;
  }

  /** Carries out the call that comes over a channel, to its end; closes the channel. Any thread. */
  void serve(SocketChannel channel, PeerCredentials peer) {
    LargeListingSlots.Turn turn = turns.turn();
    ClientConversation conversation = new ClientConversation(channel, peer.uid(), turn, budget);
    running.put(conversation, Thread.currentThread());
    try {
      ClientCall call = conversation.receiveCall();
      CliCommand command = CommandRegistry.forUsers(call.program());
      if (command == null
          || call.directory().isEmpty()
          || !isMine(call)
          || needsRights(call, peer)) {
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
    }
  }

  /** Whether the caller's configuration is this agent's file, by whatever name. */
  private boolean isMine(ClientCall call) {
    String named = call.environment().get("SLURM_CONF");
    try {
      Path file =
          Path.of(call.directory())
              .resolve(
                  named == null || named.isEmpty() ? LocalConfigSource.usual().toString() : named);
      return file.equals(configuration) || Files.isSameFile(file, configuration);
    } catch (InvalidPathException | IOException e) {
      return false;
    }
  }

  /**
   * Whether a script of the site is to run with the caller's rights, or at its terminal, neither of
   * which this process has.
   */
  private boolean needsRights(ClientCall call, PeerCredentials peer) {
    return FILTERED.contains(call.program())
        && (peer.uid() != CurrentProcess.effectiveUid() || call.hasTerminal())
        && FilterScripts.isAsked(configuration);
  }

  private void carryOut(Served served) throws IOException {
    ClientConversation conversation = served.conversation();
    ListingCoalescer.Listing listing =
        connections.manyJobs() && tokenOf(served.call()) == null
            ? ListingCoalescer.of(served.call(), served.peer())
            : null;
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
                    new ClientProcess(peer, call, files, here, conversation, gateway),
                    new CallerZoneClock(call.environment().get("TZ"), turn),
                    way(served)));
    turn.end();
    conversation.giveRowsBack();
    return code;
  }

  /** Who shows a token may be another user than the kernel names: nothing is shared with him. */
  private ControllerConnector way(Served served) {
    PeerCredentials peer = served.peer();
    String token = tokenOf(served.call());
    return token == null
        ? connections.of(peer.uid(), peer.gid(), served.turn(), served.conversation())
        : new ClusterConnector(configuration, peer.uid(), peer.gid()).showing(token);
  }

  private static @Nullable String tokenOf(ClientCall call) {
    return call.environment().get(ClusterConnector.TOKEN_VARIABLE);
  }

  /** Tells clients that their commands are at work, and ends the calls of those that are gone. */
  void beat() {
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
}
