package io.dure.accounting.retention;

import java.io.BufferedReader;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.zip.GZIPInputStream;
import java.util.zip.ZipException;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.json.JsonFactory;

/** Reads an archive line by line; one that was cut off is refused at its end. */
final class ArchiveReader implements AutoCloseable {
  private static final String TABLE = "table";
  private static final JsonFactory JSON = new JsonFactory();

  private final Path file;
  private final BufferedReader lines;
  private final Map<String, Object> header;
  private int line;
  private long rows;

  ArchiveReader(Path file) throws IOException {
    this.file = file;
    lines =
        new BufferedReader(
            new InputStreamReader(
                new GZIPInputStream(Files.newInputStream(file), 1 << 16),
                StandardCharsets.UTF_8.newDecoder()));
    header = values(nextLine());
    if (!ArchiveWriter.FORMAT.equals(header.get("format"))) {
      throw wrong("no archive of Dure's accounting");
    }
    if (!Long.valueOf(ArchiveWriter.VERSION).equals(header.get("version"))) {
      throw wrong("made by a newer release: version " + header.get("version"));
    }
  }

  /** Opens an archive; what is no archive at all is told as such. */
  static ArchiveReader open(Path file) throws IOException {
    try {
      return new ArchiveReader(file);
    } catch (ZipException | EOFException e) {
      throw new BadArchiveException(file + ": no archive of Dure's accounting: " + e.getMessage());
    }
  }

  /** A text of the first line, empty for none. */
  String header(String name) {
    return header.get(name) instanceof String text ? text : "";
  }

  /** The line that was read last, from 1. */
  int line() {
    return line;
  }

  BadArchiveException wrong(String what) {
    return new BadArchiveException(file + ":" + line + ": " + what);
  }

  /** The next row, null behind the last. */
  @Nullable ArchivedRow next() throws IOException {
    Map<String, Object> values = values(nextLine());
    if (!(values.remove(TABLE) instanceof String table)) {
      throw wrong("no table");
    }
    if (table.isEmpty()) {
      if (!Long.valueOf(rows).equals(values.get("rows"))) {
        throw wrong("it has " + rows + " rows, and had " + values.get("rows"));
      }
      return null;
    }
    rows++;
    try {
      return new ArchivedRow(ArchivedTable.of(table), values);
    } catch (BadArchiveException e) {
      throw wrong(String.valueOf(e.getMessage()));
    }
  }

  private String nextLine() throws IOException {
    line++;
    try {
      String text = lines.readLine();
      if (text == null) {
        throw wrong("the file ends here, and its end is missing");
      }
      return text;
    } catch (ZipException | EOFException | CharacterCodingException e) {
      throw wrong("the file is damaged: " + e.getMessage());
    }
  }

  private Map<String, Object> values(String text) throws BadArchiveException {
    Map<String, Object> values = new LinkedHashMap<>();
    try (JsonParser json = JSON.createParser(ObjectReadContext.empty(), text)) {
      if (json.nextToken() != JsonToken.START_OBJECT) {
        throw wrong("no JSON object");
      }
      while (json.nextToken() == JsonToken.PROPERTY_NAME) {
        String name = json.currentName();
        Object value = value(json, json.nextToken());
        if (values.put(name, value) != null) {
          throw wrong(name + " occurs twice");
        }
      }
      if (json.nextToken() != null) {
        throw wrong("more than one JSON object");
      }
    } catch (JacksonException | IllegalArgumentException e) {
      throw wrong(String.valueOf(e.getMessage()).lines().findFirst().orElse(""));
    }
    return values;
  }

  private Object value(JsonParser json, @Nullable JsonToken token) throws BadArchiveException {
    return switch (token) {
      case VALUE_NUMBER_INT -> json.getLongValue();
      case VALUE_STRING -> json.getString();
      case START_OBJECT -> {
        boolean bytes =
            json.nextToken() == JsonToken.PROPERTY_NAME
                && json.currentName().equals("base64")
                && json.nextToken() == JsonToken.VALUE_STRING;
        if (!bytes) {
          throw wrong("no value");
        }
        byte[] value = Base64.getDecoder().decode(json.getString());
        if (json.nextToken() != JsonToken.END_OBJECT) {
          throw wrong("no value");
        }
        yield value;
      }
      case null, default -> throw wrong("no value");
    };
  }

  @Override
  public void close() throws IOException {
    lines.close();
  }
}
