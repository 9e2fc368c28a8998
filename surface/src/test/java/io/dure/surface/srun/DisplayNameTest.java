package io.dure.surface.srun;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** X servers by their names, and the nodes that reach them. */
@Tag("pure")
class DisplayNameTest {
  @Test
  void aNameWithoutAMachineIsOfThisOne() {
    DisplayName plain = DisplayName.of(":7.1");
    assertEquals(new DisplayName(":7.1", "", 7), plain);
    assertEquals("/tmp/.X11-unix/X7", plain.socket());
    assertEquals("", DisplayName.of("unix:0").host());
    assertEquals("", DisplayName.of("box/unix:0").host());
  }

  @Test
  void aMachineMayBeNamedOrHaveAnAddress() {
    assertEquals(
        new DisplayName("localhost:10.0", "localhost", 10), DisplayName.of("localhost:10.0"));
    assertEquals("::1", DisplayName.of("[::1]:3").host());
    assertEquals(6003, DisplayName.of("box.site:3").port());
  }

  @Test
  void whatNamesNoServerIsNone() {
    for (String text : List.of("", "box", "box:", ":x", ":1.x", "/tmp/launch:0", ":99999")) {
      assertNull(DisplayName.of(text), text);
    }
  }

  @Test
  void nodesAreChosenByTheirPlace() {
    List<String> nodes = List.of("n1", "n2", "n3");
    assertEquals(nodes, DisplayNodes.of("").among(nodes));
    assertEquals(nodes, DisplayNodes.of("ALL").among(nodes));
    assertEquals(List.of("n1"), DisplayNodes.of("first").among(nodes));
    assertEquals(List.of("n1"), DisplayNodes.of("batch").among(nodes));
    assertEquals(List.of("n3"), DisplayNodes.of("last").among(nodes));
    assertNull(DisplayNodes.of("nothing"));
  }
}
