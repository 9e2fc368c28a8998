package io.dure.conventions.schema;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** What became of a schema: what can no longer be read as it was written, and what is new. */
final class Comparison {
  private final Schema before;
  private final Schema now;
  private final Set<String> seen = new HashSet<>();
  private final List<String> broken = new ArrayList<>();
  private final List<String> added = new ArrayList<>();

  Comparison(Schema before, Schema now, List<String> roots) {
    this.before = before;
    this.now = now;
    for (String root : roots) {
      if (before.node(root) == null) {
        added.add(root);
      } else {
        node(root, root, root);
      }
    }
  }

  /** What was written before and is not read, or is read as something else. */
  List<String> broken() {
    return broken;
  }

  /** What was not written before. */
  List<String> added() {
    return added;
  }

  private void type(String path, String old, String current) {
    int oldNode = old.indexOf('@');
    int node = current.indexOf('@');
    if (oldNode >= 0 && node >= 0 && old.substring(0, oldNode).equals(current.substring(0, node))) {
      node(path, old.substring(oldNode + 1), current.substring(node + 1));
    } else if (!old.equals(current)) {
      broken.add(path + " was " + old + " and is " + current);
    }
  }

  private void node(String path, String oldId, String id) {
    if (!seen.add(oldId + " " + id)) {
      return;
    }
    Schema.Node old = before.node(oldId);
    Schema.Node current = now.node(id);
    if (!old.kind().equals(current.kind())) {
      broken.add(path + " was of kind " + old.kind() + " and is of kind " + current.kind());
    } else if (old.kind().equals("record")) {
      components(path, parts(old, false), parts(current, false));
      members(path, parts(old, true), parts(current, true));
    } else {
      members(path, old.lines(), current.lines());
    }
  }

  private static List<Schema.Line> parts(Schema.Node node, boolean more) {
    return node.lines().stream().filter(l -> l.name().startsWith(Schema.MORE) == more).toList();
  }

  private void components(String path, List<Schema.Line> old, List<Schema.Line> current) {
    List<String> names = current.stream().map(Schema.Line::name).toList();
    for (int i = 0; i < old.size(); i++) {
      String name = path + "." + old.get(i).name();
      int place = names.indexOf(old.get(i).name());
      if (i >= current.size()) {
        broken.add(name + " is gone");
      } else if (place >= 0 && place != i) {
        broken.add(name + " was component " + (i + 1) + " and is component " + (place + 1));
      } else {
        type(name, old.get(i).type(), current.get(i).type());
      }
    }
    for (int i = old.size(); i < current.size(); i++) {
      added.add(path + "." + names.get(i));
    }
  }

  private void members(String path, List<Schema.Line> old, List<Schema.Line> current) {
    Map<String, String> members = new TreeMap<>();
    current.forEach(line -> members.put(line.name(), line.type()));
    for (Schema.Line line : old) {
      String type = members.remove(line.name());
      if (type == null) {
        broken.add(path + ":" + line.name() + " is gone");
      } else if (!type.isEmpty()) {
        type(path + ":" + line.name(), line.type(), type);
      }
    }
    members.keySet().forEach(name -> added.add(path + ":" + name));
  }
}
