package io.dure.surface.document;

import java.util.List;

/**
 * A schema, or a member of one, as the tables of descriptions say it.
 *
 * @param name of the schema or member
 * @param since the first version of the data parser that has it, such as 42
 * @param until the last one
 * @param kind such as {@code int32}, {@code list of job_info} or {@code object}
 * @param required whether it is never left out
 * @param description in one line; empty for words
 * @param members those of a kind that is, or ends with, {@code object}, in their order
 */
public record Described(
    String name,
    int since,
    int until,
    String kind,
    boolean required,
    String description,
    List<Described> members) {

  /** Whether that version of the data parser has it. */
  public boolean isIn(int version) {
    return since <= version && version <= until;
  }
}
