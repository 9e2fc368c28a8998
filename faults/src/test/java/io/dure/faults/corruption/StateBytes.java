package io.dure.faults.corruption;

import io.dure.cluster.ClusterState;
import io.dure.cluster.StateSnapshot;
import io.dure.protocol.codec.RecordCodec;
import java.util.Arrays;

/** States as bytes: how snapshots hold them, and whether two are the same to the last detail. */
final class StateBytes {
  private static final RecordCodec<StateSnapshot> SNAPSHOTS =
      RecordCodec.of(StateSnapshot.class).sharing();
  private static final RecordCodec<StateSnapshot> PLAIN = RecordCodec.of(StateSnapshot.class);

  private StateBytes() {}

  static byte[] snapshot(ClusterState state) {
    return SNAPSHOTS.encode(StateSnapshot.of(state));
  }

  static ClusterState restore(byte[] snapshot) {
    return SNAPSHOTS.decode(snapshot).restore();
  }

  static boolean same(ClusterState one, ClusterState other) {
    return Arrays.equals(
        PLAIN.encode(StateSnapshot.of(one)), PLAIN.encode(StateSnapshot.of(other)));
  }
}
