package io.dure.model.job;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("pure")
class JobIdTest {
  @ParameterizedTest
  @CsvSource({
    "1, 0, 1",
    "67108863, 0, 67108863",
    "67108865, 1, 1",
    "134217728, 2, 0",
    "2147483647, 31, 67108863"
  })
  void anIdIsItsClusterAndItsLocalNumber(String text, int cluster, int local) {
    JobId id = JobId.of(cluster, local);
    assertEquals(text, id.toString());
    assertEquals(id, JobId.parse(text));
    assertEquals(cluster, id.cluster());
    assertEquals(local, id.local());
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "0", "-1", "+1", "1 ", "a", "12_1", "2147483648", "99999999999"})
  void whatIsNoIdIsNotRead(String text) {
    assertNull(JobId.parse(text));
  }

  @Test
  void clustersAndLocalNumbersAreBounded() {
    assertThrows(IllegalArgumentException.class, () -> JobId.of(0, 0));
    assertThrows(IllegalArgumentException.class, () -> JobId.of(0, JobId.MAX_LOCAL + 1));
    assertThrows(IllegalArgumentException.class, () -> JobId.of(JobId.MAX_CLUSTER + 1, 1));
  }
}
