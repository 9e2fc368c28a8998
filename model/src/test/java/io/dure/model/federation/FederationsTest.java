package io.dure.model.federation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Federations and their clusters: ids, places, and what is refused. */
@Tag("pure")
class FederationsTest {
  private static final Federations TWO = Federations.NONE.with(List.of("west", "east"));

  private static Federations joined(Federations all, String federation, String... clusters) {
    Federations next = all;
    for (String one : clusters) {
      next = next.joining(one, federation);
      assertNotNull(next, one);
    }
    return next;
  }

  private static List<String> members(Federations all, String federation) {
    return all.of(federation).stream()
        .map(one -> one.name() + one.id() + one.state().word())
        .toList();
  }

  @Test
  void aClusterGetsTheLowestIdThatIsFree() {
    Federations all = joined(TWO, "east", "a", "b", "c").leaving("a");
    assertEquals(List.of("b2ACTIVE", "c3ACTIVE"), members(all, "east"));
    assertEquals(
        List.of("b2ACTIVE", "c3ACTIVE", "d1ACTIVE"), members(joined(all, "east", "d"), "east"));
  }

  @Test
  void aClusterIsInOneFederationAtMost() {
    Federations all = joined(joined(TWO, "east", "a", "b"), "west", "b");
    assertEquals(List.of("a1ACTIVE"), members(all, "east"));
    assertEquals(List.of("b1ACTIVE"), members(all, "west"));
    assertNull(all.problem());
  }

  @Test
  void thereAreSixtyThreePlaces() {
    Federations all = TWO;
    for (int i = 1; i <= 63; i++) {
      all = joined(all, "east", "c" + i);
    }
    assertNull(all.joining("more", "east"));
    assertEquals(all, all.joining("c7", "east"));
    assertNull(all.problem());
    assertEquals(List.of("more1ACTIVE"), members(joined(all, "west", "more"), "west"));
  }

  @Test
  void aClusterWithoutItsFederationIsInNone() {
    Federations all = joined(TWO, "east", "a").without("east");
    assertEquals(List.of("west"), all.names());
    assertEquals(FederatedCluster.plain("a"), all.cluster("a"));
    assertEquals(List.of(), all.clusters());
  }

  @Test
  void featuresStayWithAClusterThatLeaves() {
    FederatedCluster known = FederatedCluster.plain("a").withFeatures(List.of("big", "amd", "big"));
    Federations all = joined(TWO.with(known), "east", "a");
    assertEquals(List.of("amd", "big"), all.cluster("a").features());
    assertEquals(known, all.leaving("a").cluster("a"));
    assertEquals(known, all.without("east").cluster("a"));
    assertEquals(FederatedCluster.plain("a"), all.forgetting("a").cluster("a"));
  }

  @Test
  void aStateIsFoundByItsFirstLetters() {
    assertEquals(FederationState.ACTIVE, FederationState.of(""));
    assertEquals(FederationState.ACTIVE, FederationState.of("act"));
    assertEquals(FederationState.DRAIN, FederationState.of("dr"));
    assertEquals(FederationState.DRAIN_AND_REMOVE, FederationState.of("Drain+"));
    assertNull(FederationState.of("na"));
    assertNull(FederationState.of("bogus"));
  }

  @Test
  void whatCannotBeIsSaid() {
    FederatedCluster one =
        FederatedCluster.plain("a").at(new Membership("nosuch", 1), FederationState.ACTIVE);
    assertEquals("there is no federation nosuch", TWO.with(one).problem());
    Membership first = new Membership("east", 1);
    FederatedCluster other = FederatedCluster.plain("b").at(first, FederationState.DRAIN);
    assertEquals("two clusters of east have id 1", joined(TWO, "east", "a").with(other).problem());
    for (int id : List.of(0, -1, 64)) {
      Membership wrong = new Membership("east", id);
      assertEquals(
          "the ids of clusters are 1 to 63",
          TWO.with(other.at(wrong, FederationState.ACTIVE)).problem());
    }
    assertEquals(
        "cluster b is there twice",
        new Federations(TWO.names(), List.of(other, other.withFeatures(List.of("x")))).problem());
  }

  @Test
  void whatChangedIsToldOfEachCluster() {
    Federations before = joined(TWO, "east", "a", "b");
    Federations after = before.leaving("a").with(before.cluster("b").withFeatures(List.of("gpu")));
    assertEquals(
        List.of("a", "b"),
        after.changedSince(before).stream().map(FederatedCluster::name).toList());
    assertEquals(List.of(), after.changedSince(after));
  }
}
