package io.dure.surface.language;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/** The texts of {@code --help} and {@code --usage}, which lie beside the commands' classes. */
public final class HelpText {

  private HelpText() {}

  /**
   * A text beside a class.
   *
   * @param name the file's name
   */
  public static String of(Class<?> command, String name) {
    try (InputStream in = command.getResourceAsStream(name)) {
      if (in == null) {
        throw new IllegalStateException(name + " is missing beside " + command.getName());
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
