package io.dure.cli.why;

import io.dure.model.report.JobExplanation;
import io.dure.model.report.JobSituation;
import io.dure.model.report.WaitCause;
import io.dure.surface.language.LocalizedPhrases;
import java.time.ZoneId;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The reason why a job waits as one word, for programs that read records. All functions are pure.
 */
public final class WaitReasonWord {
  private static final int LONGEST = 240;

  private WaitReasonWord() {}

  /**
   * What a job waits for and the first cause, in English whatever the language: without blanks and
   * equals signs, which part a record's keys. Null for a job that does not wait.
   */
  public static @Nullable String of(JobExplanation explanation, ZoneId zone) {
    if (!(explanation.story() instanceof JobSituation.Waits waits)) {
      return null;
    }
    LocalizedPhrases english = LocalizedPhrases.of(WhyCommand.class, Map.of());
    QuantityText words = new QuantityText(english, zone, explanation.now());
    WaitCauseText causes = new WaitCauseText(words, explanation.subject().word());
    String text;
    if (waits.causes().isEmpty()) {
      text = words.say(waits.reason().equals("Priority") ? "for-others" : "for-scheduler");
    } else {
      WaitCause first = waits.causes().getFirst();
      text = causes.shortly(first, waits.reason()) + ": " + causes.sentences(first).getFirst();
    }
    String word = text.strip().replaceAll("\\s+", "_").replace('=', ':');
    return word.length() > LONGEST ? word.substring(0, LONGEST) : word;
  }
}
