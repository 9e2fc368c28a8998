package io.dure.cli.srun;

import io.dure.protocol.StepLaunchOrder.MpiService;
import io.dure.surface.message.CommandException;
import io.dure.surface.message.StderrMessage;
import io.dure.surface.srun.SrunOption;
import io.dure.surface.srun.SrunSettings;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The types of MPI that {@code --mpi} knows. */
final class MpiType {
  static final String LIST =
      """
      MPI plugin types are...
      \tnone
      \tpmi2
      \tpmix
      """;

  private static final String NONE = "none";

  /** That a library with such an interface needs nothing of a step was once a type of its own. */
  private static final Set<String> NAMES_OF_NONE = Set.of(NONE, "openmpi");

  /** One library serves the clients of all of these. */
  private static final Set<String> NAMES_OF_PMIX =
      Set.of(MpiService.PMIX, "pmix_v2", "pmix_v3", "pmix_v4", "pmix_v5");

  private static final int TOKEN_BYTES = 16;

  private MpiType() {}

  /** Whether the types are asked for, and nothing else. */
  static boolean isListed(SrunSettings settings) {
    return "list".equals(settings.value(SrunOption.MPI));
  }

  /** The service that a step asks for, with a fresh token; null for none. */
  static @Nullable MpiService service(SrunSettings settings) throws CommandException {
    String type = settings.valueOr(SrunOption.MPI, NONE);
    if (NAMES_OF_NONE.contains(type)) {
      return null;
    }
    if (!type.equals(MpiService.PMI2) && !NAMES_OF_PMIX.contains(type)) {
      throw unknown(type);
    }
    byte[] token = new byte[TOKEN_BYTES];
    new SecureRandom().nextBytes(token);
    return new MpiService(
        type.equals(MpiService.PMI2) ? MpiService.PMI2 : MpiService.PMIX,
        HexFormat.of().formatHex(token));
  }

  private static CommandException unknown(String type) {
    return new CommandException(
        1,
        List.of(
            StderrMessage.error(
                "Couldn't find the specified plugin name for mpi/"
                    + type
                    + " looking at all files"),
            StderrMessage.error("cannot find mpi plugin for mpi/" + type),
            StderrMessage.error("MPI: Cannot create context for mpi/" + type),
            StderrMessage.error("MPI: Unable to load any plugin"),
            StderrMessage.error(
                "Invalid MPI type '" + type + "', --mpi=list for acceptable types")));
  }
}
