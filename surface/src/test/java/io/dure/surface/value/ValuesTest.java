package io.dure.surface.value;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.dure.model.request.SignalRequest;
import io.dure.model.request.TimeLimit;
import io.dure.surface.message.CommandException;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("pure")
class ValuesTest {

  @ParameterizedTest
  @CsvSource({
    "10,10",
    "1:30,2",
    "0:01,1",
    "1:00:00,60",
    "2:03:04,124",
    "1-,1440",
    "1-0,1440",
    "1-12,2160",
    "1-12:30,2190",
    "2-00:00:01,2881",
    "99999999,99999999"
  })
  void timeLimitsCountMinutes(String text, long minutes) {
    assertEquals(TimeLimit.minutes(minutes), TimeLimitParser.parse(text));
  }

  @ParameterizedTest
  @ValueSource(strings = {"0", "0:00", "-1", "UNLIMITED", "infinite"})
  void timeLimitsCanBeOff(String text) {
    assertEquals(new TimeLimit.Unlimited(), TimeLimitParser.parse(text));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "abc",
        "10m",
        "1:",
        ":1",
        "1:2:3:4",
        "-",
        "-5",
        "1-2:3:4:5",
        "1-2-3",
        "99999999999"
      })
  void timeLimitsRefuseTheRest(String text) {
    assertNull(TimeLimitParser.parse(text));
  }

  @ParameterizedTest
  @CsvSource({
    "100,100",
    "100M,100",
    "4G,4096",
    "4GB,4096",
    "2t,2097152",
    "1k,1",
    "1025K,2",
    "0,0",
    "1P,1073741824"
  })
  void memoryCountsMebibytes(String text, long mib) {
    assertEquals(mib, MemorySizeParser.parseMib(text));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "abc", "-1", "1.5G", "10X", "10Gx", "99999999999999999999", "99999P"})
  void memoryRefusesTheRest(String text) {
    assertNull(MemorySizeParser.parseMib(text));
  }

  @Test
  void nodeCountsAreNumbersOrRanges() throws CommandException {
    assertEquals(new NodeCountRange(2, 2), NodeCountRange.parse("2"));
    assertEquals(new NodeCountRange(2, 4), NodeCountRange.parse("2-4"));
    assertEquals(new NodeCountRange(4096, 4096), NodeCountRange.parse("4K"));
    assertEquals("\"abc\" is not a valid node count", refusedCount("abc"));
    assertEquals("\"0\" is not a valid node count", refusedCount("0"));
    assertEquals("\"x\" is not a valid node count", refusedCount("2-x"));
    assertEquals("Maximum node count -1 is less than minimum node count 2", refusedCount("2-"));
    assertEquals("Maximum node count 2 is less than minimum node count 3", refusedCount("3-2"));
  }

  private static String refusedCount(String text) {
    return assertThrows(CommandException.class, () -> NodeCountRange.parse(text)).getMessage();
  }

  @Test
  void numbersArePositive() throws CommandException {
    assertEquals(7, NumberParser.positive("--ntasks", "7"));
    for (String text : List.of("-1", "0", "x", "", "2147483648", "1.5")) {
      CommandException refusal =
          assertThrows(CommandException.class, () -> NumberParser.positive("--ntasks", text));
      assertEquals("Invalid numeric value \"" + text + "\" for --ntasks.", refusal.getMessage());
    }
  }

  @Test
  void niceReadsWhatIsANumberAndNoMore() {
    assertEquals(0, NumberParser.leading("abc"));
    assertEquals(-5, NumberParser.leading(" -5x"));
    assertEquals(12, NumberParser.leading("+12"));
    assertEquals(Long.MAX_VALUE, NumberParser.leading("99999999999999999999"));
  }

  @Test
  void signalsHaveNamesAndNumbers() {
    assertEquals(15, SignalParser.number("TERM"));
    assertEquals(15, SignalParser.number("sigterm"));
    assertEquals(10, SignalParser.number("USR1"));
    assertEquals(9, SignalParser.number("9"));
    assertEquals(0, SignalParser.number("NOPE"));
    assertEquals(0, SignalParser.number("65"));
    assertEquals("KILL", SignalParser.name(9));
    assertEquals("40", SignalParser.name(40));
  }

  @Test
  void signalRequestsNameTimeAndReceiver() {
    assertEquals(new SignalRequest(10, 60, false), SignalParser.parseRequest("USR1"));
    assertEquals(new SignalRequest(10, 120, true), SignalParser.parseRequest("B:USR1@120"));
    assertEquals(new SignalRequest(15, 0, true), SignalParser.parseRequest("RB:15@0"));
    assertTrue(SignalParser.asksForReservation("RB:15@0"));
    assertFalse(SignalParser.asksForReservation("B:15@0"));
    for (String text : List.of("", "NOPE@60", "USR1@", "USR1@65536", "X:USR1", "USR1@x")) {
      assertNull(SignalParser.parseRequest(text), text);
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "afterok:12|afterok:12",
        "afterok:12:13_4|afterok:12 afterok:13_4",
        "after:20+5:21|after:20+5 after:21",
        "afterany:1,singleton|afterany:1 singleton",
        "AfterNotOk:3|afternotok:3",
        "99|afterany:99"
      })
  void dependenciesAreConditions(String text, String expected) {
    StringBuilder found = new StringBuilder();
    for (var condition : DependencyParser.parse(text).conditions()) {
      found.append(found.isEmpty() ? "" : " ").append(condition.text());
    }
    assertEquals(expected, found.toString());
    assertFalse(DependencyParser.parse(text).any());
  }

  @Test
  void oneOfSeveralDependenciesCanBeEnough() {
    assertTrue(DependencyParser.parse("afterok:1?afterany:2").any());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "nonsense:1",
        "afterok",
        "afterok:",
        "afterok:0",
        "afterok:x",
        "afterok:1+5",
        "singleton:1",
        "afterok:1,afterok:2?afterok:3",
        "afterok:1,",
        "after:1+",
        "afterok:1_x"
      })
  void dependenciesRefuseTheRest(String text) {
    assertNull(DependencyParser.parse(text));
  }

  @Test
  void mailTypesAreAFixedSet() {
    assertEquals("BEGIN,END", KeywordParser.mailTypes("begin,End"));
    assertNull(KeywordParser.mailTypes("XX"));
    assertNull(KeywordParser.mailTypes(""));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"block", "cyclic:cyclic", "block:*:fcyclic,Pack", "plane=4", "arbitrary", "*"})
  void distributionsHaveLevels(String text) {
    assertTrue(KeywordParser.isDistribution(text));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "foo", "block:foo", "plane=0", "a,b,c", "block:block:block:block"})
  void distributionsRefuseTheRest(String text) {
    assertFalse(KeywordParser.isDistribution(text));
  }

  @Test
  void frequenciesAreNumbersWordsAndGovernors() {
    assertTrue(KeywordParser.isCpuFrequency("2400000"));
    assertTrue(KeywordParser.isCpuFrequency("low-high:OnDemand"));
    assertTrue(KeywordParser.isCpuFrequency("performance"));
    assertFalse(KeywordParser.isCpuFrequency("foo"));
    assertFalse(KeywordParser.isCpuFrequency("low-"));
  }

  @Test
  void limitsMayCarryTheirPrefix() {
    assertEquals(List.of("NOFILE", "CORE"), KeywordParser.limits("nofile,RLIMIT_CORE"));
    assertEquals(List.of(), KeywordParser.limits("NONE"));
    assertEquals(10, KeywordParser.limits(null).size());
    assertNull(KeywordParser.limits("NOPE"));
  }
}
