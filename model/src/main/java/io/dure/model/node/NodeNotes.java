package io.dure.model.node;

/**
 * What operators and programs write down of a node; texts are empty for nothing.
 *
 * @param comment for people
 * @param extra for programs
 * @param instanceId the machine's name where it was hired
 * @param instanceType what kind of machine that is
 */
public record NodeNotes(String comment, String extra, String instanceId, String instanceType) {
  /** Nothing is written down. */
  public static final NodeNotes NONE = new NodeNotes("", "", "", "");
}
