package io.dure.surface.document;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.dure.testkit.SeededRandom;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The layout is that of what a real Slurm printed for {@code squeue --yaml}. */
@Tag("pure")
class YamlNotationTest {

  private final ByteArrayOutputStream out = new ByteArrayOutputStream();

  private String text(String value) {
    YamlNotation yaml = new YamlNotation(out);
    yaml.startObject();
    yaml.text("name", value);
    yaml.endObject();
    yaml.close();
    String all = out.toString(StandardCharsets.UTF_8);
    return all.substring("%YAML 1.1\n--- !!map\n!!str name: !!str ".length(), all.length() - 5);
  }

  @Test
  void eachMemberStandsInItsLine() {
    YamlNotation yaml = new YamlNotation(out);
    yaml.startObject();
    yaml.startList("jobs");
    yaml.startObject();
    yaml.number("job_id", 49);
    yaml.startObject("job_resources");
    yaml.startList("nodes");
    yaml.startObject();
    yaml.text("name", "n1");
    yaml.flag("whole", false);
    yaml.endObject();
    yaml.endList();
    yaml.startObject("power");
    yaml.endObject();
    yaml.endObject();
    yaml.fraction("billing", 20);
    yaml.startList("state");
    yaml.text("RUNNING");
    yaml.endList();
    yaml.optional("cpus", true, false, 20);
    yaml.endObject();
    yaml.endList();
    yaml.startList("errors");
    yaml.endList();
    yaml.endObject();
    yaml.close();
    assertEquals(
        """
        %YAML 1.1
        --- !!map
        !!str jobs: !!seq
        - !!map
          !!str job_id: !!int 49
          !!str job_resources: !!map
            !!str nodes: !!seq
            - !!map
              !!str name: !!str n1
              !!str whole: !!bool false
            !!str power: !!map {}
          !!str billing: !!float 20.000000
          !!str state: !!seq
          - !!str RUNNING
          !!str cpus: !!map
            !!str set: !!bool true
            !!str infinite: !!bool false
            !!str number: !!int 20
        !!str errors: !!seq []
        ...
        """,
        out.toString(StandardCharsets.UTF_8));
  }

  @Test
  void plainTextsStandAsTheyAre() {
    String text = "Nodes required for job are DOWN, DRAINED or reserved";
    assertEquals(text, text(text));
  }

  @Test
  void pathsStandAsTheyAre() {
    assertEquals("/home/a/%x-%j.out", text("/home/a/%x-%j.out"));
  }

  @Test
  void nothingIsQuoted() {
    assertEquals("''", text(""));
  }

  @Test
  void textsThatWouldBeMistakenAreQuoted() {
    assertEquals("'it''s: a #1'", text("it's: a #1"));
  }

  @Test
  void beginningsThatMeanSomethingAreQuoted() {
    assertEquals("'[1-3]'", text("[1-3]"));
  }

  @Test
  void controlCharactersAreWrittenAsNumbers() {
    assertEquals(
        "\"a\\n\\\"b\\\"\\U0000001b[2J\\U0001f600\"", text("a\n\"b\"\u001b[2J\ud83d\ude00"));
  }

  @Test
  void noncharactersAreWrittenAsNumbers() {
    assertEquals(
        "\"a\\U0000fffe\\U0000ffff\\U0000fdd0\"",
        text("a" + (char) 0xfffe + (char) 0xffff + "\ufdd0"));
  }

  /** Those that no reader of YAML 1.1 refuses. */
  private static boolean isAllowed(int letter) {
    return letter >= ' ' && letter <= '~'
        || letter >= 0xa0 && letter <= 0xd7ff
        || letter >= 0xe000 && letter <= 0xfffd && letter != 0xfeff;
  }

  @Test
  void whateverIsWrittenConsistsOfWhatYamlAllows() {
    SeededRandom.check("yaml", 2_000, this::isWrittenAsAllowed);
  }

  private void isWrittenAsAllowed(SeededRandom random) {
    StringBuilder value = new StringBuilder();
    for (int i = random.between(0, 12); i >= 0; i--) {
      int last = random.coin() ? Character.MAX_CODE_POINT : 0xffff;
      value.appendCodePoint(random.between(random.percent(30) ? 0xfff0 : 0, last));
    }
    out.reset();
    String written = text(value.toString());
    assertTrue(written.codePoints().allMatch(YamlNotationTest::isAllowed), written);
  }
}
