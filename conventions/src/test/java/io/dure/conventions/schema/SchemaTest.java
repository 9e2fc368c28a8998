package io.dure.conventions.schema;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.dure.cluster.StateSnapshot;
import io.dure.journal.EventJournal;
import io.dure.model.job.Hold;
import io.dure.protocol.ControllerToNodeMessage;
import io.dure.protocol.LocalReply;
import io.dure.protocol.LocalRequest;
import io.dure.protocol.NodeToControllerMessage;
import io.dure.protocol.Request;
import io.dure.protocol.Response;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * What was ever written stays readable: the components and tags of all that is sent and kept are in
 * {@code schema.txt}, and are only ever added to, at the end of their records.
 */
@Tag("pure")
class SchemaTest {
  private static final Path WRITTEN = Path.of("target", "schema.txt");

  private static final Map<String, Class<?>> ROOTS = new TreeMap<>(roots());

  private static Map<String, Class<?>> roots() {
    Map<String, Class<?>> roots = new TreeMap<>();
    roots.put("request", Request.class);
    roots.put("response", Response.class);
    roots.put("to-node", ControllerToNodeMessage.class);
    roots.put("from-node", NodeToControllerMessage.class);
    roots.put("local-request", LocalRequest.class);
    roots.put("local-reply", LocalReply.class);
    roots.put("snapshot", StateSnapshot.class);
    roots.put("snapshot-piece", StateSnapshot.Piece.class);
    roots.put("journal", EventJournal.Timed.class);
    roots.put("replica", hidden("io.dure.controller.replica.raft.RaftStoreRecord"));
    roots.put("peer", hidden("io.dure.controller.replica.raft.PeerMessage$Envelope"));
    roots.put("run", hidden("io.dure.node.agent.DiskRunSpool$Stored"));
    roots.put("run-job", hidden("io.dure.node.agent.RunSpool$StoredJob"));
    return roots;
  }

  /** A type that only its own package sees. */
  private static Class<?> hidden(String name) {
    try {
      return Class.forName(name);
    } catch (ClassNotFoundException e) {
      throw new IllegalStateException("moved or renamed? its name stands in this test alone", e);
    }
  }

  private static String frozen() throws IOException {
    try (InputStream in = SchemaTest.class.getResourceAsStream("/schema.txt")) {
      return in == null ? "" : new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  private static String comment(String text) {
    return text.lines().filter(line -> line.startsWith("#")).reduce("", (a, b) -> a + b + "\n");
  }

  @Test
  void whatWasWrittenIsReadAsItWas() throws Exception {
    Comparison found =
        new Comparison(Schema.parse(frozen()), Schema.of(ROOTS), List.copyOf(ROOTS.keySet()));
    assertEquals(List.of(), found.broken());
  }

  @Test
  void whatIsNewIsWrittenDown() throws Exception {
    Schema now = Schema.of(ROOTS);
    Comparison found = new Comparison(Schema.parse(frozen()), now, List.copyOf(ROOTS.keySet()));
    Files.createDirectories(WRITTEN.toAbsolutePath().getParent());
    Files.writeString(WRITTEN, comment(frozen()) + now.text());
    assertEquals(
        List.of(),
        found.added(),
        "is it meant so? then conventions/target/schema.txt is the new conventions/src/test/resources/schema.txt");
  }

  @Test
  void aSchemaSurvivesItsText() {
    String text = Schema.of(ROOTS).text();
    assertEquals(text, Schema.parse(text).text());
  }

  sealed interface Union {}

  record Kind(int a) implements Union {
    static final String TAG = "Kind";
  }

  record Renamed(int a) implements Union {
    static final String TAG = "Other";
  }

  sealed interface Smaller {}

  record Alone(int b) implements Smaller {
    static final String TAG = "Kind";
  }

  record Before(int a, String b, List<Union> c, Hold d) {}

  record Shorter(int a, String b) {}

  record Swapped(int b, String a, List<Union> c, Hold d) {}

  record Retyped(int a, String b, List<Kind> c, Hold d) {}

  record Fewer(int a, String b, List<Smaller> c, Hold d) {}

  record After(int number, String b, List<Union> c, Hold d, long e) {}

  private static Comparison compare(Class<?> before, Class<?> now) {
    return new Comparison(
        Schema.of(Map.of("root", before)), Schema.of(Map.of("root", now)), List.of("root"));
  }

  @Test
  void whatBreaksIsFound() {
    assertEquals(List.of(), compare(Before.class, Before.class).broken());
    assertEquals(
        List.of("root.c is gone", "root.d is gone"), compare(Before.class, Shorter.class).broken());
    assertEquals(
        List.of(
            "root.a was component 1 and is component 2",
            "root.b was component 2 and is component 1"),
        compare(Before.class, Swapped.class).broken());
    assertEquals(
        List.of("root.c was of kind union and is of kind record"),
        compare(Before.class, Retyped.class).broken());
    assertEquals(List.of("root.c:Other is gone"), compare(Before.class, Fewer.class).broken());
    assertEquals(List.of("root.c:Other"), compare(Fewer.class, Before.class).added());
  }

  @Test
  void namesOfClassesAndComponentsAreFree() {
    Comparison found = compare(Before.class, After.class);
    assertEquals(List.of(), found.broken());
    assertEquals(List.of("root.e"), found.added());
    assertTrue(compare(Fewer.class, Fewer.class).added().isEmpty());
  }
}
