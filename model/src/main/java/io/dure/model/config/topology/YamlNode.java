package io.dure.model.config.topology;

import java.util.List;
import java.util.SequencedMap;

/** What a YAML file says at one place. */
sealed interface YamlNode {

  /** The line where it begins, from 1 on. */
  int line();

  /** A word or number; empty where the file says nothing. */
  record Scalar(int line, String text) implements YamlNode {}

  /** Items one after the other. */
  record Sequence(int line, List<YamlNode> items) implements YamlNode {}

  /** Keys with values, in the order of the file. */
  record Mapping(int line, SequencedMap<String, YamlNode> entries) implements YamlNode {}

  /** The text is none that is understood. */
  final class InvalidYamlException extends Exception {
    private static final long serialVersionUID = 1;
    private final int line;

    InvalidYamlException(int line, String message) {
      super(message);
      this.line = line;
    }

    int line() {
      return line;
    }
  }
}
