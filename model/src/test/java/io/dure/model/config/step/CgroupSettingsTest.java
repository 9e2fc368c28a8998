package io.dure.model.config.step;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.dure.model.config.slurmconf.SlurmConfParser;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The bounds of memory that cgroup.conf makes of what a job has, on a node of 10,000 MiB. */
@Tag("pure")
class CgroupSettingsTest {
  @ParameterizedTest
  @CsvSource(
      nullValues = "-",
      value = {
        "'',                                                        1000, -,    1000, -",
        "'',                                                        -,    -,    -,    -",
        "AllowedRAMSpace=150,                                       1000, 1000, 1500, -",
        "AllowedRAMSpace=50,                                        1000, -,    500,  -",
        "AllowedRAMSpace=150 MaxRAMPercent=12,                      1000, 1000, 1200, -",
        "MaxRAMPercent=5,                                           1000, -,    500,  -",
        "MaxRAMPercent=50,                                          -,    -,    5000, -",
        "MinRAMSpace=30,                                            10,   10,   30,   -",
        "ConstrainSwapSpace=yes,                                    1000, -,    1000, 1000",
        "ConstrainSwapSpace=yes AllowedSwapSpace=20,                1000, -,    1000, 1200",
        "ConstrainSwapSpace=yes AllowedSwapSpace=20.05 AllowedRAMSpace=110, 1000, 1000, 1100, 1301",
        "ConstrainSwapSpace=yes AllowedSwapSpace=50 MaxSwapPercent=11, 1000, -, 1000, 1100",
        "ConstrainSwapSpace=yes MaxSwapPercent=1,                   1000, -,    1000, 1000",
        "ConstrainSwapSpace=yes MaxSwapPercent=60 MaxRAMPercent=50, -,    -,    5000, 6000",
        "ConstrainSwapSpace=yes ConstrainRAMSpace=no AllowedSwapSpace=20 AllowedRAMSpace=500, 1000, -, 1200, 1200",
        "ConstrainRAMSpace=no,                                      1000, -,    -,    -",
      })
  void boundsOf(
      String words,
      @Nullable Long allocated,
      @Nullable Long soft,
      @Nullable Long hard,
      @Nullable Long withSwap) {
    Map<String, String> files =
        Map.of(
            "/etc/slurm.conf",
            "ClusterName=c\nSlurmctldHost=h\nTaskPlugin=task/cgroup\nNodeName=n\n",
            "/etc/cgroup.conf",
            words.replace(' ', '\n') + "\n");
    CgroupSettings settings =
        SlurmConfParser.parse("/etc/slurm.conf", files::get).config().settings().steps().cgroup();
    assertEquals(
        new CgroupSettings.Bounds(soft, hard, withSwap), settings.bounds(allocated, 10_000));
  }
}
