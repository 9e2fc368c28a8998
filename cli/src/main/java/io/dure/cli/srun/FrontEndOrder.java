package io.dure.cli.srun;

import io.dure.cli.command.CallerProcess;
import io.dure.cli.command.CommandContext;
import io.dure.cli.command.ExportedEnvironment;
import io.dure.cli.command.StepFrontEnd;
import io.dure.host.process.ProcFs;
import io.dure.model.gres.GresShare;
import io.dure.model.request.PropagatedRlimit;
import io.dure.model.step.LaunchedStep;
import io.dure.model.step.TaskProgram;
import io.dure.protocol.Response;
import io.dure.protocol.StepLaunchOrder;
import io.dure.protocol.StepLaunchOrder.MpiService;
import io.dure.protocol.WireCodecs;
import io.dure.protocol.codec.RecordCodec;
import io.dure.surface.message.CommandException;
import io.dure.surface.srun.SrunOption;
import io.dure.surface.srun.SrunSettings;
import io.dure.surface.value.KeywordParser;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What the front end of a step is told. */
final class FrontEndOrder {
  private static final RecordCodec<StepLaunchOrder> ORDERS = WireCodecs.launchOrders();

  private static final String PATH = "PATH=";
  private static final String PLANE = "plane=";

  private final CommandContext context;
  private final SrunSettings settings;
  private final StepProgram program;
  private final MpiService mpi;

  FrontEndOrder(
      CommandContext context, SrunSettings settings, StepProgram program, MpiService mpi) {
    this.context = context;
    this.settings = settings;
    this.program = program;
    this.mpi = mpi;
  }

  StepFrontEnd of(int jobId, Response.StepLaunch launch) throws IOException, CommandException {
    Streams streams = Streams.of(settings);
    return new StepFrontEnd(entries(jobId, launch, streams), ORDERS.encode(order(launch, streams)));
  }

  private List<String> entries(int jobId, Response.StepLaunch launch, Streams streams)
      throws IOException, CommandException {
    LaunchedStep step = launch.step();
    List<String> entries = new ArrayList<>();
    entries.add("step=" + jobId + "." + step.number());
    entries.add("ntasks=" + step.tasks());
    flag(entries, "label", SrunOption.LABEL);
    flag(entries, "unbuffered", SrunOption.UNBUFFERED);
    flag(entries, "pty", SrunOption.PTY);
    entries.add("quiet=" + settings.quietness());
    entries.add("killwait=" + launch.killWaitSeconds());
    flag(entries, "disable_status", SrunOption.DISABLE_STATUS);
    if (!settings.valueOr(SrunOption.KILL_ON_BAD_EXIT, "1").equals("0")) {
      flag(entries, "kill_on_bad_exit", SrunOption.KILL_ON_BAD_EXIT);
    }
    entries.add("wait=" + Math.max(0, settings.count(SrunOption.WAIT, 0)));
    streams.addTo(entries, context.directory(), step.tasks());
    String here = ProcFs.ofThisMachine().bootId();
    for (int i = 0; i < launch.nodes().size(); i++) {
      Response.StepNode node = launch.nodes().get(i);
      if (!node.bootId().equals(here)) {
        throw CommandException.error(
            "node " + node.name() + " is on another machine, which steps do not reach yet");
      }
      entries.add("node=" + i + ":" + node.name() + ":" + node.socket());
      entries.add("node_ranks=" + i + ":" + GresShare.ranges(step.shares().get(i).ranks()));
    }
    return entries;
  }

  private void flag(List<String> entries, String key, SrunOption option) {
    if (settings.has(option)) {
      entries.add(key + "=1");
    }
  }

  private StepLaunchOrder order(Response.StepLaunch launch, Streams streams)
      throws CommandException {
    CallerProcess caller = context.caller();
    String chdir = settings.value(SrunOption.CHDIR);
    Path directory = chdir == null ? context.directory() : context.directory().resolve(chdir);
    List<String> environment = environment(caller);
    List<TaskProgram> programs = new ArrayList<>();
    for (TaskProgram one : program.of(launch.step().tasks())) {
      List<String> arguments = new ArrayList<>(one.arguments());
      arguments.set(0, resolved(arguments.getFirst(), directory, environment));
      programs.add(new TaskProgram(one.ranks(), List.copyOf(arguments)));
    }
    return new StepLaunchOrder(
        launch.credential(),
        launch.signature(),
        List.copyOf(programs),
        environment,
        directory.toString(),
        caller.umask(),
        limits(caller),
        streams.remote(),
        mpi);
  }

  /** The program where the tasks' PATH has it, or here; as it was given where it is not there. */
  private static String resolved(String name, Path directory, List<String> environment) {
    if (name.contains("/")) {
      return name.startsWith("/") ? name : directory.resolve(name).toString();
    }
    String places =
        environment.stream()
            .filter(line -> line.startsWith(PATH))
            .map(line -> line.substring(PATH.length()))
            .findFirst()
            .orElse("");
    for (String part : (places + ":.").split(":", -1)) {
      Path candidate = directory.resolve(part).resolve(name);
      if (Files.isRegularFile(candidate) && Files.isExecutable(candidate)) {
        return candidate.normalize().toString();
      }
    }
    return name;
  }

  private List<String> environment(CallerProcess caller) {
    Map<String, String> all =
        new LinkedHashMap<>(
            ExportedEnvironment.of(context.environment(), settings.value(SrunOption.EXPORT))
                .variables());
    int umask = caller.umask();
    String digits = Integer.toOctalString(umask);
    all.put("SLURM_UMASK", "0".repeat(Math.max(0, 4 - digits.length())) + digits);
    all.put("SLURM_PRIO_PROCESS", Integer.toString(caller.nice()));
    distribution(all);
    String perNode = settings.value(SrunOption.NTASKS_PER_NODE);
    if (perNode != null) {
      all.put("SLURM_NTASKS_PER_NODE", perNode);
    }
    String type = settings.value(SrunOption.MPI);
    if (type != null) {
      all.put("SLURM_MPI_TYPE", type);
    }
    List<String> lines = new ArrayList<>(all.size());
    all.forEach((name, value) -> lines.add(name + "=" + value));
    return lines;
  }

  /** What was asked for, for an srun that a task may run. */
  private void distribution(Map<String, String> all) {
    String asked = settings.value(SrunOption.DISTRIBUTION);
    if (asked != null) {
      boolean plane = asked.startsWith(PLANE);
      all.put("SLURM_DISTRIBUTION", plane ? "plane" : asked);
      if (plane) {
        all.put("SLURM_DIST_PLANESIZE", asked.substring(PLANE.length()));
      }
    }
  }

  private List<PropagatedRlimit> limits(CallerProcess caller) {
    List<String> names = KeywordParser.limits(settings.value(SrunOption.PROPAGATE));
    List<PropagatedRlimit> chosen = new ArrayList<>();
    for (PropagatedRlimit limit : caller.limits()) {
      if (names != null && names.contains(limit.name())) {
        chosen.add(limit);
      }
    }
    return List.copyOf(chosen);
  }
}
