package io.dure.surface.body;

import io.dure.model.ErrorCode;
import io.dure.surface.document.Shape;
import io.dure.surface.json.DocumentProblem;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.json.JsonFactory;

/** One document being read. One thread. */
final class DocumentParse {
  private static final int DEPTH = 32;
  private static final int LONGEST_TEXT = 16 << 20;
  private static final int LONGEST_NUMBER = 64;

  /** Elements of all lists of a document; short ones take far more memory than they are long. */
  private static final int ELEMENTS = 100_000;

  private static final int PROBLEMS = 100;
  private static final int SHOWN = 100;

  /** Characters of a text, but of those that a user's files and variables make. */
  private static final int USUAL_TEXT = 128 << 10;

  private static final Pattern LONG_TEXT =
      Pattern.compile(".*/(script|(environment|argv)\\[\\d+])");

  private static final JsonFactory JSON =
      JsonFactory.builder()
          .streamReadConstraints(
              StreamReadConstraints.builder()
                  .maxNestingDepth(DEPTH)
                  .maxStringLength(LONGEST_TEXT)
                  .maxNumberLength(LONGEST_NUMBER)
                  .build())
          .build();

  private final IdentityHashMap<Shape.Members, Map<String, Shape>> index;
  private final List<DocumentProblem> errors = new ArrayList<>();
  private final List<DocumentProblem> warnings = new ArrayList<>();
  private int elements;

  DocumentParse(IdentityHashMap<Shape.Members, Map<String, Shape>> index) {
    this.index = index;
  }

  RequestDocument read(byte[] body, Shape.Members shape) throws MalformedDocumentException {
    try (JsonParser in = JSON.createParser(ObjectReadContext.empty(), body)) {
      DocumentValue root =
          in.nextToken() == null ? DocumentValue.Members.NONE : value(in, shape, "#");
      if (in.nextToken() != null) {
        throw new MalformedDocumentException("there is more behind the document");
      }
      return new RequestDocument(
          root instanceof DocumentValue.Members object ? object : DocumentValue.Members.NONE,
          List.copyOf(errors),
          List.copyOf(warnings));
    } catch (JacksonException e) {
      throw new MalformedDocumentException(e.getOriginalMessage());
    }
  }

  /** The value at hand, null if it says that there is none or is wrong. */
  private @Nullable DocumentValue value(JsonParser in, Shape shape, String place) {
    if (in.currentToken() == JsonToken.VALUE_NULL) {
      return null;
    }
    return switch (shape) {
      case Shape.Members object -> members(in, object, place);
      case Shape.ListOf(Shape element) -> items(in, element, place);
      case Shape.OptionalNumber kind -> optional(in, kind, place);
      case Shape.Words words -> word(in, words, place);
      case Shape.Scalar scalar -> scalar(in, scalar, place);
    };
  }

  private @Nullable DocumentValue members(JsonParser in, Shape.Members shape, String place) {
    if (in.currentToken() != JsonToken.START_OBJECT) {
      return wrong(in, place, ErrorCode.DATA_CONV_FAILED, "Expected an object");
    }
    Map<String, Shape> known = index.getOrDefault(shape, Map.of());
    Map<String, DocumentValue> found = new LinkedHashMap<>();
    while (in.nextToken() != JsonToken.END_OBJECT) {
      String name = in.currentName();
      JsonToken token = in.nextToken();
      Shape member = known.get(name);
      if (member == null) {
        ignore(place + "/" + name, token);
        in.skipChildren();
        continue;
      }
      DocumentValue value = value(in, member, place + "/" + name);
      if (value == null) {
        found.remove(name);
      } else {
        found.put(name, value);
      }
    }
    return new DocumentValue.Members(found);
  }

  private @Nullable DocumentValue items(JsonParser in, Shape element, String place) {
    if (in.currentToken() == JsonToken.START_ARRAY) {
      List<DocumentValue> found = new ArrayList<>();
      for (int at = 0; in.nextToken() != JsonToken.END_ARRAY; at++) {
        if (!isCounted(place)) {
          in.skipChildren();
        } else if (in.currentToken() == JsonToken.VALUE_NULL) {
          wrong(in, place + "[" + at + "]", ErrorCode.DATA_CONV_FAILED, "Expected a value");
        } else {
          DocumentValue value = value(in, element, place + "[" + at + "]");
          if (value != null) {
            found.add(value);
          }
        }
      }
      return new DocumentValue.Items(found);
    }
    boolean words = element instanceof Shape.Words;
    if (!words && element != Shape.Scalar.STRING || in.currentToken().isStructStart()) {
      return wrong(in, place, ErrorCode.DATA_CONV_FAILED, "Expected a list");
    }
    return text(in, place) instanceof DocumentValue.Text(String text)
        ? pieces(in, text, element, place)
        : null;
  }

  /** The pieces of a text that are apart by commas. */
  private @Nullable DocumentValue pieces(JsonParser in, String text, Shape element, String place) {
    List<DocumentValue> found = new ArrayList<>();
    boolean named = false;
    for (int from = 0; from <= text.length(); ) {
      int comma = text.indexOf(',', from);
      int end = comma < 0 ? text.length() : comma;
      String one = text.substring(from, end).strip();
      from = end + 1;
      named |= !one.isEmpty();
      if (!one.isEmpty() && isCounted(place)) {
        DocumentValue value =
            element instanceof Shape.Words(_, List<String> all)
                ? known(one, all, place)
                : new DocumentValue.Text(one);
        if (value != null) {
          found.add(value);
        }
      }
    }
    return !named && !text.isEmpty()
        ? wrong(in, place, ErrorCode.DATA_CONV_FAILED, "Expected a list")
        : new DocumentValue.Items(found);
  }

  /** Whether there is room for an element more. */
  private boolean isCounted(String place) {
    elements++;
    if (elements == ELEMENTS + 1) {
      String text = "More than " + ELEMENTS + " elements in the lists of a document";
      problem(errors, new DocumentProblem(text, ErrorCode.DATA_TOO_LARGE, place));
    }
    return elements <= ELEMENTS;
  }

  /** A text that can be kept and sent as it is. */
  private @Nullable DocumentValue text(JsonParser in, String place) {
    String text = in.getString();
    if (text.length() > USUAL_TEXT && !LONG_TEXT.matcher(place).matches()) {
      return wrong(in, place, ErrorCode.DATA_TOO_LARGE, "Expected a shorter text");
    }
    for (int i = 0; i < text.length(); i++) {
      char letter = text.charAt(i);
      boolean pair =
          Character.isHighSurrogate(letter)
              && i + 1 < text.length()
              && Character.isLowSurrogate(text.charAt(i + 1));
      if (letter == 0 || Character.isSurrogate(letter) && !pair) {
        return wrong(
            in, place, ErrorCode.DATA_CONV_FAILED, "Expected a text of Unicode without NUL");
      }
      i += pair ? 1 : 0;
    }
    return new DocumentValue.Text(text);
  }

  private @Nullable DocumentValue word(JsonParser in, Shape.Words words, String place) {
    if (in.currentToken() != JsonToken.VALUE_STRING) {
      return wrong(in, place, ErrorCode.DATA_CONV_FAILED, "Expected a word");
    }
    return known(in.getString(), words.words(), place);
  }

  private @Nullable DocumentValue known(String word, List<String> words, String place) {
    for (String one : words) {
      if (one.equalsIgnoreCase(word)) {
        return new DocumentValue.Text(one);
      }
    }
    if (errors.size() >= PROBLEMS) {
      return null;
    }
    problem(
        errors,
        new DocumentProblem(
            "Unknown flag \"" + shortened(word) + "\": expected one of " + String.join(",", words),
            ErrorCode.DATA_CONV_FAILED,
            place));
    return null;
  }

  /** A number that may be unset or without a bound: as an object that says so, or by itself. */
  private @Nullable DocumentValue optional(JsonParser in, Shape.OptionalNumber kind, String place) {
    boolean whole = kind != Shape.OptionalNumber.FLOAT64;
    if (in.currentToken() != JsonToken.START_OBJECT) {
      return in.currentToken() == JsonToken.VALUE_STRING && in.getString().isEmpty()
          ? null
          : number(in, whole, place);
    }
    boolean set = false;
    boolean infinite = false;
    boolean said = false;
    DocumentValue number = null;
    while (in.nextToken() != JsonToken.END_OBJECT) {
      String name = in.currentName();
      JsonToken token = in.nextToken();
      String at = place + "/" + name;
      switch (name) {
        case "set" -> {
          set = isOn(in, at);
          said = true;
        }
        case "infinite" -> infinite = isOn(in, at);
        case "number" -> number = token == JsonToken.VALUE_NULL ? null : number(in, whole, at);
        default -> {
          ignore(at, token);
          in.skipChildren();
        }
      }
    }
    if (infinite) {
      return new DocumentValue.Infinite();
    }
    return set || !said ? number : null;
  }

  private boolean isOn(JsonParser in, String place) {
    return flag(in, place) instanceof DocumentValue.Flag(boolean on) && on;
  }

  private @Nullable DocumentValue scalar(JsonParser in, Shape.Scalar scalar, String place) {
    return switch (scalar) {
      case STRING, ANY -> {
        if (in.currentToken().isStructStart()) {
          yield wrong(in, place, ErrorCode.DATA_CONV_FAILED, "Expected a text");
        }
        yield text(in, place);
      }
      case BOOL -> flag(in, place);
      case INT32, INT64 -> number(in, true, place);
      case DOUBLE, NUMBER -> number(in, false, place);
    };
  }

  private @Nullable DocumentValue flag(JsonParser in, String place) {
    String text = in.currentToken().isScalarValue() ? in.getString() : "";
    return switch (text.toLowerCase(Locale.ROOT)) {
      case "true", "yes", "on", "1" -> new DocumentValue.Flag(true);
      case "false", "no", "off", "0" -> new DocumentValue.Flag(false);
      default -> wrong(in, place, ErrorCode.DATA_CONV_FAILED, "Expected true or false");
    };
  }

  private @Nullable DocumentValue number(JsonParser in, boolean whole, String place) {
    String text = in.currentToken().isScalarValue() ? in.getString().strip() : "";
    DocumentValue special = NumberWords.special(text, whole);
    if (special != null) {
      return special;
    }
    if (NumberWords.isUnset(text)) {
      return null;
    }
    DocumentValue number = NumberWords.number(text, whole);
    return number == null
        ? wrong(
            in,
            place,
            ErrorCode.DATA_CONV_FAILED,
            whole ? "Expected a whole number" : "Expected a number")
        : number;
  }

  private @Nullable DocumentValue wrong(
      JsonParser in, String place, ErrorCode code, String expected) {
    JsonToken token = in.currentToken();
    String found = token.isScalarValue() ? " but found \"" + shortened(in.getString()) + "\"" : "";
    problem(errors, new DocumentProblem(expected + found, code, place));
    in.skipChildren();
    return null;
  }

  private void ignore(String place, JsonToken token) {
    int slash = place.lastIndexOf('/');
    problem(
        warnings,
        new DocumentProblem(
            "Ignoring unknown field \""
                + shortened(place.substring(slash + 1))
                + "\" of type "
                + NumberWords.kind(token),
            null,
            shortened(place)));
  }

  private static void problem(List<DocumentProblem> problems, DocumentProblem one) {
    if (problems.size() < PROBLEMS) {
      problems.add(one);
    }
  }

  private static String shortened(String text) {
    return text.length() <= SHOWN ? text : text.substring(0, SHOWN) + "...";
  }
}
