package io.dure.model;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.dure.testkit.Cases;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("pure")
class HostListTest {
  private static String expanded(String expression) {
    return String.join(" ", HostList.expand(expression));
  }

  private static HostListException refused(String expression) {
    return assertThrows(HostListException.class, () -> HostList.expand(expression));
  }

  @Test
  void rangesKeepTheirDigits() {
    assertEquals("n1 n2 n3 n7 n010 n011 n012 x", expanded("n[1-3,7,010-012],x"));
    assertEquals("n1 n2 n3 n08 n09 n10 x", expanded("n[1-3,08-10],x"));
    assertEquals("n9 n10 n11", expanded("n[9-11]"));
    assertEquals("n098 n099 n100", expanded("n[098-100]"));
  }

  @Test
  void severalBracketsCountTheLastFastest() {
    assertEquals("r1n1 r1n2 r2n1 r2n2", expanded("r[1-2]n[1-2]"));
    assertEquals("r1-ib r2-ib", expanded("r[1-2]-ib"));
    assertEquals("12 13", expanded("1[2-3]"));
  }

  @Test
  void commasAndBlanksSeparateOutsideBrackets() {
    assertEquals("a b c1 c2", expanded(" a,,b c[1-2],\n"));
    assertEquals("", expanded(""));
    assertEquals("a a", expanded("a,a"));
  }

  @Test
  void faultsAreNamedAndLocated() {
    assertEquals(2, refused("n[]").offset());
    assertTrue(refused("n[3-1]").getMessage().contains("reversed"));
    assertTrue(refused("n[1-3").getMessage().startsWith("Missing ']'"));
    assertTrue(refused("n[").getMessage().startsWith("Missing ']'"));
    assertTrue(refused("n[1-").getMessage().startsWith("Missing ']'"));
    assertTrue(refused("n1]").getMessage().startsWith("Unbalanced ']'"));
    assertTrue(refused("n[1-2-3]").getMessage().contains("unexpected '-'"));
    assertTrue(refused("n[a]").getMessage().contains("a number is missing"));
    assertTrue(refused("n[1,]").getMessage().contains("a number is missing"));
    assertTrue(refused("n[[1]]").getMessage().contains("a number is missing"));
    assertTrue(refused("n[1234567890123456789]").getMessage().contains("too long"));
    assertEquals(4, refused("a,b[x]").offset());
  }

  @Test
  void theMostHostsAreTakenAndOneMoreIsNot() {
    assertEquals(HostList.MAX_HOSTS, HostList.expand("n[1-65536]").size());
    assertTrue(refused("n[0-65536]").getMessage().startsWith("Too many hosts in range"));
    assertTrue(refused("n[1-65536],m").getMessage().startsWith("Too many hosts in range"));
    assertTrue(refused("n[1-300]m[1-300]").getMessage().startsWith("Too many hosts in range"));
  }

  @Test
  void hugeListsAreRefusedFast() {
    String digits = "9".repeat(18);
    String many = "n1,".repeat(1_000_000);
    String inBracket = "n[" + "1,".repeat(1_000_000) + "1]";
    String brackets = "[1]".repeat(1_000_000);
    String doubling = "[1-2]".repeat(100_000);
    String longName = "x".repeat(1_000_000) + "[1-65536]";
    assertTimeoutPreemptively(
        Duration.ofSeconds(30),
        () -> {
          refused("n[1-1000000]");
          refused("n[0-" + digits + "]");
          refused("n[0-" + digits + ",0-" + digits + "]");
          refused(many);
          refused(inBracket);
          refused(brackets);
          refused(doubling);
          refused(longName);
        });
    assertTrue(refused(inBracket).getMessage().length() < 200);
  }

  @Test
  void namesAreDrawnTogether() {
    assertEquals("n[1-4,7]", HostList.compress(List.of("n7", "n4", "n3", "n2", "n1", "n1")));
    assertEquals("n[001-003]", HostList.compress(List.of("n001", "n002", "n003")));
    assertEquals("a1,b[1-2]", HostList.compress(List.of("b2", "a1", "b1")));
    assertEquals("n[8-11]", HostList.compress(List.of("n10", "n8", "n11", "n9")));
    assertEquals("n[08-10]", HostList.compress(List.of("n10", "n08", "n09")));
    assertEquals("n[098-101]", HostList.compress(List.of("n098", "n099", "n100", "n101")));
    assertEquals("", HostList.compress(List.of()));
    assertEquals("n1", HostList.compress(List.of("n1")));
  }

  @Test
  void namesAreSortedAsPeopleCount() {
    assertEquals("n,n[1-2,10]", HostList.compress(List.of("n10", "n2", "n", "n1")));
    assertEquals("r2n[1-2],r10n1", HostList.compress(List.of("r10n1", "r2n2", "r2n1")));
    assertEquals("login,n1-ib,n2-ib", HostList.compress(List.of("n2-ib", "n1-ib", "login")));
    assertEquals("n[1-3,7,010-012]", HostList.compress(HostList.expand("n[1-3,7,010-012]")));
    List<String> names = new ArrayList<>(List.of("n10", "n9", "n09", "m1", "n100"));
    names.sort(HostList.ORDER);
    assertEquals(List.of("m1", "n9", "n09", "n10", "n100"), names);
  }

  @Test
  void theGivenOrderCanBeKept() {
    assertEquals("n[3,1-2]", HostList.compressInOrder(List.of("n3", "n1", "n2")));
    assertEquals("b1,a[1-2],b1", HostList.compressInOrder(List.of("b1", "a1", "a2", "b1")));
    assertEquals("n[1,1]", HostList.compressInOrder(List.of("n1", "n1")));
  }

  @Test
  void longNumbersAreNoNumbers() {
    String name = "n" + "7".repeat(30);
    assertEquals(name + ",n1", HostList.compressInOrder(List.of(name, "n1")));
    String nines = "n" + "9".repeat(18);
    assertEquals(nines, HostList.compress(List.of(nines)));
    String zeros = "n" + "0".repeat(40);
    assertEquals(zeros, HostList.compress(List.of(zeros)));
  }

  @Test
  void whatIsCompressedExpandsToItself() {
    Random random = new Random(7 + Cases.seeds());
    for (int round = 0; round < Cases.of(2000); round++) {
      List<String> names = new ArrayList<>();
      int count = random.nextInt(30);
      for (int i = 0; i < count; i++) {
        names.add(name(random));
      }
      List<String> sorted = new ArrayList<>(new TreeSet<>(names));
      sorted.sort(HostList.ORDER);
      Collections.shuffle(names, random);
      String text = HostList.compress(names);
      assertEquals(sorted, HostList.expand(text), text);
      assertEquals(text, HostList.compress(HostList.expand(text)));
      assertEquals(names, HostList.expand(HostList.compressInOrder(names)));
    }
  }

  private static String name(Random random) {
    List<String> prefixes = List.of("n", "rack1-n", "rack10-n", "rack2-n", "", "gpu-a");
    String prefix = prefixes.get(random.nextInt(prefixes.size()));
    String number =
        switch (random.nextInt(4)) {
          case 0 -> "%03d".formatted(random.nextInt(120));
          case 1 -> "" + (95 + random.nextInt(10));
          case 2 -> "%02d".formatted(random.nextInt(12));
          default -> "" + random.nextInt(12);
        };
    return random.nextInt(10) == 0 ? prefix + number + "-ib" : prefix + number;
  }

  @Test
  void theOrderIsTotal() {
    Random random = new Random(11);
    List<String> names = new ArrayList<>();
    for (int i = 0; i < 60; i++) {
      names.add(name(random));
    }
    for (String a : names) {
      for (String b : names) {
        int ab = HostList.ORDER.compare(a, b);
        assertEquals(Integer.signum(ab), -Integer.signum(HostList.ORDER.compare(b, a)));
        assertEquals(ab == 0, a.equals(b));
        for (String c : names) {
          if (ab < 0 && HostList.ORDER.compare(b, c) < 0) {
            assertTrue(HostList.ORDER.compare(a, c) < 0, a + " " + b + " " + c);
          }
        }
      }
    }
  }

  @Test
  void randomTextIsExpandedOrRefused() {
    Random random = new Random(3 + Cases.seeds());
    String alphabet = "n0129[],- x";
    for (int round = 0; round < Cases.of(20_000); round++) {
      StringBuilder text = new StringBuilder();
      for (int i = random.nextInt(14); i > 0; i--) {
        text.append(alphabet.charAt(random.nextInt(alphabet.length())));
      }
      try {
        assertTrue(HostList.expand(text.toString()).size() <= HostList.MAX_HOSTS);
      } catch (HostListException e) {
        assertTrue(e.offset() >= 0 && e.offset() <= text.length(), text.toString());
      }
    }
  }

  @Test
  void lazilyExpandedNamesAreTheSame() {
    List<String> expressions =
        List.of(
            "n1",
            "n[1-3]",
            "n[7-12]",
            "n[007-012]",
            "n[98-101]",
            "n[5-5]",
            "a-b[0-2]",
            "[1-3]",
            "n1[2-4]",
            "n[1-3]x",
            "n[1,3-4]",
            "n[1-2],m[1-2]",
            "n[1-2]m[1-2]",
            "",
            "a b[1-2]",
            "n[01-3]",
            "n[1-65536]");
    for (String expression : expressions) {
      List<String> names = HostList.expand(expression);
      List<String> lazy = HostList.expandLazily(expression);
      assertEquals(names, lazy, expression);
      assertEquals(HostList.compress(names), HostList.compress(lazy), expression);
      assertEquals(HostList.compressInOrder(names), HostList.compressInOrder(lazy), expression);
      for (String other : List.of("n1", "n01", "n2", "n", "n99999999999999999999", "n010", "x1")) {
        assertEquals(names.indexOf(other), lazy.indexOf(other), expression + " " + other);
        assertEquals(names.contains(other), lazy.contains(other), expression + " " + other);
      }
    }
    assertThrows(HostListException.class, () -> HostList.expandLazily("n[3-1]"));
    assertThrows(HostListException.class, () -> HostList.expandLazily("n[1-65537]"));
    assertThrows(HostListException.class, () -> HostList.expandLazily("n[1-"));
  }
}
