package io.dure.model.step;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** How the MPI processes of a step find each other. */
public enum MpiInterface {
  /** Nobody helps them. */
  NONE,
  /** PMI-1 and PMI-2. */
  PMI2,
  /** PMIx, by the library of each node. */
  PMIX;

  /** By a name of {@code --mpi} or {@code MpiDefault}; null where it is none. */
  public static @Nullable MpiInterface ofName(String name) {
    return switch (name) {
      // That such a library needs nothing of a step was once a type of its own.
      case "none", "openmpi" -> NONE;
      case "pmi2" -> PMI2;
      // One library serves the clients of all versions.
      case "pmix", "pmix_v2", "pmix_v3", "pmix_v4", "pmix_v5" -> PMIX;
      default -> null;
    };
  }

  /** Its usual name. */
  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }
}
