package io.dure.surface.document;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The schemas of Slurm's documents in all versions of its data parser: names, order, kinds and
 * words are Slurm's, the descriptions are ours. What is written, what is read and what is published
 * comes from here. Immutable.
 */
public final class DocumentSchemas {
  /** The first version of the data parser that Slurm 26.05 has. */
  public static final int OLDEST = 42;

  /** The last one. */
  public static final int NEWEST = 45;

  private static final List<String> TABLES =
      List.of(
          "common",
          "responses",
          "job",
          "submission",
          "node",
          "partition",
          "history",
          "accounts",
          "statistics",
          "configuration");

  private static final String OBJECT = "object";
  private static final String LIST = "list of ";
  private static final String WORDS = "words ";
  private static final String OPTIONAL = "_no_val_struct";

  private static final DocumentSchemas ALL = new DocumentSchemas();

  private final List<DescriptionTable> tables = TABLES.stream().map(DescriptionTable::new).toList();

  private final DescriptionTable words = new DescriptionTable("words");

  private DocumentSchemas() {}

  /** Those of every version. */
  public static DocumentSchemas all() {
    return ALL;
  }

  /** The schemas that a version has, in the order of the tables. */
  public List<Described> of(int version) {
    return tables.stream()
        .flatMap(table -> table.all().stream())
        .filter(schema -> schema.isIn(version))
        .toList();
  }

  /**
   * The operations that a version has. The name of one is its method and its path with {@code
   * {version}} in it, the kind is the schema of its answer; the names of its members say {@code
   * body}, {@code path} and a name, or {@code query} and a name.
   */
  public List<Described> operations(int version) {
    return new DescriptionTable("operations")
        .all().stream().filter(operation -> operation.isIn(version)).toList();
  }

  /** The words of a set that a version has. */
  public List<String> words(String set, int version) {
    Described found = words.find(set);
    if (found == null) {
      throw new IllegalArgumentException("no set of words is called " + set);
    }
    return found.members().stream()
        .filter(word -> word.isIn(version))
        .map(Described::name)
        .toList();
  }

  /**
   * The shape of a document.
   *
   * @param schema such as {@code openapi_job_info_resp}
   * @param version of the data parser, such as 45
   * @throws IllegalArgumentException if that version has no such schema
   */
  public Shape shape(String schema, int version) {
    Described found = find(schema);
    if (found == null || !found.isIn(version)) {
      throw new IllegalArgumentException("version " + version + " has no schema " + schema);
    }
    if (schema.endsWith(OPTIONAL)) {
      String type = schema.substring(0, schema.length() - OPTIONAL.length());
      return Shape.OptionalNumber.valueOf(type.toUpperCase(Locale.ROOT));
    }
    return shape(found.kind(), found, schema, version);
  }

  private @Nullable Described find(String schema) {
    for (DescriptionTable table : tables) {
      Described found = table.find(schema);
      if (found != null) {
        return found;
      }
    }
    return null;
  }

  private Shape shape(String kind, Described described, String path, int version) {
    if (kind.startsWith(LIST)) {
      return new Shape.ListOf(shape(kind.substring(LIST.length()), described, path, version));
    }
    if (kind.startsWith(WORDS)) {
      String set = kind.substring(WORDS.length());
      return new Shape.Words(set, words(set, version));
    }
    if (kind.equals(OBJECT)) {
      return members(described.members(), path, version);
    }
    Shape scalar = scalar(kind);
    return scalar == null ? shape(kind, version) : scalar;
  }

  private Shape.Members members(List<Described> described, String path, int version) {
    List<Shape.Member> members = new ArrayList<>();
    List<String> others = new ArrayList<>();
    for (Described one : described) {
      if (one.isIn(version)) {
        String place = path + "." + one.name();
        members.add(new Shape.Member(one.name(), shape(one.kind(), one, place, version)));
      } else {
        others.add(one.name());
      }
    }
    return new Shape.Members(path, List.copyOf(members), List.copyOf(others));
  }

  private static @Nullable Shape scalar(String kind) {
    return switch (kind) {
      case "string" -> Shape.Scalar.STRING;
      case "bool" -> Shape.Scalar.BOOL;
      case "int32" -> Shape.Scalar.INT32;
      case "int64" -> Shape.Scalar.INT64;
      case "double" -> Shape.Scalar.DOUBLE;
      case "number" -> Shape.Scalar.NUMBER;
      case "any" -> Shape.Scalar.ANY;
      default -> null;
    };
  }
}
