package io.dure.surface.document;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Writes a document as its schema says. A member that is left out is written without a value, one
 * that only other versions have is dropped, and so is a word that the version does not know. A
 * member that no version has, that comes too late, or that is of another kind is a defect of the
 * writer. For one thread.
 */
public final class DescribedNotation implements DocumentNotation {

  /** What a writer has to write. */
  private enum Value {
    TEXT,
    FLAG,
    NUMBER,
    FRACTION,
    OPTIONAL_NUMBER,
    OPTIONAL_FRACTION,
    OBJECT,
    LIST;

    boolean fits(Shape shape) {
      return switch (this) {
        case TEXT -> shape == Shape.Scalar.STRING;
        case FLAG -> shape == Shape.Scalar.BOOL;
        case NUMBER -> shape == Shape.Scalar.INT32 || shape == Shape.Scalar.INT64;
        case FRACTION -> shape == Shape.Scalar.DOUBLE || shape == Shape.Scalar.NUMBER;
        case OPTIONAL_NUMBER -> shape instanceof Shape.OptionalNumber;
        case OPTIONAL_FRACTION -> shape == Shape.OptionalNumber.FLOAT64;
        case OBJECT -> shape instanceof Shape.Members;
        case LIST -> shape instanceof Shape.ListOf;
      };
    }
  }

  /** An object or a list that has been started. */
  private static final class Level {
    private final Shape shape;
    private int next;

    Level(Shape shape) {
      this.shape = shape;
    }
  }

  private final DocumentNotation out;
  private final Shape root;
  private final Deque<Level> open = new ArrayDeque<>();

  /** How many objects and lists are open that the version does not have. */
  private int dropped;

  /**
   * A document of that shape.
   *
   * @param out takes what the version has
   */
  public DescribedNotation(DocumentNotation out, Shape root) {
    this.out = out;
    this.root = root;
  }

  @Override
  public void startObject() {
    if (dropped > 0) {
      dropped++;
      return;
    }
    Shape shape = open.isEmpty() ? root : element();
    if (!(shape instanceof Shape.Members)) {
      throw new IllegalStateException("an object stands in " + where());
    }
    out.startObject();
    open.push(new Level(shape));
  }

  @Override
  public void startObject(String name) {
    start(name, member(name, Value.OBJECT), false);
  }

  @Override
  public void endObject() {
    if (dropped > 0) {
      dropped--;
      return;
    }
    Level level = open.pop();
    if (!(level.shape instanceof Shape.Members object)) {
      throw new IllegalStateException("an object ends in a list");
    }
    fill(object, level.next, object.members().size());
    out.endObject();
  }

  @Override
  public void startList(String name) {
    start(name, member(name, Value.LIST), true);
  }

  @Override
  public void endList() {
    if (dropped > 0) {
      dropped--;
      return;
    }
    if (!(open.pop().shape instanceof Shape.ListOf)) {
      throw new IllegalStateException("a list ends in an object");
    }
    out.endList();
  }

  @Override
  public void text(String value) {
    if (dropped > 0) {
      return;
    }
    Shape element = element();
    if (element instanceof Shape.Words words) {
      if (words.words().contains(value)) {
        out.text(value);
      }
      return;
    }
    if (element != Shape.Scalar.STRING) {
      throw new IllegalStateException("a text stands in " + where());
    }
    out.text(value);
  }

  @Override
  public void text(String name, String value) {
    if (member(name, Value.TEXT) != null) {
      out.text(name, value);
    }
  }

  @Override
  public void number(String name, long value) {
    if (member(name, Value.NUMBER) != null) {
      out.number(name, value);
    }
  }

  @Override
  public void fraction(String name, double value) {
    if (member(name, Value.FRACTION) != null) {
      out.fraction(name, value);
    }
  }

  @Override
  public void flag(String name, boolean value) {
    if (member(name, Value.FLAG) != null) {
      out.flag(name, value);
    }
  }

  @Override
  public void optional(String name, boolean set, boolean infinite, long number) {
    Shape found = member(name, Value.OPTIONAL_NUMBER);
    if (found == Shape.OptionalNumber.FLOAT64) {
      out.optional(name, set, infinite, (double) number);
    } else if (found != null) {
      out.optional(name, set, infinite, number);
    }
  }

  @Override
  public void optional(String name, boolean set, boolean infinite, double number) {
    if (member(name, Value.OPTIONAL_FRACTION) != null) {
      out.optional(name, set, infinite, number);
    }
  }

  @Override
  public void close() {
    if (!open.isEmpty()) {
      throw new IllegalStateException("the document ends within " + where());
    }
    out.close();
  }

  private void start(String name, @Nullable Shape shape, boolean list) {
    if (shape == null) {
      dropped++;
      return;
    }
    if (list) {
      out.startList(name);
    } else {
      out.startObject(name);
    }
    open.push(new Level(shape));
  }

  private Shape element() {
    if (open.element().shape instanceof Shape.ListOf list) {
      return list.element();
    }
    throw new IllegalStateException("a value without a name stands in " + where());
  }

  /** The shape of a member, after those before it are written; null if it is to be dropped. */
  private @Nullable Shape member(String name, Value value) {
    if (dropped > 0) {
      return null;
    }
    Level level = open.element();
    if (!(level.shape instanceof Shape.Members object)) {
      throw new IllegalStateException("a member " + name + " stands in " + where());
    }
    int at = object.find(name, level.next);
    Shape found = at < 0 ? null : object.members().get(at).shape();
    if (found == null || !value.fits(found)) {
      if (object.others().contains(name)) {
        return null;
      }
      int next = Math.min(level.next, object.members().size() - 1);
      throw new IllegalStateException(
          "%s has no %s %s from %s on"
              .formatted(
                  object.name(),
                  value.name().toLowerCase(Locale.ROOT),
                  name,
                  object.members().get(next).name()));
    }
    fill(object, level.next, at);
    level.next = at + 1;
    return found;
  }

  private void fill(Shape.Members object, int from, int to) {
    List<Shape.Member> members = object.members();
    for (int at = from; at < to; at++) {
      nothing(members.get(at).name(), members.get(at).shape());
    }
  }

  private void nothing(String name, Shape shape) {
    switch (shape) {
      case Shape.Scalar scalar -> nothing(name, scalar);
      case Shape.OptionalNumber number -> {
        if (number == Shape.OptionalNumber.FLOAT64) {
          out.optional(name, false, false, 0.0);
        } else {
          out.optional(name, false, false, 0);
        }
      }
      case Shape.Words _ -> out.text(name, "");
      case Shape.ListOf _ -> {
        out.startList(name);
        out.endList();
      }
      case Shape.Members object -> {
        out.startObject(name);
        fill(object, 0, object.members().size());
        out.endObject();
      }
    }
  }

  private void nothing(String name, Shape.Scalar scalar) {
    switch (scalar) {
      case STRING, ANY -> out.text(name, "");
      case BOOL -> out.flag(name, false);
      case INT32, INT64 -> out.number(name, 0);
      case DOUBLE, NUMBER -> out.fraction(name, 0);
    }
  }

  private String where() {
    Level level = open.peek();
    return level == null
        ? "no document"
        : level.shape instanceof Shape.Members object ? object.name() : "a list";
  }
}
