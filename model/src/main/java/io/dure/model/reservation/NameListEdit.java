package io.dure.model.reservation;

import java.util.ArrayList;
import java.util.List;

/**
 * What becomes of a list of names.
 *
 * @param mode whether they replace those before
 * @param names the names, with a minus before those that are kept out
 */
public record NameListEdit(Mode mode, List<String> names) {

  /** How names change a list. */
  public enum Mode {
    SET,
    ADD,
    REMOVE
  }

  /**
   * The list afterwards; names that are to be removed are let in again where they were kept out.
   *
   * @return null if a name is to be removed that is not there, or some are let in and others kept
   *     out
   */
  public @org.jspecify.annotations.Nullable List<String> applied(List<String> before) {
    List<String> after = mode == Mode.SET ? new ArrayList<>() : new ArrayList<>(before);
    for (String name : names) {
      switch (mode) {
        case SET, ADD -> {
          if (!after.contains(name)) {
            after.add(name);
          }
        }
        case REMOVE -> {
          if (!after.remove(name) && !after.remove("-" + name)) {
            return null;
          }
        }
      }
    }
    long out = after.stream().filter(name -> name.startsWith("-")).count();
    return out == 0 || out == after.size() ? List.copyOf(after) : null;
  }
}
