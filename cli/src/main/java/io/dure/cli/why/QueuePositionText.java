package io.dure.cli.why;

import io.dure.model.history.RecordedRun;
import io.dure.model.report.DurePriority;
import io.dure.model.report.QueuePosition;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** A job's place in the queue and its reasons, as text. */
final class QueuePositionText {
  private final QuantityText words;
  private final List<String> lines = new ArrayList<>();

  QueuePositionText(QuantityText words) {
    this.words = words;
  }

  /** All lines. Used once. */
  List<String> of(QueuePosition place) {
    lines.add(
        place.ahead() == 0
            ? words.say("first", place.partition())
            : words.count("place-behind", place.ahead()).replace("{1}", place.partition()));
    DurePriority standing = place.standing();
    if (standing != null && standing.fixed()) {
      lines.add(words.say("fixed", standing.priority()));
    } else if (standing != null) {
      size(standing);
      band(standing);
      wait(standing);
      added(standing);
    }
    return lines;
  }

  private String seconds(long seconds) {
    return words.length(Duration.ofSeconds(seconds));
  }

  private void size(DurePriority standing) {
    String basis =
        switch (standing.prediction().basis()) {
          case KIND -> "by-kind";
          case USER -> "by-user";
          case CLUSTER -> "by-cluster";
          case LIMIT -> "by-limit";
        };
    lines.add(
        words.say(
            "predicted",
            seconds((long) standing.prediction().seconds()),
            words.say(basis, standing.prediction().runs())));
  }

  private void band(DurePriority standing) {
    Double share = standing.share();
    if (share != null) {
      String phrase = share >= 1.05 ? "less-used" : share <= 0.95 ? "more-used" : "as-used";
      double times = share >= 1 ? share : 1 / share;
      lines.add(
          Double.isInfinite(times)
              ? words.say("nothing-used", standing.band())
              : words.say(phrase, standing.band(), QuantityText.number(times)));
    }
    if (standing.rank() > 0) {
      lines.add(words.count("ranked", standing.rank()));
    }
  }

  /** Short jobs first, then the order of submission, and beyond its bound a reserved start. */
  private void wait(DurePriority standing) {
    if (standing.overdue()) {
      lines.add(words.say("overdue", seconds(standing.boundSeconds())));
      return;
    }
    boolean known = standing.shortSeconds() < RecordedRun.UNLIMITED;
    if (known) {
      lines.add(
          words.say(standing.bySize() > 0 ? "short" : "in-turn", seconds(standing.shortSeconds())));
    }
    if (standing.overloaded()) {
      lines.add(words.say("overloaded"));
    }
    lines.add(words.say("bound", seconds(standing.boundSeconds())));
  }

  private void added(DurePriority standing) {
    if (standing.site() != 0) {
      lines.add(words.say(standing.site() > 0 ? "site-up" : "site-down"));
    }
    if (standing.nice() != 0) {
      lines.add(words.say(standing.nice() > 0 ? "nice-down" : "nice-up"));
    }
  }
}
