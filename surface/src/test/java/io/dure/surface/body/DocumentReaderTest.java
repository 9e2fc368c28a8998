package io.dure.surface.body;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.dure.model.ErrorCode;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Documents of requests: what is taken as Slurm takes it, what is refused, and where. */
@Tag("pure")
class DocumentReaderTest {
  private static final DocumentReader SUBMISSIONS = new DocumentReader("job_submit_req", 45);

  private static RequestDocument read(String text) throws MalformedDocumentException {
    return SUBMISSIONS.read(text.getBytes(StandardCharsets.UTF_8));
  }

  private static DocumentValue.Members job(String members) throws MalformedDocumentException {
    RequestDocument document = read("{\"job\":{" + members + "}}");
    assertEquals(List.of(), document.errors());
    DocumentValue.Members job = document.root().members("job");
    return job == null ? DocumentValue.Members.NONE : job;
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "10 | 10",
        "'\"10\"' | 10",
        "10.0 | 10",
        "1e2 | 100",
        "{\"set\":true,\"number\":10} | 10",
        "{\"number\":10} | 10",
        "{\"set\":true,\"infinite\":false,\"number\":10} | 10"
      })
  void aNumberMayBeSaidInManyWays(String text, long number) throws MalformedDocumentException {
    assertEquals(number, job("\"time_limit\":" + text).number("time_limit"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"set\":false,\"number\":10}",
        "null",
        "4294967294",
        "18446744073709551614",
        "\"\""
      })
  void aNumberMayBeUnset(String text) throws MalformedDocumentException {
    assertNull(job("\"time_limit\":" + text).all().get("time_limit"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"{\"infinite\":true}", "\"INFINITE\"", "\"unlimited\"", "4294967295"})
  void aNumberMayHaveNoBound(String text) throws MalformedDocumentException {
    assertEquals(
        new DocumentValue.Infinite(), job("\"time_limit\":" + text).all().get("time_limit"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "\"tasks\":\"many\" | #/job/tasks",
        "\"tasks\":1.5 | #/job/tasks",
        "\"tasks\":99999999999999999999 | #/job/tasks",
        "\"tasks\":1e999999999 | #/job/tasks",
        "\"tasks\":{\"set\":true,\"number\":1} | #/job/tasks",
        "\"hold\":\"perhaps\" | #/job/hold",
        "\"name\":{\"first\":1} | #/job/name",
        "\"name\":[1] | #/job/name",
        "\"environment\":{\"A\":\"B\"} | #/job/environment",
        "\"flags\":[\"NO_SUCH_FLAG\"] | #/job/flags[0]",
        "\"open_mode\":\"REPLACE\" | #/job/open_mode",
        "\"rlimits\":[] | #/job/rlimits",
        "\"name\":\"a\\u0000b\" | #/job/name",
        "\"name\":\"a\\ud800\" | #/job/name",
        "\"environment\":[\"A=b\",null] | #/job/environment[1]",
        "\"required_nodes\":\",\" | #/job/required_nodes",
        "\"time_limit\":{\"set\":true,\"number\":\"soon\"} | #/job/time_limit/number",
        "\"time_limit\":[1] | #/job/time_limit"
      })
  void anotherKindIsRefusedWhereItStands(String members, String place)
      throws MalformedDocumentException {
    RequestDocument document = read("{\"job\":{" + members + "},\"script\":\"after it\"}");
    assertEquals(1, document.errors().size(), document.errors().toString());
    assertEquals(place, document.errors().getFirst().source());
    assertEquals(ErrorCode.DATA_CONV_FAILED, document.errors().getFirst().code());
    assertEquals("after it", document.root().text("script"), "the rest is read");
  }

  @Test
  void listsMayBeTextsWithCommas() throws MalformedDocumentException {
    DocumentValue.Members job =
        job("\"required_nodes\":\"n1,n2\",\"mail_type\":\"begin,END\",\"flags\":\"\"");
    assertEquals(List.of("n1", "n2"), job.texts("required_nodes"));
    assertEquals(List.of("BEGIN", "END"), job.texts("mail_type"));
    assertEquals(List.of(), job.texts("flags"));
  }

  @Test
  void theLastOfTwoMembersCounts() throws MalformedDocumentException {
    assertEquals("b", job("\"name\":\"a\",\"name\":\"b\"").text("name"));
    assertNull(job("\"name\":\"a\",\"name\":null").text("name"));
  }

  @Test
  void whatIsNotKnownIsLeftOutWithAWarning() throws MalformedDocumentException {
    RequestDocument document =
        read(
            "{\"jop\":{\"a\":[1,{}]},\"job\":{\"name\":\"a\",\"nmae\":\"b\",\"cores_per_socket\":2}}");
    assertEquals(List.of(), document.errors());
    assertEquals(
        List.of("#/jop", "#/job/nmae"),
        document.warnings().stream().map(one -> one.source()).toList());
    assertEquals(
        "Ignoring unknown field \"jop\" of type dictionary",
        document.warnings().getFirst().description());
    RequestDocument older =
        new DocumentReader("job_submit_req", 42)
            .read("{\"job\":{\"cores_per_socket\":2}}".getBytes(StandardCharsets.UTF_8));
    assertEquals(1, older.warnings().size(), "a member of a later version");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"{", "{\"job\":}", "{} {}", "{}x", "{'job':{}}", "nonsense", "{\"job\":{},}"})
  void otherTextsAreNoDocuments(String text) {
    assertThrows(MalformedDocumentException.class, () -> read(text));
  }

  @Test
  void nothingIsAnEmptyDocument() throws MalformedDocumentException {
    assertEquals(DocumentValue.Members.NONE, read("").root());
    assertEquals(1, read("[]").errors().size());
    assertEquals(1, read("12").errors().size());
  }

  @Test
  void depthAndElementsAreBounded() throws MalformedDocumentException {
    String deep = "{\"x\":" + "[".repeat(1000) + "]".repeat(1000) + "}";
    assertThrows(MalformedDocumentException.class, () -> read(deep));
    String many = "\"a\",".repeat(1_000_000) + "\"a\"";
    RequestDocument document = read("{\"job\":{\"argv\":[" + many + "],\"name\":\"n\"}}");
    assertEquals(1, document.errors().size());
    assertEquals(ErrorCode.DATA_TOO_LARGE, document.errors().getFirst().code());
    String text = "a,".repeat(60_000);
    RequestDocument split =
        read("{\"job\":{\"argv\":\"" + text + "\",\"required_nodes\":\"" + text + "\"}}");
    assertEquals(ErrorCode.DATA_TOO_LARGE, split.errors().getFirst().code(), "pieces are counted");
    String large = "x".repeat(200_000);
    RequestDocument longer =
        read("{\"script\":\"" + large + "\",\"job\":{\"name\":\"" + large + "\"}}");
    assertEquals("#/job/name", longer.errors().getFirst().source());
    assertEquals(large, longer.root().text("script"));
    RequestDocument digits = read("{\"job\":{\"tasks\":\"" + "1".repeat(100_000) + "\"}}");
    assertEquals(1, digits.errors().size(), "a number of many digits is none");
    String unknown = "\"u\":1,".repeat(1000);
    RequestDocument warned = read("{" + unknown + "\"script\":\"s\"}");
    assertTrue(warned.warnings().size() <= 100, "warnings are bounded");
    assertEquals("s", warned.root().text("script"));
  }
}
