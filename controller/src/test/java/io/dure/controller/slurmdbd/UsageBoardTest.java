package io.dure.controller.slurmdbd;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.dure.model.accounting.usage.ClusterUsage;
import io.dure.model.accounting.usage.DecayedUsage;
import io.dure.protocol.slurmdbd.SlurmdbdReply;
import io.dure.protocol.slurmdbd.SlurmdbdRequest;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What controllers hear of each other's usage. */
@Tag("pure")
class UsageBoardTest {
  private static final Instant T0 = Instant.parse("2026-01-05T00:00:00Z");
  private static final List<String> KNOWN = List.of("left", "right");

  private UsageBoard board = new UsageBoard(List.of());

  private static ClusterUsage.OfUser used(String user, double raw) {
    DecayedUsage usage = new DecayedUsage(T0, raw, 0, 0, 0, List.of(), 0);
    return new ClusterUsage.OfUser("lab", user, null, usage);
  }

  private SlurmdbdReply.SharedUsage share(
      String cluster,
      SlurmdbdReply.SharedUsage heard,
      boolean whole,
      ClusterUsage.OfUser... users) {
    return tell(cluster, cluster, 1, heard, whole, users);
  }

  private SlurmdbdReply.SharedUsage tell(
      String cluster,
      String teller,
      long count,
      SlurmdbdReply.SharedUsage heard,
      boolean whole,
      ClusterUsage.OfUser... users) {
    String name = heard == null ? "" : heard.board();
    long version = heard == null ? 0 : heard.version();
    return board.share(
        new SlurmdbdRequest.ShareUsage(
            cluster, name, version, whole, List.of(users), teller, count, null),
        KNOWN);
  }

  @Test
  void eachHearsOnceWhatOthersSay() {
    SlurmdbdReply.SharedUsage left = share("left", null, true, used("ada", 1));
    assertEquals(List.of(), left.changed());
    assertEquals(List.of("right"), left.clusters());
    SlurmdbdReply.SharedUsage right = share("right", null, true);
    assertEquals(List.of(new ClusterUsage("left", List.of(used("ada", 1)))), right.changed());
    right = share("right", right, false, used("bob", 2));
    assertEquals(List.of(), right.changed());
    left = share("left", left, false, used("cyd", 3));
    assertEquals(List.of(new ClusterUsage("right", List.of(used("bob", 2)))), left.changed());
    right = share("right", right, false);
    assertEquals(List.of(new ClusterUsage("left", List.of(used("cyd", 3)))), right.changed());
  }

  @Test
  void onceItBeganAnewItWantsAllAndTellsAll() {
    SlurmdbdReply.SharedUsage left = share("left", null, true, used("ada", 1));
    SlurmdbdReply.SharedUsage right = share("right", null, true, used("bob", 2));
    board = new UsageBoard(List.of());
    left = share("left", left, false, used("ada", 5));
    assertTrue(left.wantsAll());
    assertEquals(List.of(), left.changed());
    left = share("left", left, true, used("ada", 5), used("cyd", 1));
    assertFalse(left.wantsAll());
    right = share("right", right, false);
    assertTrue(right.wantsAll());
    assertEquals(
        List.of(new ClusterUsage("left", List.of(used("ada", 5), used("cyd", 1)))),
        right.changed());
  }

  @Test
  void whatAClusterTellsAsAllReplacesWhatItToldBefore() {
    SlurmdbdReply.SharedUsage right = share("right", null, true);
    assertEquals(List.of(), right.whole());
    share("left", null, true, used("ada", 1), used("bob", 2));
    right = share("right", right, false);
    assertEquals(List.of("left"), right.whole());
    SlurmdbdReply.SharedUsage left = share("left", null, true, used("ada", 1));
    right = share("right", right, false);
    assertEquals(List.of("left"), right.whole());
    assertEquals(List.of(new ClusterUsage("left", List.of(used("ada", 1)))), right.changed());
    share("left", left, false, used("ada", 2));
    assertEquals(List.of(), share("right", right, false).whole());
  }

  @Test
  void aLeaderThatIsOverIsNotHeard() {
    SlurmdbdReply.SharedUsage before = tell("left", "a", 5, null, true, used("ada", 1));
    SlurmdbdReply.SharedUsage after = tell("left", "b", 9, null, true, used("ada", 2));
    SlurmdbdReply.SharedUsage late = tell("left", "a", 6, before, false, used("ada", 1));
    assertFalse(late.wantsAll());
    tell("left", "a", 7, late, true, used("ada", 1));
    List<ClusterUsage> said = List.of(new ClusterUsage("left", List.of(used("ada", 2))));
    assertEquals(said, share("right", null, true).changed());
    // One that takes over tells all first.
    assertTrue(tell("left", "c", 10, after, false, used("ada", 3)).wantsAll());
  }

  @Test
  void aClusterThatIsGoneIsForgotten() {
    share("gone", null, true, used("ada", 1));
    assertEquals(List.of(), share("left", null, true).changed());
  }
}
