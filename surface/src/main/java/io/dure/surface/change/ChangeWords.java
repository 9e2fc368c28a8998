package io.dure.surface.change;

import io.dure.surface.body.DocumentValue;
import io.dure.surface.json.DocumentProblem;
import java.util.ArrayList;
import java.util.List;

/** The words {@code KEY=VALUE} that the members of an object mean. One thread. */
final class ChangeWords {
  private final String place;
  private final List<DocumentProblem> warnings;
  private final List<String> words = new ArrayList<>();

  /**
   * No words yet.
   *
   * @param place of the object in the document
   * @param warnings get what has no meaning
   */
  ChangeWords(String place, List<DocumentProblem> warnings) {
    this.place = place;
    this.warnings = warnings;
  }

  /** Adds a word; quotes keep those of the value. */
  void put(String key, String value) {
    words.add(key + "=\"" + value + '"');
  }

  void put(String key, DocumentValue value) {
    put(key, text(value, ""));
  }

  /**
   * A value as {@code scontrol} has it.
   *
   * @param unit behind a number
   */
  static String text(DocumentValue value, String unit) {
    return switch (value) {
      case DocumentValue.Text(String text) -> text;
      case DocumentValue.Flag(boolean on) -> on ? "yes" : "no";
      case DocumentValue.Whole(long number) -> number + unit;
      case DocumentValue.Fraction(double number) -> Double.toString(number);
      case DocumentValue.Infinite() -> "UNLIMITED";
      case DocumentValue.Items items -> String.join(",", items.texts());
      case DocumentValue.Members _ -> "";
    };
  }

  void ignored(String member, String why) {
    warnings.add(
        new DocumentProblem("Ignoring " + member + ": " + why, null, place + "/" + member));
  }

  List<String> words() {
    return words;
  }
}
