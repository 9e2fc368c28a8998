package io.dure.cli.sacct;

import io.dure.protocol.accounting.RecordedText;
import java.nio.charset.StandardCharsets;

/** What is stored with a batch job if {@code AccountingStoreFlags} asks for it. */
enum StoredText {
  SCRIPT(RecordedText.Kind.SCRIPT, "scripts", "Batch Script for %s"),
  ENVIRONMENT(
      RecordedText.Kind.ENVIRONMENT,
      "environment",
      "Environment used for %s (must be batch to display)");

  private final RecordedText.Kind kind;
  private final String word;
  private final String title;

  StoredText(RecordedText.Kind kind, String word, String title) {
    this.kind = kind;
    this.word = word;
    this.title = title;
  }

  /** Which text it is. */
  RecordedText.Kind kind() {
    return kind;
  }

  /** What is printed of it. */
  String print(String text) {
    return switch (this) {
      // Of a script each char is a byte.
      case SCRIPT -> new String(text.getBytes(StandardCharsets.ISO_8859_1), StandardCharsets.UTF_8);
      case ENVIRONMENT -> text.replace('\0', '\n') + "\n";
    };
  }

  /** What stands in the refusal of a call that names no jobs. */
  String word() {
    return word;
  }

  /** What stands above that of a job. */
  String title(String id) {
    return title.formatted(id);
  }
}
