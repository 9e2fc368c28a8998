package io.dure.conventions.schema;

import io.dure.model.collection.IntMap;
import io.dure.model.jobtext.TextValue;
import java.lang.reflect.Field;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * What the codec writes of some types, as text: a graph of records, unions and enums. No class has
 * its name in it: a record is named after the tag or the component by which it was found first.
 *
 * <pre>
 * journal: record
 *   at Instant
 *   event @journal.event
 * journal.event: union
 *   JobSubmitted @JobSubmitted
 * </pre>
 *
 * <p>The names of nodes only join the lines of one text; two texts are compared by what is at the
 * ends of the same ways from the same roots.
 */
final class Schema {
  /** A line below a node: a component and its type, a tag and its record, or a constant. */
  record Line(String name, String type) {}

  /** A record, union or enum. */
  record Node(String kind, List<Line> lines) {}

  private final Map<String, Node> nodes = new LinkedHashMap<>();
  private final Map<Class<?>, String> ids = new LinkedHashMap<>();

  private Schema() {}

  /** The schema of coded types, each under a name of its own. */
  static Schema of(Map<String, Class<?>> roots) {
    Schema schema = new Schema();
    new TreeMap<>(roots).forEach((name, type) -> schema.type(type, name));
    return schema;
  }

  /** The schema that {@link #text} wrote. */
  static Schema parse(String text) {
    Schema schema = new Schema();
    List<Line> lines = new ArrayList<>();
    for (String line : text.lines().toList()) {
      if (line.startsWith("  ")) {
        String[] words = line.strip().split(" ", 2);
        lines.add(new Line(words[0], words.length == 1 ? "" : words[1]));
      } else if (!line.startsWith("#") && !line.isBlank()) {
        String[] words = line.split(": ", 2);
        lines = new ArrayList<>();
        schema.nodes.put(words[0], new Node(words[1], lines));
      }
    }
    return schema;
  }

  String text() {
    StringBuilder text = new StringBuilder();
    nodes.forEach((id, node) -> {
      text.append(id).append(": ").append(node.kind()).append('\n');
      for (Line line : node.lines()) {
        text.append("  ").append((line.name() + " " + line.type()).strip()).append('\n');
      }
    });
    return text.toString();
  }

  Node node(String id) {
    return nodes.get(id);
  }

  private String type(Type type, String path) {
    if (type instanceof ParameterizedType generic) {
      Type[] arguments = generic.getActualTypeArguments();
      if (generic.getRawType() == List.class) {
        return "list " + type(arguments[0], path);
      }
      return (generic.getRawType() == IntMap.class ? "intmap " : "map ")
          + type(arguments[arguments.length - 1], path);
    }
    Class<?> plain = (Class<?>) type;
    if (TextValue.class.isAssignableFrom(plain)) {
      return "String";
    }
    boolean inner = plain.isRecord() || plain.isEnum() || plain.isSealed();
    return inner ? "@" + inner(plain, path) : plain.getSimpleName();
  }

  private String inner(Class<?> type, String path) {
    String known = ids.get(type);
    if (known != null) {
      return known;
    }
    String id = path;
    for (int i = 2; nodes.containsKey(id); i++) {
      id = path + "~" + i;
    }
    List<Line> lines = new ArrayList<>();
    ids.put(type, id);
    nodes.put(id, new Node(type.isRecord() ? "record" : type.isEnum() ? "enum" : "union", lines));
    if (type.isRecord()) {
      for (RecordComponent part : type.getRecordComponents()) {
        lines.add(new Line(part.getName(), type(part.getGenericType(), id + "." + part.getName())));
      }
    } else if (type.isEnum()) {
      for (Object constant : type.getEnumConstants()) {
        lines.add(new Line(((Enum<?>) constant).name(), ""));
      }
    } else {
      members(type, lines);
    }
    return id;
  }

  private void members(Class<?> union, List<Line> lines) {
    for (Class<?> member : union.getPermittedSubclasses()) {
      if (member.isSealed()) {
        members(member, lines);
      } else {
        String tag = tag(member);
        lines.add(new Line(tag, "@" + inner(member, tag)));
      }
    }
  }

  private static String tag(Class<?> member) {
    try {
      Field tag = member.getDeclaredField("TAG");
      tag.setAccessible(true);
      return (String) tag.get(null);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(member + " has no tag", e);
    }
  }
}
