package io.dure.cli.sbatch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestFactory;

/**
 * What limits let start and what they end, and what the order of jobs is made of: one rule for each
 * case of the files in {@code cases/accounts}.
 *
 * <p>{@code conf}: lines of slurm.conf; {@code admin}: words for sacctmgr; {@code USER job: OPTIONS
 * -> runs | waits REASON | refused TEXT}; {@code seen: ID -> ...}; {@code pass: 10m}; {@code end:
 * ID}; {@code requeue: ID}; {@code top: IDS}; {@code priority: ID -> N}; {@code order: -> IDS} of
 * those that wait; {@code share: ACCOUNT USER -> F}; {@code used: ACCOUNT [USER] -> SECONDS}, also
 * of {@code qos NAME}; {@code cpuminutes: ACCOUNT -> N}.
 */
@Tag("pure")
class AccountCasesTest {
  private static final List<String> FILES = List.of("limits.txt", "qos.txt", "priority.txt");

  private record Case(String file, int line, String rule, List<String> lines) {
    String name() {
      return file + ":" + line + " " + rule;
    }
  }

  @TestFactory
  Stream<DynamicTest> theRulesHold() throws IOException {
    List<Case> cases = new ArrayList<>();
    for (String file : FILES) {
      cases.addAll(read(file));
    }
    return cases.stream().map(one -> DynamicTest.dynamicTest(one.name(), () -> play(one)));
  }

  private static List<Case> read(String file) throws IOException {
    List<Case> cases = new ArrayList<>();
    try (InputStream in = AccountCasesTest.class.getResourceAsStream("/cases/accounts/" + file)) {
      List<String> lines = new String(in.readAllBytes(), StandardCharsets.UTF_8).lines().toList();
      for (int at = 0; at < lines.size(); at++) {
        if (lines.get(at).startsWith("# ")) {
          int end = at + 1;
          while (end < lines.size() && !lines.get(end).isBlank()) {
            end++;
          }
          cases.add(new Case(file, at + 1, lines.get(at).substring(2), lines.subList(at + 1, end)));
          at = end;
        }
      }
    }
    return cases;
  }

  private static void play(Case one) {
    List<String> conf = new ArrayList<>();
    for (String line : one.lines()) {
      if (line.startsWith("conf: ")) {
        conf.add(line.substring(6));
      }
    }
    AccountSite site = new AccountSite(conf);
    int looks = 0;
    for (String line : one.lines()) {
      int arrow = line.indexOf("->");
      if (arrow < 0) {
        happen(site, line);
      } else {
        assertEquals(
            line.substring(arrow + 2).strip(), look(site, line.substring(0, arrow).strip()), line);
        looks++;
      }
    }
    assertTrue(looks > 0, "nothing is looked at in this case");
  }

  private static String word(String line) {
    String before = line.substring(0, line.indexOf(':'));
    return before.substring(before.lastIndexOf(' ') + 1);
  }

  private static String rest(String line) {
    return line.substring(line.indexOf(':') + 1).strip();
  }

  private static void happen(AccountSite site, String line) {
    String what = rest(line);
    switch (word(line)) {
      case "conf" -> {}
      case "admin" -> site.admin(what);
      case "job" -> site.submit(line.substring(0, line.indexOf(' ')), what);
      case "pass" -> site.pass(time(what));
      case "end" -> site.end(Integer.parseInt(what));
      case "requeue" -> site.requeue(Integer.parseInt(what));
      case "top" -> site.top(Arrays.stream(what.split(" ", -1)).map(Integer::valueOf).toList());
      default -> throw new IllegalArgumentException(line);
    }
  }

  private static String look(AccountSite site, String line) {
    String what = rest(line);
    String[] words = what.split(" ", -1);
    return switch (word(line)) {
      case "job" -> site.submit(line.substring(0, line.indexOf(' ')), what);
      case "seen" -> site.seen(Integer.parseInt(what));
      case "priority" -> Long.toString(site.priority(Integer.parseInt(what)));
      case "order" -> site.order();
      case "share" -> number(site.share(words[0], words[1]), 4);
      case "used" ->
          words[0].equals("qos")
              ? number(site.used(words[1]), 0)
              : number(site.used(words[0], words.length > 1 ? words[1] : ""), 0);
      case "cpuminutes" -> number(site.cpuMinutes(what), 0);
      default -> throw new IllegalArgumentException(line);
    };
  }

  private static String number(double value, int digits) {
    String text = String.format(Locale.ROOT, "%." + digits + "f", value);
    return text.contains(".") ? text.replaceAll("0+$", "").replaceAll("[.]$", "") : text;
  }

  private static Duration time(String text) {
    long number = Long.parseLong(text.substring(0, text.length() - 1));
    return switch (text.charAt(text.length() - 1)) {
      case 's' -> Duration.ofSeconds(number);
      case 'm' -> Duration.ofMinutes(number);
      case 'h' -> Duration.ofHours(number);
      case 'd' -> Duration.ofDays(number);
      default -> throw new IllegalArgumentException(text);
    };
  }
}
