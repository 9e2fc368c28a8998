package io.dure.surface.completion;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.exc.StreamReadException;
import tools.jackson.core.json.JsonFactory;

/** What a REST proxy of Kafka says of the records of a request that it has taken. */
public final class TopicAnswer {
  private TopicAnswer() {}

  /**
   * Whether it has taken each of the records, in their order. Where the answer does not tell one
   * from another, all are as the worst.
   *
   * @param count how many there were
   */
  public static List<Boolean> taken(String answer, int count) {
    List<Boolean> each = new ArrayList<>();
    boolean failed = false;
    try (JsonParser parser = new JsonFactory().createParser(ObjectReadContext.empty(), answer)) {
      int depth = 0;
      for (JsonToken token = parser.nextToken(); token != null; token = parser.nextToken()) {
        if (token.isStructEnd()) {
          depth--;
        } else if (token.isStructStart()) {
          // {"offsets":[{
          if (depth == 2 && token == JsonToken.START_OBJECT) {
            each.add(true);
          }
          depth++;
        } else if (token.isNumeric() && "error_code".equals(parser.currentName())) {
          failed = true;
          if (depth == 3 && !each.isEmpty()) {
            each.set(each.size() - 1, false);
          }
        }
      }
    } catch (StreamReadException e) {
      // An answer of another kind: it was taken, as its code says.
      return Collections.nCopies(count, !failed);
    }
    return each.size() == count && failed == each.contains(false)
        ? each
        : Collections.nCopies(count, !failed);
  }
}
