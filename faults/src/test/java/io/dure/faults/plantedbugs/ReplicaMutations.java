package io.dure.faults.plantedbugs;

import io.dure.controller.replica.raft.ReplicatedStateMachine;
import io.dure.faults.world.FaultHooks;
import io.dure.journal.segment.SnapshotItems;
import java.io.IOException;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A controller that makes other things of the group's log. */
final class ReplicaMutations implements FaultHooks {
  private final Function<ReplicatedStateMachine, ReplicatedStateMachine> over;

  private ReplicaMutations(Function<ReplicatedStateMachine, ReplicatedStateMachine> over) {
    this.over = over;
  }

  /** Applies the newest batch once more when it begins to lead. */
  static FaultHooks applyingTwice() {
    return new ReplicaMutations(AppliesTwice::new);
  }

  /** Keeps its own state when it is sent that of the others. */
  static FaultHooks ignoringSnapshots() {
    return new ReplicaMutations(IgnoresSnapshots::new);
  }

  @Override
  public ReplicatedStateMachine replica(ReplicatedStateMachine real) {
    return over.apply(real);
  }

  private static class Over implements ReplicatedStateMachine {
    final ReplicatedStateMachine real;

    Over(ReplicatedStateMachine real) {
      this.real = real;
    }

    @Override
    public void restore(@Nullable SnapshotItems snapshot) throws IOException {
      real.restore(snapshot);
    }

    @Override
    public void committed(long place, List<byte[]> records) {
      real.committed(place, records);
    }

    @Override
    public void elected(long term) {
      real.elected(term);
    }

    @Override
    public void deposed() {
      real.deposed();
    }

    @Override
    public SnapshotItems image() {
      return real.image();
    }

    @Override
    public void stopped(Throwable cause) {
      real.stopped(cause);
    }
  }

  private static final class AppliesTwice extends Over {
    private List<byte[]> last = List.of();
    private long place;

    AppliesTwice(ReplicatedStateMachine real) {
      super(real);
    }

    @Override
    public void committed(long at, List<byte[]> records) {
      last = records;
      place = at;
      super.committed(at, records);
    }

    @Override
    public void elected(long term) {
      if (!last.isEmpty()) {
        super.committed(place, last);
      }
      super.elected(term);
    }
  }

  private static final class IgnoresSnapshots extends Over {
    private boolean begun;

    IgnoresSnapshots(ReplicatedStateMachine real) {
      super(real);
    }

    @Override
    public void restore(@Nullable SnapshotItems snapshot) throws IOException {
      if (!begun) {
        begun = true;
        super.restore(snapshot);
      }
    }
  }
}
