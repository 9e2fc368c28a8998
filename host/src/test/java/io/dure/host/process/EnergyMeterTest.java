package io.dure.host.process;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("pure")
class EnergyMeterTest {
  private static final Duration EVERY = Duration.ofSeconds(10);

  @TempDir Path directory;

  private void zone(String name, long joules) throws IOException {
    zone(name, name.indexOf(':') == name.lastIndexOf(':') ? "package-0" : "core", joules);
  }

  private void zone(String directoryName, String kind, long joules) throws IOException {
    Path zone = Files.createDirectories(directory.resolve(directoryName));
    Files.writeString(zone.resolve("name"), kind + "\n");
    Files.writeString(zone.resolve("energy_uj"), joules * 1_000_000 + "\n");
    Files.writeString(zone.resolve("max_energy_range_uj"), 10_000_000_000L + "\n");
  }

  private EnergyMeter.Watts at(EnergyMeter meter, int second) {
    return meter.watts(Instant.ofEpochSecond(second), EVERY);
  }

  @Test
  void thePackagesCountTogetherAndTheirPartsDoNot() throws Exception {
    EnergyMeter meter = new EnergyMeter(directory);
    zone("intel-rapl:0", 100);
    zone("intel-rapl:1", 9_990);
    zone("intel-rapl:0:0", 50);
    assertEquals(new EnergyMeter.Watts(0, 0), at(meter, 0));
    zone("intel-rapl:0", 1_100);
    zone("intel-rapl:1", 490);
    zone("intel-rapl:0:0", 900);
    assertEquals(new EnergyMeter.Watts(0, 0), at(meter, 5));
    assertEquals(new EnergyMeter.Watts(150, 150), at(meter, 10));
    assertEquals(new EnergyMeter.Watts(0, 75), at(meter, 20));
    assertEquals(1_500_000_000, meter.microjoules(), "the second one began anew at its end");
    zone("intel-rapl:0", 1_110);
    assertEquals(1_510_000_000, meter.microjoules());
    assertTrue(meter.isReadable());
  }

  @Test
  void memoryCountsAndWhatHasAllOfTheMachineDoesNot() throws Exception {
    EnergyMeter meter = new EnergyMeter(directory);
    for (long joules : new long[] {0, 1}) {
      zone("intel-rapl:0", "package-0", joules);
      zone("intel-rapl:0:0", "dram", 10 * joules);
      zone("intel-rapl:0:1", "uncore", 100 * joules);
      zone("intel-rapl:1", "psys", 1000 * joules);
      zone("intel-rapl-mmio:0", "package-0", joules);
      meter.microjoules();
    }
    assertEquals(11_000_000, meter.microjoules());
  }

  @Test
  void aMachineThatDoesNotTellHasNone() {
    EnergyMeter meter = new EnergyMeter(directory.resolve("missing"));
    at(meter, 0);
    assertFalse(meter.isReadable());
    assertEquals(0, meter.microjoules());
    assertEquals(new EnergyMeter.Watts(0, 0), at(meter, 10));
  }
}
