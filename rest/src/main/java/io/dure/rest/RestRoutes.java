package io.dure.rest;

import io.dure.surface.body.DocumentReader;
import io.dure.surface.document.Described;
import io.dure.surface.document.DocumentSchemas;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The operations by method and path, as the descriptions of the documents have them, as far as they
 * can be done. Immutable.
 */
public final class RestRoutes {
  private static final String VERSION = "{version}";
  private static final String NUMBER = "v0.0.";

  private final List<Route> routes = new ArrayList<>();

  /**
   * An operation and where it is.
   *
   * @param segments of its path; those in braces are parameters
   * @param schema of its answer
   * @param reader of what a request brings, null if it brings nothing
   */
  private record Route(
      int version,
      String method,
      List<String> segments,
      String schema,
      @Nullable DocumentReader reader,
      RestOperation operation) {

    @Nullable Map<String, String> match(List<String> path) {
      if (path.size() != segments.size()) {
        return null;
      }
      Map<String, String> found = new LinkedHashMap<>();
      for (int i = 0; i < path.size(); i++) {
        String segment = segments.get(i);
        if (segment.startsWith("{")) {
          found.put(segment.substring(1, segment.length() - 1), path.get(i));
        } else if (!segment.equals(path.get(i))) {
          return null;
        }
      }
      return found;
    }
  }

  /**
   * An operation that was found.
   *
   * @param version of the data parser
   * @param parameters values of the path's parameters
   * @param schema of its answer
   * @param reader of what a request brings, null if it brings nothing
   */
  public record Match(
      int version,
      Map<String, String> parameters,
      String schema,
      @Nullable DocumentReader reader,
      RestOperation operation) {}

  /**
   * The routes of all versions.
   *
   * @param operations by method and path with {@code {version}} in it
   * @throws IllegalArgumentException if one of them is not described
   */
  public RestRoutes(Map<String, RestOperation> operations) {
    Set<String> left = new TreeSet<>(operations.keySet());
    for (int version = DocumentSchemas.OLDEST; version <= DocumentSchemas.NEWEST; version++) {
      for (Described one : DocumentSchemas.all().operations(version)) {
        RestOperation operation = operations.get(one.name());
        if (operation != null) {
          left.remove(one.name());
          int blank = one.name().indexOf(' ');
          String path = one.name().substring(blank + 1).replace(VERSION, NUMBER + version);
          routes.add(
              new Route(
                  version,
                  one.name().substring(0, blank),
                  segments(path),
                  one.kind(),
                  reader(one, version),
                  operation));
        }
      }
    }
    if (!left.isEmpty()) {
      throw new IllegalArgumentException("not described: " + left);
    }
  }

  private static @Nullable DocumentReader reader(Described operation, int version) {
    for (Described member : operation.members()) {
      if (member.name().equals("body") && member.isIn(version)) {
        return new DocumentReader(member.kind(), version);
      }
    }
    return null;
  }

  /** The segments of a path; a slash at the end is of no account. */
  static List<String> segments(String path) {
    List<String> all = new ArrayList<>(List.of(path.split("/", -1)));
    all.removeFirst();
    if (!all.isEmpty() && all.getLast().isEmpty()) {
      all.removeLast();
    }
    return List.copyOf(all);
  }

  /** The operation, null if there is none. */
  public @Nullable Match find(String method, List<String> path) {
    for (Route route : routes) {
      Map<String, String> found = route.method().equals(method) ? route.match(path) : null;
      if (found != null) {
        return new Match(route.version(), found, route.schema(), route.reader(), route.operation());
      }
    }
    return null;
  }

  /** Whether a path is one with any method. */
  public boolean knows(List<String> path) {
    return routes.stream().anyMatch(route -> route.match(path) != null);
  }

  /** Whether an operation can be done, by its name in the descriptions. */
  public boolean has(Described operation, int version) {
    int blank = operation.name().indexOf(' ');
    String path = operation.name().substring(blank + 1).replace(VERSION, NUMBER + version);
    List<String> segments = segments(path);
    return routes.stream()
        .anyMatch(route ->
            route.version() == version
                && route.method().equals(operation.name().substring(0, blank))
                && route.segments().equals(segments));
  }
}
