package io.dure.surface.document;

/**
 * A notation in which documents are written piece by piece, of objects whose members have names and
 * lists whose elements have none. The whole is an object. For one thread.
 */
public interface DocumentNotation extends AutoCloseable {

  /** Starts the whole, or an object that stands in a list. */
  void startObject();

  /** Starts an object as a member. */
  void startObject(String name);

  void endObject();

  /** Starts a list as a member. */
  void startList(String name);

  void endList();

  /** A text as an element of a list. */
  void text(String value);

  void text(String name, String value);

  void number(String name, long value);

  void fraction(String name, double value);

  void flag(String name, boolean value);

  /** A number that may be missing, as an object that says so. */
  void optional(String name, boolean set, boolean infinite, long number);

  /** A number with a fraction that may be missing, as an object that says so. */
  void optional(String name, boolean set, boolean infinite, double number);

  /** Ends the document with a line feed; what it was written to stays open. */
  @Override
  void close();
}
