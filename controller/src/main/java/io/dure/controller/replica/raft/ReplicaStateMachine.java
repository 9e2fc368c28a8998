package io.dure.controller.replica.raft;

import io.dure.controller.replica.raft.PeerMessage.CommitMarker;
import io.microraft.statemachine.StateMachine;
import java.io.IOException;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What MicroRaft applies entries to: our replica. An exception in here would make replicas differ,
 * as MicroRaft goes on with the next entry; so it ends this member. The log's thread.
 */
public final class ReplicaStateMachine implements StateMachine {
  private final ReplicatedStateMachine replica;
  private final Listener listener;
  private boolean broken;

  /** Hears of what entries do beside changing the state. */
  public interface Listener {
    /** A batch of this member was kept. */
    void kept(Proposal proposal, long place);

    /** A mark was kept, and all before it told. */
    void marked(CommitMarker mark);

    /** A new leadership begins; its first entry. */
    CommitMarker begin();

    /** An exception in the replica. */
    void broken(Throwable cause);
  }

  public ReplicaStateMachine(ReplicatedStateMachine replica, Listener listener) {
    this.replica = replica;
    this.listener = listener;
  }

  @Override
  public @Nullable Object runOperation(long index, Object operation) {
    if (broken) {
      return null;
    }
    try {
      switch (operation) {
        case Proposal proposal when proposal.isAwaited() -> listener.kept(proposal, index);
        case Proposal proposal -> replica.committed(index, proposal.records());
        case CommitMarker mark -> listener.marked(mark);
        default -> throw new IllegalStateException("no entry: " + operation);
      }
    } catch (RuntimeException | Error e) {
      fail(e);
    }
    return null;
  }

  private void fail(Throwable cause) {
    broken = true;
    listener.broken(cause);
  }

  @Override
  public void takeSnapshot(long index, Consumer<Object> chunks) {
    if (broken) {
      // The state lacks what could not be applied: as a snapshot it would pass for all of it.
      throw new IllegalStateException("no snapshot after an entry that could not be applied");
    }
    chunks.accept(SnapshotContent.of(replica.image()));
  }

  @Override
  public void installSnapshot(long index, List<Object> chunks) {
    try {
      ((SnapshotContent) chunks.getFirst()).into(replica);
    } catch (IOException | RuntimeException | Error e) {
      fail(e);
    }
  }

  @Override
  public Object getNewTermOperation() {
    return listener.begin();
  }

  /** A batch in the log, as one and the same object from its proposal until it is kept. */
  public static final class Proposal {
    private final List<byte[]> records;
    private @Nullable Consumer<@Nullable Throwable> done;
    private final long bytes;

    /**
     * A batch.
     *
     * @param done of the member that appended it, null on others
     */
    public Proposal(List<byte[]> records, @Nullable Consumer<@Nullable Throwable> done) {
      this.records = List.copyOf(records);
      this.done = done;
      long size = 0;
      for (byte[] record : records) {
        size += record.length;
      }
      bytes = size;
    }

    public List<byte[]> records() {
      return records;
    }

    /** Whether its appender still waits for it. */
    boolean isAwaited() {
      return done != null;
    }

    /** Tells its appender, once: null that it is kept, or what kept it from being so. */
    public void end(@Nullable Throwable failure) {
      Consumer<@Nullable Throwable> waiting = Objects.requireNonNull(done);
      done = null;
      waiting.accept(failure);
    }

    public long bytes() {
      return bytes;
    }
  }
}
