package io.dure.surface.language;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The particle that follows a word is the one that people say. */
@Tag("pure")
class KoreanParticlesTest {
  @ParameterizedTest
  @CsvSource({
    "파티션,은,을,이,으로",
    "노드,는,를,가,로",
    "서울,은,을,이,로",
    "CPU,는,를,가,로",
    "QOS,는,를,가,로",
    "URL,은,을,이,로",
    "RAM,은,을,이,으로",
    "debug,는,를,가,로",
    "main,은,을,이,으로",
    "normal,은,을,이,로",
    "long,은,을,이,으로",
    "short,는,를,가,로",
    "batch,는,를,가,로",
    "bob,은,을,이,으로",
    "alice,는,를,가,로",
    "gpu:t4,는,를,가,로",
    "gpu:a100,은,을,이,으로",
    "gpu:1,은,을,이,로",
    "n2,는,를,가,로",
    "n3,은,을,이,으로",
    "node7,은,을,이,로",
    "03:30:00,은,을,이,으로",
    "30분,은,을,이,으로",
    "2시간,은,을,이,으로",
    "64 GiB,는,를,가,로",
    "급함(2),는,를,가,로",
    "작업],은,을,이,으로",
    "q,는,를,가,로",
    "'',는,를,가,로"
  })
  void itFollowsFromTheSound(String word, String topic, String object, String subject, String by) {
    assertEquals(topic, KoreanParticles.after(word, "은", "는"));
    assertEquals(object, KoreanParticles.after(word, "을", "를"));
    assertEquals(subject, KoreanParticles.after(word, "이", "가"));
    assertEquals(by, KoreanParticles.after(word, "으로", "로"));
  }
}
