package io.dure.node.launch;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.WritableByteChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.SequencedMap;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The format in which daemon and shepherd talk: entries {@code key=value}, each ended by a NUL
 * byte, so that a value may hold anything but NUL. Files are private to their owner.
 */
final class KeyValueFile {
  private KeyValueFile() {}

  /**
   * Writes a new file of mode 0600.
   *
   * @throws IllegalArgumentException if an entry holds a NUL
   */
  static void create(Path file, List<String> entries) throws IOException {
    StringBuilder text = new StringBuilder();
    for (String entry : entries) {
      if (entry.indexOf('\0') >= 0) {
        throw new IllegalArgumentException(
            "NUL byte in entry " + entry.substring(0, entry.indexOf('\0')));
      }
      text.append(entry).append('\0');
    }
    write(file, text.toString().getBytes(StandardCharsets.UTF_8), "rw-------");
  }

  /** Writes a new file of that mode. */
  static void write(Path file, byte[] content, String mode) throws IOException {
    var attribute = PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(mode));
    var options = Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
    try (WritableByteChannel channel = Files.newByteChannel(file, options, attribute)) {
      ByteBuffer rest = ByteBuffer.wrap(content);
      while (rest.hasRemaining()) {
        channel.write(rest);
      }
    }
  }

  /** Reads the entries in order; a file that does not exist is an empty list. */
  static List<String> read(Path file) throws IOException {
    byte[] bytes;
    try {
      bytes = Files.readAllBytes(file);
    } catch (NoSuchFileException _) {
      return List.of();
    }
    List<String> entries = new ArrayList<>();
    int start = 0;
    for (int i = 0; i < bytes.length; i++) {
      if (bytes[i] == 0) {
        if (i > start) {
          entries.add(new String(bytes, start, i - start, StandardCharsets.UTF_8));
        }
        start = i + 1;
      }
    }
    return entries;
  }

  /** Reads a file whose keys are unique; null when it does not exist or holds nothing. */
  static @Nullable SequencedMap<String, String> readMap(Path file) throws IOException {
    SequencedMap<String, String> map = new LinkedHashMap<>();
    for (String entry : read(file)) {
      int equals = entry.indexOf('=');
      if (equals < 0) {
        throw new IOException(file + ": not an entry: " + entry);
      }
      map.put(entry.substring(0, equals), entry.substring(equals + 1));
    }
    return map.isEmpty() ? null : map;
  }

  /** The number under that key. */
  static long number(SequencedMap<String, String> map, String key) throws IOException {
    String value = map.get(key);
    try {
      if (value != null) {
        return Long.parseLong(value);
      }
    } catch (NumberFormatException e) {
      throw new IOException("not a number: " + key + "=" + value, e);
    }
    throw new IOException("no entry " + key);
  }
}
