package io.dure.controller.script;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Which words are handed to MailProg. */
@Tag("pure")
class MailAddressesTest {

  private static MailAddresses sent(String... addresses) {
    return new MailAddresses(List.of(addresses), List.of());
  }

  private static MailAddresses refused(String... addresses) {
    return new MailAddresses(List.of(), List.of(addresses));
  }

  @Test
  void addressesAreSent() {
    for (String text :
        List.of(
            "bob", "_bob", "7b", "a.b+c=d%e_f-g@example.org", "j\u00f6rg@b\u00fccher.example")) {
      assertEquals(sent(text), MailAddresses.of(text, ""));
    }
    assertEquals(sent("a@x", "b@y"), MailAddresses.of("a@x,b", "y"));
  }

  @Test
  void whatAProgramForMailWouldRunOrWriteIsRefused() {
    for (String text :
        List.of(
            "|/home/u/x.sh",
            "/etc/passwd",
            "./file",
            "+folder",
            "%alice",
            "@list",
            "=x",
            "-S/etc/passwd",
            "a b",
            "a|b",
            "a;b",
            "a/b",
            "a\nb",
            "a\u009bb",
            "a\u2028b",
            "\"a\"@x",
            ":include:/x",
            "",
            "a!b",
            "a\\b",
            "`id`",
            "$(id)",
            "a".repeat(1_001))) {
      assertEquals(refused(text), MailAddresses.of(text, ""));
    }
  }

  @Test
  void whatIsRefusedIsLeftOutOfSeveral() {
    assertEquals(
        new MailAddresses(List.of("a@x", "b@x"), List.of("|/bin/sh@x", "")),
        MailAddresses.of("a,|/bin/sh,,b", "x"));
  }
}
