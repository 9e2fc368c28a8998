package io.dure.cli.captured;

import java.util.Map;
import java.util.TreeMap;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.json.JsonFactory;

/** The values of a JSON document, read by a parser that knows nothing of how it was made. */
public final class JsonLeaves {
  private JsonLeaves() {}

  /** All values of a document by their paths, {@code jobs[0].cpus.number}. */
  public static Map<String, String> of(String text) {
    Map<String, String> leaves = new TreeMap<>();
    try (JsonParser parser = new JsonFactory().createParser(ObjectReadContext.empty(), text)) {
      parser.nextToken();
      read(parser, "", leaves);
    }
    return leaves;
  }

  private static void read(JsonParser parser, String path, Map<String, String> leaves) {
    switch (parser.currentToken()) {
      case START_OBJECT -> {
        while (parser.nextToken() != JsonToken.END_OBJECT) {
          String name = parser.currentName();
          parser.nextToken();
          read(parser, path.isEmpty() ? name : path + "." + name, leaves);
        }
      }
      case START_ARRAY -> {
        int index = 0;
        while (parser.nextToken() != JsonToken.END_ARRAY) {
          read(parser, path + "[" + index++ + "]", leaves);
        }
        leaves.put(path + ".length", Integer.toString(index));
      }
      default -> leaves.put(path, parser.getString());
    }
  }
}
