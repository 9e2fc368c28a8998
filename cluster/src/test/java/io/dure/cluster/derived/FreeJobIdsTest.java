package io.dure.cluster.derived;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.dure.model.config.ClusterSettings;
import io.dure.model.job.JobId;
import io.dure.testkit.cluster.ClusterBuilder;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("pure")
class FreeJobIdsTest {
  private final ClusterSettings.Jobs range =
      ClusterBuilder.of(1)
          .set("FirstJobId", "10")
          .set("MaxJobId", "15")
          .start()
          .state()
          .settings()
          .jobs();

  @Test
  void idsGoOnFromTheNextAndThenFromTheFirst() {
    assertEquals(12, FreeJobIds.next(12, range, 2, _ -> false));
    assertEquals(13, FreeJobIds.next(12, range, 2, id -> id == 12));
    assertEquals(10, FreeJobIds.next(12, range, 2, id -> id >= 12));
  }

  @Test
  void withoutAnyInTheRangeTheyAreBehindItOrBeforeIt() {
    assertEquals(17, FreeJobIds.next(12, range, 2, id -> id >= 10 && id <= 16));
    assertEquals(3, FreeJobIds.next(12, range, 2, id -> id != 3 && id != 4));
  }

  @Test
  void whereAllAreTakenTheIdIsOneThatAdmissionRefuses() {
    assertEquals(JobId.MAX_LOCAL + 1, FreeJobIds.next(12, range, 1, _ -> true));
  }
}
