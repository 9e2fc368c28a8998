package io.dure.cli.why;

import io.dure.core.explain.Cause;
import io.dure.core.explain.Explanation;
import io.dure.core.explain.Story;
import io.dure.surface.language.Phrases;
import java.time.ZoneId;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Why a job waits, in one word for programs that read records. All functions are pure. */
public final class ShortWhy {
  private static final int LONGEST = 240;

  private ShortWhy() {}

  /**
   * What a job waits for and the first cause, in English whatever the language: without blanks and
   * equals signs, which part a record's keys. Null for a job that does not wait.
   */
  public static @Nullable String of(Explanation told, ZoneId zone) {
    if (!(told.story() instanceof Story.Waits waits)) {
      return null;
    }
    Phrases english = Phrases.of(Why.class, Map.of());
    Words words = new Words(english, zone, told.now());
    CauseText causes = new CauseText(words, told.subject().word());
    String text;
    if (waits.causes().isEmpty()) {
      text = words.say(waits.reason().equals("Priority") ? "for-others" : "for-scheduler");
    } else {
      Cause first = waits.causes().getFirst();
      text = causes.shortly(first, waits.reason()) + ": " + causes.sentences(first).getFirst();
    }
    String word = text.strip().replaceAll("\\s+", "_").replace('=', ':');
    return word.length() > LONGEST ? word.substring(0, LONGEST) : word;
  }
}
