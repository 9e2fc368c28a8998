package io.dure.cli.sjstat;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("pure")
class SjstatTest {
  @Test
  void partitionsWithWhatIsFree() {
    String lines =
        "debug*|32000|16|1/2/1/4|infinite|1-infinite|(null)\nlong|1K|8|0/1K/0/1K|1:00|2|a,b\n";
    assertEquals(
        """
        Scheduling pool data:
        -------------------------------------------------------------
        Pool        Memory  Cpus  Total Usable   Free  Other Traits__
        -------------------------------------------------------------
        debug*     32000Mb    16      4      3      2
        long          1KMb     8   1024   1024   1024  a,b

        """
            .replace("__", "  "),
        new SjstatText(false).pools(lines));
    assertEquals(
        "long          1KMb     8   1024   1024   1024  1:00        2         a,b",
        new SjstatText(true).pools(lines).lines().toList().get(5));
  }

  @Test
  void jobsWithWhereTheyRun() {
    String lines = "12|alice|4|debug|R|1:20:13|2:00:00|2|n[1-2]\n";
    assertEquals(
        """
        Running job data:
        ----------------------------------------------------------------------
        JobID    User      Procs Pool      Status        Used  Master/Other___
        ----------------------------------------------------------------------
        12       alice         4 debug     R          1:20:13  n[1-2]
        """
            .replace("___", "   "),
        new SjstatText(false).jobs(lines));
    assertEquals(
        "12       alice         4 debug     R          1:20:13     2:00:00      2  n[1-2]",
        new SjstatText(true).jobs(lines).lines().toList().getLast());
  }
}
