package io.dure.model.federation;

import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** What a cluster does in its federation. */
public enum FederationState {
  /** Nothing is said of it, as it is in none. */
  NONE("NA", 0),
  /** It takes jobs of the federation. */
  ACTIVE("ACTIVE", 1),
  /** It takes no jobs, and starts none. */
  INACTIVE("INACTIVE", 2),
  /** It takes no further jobs, and has those end that it has. */
  DRAIN("DRAIN", 17),
  /** The same, and leaves the federation then. */
  DRAIN_AND_REMOVE("DRAIN+REMOVE", 49);

  private final String word;
  private final int number;

  FederationState(String word, int number) {
    this.word = word;
    this.number = number;
  }

  /** As it is printed. */
  public String word() {
    return word;
  }

  /** As Slurm numbers it. */
  public int number() {
    return number;
  }

  /** The state that a cluster can be given whose name begins so, null for none. */
  public static @Nullable FederationState of(String text) {
    String upper = text.toUpperCase(Locale.ROOT);
    for (FederationState state : List.of(ACTIVE, INACTIVE, DRAIN, DRAIN_AND_REMOVE)) {
      if (state.word.startsWith(upper)) {
        return state;
      }
    }
    return null;
  }
}
