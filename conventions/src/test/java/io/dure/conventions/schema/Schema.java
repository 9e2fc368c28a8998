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
import org.jspecify.annotations.Nullable;

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
  /** What stands before the tags of those that may stand in place of a record. */
  static final String MORE = "or:";

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
    Class<?> untagged = untagged(type);
    if (untagged != null) {
      String record = inner(untagged, path);
      ids.put(type, record);
      members(type, untagged, MORE, nodes.get(record).lines());
      return record;
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
      members(type, null, "", lines);
    }
    return id;
  }

  private void members(
      Class<?> union, @Nullable Class<?> without, String prefix, List<Line> lines) {
    for (Class<?> member : union.getPermittedSubclasses()) {
      if (member.isSealed()) {
        members(member, without, prefix, lines);
      } else if (member != without) {
        String tag = constant(member, "TAG");
        lines.add(new Line(prefix + tag, "@" + inner(member, String.valueOf(tag))));
      }
    }
  }

  /** The record that a union is written as where it is one, null where all have tags. */
  private static @Nullable Class<?> untagged(Class<?> type) {
    String untagged = type.isRecord() || type.isEnum() ? null : constant(type, "UNTAGGED");
    for (Class<?> member : untagged == null ? new Class<?>[0] : type.getPermittedSubclasses()) {
      if (String.valueOf(untagged).equals(constant(member, "TAG"))) {
        return member;
      }
    }
    return null;
  }

  private static @Nullable String constant(Class<?> type, String name) {
    try {
      Field field = type.getDeclaredField(name);
      field.setAccessible(true);
      return (String) field.get(null);
    } catch (ReflectiveOperationException e) {
      return null;
    }
  }
}
