package io.dure.simulator.mutation;

import io.dure.controller.replica.GroupStatus;
import io.dure.controller.replica.ReplicatedLog;
import io.dure.simulator.world.Wiring;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A group's log that appends otherwise. */
final class OtherLogs implements Wiring {
  private final Way way;

  private OtherLogs(Way way) {
    this.way = way;
  }

  private interface Way {
    void append(
        ReplicatedLog real, long reign, List<byte[]> records, Consumer<@Nullable Throwable> done);
  }

  /** Says that a batch is kept before anybody else has it. */
  static Wiring eager() {
    return new OtherLogs((real, reign, records, done) -> {
      real.append(reign, records, _ -> {});
      done.accept(null);
    });
  }

  /** Appends to whatever reign there is. */
  static Wiring unfenced() {
    return new OtherLogs((real, _, records, done) -> real.append(real.reign(), records, done));
  }

  @Override
  public ReplicatedLog log(ReplicatedLog real) {
    return new Over(real, way);
  }

  private record Over(ReplicatedLog real, Way way) implements ReplicatedLog {
    @Override
    public long reign() {
      return real.reign();
    }

    @Override
    public void append(long reign, List<byte[]> records, Consumer<@Nullable Throwable> done) {
      way.append(real, reign, records, done);
    }

    @Override
    public boolean accepting() {
      return real.accepting();
    }

    @Override
    public long stillMillis() {
      return real.stillMillis();
    }

    @Override
    public void abandon(long reign) {
      real.abandon(reign);
    }

    @Override
    public GroupStatus status() {
      return real.status();
    }

    @Override
    public boolean followed() {
      return real.followed();
    }

    @Override
    public void configure(List<String> hosts) {
      real.configure(hosts);
    }

    @Override
    public CompletableFuture<Void> handOver(String host) {
      return real.handOver(host);
    }

    @Override
    public void close() {
      real.close();
    }
  }
}
