package io.dure.cli.srun;

import io.dure.model.step.MpiInterface;
import io.dure.protocol.StepLaunchOrder.MpiService;
import io.dure.surface.message.CommandException;
import io.dure.surface.message.StderrMessage;
import io.dure.surface.srun.SrunOption;
import io.dure.surface.srun.SrunSettings;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.List;

/** The types of MPI that {@code --mpi} knows. */
final class MpiType {
  static final String LIST =
      """
      MPI plugin types are...
      \tnone
      \tpmi2
      \tpmix
      """;

  private static final int TOKEN_BYTES = 16;

  private MpiType() {}

  /** Whether the types are asked for, and nothing else. */
  static boolean isListed(SrunSettings settings) {
    return "list".equals(settings.value(SrunOption.MPI));
  }

  /** The service that a step asks for, or leaves to its nodes, with a fresh token. */
  static MpiService service(SrunSettings settings) throws CommandException {
    String name = settings.value(SrunOption.MPI);
    MpiInterface type = name == null ? null : MpiInterface.ofName(name);
    if (name != null && type == null) {
      throw unknown(name);
    }
    byte[] token = new byte[TOKEN_BYTES];
    new SecureRandom().nextBytes(token);
    return new MpiService(type, HexFormat.of().formatHex(token), null);
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
