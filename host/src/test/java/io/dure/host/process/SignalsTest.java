package io.dure.host.process;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("process")
class SignalsTest {
  @Test
  void agreesWithKill() throws Exception {
    for (int number = 1; number <= LinuxSignals.HIGHEST; number++) {
      String printed = ProcFsTest.run("bash", "-c", "kill -l " + number);
      String name = LinuxSignals.name(number);
      assertEquals(printed, name == null ? "" : name, "" + number);
    }
  }

  @Test
  void takesEverySpelling() {
    for (String text : new String[] {"USR1", "usr1", "SIGUSR1", "sigUsr1", "10", " USR1 "}) {
      assertEquals(10, LinuxSignals.parse(text), text);
    }
    assertEquals(6, LinuxSignals.parse("IOT"));
    assertEquals(17, LinuxSignals.parse("SIGCLD"));
    assertEquals(29, LinuxSignals.parse("POLL"));
    assertEquals(34, LinuxSignals.parse("RTMIN"));
    assertEquals(64, LinuxSignals.parse("sigrtmin+30"));
    assertEquals(34, LinuxSignals.parse("RTMAX-30"));
    for (int number = 1; number <= LinuxSignals.HIGHEST; number++) {
      String name = LinuxSignals.name(number);
      if (name != null) {
        assertEquals(number, LinuxSignals.parse(name));
      }
    }
  }

  @Test
  void refusesTheRest() {
    String[] none = {"", "0", "65", "-9", "SIG", "SIG9", "KILLS", "99999999999", "RTMIN+31", "\0"};
    for (String text : none) {
      assertNull(LinuxSignals.parse(text), text);
    }
    assertNull(LinuxSignals.name(0));
    assertNull(LinuxSignals.name(32));
    assertNull(LinuxSignals.name(65));
  }
}
