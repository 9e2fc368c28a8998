package io.dure.conventions.arch;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Groups of classes of one package that depend on each other in a circle. A nested type counts as
 * its outermost one, and the generated builder of a record as the record.
 */
final class ClassCycles {
  private ClassCycles() {}

  /** The groups of two and more, one line each: the package, then the classes. */
  static List<String> of(JavaClasses classes) {
    TreeMap<String, String> builders = new TreeMap<>();
    for (JavaClass type : classes) {
      String nesting = type.getName().substring(type.getPackageName().length() + 1);
      String builder = type.getPackageName() + "." + nesting.replace("$", "") + "Builder";
      builders.put(builder, outermost(type));
    }
    TreeMap<String, SortedMap<String, SortedSet<String>>> packages = new TreeMap<>();
    for (JavaClass type : classes) {
      String from = owner(type, builders);
      type.getDirectDependenciesFromSelf().stream()
          .map(dependency -> dependency.getTargetClass().getBaseComponentType())
          .filter(target -> target.getPackageName().equals(type.getPackageName()))
          .map(target -> owner(target, builders))
          .filter(to -> !to.equals(from))
          .forEach(to ->
              packages
                  .computeIfAbsent(type.getPackageName(), _ -> new TreeMap<>())
                  .computeIfAbsent(from, _ -> new TreeSet<>())
                  .add(to));
    }
    List<String> cycles = new ArrayList<>();
    packages.forEach((name, uses) ->
        cyclesOf(uses)
            .forEach(
                one -> cycles.add(name + ": " + String.join(", ", one).replace(name + ".", ""))));
    return cycles;
  }

  private static String owner(JavaClass type, SortedMap<String, String> builders) {
    String name = outermost(type);
    return builders.getOrDefault(name, name);
  }

  private static String outermost(JavaClass type) {
    String name = type.getName();
    return name.contains("$") ? name.substring(0, name.indexOf('$')) : name;
  }

  private static List<SortedSet<String>> cyclesOf(SortedMap<String, SortedSet<String>> uses) {
    TreeMap<String, SortedSet<String>> reached = new TreeMap<>();
    uses.keySet().forEach(from -> reached.put(from, reached(from, uses)));
    List<SortedSet<String>> cycles = new ArrayList<>();
    SortedSet<String> seen = new TreeSet<>();
    reached.forEach((from, others) -> {
      if (others.contains(from) && seen.add(from)) {
        SortedSet<String> cycle = new TreeSet<>(others);
        cycle.removeIf(other -> !reached.getOrDefault(other, new TreeSet<>()).contains(from));
        seen.addAll(cycle);
        cycles.add(cycle);
      }
    });
    return cycles;
  }

  /** All that a class depends on, also through others. */
  private static SortedSet<String> reached(String from, SortedMap<String, SortedSet<String>> uses) {
    SortedSet<String> reached = new TreeSet<>();
    ArrayDeque<String> open = new ArrayDeque<>(List.of(from));
    while (!open.isEmpty()) {
      for (String next : uses.getOrDefault(open.remove(), new TreeSet<>())) {
        if (reached.add(next)) {
          open.add(next);
        }
      }
    }
    return reached;
  }
}
