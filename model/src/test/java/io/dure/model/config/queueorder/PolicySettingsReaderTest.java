package io.dure.model.config.queueorder;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Tag("pure")
class PolicySettingsReaderTest {
  private final List<String> complaints = new ArrayList<>();

  private PolicySettings read(Map<String, String> parameters) {
    return PolicySettingsReader.read(
        parameters, (message, remedy) -> complaints.add(message + "; " + remedy));
  }

  @Test
  void aFileThatDoesNotSaySoMeansTheOrderOfSlurm() {
    assertNull(read(Map.of()));
    assertNull(read(Map.of("policy", "slurm")));
    assertNull(read(Map.of("bf_window", "10")));
    assertEquals(List.of(), complaints);
  }

  @Test
  void oneWordAsksForTheOtherOrder() {
    assertEquals(PolicySettings.USUAL, read(Map.of("policy", "dure")));
  }

  @Test
  void eachNumberCanBeGiven() {
    PolicySettings read = read(Map.of("policy", "dure", "dure_most_bound", "72"));
    assertNotNull(read);
    assertEquals(Duration.ofDays(3), read.mostBound());
    assertEquals(List.of(), complaints);
  }

  @ParameterizedTest
  @CsvSource({
    "policy, fast, 'policy: there is no order fast; Write policy=dure, or policy=slurm for Slurm''s'",
    "policy, '', 'policy: there is no order ; Write policy=dure, or policy=slurm for Slurm''s'",
    "dure_bands, 0, dure_bands: value (0) is not a number from 1 to 9; Write dure_bands=NUMBER",
    "dure_forecast, 101, dure_forecast: value (101) is not a number from 0 to 100; Write dure_forecast=NUMBER",
    "dure_bands, many, dure_bands: value (many) is not a number from 1 to 9; Write dure_bands=NUMBER",
    "dure_overload_share, 101, dure_overload_share: value (101) is not a number from 0 to 100; Write dure_overload_share=NUMBER",
    "dure_short_share, 101, dure_short_share: value (101) is not a number from 0 to 100; Write dure_short_share=NUMBER",
    "dure_most_bound, 0, dure_most_bound: value (0) is not a number from 1 to 8760; Write dure_most_bound=NUMBER",
    "dure_wide_earlier, 101, dure_wide_earlier: value (101) is not a number from 0 to 100; Write dure_wide_earlier=NUMBER",
    "dure_width, -1, dure_width: value (-1) is not a number from 0 to 200; Write dure_width=NUMBER",
  })
  void whatCannotBeIsReportedWithWhatToWrite(String name, String value, String said) {
    read(Map.of(name, value));
    assertEquals(List.of(said), complaints);
  }
}
