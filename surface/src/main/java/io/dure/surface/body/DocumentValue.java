package io.dure.surface.body;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A value of a document, in the kind that its schema gives it. What is unset is left out. */
public sealed interface DocumentValue {

  /** A text, also one of a set of words. */
  record Text(String text) implements DocumentValue {}

  /** Yes or no. */
  record Flag(boolean on) implements DocumentValue {}

  /** A number without a fraction. */
  record Whole(long number) implements DocumentValue {}

  /** Any number. */
  record Fraction(double number) implements DocumentValue {}

  /** A number without a bound. */
  record Infinite() implements DocumentValue {}

  /** A list. */
  record Items(List<DocumentValue> all) implements DocumentValue {

    /** The texts in it. */
    public List<String> texts() {
      List<String> texts = new ArrayList<>();
      for (DocumentValue one : all) {
        if (one instanceof Text(String text)) {
          texts.add(text);
        }
      }
      return texts;
    }

    /** The objects in it. */
    public List<Members> objects() {
      List<Members> objects = new ArrayList<>();
      for (DocumentValue one : all) {
        if (one instanceof Members members) {
          objects.add(members);
        }
      }
      return objects;
    }
  }

  /**
   * An object.
   *
   * @param all by name, in the order of the document
   */
  record Members(Map<String, DocumentValue> all) implements DocumentValue {
    /** An object without members. */
    public static final Members NONE = new Members(Map.of());

    /** A text that is not empty, null for none. */
    public @Nullable String text(String name) {
      return all.get(name) instanceof Text(String text) && !text.isEmpty() ? text : null;
    }

    /** A number, null for none or one without a bound. */
    public @Nullable Long number(String name) {
      return all.get(name) instanceof Whole(long number) ? Long.valueOf(number) : null;
    }

    /** Yes or no, null where nothing is said. */
    public @Nullable Boolean flag(String name) {
      return all.get(name) instanceof Flag(boolean on) ? Boolean.valueOf(on) : null;
    }

    /** The texts of a list. */
    public List<String> texts(String name) {
      return all.get(name) instanceof Items items ? items.texts() : List.of();
    }

    /** The objects of a list. */
    public List<Members> objects(String name) {
      return all.get(name) instanceof Items items ? items.objects() : List.of();
    }

    /** An object in this one, null for none. */
    public @Nullable Members members(String name) {
      return all.get(name) instanceof Members members ? members : null;
    }
  }
}
