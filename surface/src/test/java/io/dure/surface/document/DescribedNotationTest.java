package io.dure.surface.document;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.function.Consumer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("pure")
class DescribedNotationTest {

  private static String written(String schema, int version, Consumer<DocumentNotation> content) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    Shape shape = DocumentSchemas.all().shape(schema, version);
    try (DocumentNotation out = new DescribedNotation(new JsonNotation(bytes, true), shape)) {
      out.startObject();
      content.accept(out);
      out.endObject();
    }
    return bytes.toString(StandardCharsets.UTF_8).strip();
  }

  private static String refusal(Consumer<DocumentNotation> content) {
    return assertThrows(IllegalStateException.class, () -> written("controller_ping", 44, content))
        .getMessage();
  }

  @Test
  void whatIsLeftOutIsWrittenWithoutAValue() {
    assertEquals(
        "{\"hostname\":\"\",\"pinged\":\"UP\",\"responding\":false,\"latency\":0,\"mode\":\"\""
            + ",\"primary\":false}",
        written("controller_ping", 44, out -> out.text("pinged", "UP")));
    assertTrue(
        written("part_prio", 45, _ -> {}).contains("\"priority\":0"),
        () -> written("part_prio", 45, _ -> {}));
  }

  @Test
  void whatOnlyOtherVersionsHaveIsDropped() {
    Consumer<DocumentNotation> content =
        out -> {
          out.startObject("power");
          out.startList("flags");
          out.endList();
          out.endObject();
          out.flag("requeue", true);
        };
    assertTrue(written("job_info", 43, content).contains("\"power\":{"));
    String newest = written("job_info", 45, content);
    assertTrue(!newest.contains("power") && newest.contains("\"requeue\":true"), newest);
  }

  @Test
  void aWordThatTheVersionDoesNotKnowIsDropped() {
    Consumer<DocumentNotation> content =
        out -> {
          out.startList("job_state");
          out.text("EXPEDITING");
          out.text("RUNNING");
          out.endList();
        };
    assertTrue(written("job_info", 43, content).contains("\"job_state\":[\"RUNNING\"]"));
    assertTrue(
        written("job_info", 45, content).contains("\"job_state\":[\"EXPEDITING\",\"RUNNING\"]"));
  }

  @Test
  void aMemberMayHaveAnotherKindInAnotherVersion() {
    Consumer<DocumentNotation> content =
        out -> {
          out.startObject("cpus");
          out.number("task_binding", 3);
          out.startList("task_binding");
          out.text("VERBOSE");
          out.endList();
          out.endObject();
        };
    assertTrue(written("partition_info", 44, content).contains("\"task_binding\":3"));
    assertTrue(written("partition_info", 45, content).contains("\"task_binding\":[\"VERBOSE\"]"));
  }

  @Test
  void aDefectOfTheWriterIsSaid() {
    assertTrue(refusal(out -> out.text("hostnames", "")).contains("no text hostnames"));
    assertTrue(refusal(out -> out.number("hostname", 1)).contains("no number hostname"));
    assertTrue(
        refusal(
                out -> {
                  out.text("mode", "");
                  out.text("hostname", "");
                })
            .contains("no text hostname from primary on"));
    assertTrue(refusal(out -> out.text("")).contains("without a name"));
  }
}
