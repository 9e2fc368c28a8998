package io.dure.surface.sbatch;

import io.dure.model.HostList;
import io.dure.model.HostListException;
import io.dure.surface.message.CommandException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The nodes that a job must or must not have, named on the command line or in a file.
 *
 * @param directory where the names of files start
 * @param files the caller's files
 */
public record NodeListOptions(Path directory, CallerFiles files) {

  private static final int MAX_FILE_BYTES = 1 << 20;

  /** The nodes of {@code --nodelist} and {@code --nodefile}, each once, in the order given. */
  public List<String> required(SbatchSettings settings) throws CommandException {
    String list = settings.value(SbatchOption.NODELIST);
    String file = settings.value(SbatchOption.NODEFILE);
    if (list == null && file != null) {
      list = readFile(file);
    }
    return expand(list);
  }

  /** The nodes of {@code --exclude}. */
  public List<String> excluded(SbatchSettings settings) throws CommandException {
    return expand(settings.value(SbatchOption.EXCLUDE));
  }

  private List<String> expand(@Nullable String text) throws CommandException {
    if (text == null || text.isBlank()) {
      return List.of();
    }
    try {
      String names = text.indexOf('/') >= 0 ? readFile(text) : text;
      return List.copyOf(new LinkedHashSet<>(HostList.expand(names)));
    } catch (HostListException e) {
      throw CommandException.error("Batch job submission failed: Invalid node name specified");
    }
  }

  /** The names in a file, apart by blanks, line ends or commas, as one expression. */
  private String readFile(String name) throws CommandException {
    byte[] bytes;
    try (InputStream in = files.read(directory.resolve(name))) {
      bytes = in.readNBytes(MAX_FILE_BYTES + 1);
    } catch (IOException e) {
      throw CommandException.error("Unable to open file " + name);
    }
    if (bytes.length > MAX_FILE_BYTES) {
      throw CommandException.error("File " + name + " is too long for a list of nodes");
    }
    String text = new String(bytes, StandardCharsets.UTF_8);
    StringBuilder names = new StringBuilder();
    boolean gap = false;
    for (int i = 0; i < text.length(); i++) {
      char letter = text.charAt(i);
      if (letter == ',' || Character.isWhitespace(letter)) {
        gap = true;
        continue;
      }
      if (gap && !names.isEmpty()) {
        names.append(',');
      }
      gap = false;
      names.append(letter);
    }
    return names.toString();
  }
}
