package io.dure.surface.body;

import io.dure.surface.document.DocumentSchemas;
import io.dure.surface.document.Shape;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.Map;

/**
 * Reads documents of one schema. As Slurm it takes numbers as texts and texts as numbers, and names
 * what it does not know in a warning. Immutable, for any number of threads.
 */
public final class DocumentReader {
  private final Shape.Members shape;
  private final IdentityHashMap<Shape.Members, Map<String, Shape>> members =
      new IdentityHashMap<>();

  /**
   * A reader.
   *
   * @param schema such as {@code job_submit_req}
   * @param version of the data parser, such as 45
   * @throws IllegalArgumentException if that version has no such schema, or it is not an object
   */
  public DocumentReader(String schema, int version) {
    if (!(DocumentSchemas.all().shape(schema, version) instanceof Shape.Members object)) {
      throw new IllegalArgumentException(schema + " is not an object");
    }
    shape = object;
    index(object);
  }

  private void index(Shape at) {
    switch (at) {
      case Shape.Members object -> {
        Map<String, Shape> named = new HashMap<>();
        for (Shape.Member one : object.members()) {
          named.putIfAbsent(one.name(), one.shape());
          index(one.shape());
        }
        members.put(object, named);
      }
      case Shape.ListOf(Shape element) -> index(element);
      case Shape.Scalar _, Shape.OptionalNumber _, Shape.Words _ -> {}
    }
  }

  /**
   * Reads a document of JSON.
   *
   * @param body in UTF-8; nothing at all is an empty object
   * @throws MalformedDocumentException if it is not JSON, or nested too deeply
   */
  public RequestDocument read(byte[] body) throws MalformedDocumentException {
    return new DocumentParse(members).read(body, shape);
  }
}
