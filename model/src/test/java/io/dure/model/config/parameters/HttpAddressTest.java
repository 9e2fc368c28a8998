package io.dure.model.config.parameters;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("pure")
class HttpAddressTest {
  @ParameterizedTest
  @CsvSource({
    "127.0.0.1:6820, 127.0.0.1, 6820",
    "login.site.org:80, login.site.org, 80",
    "[::1]:6820, ::1, 6820",
    "[10.0.0.1]:6820, 10.0.0.1, 6820",
    "':0', '', 0",
    "'[]:65535', '', 65535"
  })
  void addressesAreRead(String text, String host, int port) {
    assertEquals(new HttpAddress(host, port), HttpAddress.parse(text));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "6820",
        "host",
        "host:",
        "host:x",
        "host:-1",
        "host:65536",
        "host:123456",
        "::1:6820",
        "[::1]",
        "[::1",
        "::1]:80",
        "a b:80",
        "http://host:80",
        "[[::1]]:80",
        "host:+80"
      })
  void whatIsNoneIsNotTaken(String text) {
    assertNull(HttpAddress.parse(text));
  }

  @ParameterizedTest
  @ValueSource(strings = {"127.0.0.1:6820", "[::1]:6820", ":0"})
  void itIsWrittenAsItIsRead(String text) {
    assertEquals(text, String.valueOf(HttpAddress.parse(text)));
  }
}
