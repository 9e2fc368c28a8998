package io.dure.node.job;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What the machine says of every login. */
@Tag("pure")
class LoginEnvironmentTest {
  @Test
  void variablesOfPamAreReadWithAndWithoutQuotes() {
    List<String> lines =
        List.of(
            "# PATH=/no",
            "PATH=\"/usr/bin:/bin\"",
            " export LANG='C.UTF-8' ",
            "A=b=c",
            "=x",
            "",
            "\"");
    assertEquals(
        Map.of("PATH", "/usr/bin:/bin", "LANG", "C.UTF-8", "A", "b=c"),
        LoginEnvironment.parse(lines));
  }
}
