package io.dure.host.process;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.TreeSet;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("process")
class ProcessAffinityTest {
  private static String allowed(Path status) throws IOException {
    String field = "Cpus_allowed_list:";
    return Files.readAllLines(status).stream()
        .filter(line -> line.startsWith(field))
        .map(line -> line.substring(field.length()).strip())
        .findFirst()
        .orElseThrow();
  }

  @Test
  void allThreadsRunOnTheseCpusAlone() throws Exception {
    List<Integer> before = CpuTopology.parseList(allowed(Path.of("/proc/thread-self/status")));
    int last = before.getLast();
    try {
      ProcessAffinity.confine(List.of(last));
      TreeSet<String> found = new TreeSet<>();
      String[] threads = new File("/proc/self/task").list();
      for (String thread : threads == null ? new String[0] : threads) {
        Path status = Path.of("/proc/self/task", thread, "status");
        if (Files.exists(status)) {
          found.add(allowed(status));
        }
      }
      assertEquals(new TreeSet<>(List.of(Integer.toString(last))), found);
      Process child = new ProcessBuilder("grep", "Cpus_allowed_list", "/proc/self/status").start();
      String line = new String(child.getInputStream().readAllBytes(), UTF_8).strip();
      assertTrue(line.endsWith("\t" + last), line);
    } finally {
      ProcessAffinity.confine(before);
    }
    assertThrows(IOException.class, () -> ProcessAffinity.confine(List.of(9_999)));
  }
}
