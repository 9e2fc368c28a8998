package io.dure.surface.print;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Tag("pure")
class PrintTest {
  private static final Instant NOW = Instant.parse("2026-11-20T16:01:34Z");

  private record Row(String id, String name, String state) {}

  private enum Field implements TableColumn {
    ID('i', "JobID", "JOBID"),
    NAME('j', "Name", "NAME"),
    STATE('t', "StateCompact", "ST"),
    NOTE(TableColumn.NO_LETTER, "tres-alloc", "TRES_ALLOC");

    @SuppressWarnings("ImmutableEnumChecker") // a record of values
    private final Names names;

    Field(char letter, String longName, String header) {
      names = new Names(letter, longName, header);
    }

    @Override
    public Names names() {
      return names;
    }
  }

  private static final List<Row> ROWS =
      List.of(new Row("174", "hi", "PD"), new Row("157_[6-18:2%3]", "longname_of", "R"));

  private static String value(Field field, Row row) {
    return switch (field) {
      case ID -> row.id();
      case NAME -> row.name();
      case STATE -> row.state();
      case NOTE -> "note";
    };
  }

  private static String print(TableFormat<Field> format) {
    TablePrinter<Field, Row> printer = new TablePrinter<>(format, PrintTest::value);
    StringBuilder text = new StringBuilder();
    printer.header(text);
    printer.rows(text, ROWS);
    return text.toString();
  }

  @Test
  void aWidthBeyondAllReasonIsNoWidth() {
    for (String width : List.of("65537", "2147483648", "99999999999999999999")) {
      assertEquals("NAME|\nhi|\nlongname_of|\n", letters("%" + width + "j|"));
      String names = print(TableFormat.ofNames("name:" + width + "|", List.of(Field.values())));
      assertEquals("NAME|\nhi|\nlongname_of|\n", names);
    }
    assertEquals(3 * 65_537, letters("%65536j").length());
    String all = letters("%60000j".repeat(1000));
    assertEquals(3, all.lines().count());
    all.lines().forEach(line -> assertTrue(line.length() < 1_100_000, line.length() + " long"));
  }

  @Test
  void aValueStaysOnItsLine() {
    TableFormat<Field> format = TableFormat.ofLetters("%i %j", List.of(Field.values()));
    StringBuilder text = new StringBuilder();
    new TablePrinter<>(format, PrintTest::value)
        .rows(text, List.of(new Row("1", "a\u001b[31m\n77 b", "R"), new Row("2", "작업", "R")));
    assertEquals("1 a?[31m?77 b\n2 작업\n", text.toString());
  }

  private static String letters(String format) {
    return print(TableFormat.ofLetters(format, List.of(Field.values())));
  }

  private static String names(String format) {
    return print(TableFormat.ofNames(format, List.of(Field.values())));
  }

  @Test
  void lettersPadAndCut() {
    assertEquals(
        "JOBID     |NAME ST|\n174       |  hi PD|\n157_[6-18:|long R |\n",
        letters("%10i|%.4j %2t|"));
    assertEquals("JOBID NAME\n174 hi\n157_[6-18:2%3] longname_of\n", letters("%i %j"));
  }

  @Test
  void textIsCopied() {
    assertEquals(
        "{\"id\":\"JOBID\"}\n{\"id\":\"174\"}\n{\"id\":\"157_[6-18:2%3]\"}\n",
        letters("{\"id\":\"%i\"}"));
    assertEquals("plain\nplain\nplain\n", letters("plain"));
  }

  @Test
  void unknownLettersStayAsTheyAre() {
    TableFormat<Field> format = TableFormat.ofLetters("%10i|%-10j|%5t|", List.of(Field.values()));
    assertEquals(List.of("-"), format.unknown());
    assertEquals(
        """
        JOBID     |%-10j|ST   |
        174       |%-10j|PD   |
        157_[6-18:|%-10j|R    |
        """,
        print(format));
    assertEquals("%~\n%~\n%~\n", letters("%~"));
  }

  @Test
  void allLetters() {
    assertEquals("JOBID|NAME|ST\n174|hi|PD\n157_[6-18:2%3]|longname_of|R\n", letters("%all"));
  }

  @Test
  void namesAreTwentyWideUnlessTheySayOtherwise() {
    assertEquals(
        """
        JOBID               ST    NAME|TRES_ALLOC
        174                 PD      hi|note
        157_[6-18:2%3]      R longname|note
        """,
        names("jobid,statecompact:2,NAME:.8|,tres-alloc:"));
  }

  @Test
  void unknownNamesLeaveNothing() {
    TableFormat<Field> format = TableFormat.ofNames("nope", List.of(Field.values()));
    assertEquals(List.of("nope"), format.unknown());
    assertEquals("\n\n\n", print(format));
  }

  @Test
  void aSuffixWithoutSizeIsUnlimited() {
    assertEquals("JOBID ST\n174 PD\n157_[6-18:2%3] R\n", names("jobid: ,statecompact:"));
    assertEquals(
        "JOBID\u001fST\n174\u001fPD\n157_[6-18:2%3]\u001fR\n", names("jobid:\u001f,statecompact:"));
  }

  @ParameterizedTest
  @CsvSource({
    "0,0:00",
    "47,0:47",
    "600,10:00",
    "3600,1:00:00",
    "7154,1:59:14",
    "86400,1-00:00:00",
    "31536000,365-00:00:00",
    "31536001,INVALID",
    "-1,INVALID"
  })
  void elapsedIsCompactInListings(long seconds, String text) {
    assertEquals(text, ElapsedTimeFormat.compact(seconds));
  }

  @ParameterizedTest
  @CsvSource({"0,00:00:00", "47,00:00:47", "864061,10-00:01:01", "-5,INVALID"})
  void elapsedIsFullInRecords(long seconds, String text) {
    assertEquals(text, ElapsedTimeFormat.full(seconds));
  }

  @ParameterizedTest
  @CsvSource({
    "0,0",
    "100,100M",
    "4000,4000M",
    "4096,4G",
    "30000,30000M",
    "1536,1.50G",
    "1048576,1T",
    "1572864,1.50T",
    "4800,4800M",
    "512,512M",
    "1073741824,1P"
  })
  void memoryTakesTheLargestExactUnit(long mib, String text) {
    assertEquals(text, MemorySizeFormat.format(mib));
    assertEquals(mib + "M", MemorySizeFormat.plain(mib));
  }

  private static String stamp(String format, String moment) {
    Map<String, String> environment =
        format == null ? Map.of() : Map.of("SLURM_TIME_FORMAT", format);
    return TimestampFormat.of(environment, NOW, ZoneOffset.UTC).format(Instant.parse(moment));
  }

  @ParameterizedTest
  @CsvSource({
    "2026-11-20T16:00:48Z,16:00:48",
    "2026-11-21T09:05:00Z,Tomorr 09:05",
    "2026-11-19T09:05:00Z,Ystday 09:05",
    "2026-11-24T09:05:00Z,Tue 09:05",
    "2026-04-25T09:05:00Z,25 Apr 09:05",
    "2012-06-06T09:05:00Z,6 Jun 2012"
  })
  void relativeStampsNameTheDay(String moment, String text) {
    assertEquals(text, stamp("relative", moment));
  }

  @Test
  void stampsAreStandardUnlessAPatternIsGiven() {
    assertEquals("2026-11-20T16:00:48", stamp(null, "2026-11-20T16:00:48Z"));
    assertEquals("2026-01-02T03:04:05", stamp("standard", "2026-01-02T03:04:05Z"));
    assertEquals("Fri 16:00:48", stamp("%a %T", "2026-11-20T16:00:48Z"));
    assertEquals(
        "2026-11-20 +0000 324 04 PM 1795190448 %q%",
        stamp("%F %z %j %I %p %s %q%", "2026-11-20T16:00:48Z"));
    assertEquals("N/A", TimestampFormat.of(Map.of(), NOW, ZoneOffset.UTC).formatOr(null, "N/A"));
  }
}
