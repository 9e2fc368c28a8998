package io.dure.host.process;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A service manager's end of the socket is a program: Java has none of that kind. */
@Tag("process")
final class ReadinessNoticeTest {
  @TempDir Path folder;

  @Test
  void aDaemonSaysThatItServes() throws Exception {
    assertEquals("READY=1", heard(folder.resolve("notify").toString()));
  }

  @Test
  void theNameMayBeAbstract() throws Exception {
    assertEquals("READY=1", heard("@dure-test-" + ProcessHandle.current().pid()));
  }

  @Test
  void aSocketThatIsNotThere() {
    String missing = folder.resolve("missing").toString();
    IOException told = assertThrows(IOException.class, () -> ReadinessNotice.send(missing));
    assertTrue(told.getMessage().startsWith("connect: "), told::getMessage);
    assertThrows(IOException.class, () -> ReadinessNotice.send(""));
    assertThrows(IOException.class, () -> ReadinessNotice.send("/" + "x".repeat(200)));
  }

  private static String heard(String name) throws Exception {
    String program =
        """
        import socket, sys
        name = sys.argv[1]
        s = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        s.bind(chr(0) + name[1:] if name[0] == '@' else name)
        print('bound', flush=True)
        print(s.recv(100).decode(), end='')
        """;
    Process listener = new ProcessBuilder("python3", "-c", program, name).start();
    try (var lines = listener.inputReader()) {
      assertEquals("bound", lines.readLine());
      ReadinessNotice.send(name);
      String text = lines.readLine();
      assertTrue(listener.waitFor(60, TimeUnit.SECONDS));
      return text;
    } finally {
      listener.destroyForcibly();
    }
  }
}
