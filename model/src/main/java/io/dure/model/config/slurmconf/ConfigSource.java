package io.dure.model.config.slurmconf;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** The files a configuration may name; the program that reads it supplies them. */
@FunctionalInterface
public interface ConfigSource {
  /** The text of a file, or null when it cannot be read. */
  @Nullable String read(String path);

  /** The names (without directory) of the files in a directory; empty when it cannot be listed. */
  default List<String> list(String directory) {
    return List.of();
  }
}
