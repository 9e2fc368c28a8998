package io.dure.node.launch;

/** What happens to an output file that exists already: sbatch's {@code --open-mode}. */
public enum OutputOpenMode {
  APPEND('a'),
  TRUNCATE('t');

  private final char letter;

  OutputOpenMode(char letter) {
    this.letter = letter;
  }

  /** The shepherd's notation: the letter, a colon, the path. */
  String of(String path) {
    return letter + ":" + path;
  }
}
