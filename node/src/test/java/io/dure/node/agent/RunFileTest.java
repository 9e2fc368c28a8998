package io.dure.node.agent;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("process")
class RunFileTest {
  @TempDir Path directory;

  private static byte[] bytes(String text) {
    return text.getBytes(UTF_8);
  }

  private RunFile create() throws IOException {
    return RunFile.create(path(), List.of(bytes("job"), bytes("launched")));
  }

  private Path path() {
    return directory.resolve("run");
  }

  private static void assertHolds(String first, String last, RunFile.Opened opened) {
    assertEquals(first, new String(opened.first(), UTF_8));
    assertEquals(last, new String(opened.last(), UTF_8));
  }

  @Test
  void theLastRecordCounts() throws IOException {
    RunFile file = create();
    assertHolds("job", "launched", RunFile.open(path()));
    file.append(bytes("running"));
    file.append(bytes("ended"));
    assertHolds("job", "ended", RunFile.open(path()));
    assertEquals("rw-------", PosixFilePermissions.toString(Files.getPosixFilePermissions(path())));
  }

  @Test
  void anEndThatIsNotWholeDoesNotCountAndIsWrittenOver() throws IOException {
    create().append(bytes("running"));
    byte[] whole = Files.readAllBytes(path());
    for (int left = whole.length - 14; left < whole.length; left++) {
      Files.write(path(), Arrays.copyOf(whole, left));
      RunFile.Opened opened = RunFile.open(path());
      assertHolds("job", "launched", opened);
      opened.file().append(bytes("x"));
      assertHolds("job", "x", RunFile.open(path()));
    }
  }

  @Test
  void whatIsDamagedBeforeItsEndIsRefused() throws IOException {
    create();
    byte[] bytes = Files.readAllBytes(path());
    bytes[8] ^= 1;
    Files.write(path(), bytes);
    assertThrows(IOException.class, () -> RunFile.open(path()));
    Files.write(path(), bytes("job"), StandardOpenOption.TRUNCATE_EXISTING);
    assertThrows(IOException.class, () -> RunFile.open(path()));
  }

  @Test
  void aFileThatWasCutIsNotContinued() throws IOException {
    RunFile file = create();
    Files.write(path(), bytes(""), StandardOpenOption.TRUNCATE_EXISTING);
    assertThrows(IOException.class, () -> file.append(bytes("running")));
  }
}
