package io.dure.surface.document;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.BiPredicate;

/**
 * Writes the OpenAPI 3.0.3 document of the REST interface: the operations and schemas of some
 * versions of the data parser, under the names that Slurm gives them, so that clients which were
 * generated from Slurm's document have the same types and methods. For one thread.
 */
public final class OpenApiDocument {
  private static final String LIST = "list of ";
  private static final String WORDS = "words ";
  private static final String VERSION = "{version}";
  private static final List<String> NOTHING = List.of();

  private final DocumentNotation out;
  private final BiPredicate<Described, Integer> served;
  private final DocumentSchemas schemas = DocumentSchemas.all();

  private OpenApiDocument(DocumentNotation out, BiPredicate<Described, Integer> served) {
    this.out = out;
    this.served = served;
  }

  /**
   * Writes the document of some versions and ends it.
   *
   * @param versions of the data parser, such as 45
   * @param served whether an operation of a version is there
   * @param release of Slurm that is spoken, such as 26.05.0
   */
  public static void write(
      DocumentNotation out,
      List<Integer> versions,
      BiPredicate<Described, Integer> served,
      String release) {
    OpenApiDocument document = new OpenApiDocument(out, served);
    out.startObject();
    out.text("openapi", "3.0.3");
    document.info(versions, release);
    document.paths(versions);
    document.components(versions);
    out.endObject();
    out.close();
  }

  private void info(List<Integer> versions, String release) {
    out.startObject("info");
    out.text("title", "Slurm REST API");
    out.text("description", "Submits, lists and changes what a cluster and its accounts have");
    out.text("version", "Slurm-" + release + "&openapi/slurmdbd&openapi/slurmctld");
    out.startObject("x-slurm");
    out.startList("data_parsers");
    for (int version : versions) {
      out.startObject();
      out.text("plugin", "v0.0." + version);
      out.endObject();
    }
    out.endList();
    out.text("release", release);
    out.endObject();
    out.endObject();
    out.startList("servers");
    out.startObject();
    out.text("url", "/");
    out.endObject();
    out.endList();
    out.startList("tags");
    tag("slurm", "What the controller knows and does");
    tag("slurmdb", "What the accounts have");
    out.endList();
    security();
  }

  private void tag(String name, String description) {
    out.startObject();
    out.text("name", name);
    out.text("description", description);
    out.endObject();
  }

  /** A user's name with a token, a token of which the claims say the user, or a unix socket. */
  private void security() {
    out.startList("security");
    for (List<String> together :
        List.of(List.of("user", "token"), List.of("token"), List.of("bearerAuth"), NOTHING)) {
      out.startObject();
      for (String scheme : together) {
        out.startList(scheme);
        out.endList();
      }
      out.endObject();
    }
    out.endList();
  }

  private void paths(List<Integer> versions) {
    Map<String, List<Runnable>> paths = new LinkedHashMap<>();
    for (int version : versions) {
      for (Described operation : schemas.operations(version)) {
        if (!served.test(operation, version)) {
          continue;
        }
        String name = operation.name();
        int blank = name.indexOf(' ');
        String path = name.substring(blank + 1).replace(VERSION, "v0.0." + version);
        String method = name.substring(0, blank).toLowerCase(Locale.ROOT);
        paths
            .computeIfAbsent(path, _ -> new ArrayList<>())
            .add(() -> operation(operation, method, path, version));
      }
    }
    out.startObject("paths");
    paths.forEach((path, operations) -> {
      out.startObject(path);
      operations.forEach(Runnable::run);
      out.endObject();
    });
    out.endObject();
  }

  private void operation(Described operation, String method, String path, int version) {
    out.startObject(method);
    out.startList("tags");
    out.text(path.substring(1, path.indexOf('/', 1)));
    out.endList();
    out.text("summary", operation.description());
    out.text("operationId", operationId(method, path, version));
    List<Described> given = operation.members().stream().filter(one -> one.isIn(version)).toList();
    out.startList("parameters");
    given.stream().filter(one -> !isBody(one)).forEach(one -> parameter(one, version));
    out.endList();
    given.stream().filter(OpenApiDocument::isBody).forEach(body -> requestBody(body, version));
    out.startObject("responses");
    for (String code : List.of("200", "default")) {
      out.startObject(code);
      out.text("description", code.equals("200") ? "It was done" : "It was not done");
      content(operation.kind(), version);
      out.endObject();
    }
    out.endObject();
    out.endObject();
  }

  private static boolean isBody(Described given) {
    return given.name().equals("body");
  }

  private void requestBody(Described body, int version) {
    out.startObject("requestBody");
    out.text("description", body.description());
    content(body.kind(), version);
    out.endObject();
  }

  /** As Slurm names it: of the parts of the path that are no parameters. */
  private static String operationId(String method, String path, int version) {
    String[] parts = path.substring(1).split("/", -1);
    List<String> words = new ArrayList<>(List.of(parts[0], "v00" + version, method));
    // What is listed and what is looked at have the same word here, and need two names.
    if (path.endsWith("/{qos}")) {
      words.add("single");
    }
    for (int at = 2; at < parts.length; at++) {
      if (!parts[at].isEmpty() && !parts[at].startsWith("{")) {
        words.add(parts[at]);
      }
    }
    return String.join("_", words);
  }

  private void parameter(Described parameter, int version) {
    String name = parameter.name();
    int blank = name.indexOf(' ');
    String in = name.substring(0, blank);
    out.startObject();
    out.text("name", name.substring(blank + 1));
    out.text("in", in);
    out.text("description", parameter.description());
    out.flag("required", in.equals("path"));
    out.startObject("schema");
    kind(parameter, parameter.kind(), version);
    out.endObject();
    out.endObject();
  }

  private void content(String schema, int version) {
    out.startObject("content");
    for (String type : List.of("application/json", "application/x-yaml")) {
      out.startObject(type);
      out.startObject("schema");
      reference(schema, version);
      out.endObject();
      out.endObject();
    }
    out.endObject();
  }

  private void components(List<Integer> versions) {
    out.startObject("components");
    securitySchemes();
    out.startObject("schemas");
    for (int version : versions) {
      for (Described schema : schemas.of(version)) {
        out.startObject(name(schema.name(), version));
        out.text("description", schema.description());
        kind(schema, schema.kind(), version);
        out.endObject();
      }
    }
    out.endObject();
    out.endObject();
  }

  private void securitySchemes() {
    out.startObject("securitySchemes");
    header("user", "X-SLURM-USER-NAME", "Name of the user");
    header("token", "X-SLURM-USER-TOKEN", "JSON web token of the user");
    out.startObject("bearerAuth");
    out.text("type", "http");
    out.text("scheme", "bearer");
    out.text("bearerFormat", "JWT");
    out.text("description", "JSON web token of the user");
    out.endObject();
    out.endObject();
  }

  private void header(String scheme, String name, String description) {
    out.startObject(scheme);
    out.text("type", "apiKey");
    out.text("in", "header");
    out.text("name", name);
    out.text("description", description);
    out.endObject();
  }

  /** Writes the members of the schema object of a kind. */
  private void kind(Described described, String kind, int version) {
    if (kind.startsWith(LIST)) {
      out.text("type", "array");
      out.startObject("items");
      kind(described, kind.substring(LIST.length()), version);
      out.endObject();
    } else if (kind.startsWith(WORDS)) {
      out.text("type", "string");
      out.startList("enum");
      schemas.words(kind.substring(WORDS.length()), version).forEach(out::text);
      out.endList();
    } else {
      switch (kind) {
        case "object" -> object(described.members(), version);
        case "string" -> type("string", "");
        case "bool" -> type("boolean", "");
        case "int32", "int64" -> type("integer", kind);
        case "double" -> type("number", kind);
        case "number" -> type("number", "");
        case "any" -> {}
        default -> reference(kind, version);
      }
    }
  }

  private void type(String type, String format) {
    out.text("type", type);
    if (!format.isEmpty()) {
      out.text("format", format);
    }
  }

  private void object(List<Described> members, int version) {
    out.text("type", "object");
    List<Described> present = members.stream().filter(one -> one.isIn(version)).toList();
    if (present.stream().anyMatch(Described::required)) {
      out.startList("required");
      present.stream().filter(Described::required).map(Described::name).forEach(out::text);
      out.endList();
    }
    out.startObject("properties");
    for (Described member : present) {
      out.startObject(member.name());
      out.text("description", member.description());
      kind(member, member.kind(), version);
      out.endObject();
    }
    out.endObject();
  }

  private void reference(String schema, int version) {
    out.text("$ref", "#/components/schemas/" + name(schema, version));
  }

  private static String name(String schema, int version) {
    return "v0.0." + version + "_" + schema;
  }
}
