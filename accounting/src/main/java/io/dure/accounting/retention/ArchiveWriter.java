package io.dure.accounting.retention;

import java.io.BufferedOutputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Base64;
import java.util.Map;
import java.util.zip.GZIPOutputStream;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.json.JsonFactory;

/**
 * Writes an archive: JSON lines, compressed. It gets its name once it is whole and on the disk, and
 * replaces no other.
 */
final class ArchiveWriter implements AutoCloseable {
  static final String FORMAT = "dure-accounting-archive";
  static final int VERSION = 1;
  static final String SUFFIX = ".jsonl.gz";

  /** Files of one period at most. */
  private static final int MOST = 10_000;

  private final Path directory;
  private final Path unfinished;
  private final FileOutputStream file;
  private final OutputStream lines;
  private final JsonGenerator json;
  private long rows;

  ArchiveWriter(Path directory, Map<String, String> header) throws IOException {
    this.directory = directory;
    Files.createDirectories(directory);
    unfinished =
        Files.createTempFile(
            directory,
            ".archive",
            ".unfinished",
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    file = new FileOutputStream(unfinished.toFile());
    lines = new BufferedOutputStream(new GZIPOutputStream(file, 1 << 16), 1 << 16);
    json = new JsonFactory().createGenerator(ObjectWriteContext.empty(), lines);
    json.writeStartObject();
    json.writeStringProperty("format", FORMAT);
    json.writeNumberProperty("version", VERSION);
    header.forEach(json::writeStringProperty);
    end();
  }

  private void end() {
    json.writeEndObject();
    json.writeRaw('\n');
  }

  long rows() {
    return rows;
  }

  void write(ArchivedRow row) {
    json.writeStartObject();
    json.writeStringProperty("table", row.table().table());
    row.values()
        .forEach((name, value) -> {
          switch (value) {
            case Long number -> json.writeNumberProperty(name, number);
            case byte[] bytes -> {
              json.writeObjectPropertyStart(name);
              json.writeStringProperty("base64", Base64.getEncoder().encodeToString(bytes));
              json.writeEndObject();
            }
            default -> json.writeStringProperty(name, value.toString());
          }
        });
    end();
    rows++;
  }

  /** Gives it its name, or the name with a number behind it where there is one; the file. */
  Path finish(String name) throws IOException {
    json.writeStartObject();
    json.writeStringProperty("table", "");
    json.writeNumberProperty("rows", rows);
    end();
    json.flush();
    lines.flush();
    json.close();
    try (FileChannel disk = FileChannel.open(unfinished, StandardOpenOption.WRITE)) {
      disk.force(true);
    }
    for (int number = 1; number < MOST; number++) {
      Path whole = directory.resolve(name(name, number));
      try {
        // A link to a name that is there fails, where a renaming would replace the file.
        Files.createLink(whole, unfinished);
        Files.delete(unfinished);
        try (FileChannel names = FileChannel.open(directory, StandardOpenOption.READ)) {
          names.force(true);
        }
        return whole;
      } catch (FileAlreadyExistsException e) {
        // the next number
      }
    }
    throw new IOException(directory + ": too many archives " + name);
  }

  /** The name of the first, second and so on archive of a period. */
  static String name(String name, int number) {
    return name + (number == 1 ? "" : "." + number) + SUFFIX;
  }

  /** Removes what is not finished. */
  @Override
  public void close() throws IOException {
    file.close();
    Files.deleteIfExists(unfinished);
  }
}
