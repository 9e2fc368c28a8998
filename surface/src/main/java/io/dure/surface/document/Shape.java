package io.dure.surface.document;

import java.util.List;

/** What a value of a document may be, in one version of the data parser. */
public sealed interface Shape {

  /** A value that has no parts. */
  enum Scalar implements Shape {
    STRING,
    BOOL,
    INT32,
    INT64,
    DOUBLE,
    NUMBER,
    ANY
  }

  /** A number that may be missing or infinite, as an object that says so. */
  enum OptionalNumber implements Shape {
    UINT16,
    UINT32,
    UINT64,
    FLOAT64
  }

  /**
   * A text that is one of some words.
   *
   * @param name of the set of words
   */
  record Words(String name, List<String> words) implements Shape {}

  /** A list of which each element has that shape. */
  record ListOf(Shape element) implements Shape {}

  /**
   * An object.
   *
   * @param name of its schema, or where it stands in one
   * @param members in the order in which they are written
   * @param others names that members have in other versions, or in this one with another shape
   */
  record Members(String name, List<Member> members, List<String> others) implements Shape {

    /** The place of the first member of that name from a place on; -1 if there is none. */
    int find(String wanted, int from) {
      for (int at = from; at < members.size(); at++) {
        if (members.get(at).name().equals(wanted)) {
          return at;
        }
      }
      return -1;
    }
  }

  /** A member of an object. */
  record Member(String name, Shape shape) {}
}
