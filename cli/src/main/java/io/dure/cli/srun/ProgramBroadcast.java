package io.dure.cli.srun;

import io.dure.cli.command.CommandContext;
import io.dure.cli.sbcast.FileMove;
import io.dure.surface.message.CommandException;
import io.dure.surface.srun.SrunOption;
import io.dure.surface.srun.SrunSettings;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Sends the program of a step to its nodes before the step begins ({@code --bcast}). */
final class ProgramBroadcast {
  private ProgramBroadcast() {}

  /** The call with the program that lies on the nodes now; as it was where none is to be sent. */
  static StepCall sent(CommandContext context, JobStep step, StepCall call)
      throws CommandException {
    SrunSettings settings = call.settings();
    if (!settings.has(SrunOption.BCAST) || call.program().file() != null) {
      return call;
    }
    List<String> words = new ArrayList<>(call.program().words());
    String source = located(context, words.getFirst());
    String target = target(settings.valueOr(SrunOption.BCAST, ""), step);
    Path absolute = context.directory().resolve(target);
    List<String> entries = new ArrayList<>();
    entries.add("source=" + source);
    entries.add("path=" + absolute);
    entries.add("flags=" + FileMove.FORCE);
    entries.addAll(libraryEntries(settings));
    if (new FileMove(context).run(step.toString(), entries) != 0) {
      throw CommandException.fatal("Failed to broadcast '" + source + "'. Step launch aborted.");
    }
    words.set(0, absolute.toString());
    return new StepCall(
        settings,
        new StepProgram(List.copyOf(words), null),
        call.streams(),
        call.mpi(),
        call.spec(),
        call.group());
  }

  /** The folder of the shared objects that were sent with the program; null for none. */
  static @Nullable String libraries(StepCall call) {
    SrunSettings settings = call.settings();
    boolean sent =
        settings.has(SrunOption.BCAST)
            && call.program().file() == null
            && !libraryEntries(settings).isEmpty();
    return sent ? call.program().words().getFirst() + "_libs" : null;
  }

  private static List<String> libraryEntries(SrunSettings settings) {
    return FileMove.libraries(
        settings.has(SrunOption.SEND_LIBS) ? settings.valueOr(SrunOption.SEND_LIBS, "") : null,
        settings.value(SrunOption.BCAST_EXCLUDE));
  }

  /**
   * The file of a program, in PATH or here, as its user finds it; the name itself where there is
   * none.
   */
  private static String located(CommandContext context, String name) {
    String places = name.contains("/") ? "" : context.environment().getOrDefault("PATH", "") + ":";
    for (String place : (places + ".").split(":", -1)) {
      Path candidate = context.directory().resolve(place).resolve(name).normalize();
      try (InputStream in = context.caller().read(candidate)) {
        if (in.read() >= 0) {
          return candidate.toString();
        }
      } catch (IOException e) {
        // not there, or not for this user: the next place
      }
    }
    return name;
  }

  private static String target(String wanted, JobStep step) {
    boolean folder = wanted.isEmpty() || wanted.endsWith("/");
    return folder ? wanted + "slurm_bcast_" + step : wanted;
  }
}
