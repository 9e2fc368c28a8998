package io.dure.surface.sacctmgr;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What a command says for several clusters, as one text. */
@Tag("pure")
class ClusterFanOutTest {
  @Test
  void placesStandTogetherAndTheRestOnce() {
    assertEquals(
        """
         Adding User(s)
          ann
          bob
         Associations =
          U = ann       A = lab        C = left
          U = ann       A = lab        C = right
          U = bob       A = lab        C = left
          U = bob       A = lab        C = right
         Non Default Settings
        """,
        ClusterFanOut.merged(List.of(added("left"), added("right"))));
  }

  private static String added(String cluster) {
    return """
     Adding User(s)
      ann
      bob
     Associations =
      U = ann       A = lab        C = %1$s
      U = bob       A = lab        C = %1$s
     Non Default Settings
    """
        .formatted(cluster);
  }

  @Test
  void whatOneClusterLacksIsThereForTheOther() {
    String user = " Adding User(s)\n  ann\n";
    assertEquals(
        user + "  A = lab C = left\n",
        ClusterFanOut.merged(List.of(user + "  A = lab C = left\n")));
    assertEquals(
        user + "  A = lab C = left\n  A = lab C = right\n",
        ClusterFanOut.merged(List.of(user + "  A = lab C = left\n", "  A = lab C = right\n")));
    assertEquals("", ClusterFanOut.merged(List.of("", "")));
  }
}
