package io.dure.node.launch;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Tag("pure")
class OutputPatternTest {
  private static final OutputNameValues PLAIN =
      new OutputNameValues(128, null, null, "my job", "alice", "batch", "n1", 0, 0, 2, "s1A2B");
  private static final OutputNameValues ARRAY =
      new OutputNameValues(147, 137L, 23L, "arr", "alice", "batch", "n2", 1, 0, 0, null);
  private static final OutputNameValues TASK =
      new OutputNameValues(128, null, null, "my job", "alice", "0", "n3", 2, 1, 0, null);

  @ParameterizedTest
  @CsvSource({
    "slurm-%j.out, slurm-128.out",
    "job%4j.out, job0128.out",
    "%2j, 128",
    "%15j, 0000000128",
    "%99999999999j, 0000000128",
    "%J, 128",
    "%u-%x-%N, alice-my job-n1",
    "%5N, n1",
    "%t%n%3t, 00000",
    "%s, batch",
    "%r, 2",
    "%S, s1A2B",
    "100%%, 100%",
    "%%j, %j",
    "%, %",
    "a%, a%",
    "%5, %5",
    "%q%Z, %q%Z",
    "%A_%a, 128_4294967294",
    "a\\%j, a%j",
    "\\%j\\%u, %j%u",
  })
  void plainJob(String pattern, String expected) {
    assertEquals(expected, OutputPattern.expand(pattern, PLAIN));
  }

  @ParameterizedTest
  @CsvSource({"slurm-%A_%a.out, slurm-137_23.out", "%j, 147", "%b, 3", "%4a, 0023", "%6A, 000137"})
  void arrayTask(String pattern, String expected) {
    assertEquals(expected, OutputPattern.expand(pattern, ARRAY));
  }

  @ParameterizedTest
  @CsvSource({"job%J.out, job128.0.out", "job%j-%2t.out, job128-01.out", "%s, 0", "%n, 2"})
  void task(String pattern, String expected) {
    assertEquals(expected, OutputPattern.expand(pattern, TASK));
  }

  @Test
  void relativeNamesStartAtTheWorkingDirectory() {
    assertEquals("/home/a/x-128", OutputPattern.resolve("x-%j", "/home/a", PLAIN));
    assertEquals("/x", OutputPattern.resolve("x", "/", PLAIN));
    assertEquals("/dev/null", OutputPattern.resolve("/dev/null", "/home/a", PLAIN));
    assertEquals("slurm-%A_%a.out", OutputPattern.defaultOutput(true));
    assertEquals("slurm-%j.out", OutputPattern.defaultOutput(false));
  }
}
