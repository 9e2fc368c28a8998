package io.dure.faults.plantedbugs;

import io.dure.controller.replica.ReplicatedLog;
import io.dure.faults.world.FaultHooks;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A group's log that appends otherwise. */
final class GroupLogMutations implements FaultHooks {
  private final Way way;

  private GroupLogMutations(Way way) {
    this.way = way;
  }

  private interface Way {
    void append(
        ReplicatedLog real, long epoch, List<byte[]> records, Consumer<@Nullable Throwable> done);
  }

  /** Says that a batch is kept before anybody else has it. */
  static FaultHooks eager() {
    return new GroupLogMutations((real, epoch, records, done) -> {
      real.append(epoch, records, _ -> {});
      done.accept(null);
    });
  }

  /** Appends to whatever epoch there is. */
  static FaultHooks unfenced() {
    return new GroupLogMutations(
        (real, _, records, done) -> real.append(real.epoch(), records, done));
  }

  @Override
  public ReplicatedLog log(ReplicatedLog real) {
    return new Over(real, way);
  }

  private static final class Over extends LogOver {
    private final ReplicatedLog real;
    private final Way way;

    Over(ReplicatedLog real, Way way) {
      super(real);
      this.real = real;
      this.way = way;
    }

    @Override
    public void append(long epoch, List<byte[]> records, Consumer<@Nullable Throwable> done) {
      way.append(real, epoch, records, done);
    }
  }
}
