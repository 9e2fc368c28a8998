package io.dure.cli.srun;

import io.dure.cli.command.CallerProcess;
import io.dure.cli.command.CommandContext;
import io.dure.cli.command.StepFrontEnd;
import io.dure.cli.step.NodePlace;
import io.dure.model.config.step.SrunDefaults;
import io.dure.model.gres.GresShare;
import io.dure.model.request.PropagatedRlimit;
import io.dure.model.step.HetStep;
import io.dure.model.step.StepShare;
import io.dure.model.step.TaskProgram;
import io.dure.protocol.Response;
import io.dure.protocol.StepLaunchOrder;
import io.dure.protocol.WireCodecs;
import io.dure.protocol.codec.RecordCodec;
import io.dure.surface.message.CommandException;
import io.dure.surface.sbatch.StepOptions;
import io.dure.surface.srun.SrunOption;
import io.dure.surface.srun.SrunSettings;
import io.dure.surface.value.KeywordParser;
import io.dure.surface.value.SignalParser;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/** What the front end of a step is told. */
final class FrontEndOrder {
  private static final RecordCodec<StepLaunchOrder> ORDERS = WireCodecs.launchOrders();

  /** A component of the step: what it is, by which nodes know it, and what it asked for. */
  record Part(JobStep step, Response.StepLaunch launch, StepCall call) {}

  private final CommandContext context;
  private final List<Part> parts;
  private final SrunSettings settings;

  /** An order for one step, or for the components of a heterogeneous one. */
  FrontEndOrder(CommandContext context, List<Part> parts) {
    this.context = context;
    this.parts = parts;
    this.settings = parts.getFirst().call().settings();
  }

  StepFrontEnd order() throws IOException, CommandException {
    List<byte[]> launches = new ArrayList<>();
    for (Part part : parts) {
      launches.add(ORDERS.encode(order(part)));
    }
    return new StepFrontEnd(entries(), launches);
  }

  private List<String> entries() throws IOException, CommandException {
    Part first = parts.getFirst();
    int tasks = 0;
    for (Part part : parts) {
      tasks += part.launch().step().tasks();
    }
    List<String> entries = new ArrayList<>();
    entries.add("step=" + first.step());
    entries.add("ntasks=" + tasks);
    flag(entries, "label", SrunOption.LABEL);
    flag(entries, "unbuffered", SrunOption.UNBUFFERED);
    flag(entries, "quit_on_interrupt", SrunOption.QUIT_ON_INTERRUPT);
    entries.add("quiet=" + settings.quietness());
    entries.add("killwait=" + first.launch().killWaitSeconds());
    entries.add("width=" + first.launch().treeWidth());
    flag(entries, "disable_status", SrunOption.DISABLE_STATUS);
    if (settings.has(SrunOption.IGNORE_SIGNALS)) {
      for (String word : settings.valueOr(SrunOption.IGNORE_SIGNALS, "").split(",", -1)) {
        entries.add("ignore_signal=" + SignalParser.number(word));
      }
    }
    if (killsOnBadExit(first.launch().defaults())) {
      entries.add("kill_on_bad_exit=1");
    }
    if (StepOptions.survivesNodes(settings.shared())) {
      entries.add("no_kill=1");
    }
    int usualWait = first.launch().defaults().waitSeconds();
    entries.add("wait=" + Math.max(0, settings.count(SrunOption.WAIT, usualWait)));
    if (parts.size() == 1) {
      first.call().streams().addTo(entries, context.directory(), tasks);
    } else if (sharesInput()) {
      first.call().streams().addInput(entries, context.directory(), tasks);
    } else {
      entries.add("stdin=all");
    }
    int index = 0;
    for (int i = 0; i < parts.size(); i++) {
      index = addNodes(entries, i, index);
    }
    return entries;
  }

  /** Whether all components have the same input. */
  private boolean sharesInput() {
    String first = parts.getFirst().call().streams().input();
    return parts.stream().allMatch(part -> Objects.equals(part.call().streams().input(), first));
  }

  private boolean killsOnBadExit(SrunDefaults usual) {
    return settings.has(SrunOption.KILL_ON_BAD_EXIT)
        ? !settings.valueOr(SrunOption.KILL_ON_BAD_EXIT, "1").equals("0")
        : usual.killsOnBadExit();
  }

  private int addNodes(List<String> entries, int which, int index)
      throws IOException, CommandException {
    Response.StepLaunch launch = parts.get(which).launch();
    HetStep het = launch.step().spec().het();
    int next = index;
    if (het != null) {
      entries.add("component=" + which);
      int tasks = launch.step().tasks();
      Streams streams = parts.get(which).call().streams();
      streams.addOutputs(entries, context.directory(), het.firstRank(), tasks);
    }
    for (int i = 0; i < launch.nodes().size(); i++) {
      Response.StepNode node = launch.nodes().get(i);
      String place = NodePlace.of(node, context.caller());
      entries.add("node=" + next + ":" + node.name() + ":" + place);
      if (het != null) {
        entries.add("launch=" + which);
        entries.add("first=" + het.firstRank());
      }
      List<Integer> ranks = launch.step().shares().get(i).ranks();
      entries.add("node_ranks=" + next + ":" + GresShare.ranges(ranks));
      next++;
    }
    return next;
  }

  private void flag(List<String> entries, String key, SrunOption option) {
    if (settings.has(option)) {
      entries.add(key + "=1");
    }
  }

  private StepLaunchOrder order(Part part) throws IOException, CommandException {
    CallerProcess caller = context.caller();
    StepCall call = part.call();
    SrunSettings settings = call.settings();
    Response.StepLaunch launch = part.launch();
    HetStep het = launch.step().spec().het();
    int first = het == null ? 0 : het.firstRank();
    Streams streams = het == null ? call.streams() : call.streams().ofComponent(sharesInput());
    String chdir = settings.value(SrunOption.CHDIR);
    Path directory = chdir == null ? context.directory() : context.directory().resolve(chdir);
    List<String> environment = new SrunTaskEnvironment(context, call, het).lines();
    List<TaskProgram> programs = new ArrayList<>();
    for (TaskProgram one : call.program().of(launch.step().tasks())) {
      List<String> arguments = new ArrayList<>(one.arguments());
      arguments.set(0, located(arguments.getFirst(), directory));
      programs.add(
          new TaskProgram(
              one.ranks().stream().map(rank -> rank + first).toList(), List.copyOf(arguments)));
    }
    return new StepLaunchOrder(
        launch.credential(),
        launch.signature(),
        List.copyOf(programs),
        environment,
        directory.toString(),
        caller.umask(),
        limits(caller, settings),
        streams.remote(),
        mpi(part),
        BindSupport.binding(settings),
        settings.value(SrunOption.TASK_PROLOG),
        settings.value(SrunOption.TASK_EPILOG),
        settings.has(SrunOption.PRESERVE_ENV),
        settings.value(SrunOption.ACCTG_FREQ),
        settings.value(SrunOption.PROFILE),
        settings.has(SrunOption.WAIT_FOR_CHILDREN));
  }

  /** The MPI processes of all components are one world, of the first one's kind. */
  private StepLaunchOrder.MpiService mpi(Part part) {
    StepLaunchOrder.MpiService leading = parts.getFirst().call().mpi();
    if (parts.size() == 1) {
      return leading;
    }
    List<String> nodes = new ArrayList<>();
    int first = 0;
    for (Part one : parts) {
      first = one.equals(part) ? nodes.size() : first;
      for (StepShare share : one.launch().step().shares()) {
        nodes.add(share.node() + ":" + GresShare.ranges(share.ranks()));
      }
    }
    return new StepLaunchOrder.MpiService(
        leading.type(),
        leading.token(),
        new StepLaunchOrder.MpiComponents(
            parts.getFirst().step().toString(), List.copyOf(nodes), first));
  }

  /** A name with a directory is the caller's; any other is looked up by each node, as the user. */
  private static String located(String name, Path directory) {
    return name.contains("/") ? directory.resolve(name).toString() : name;
  }

  private List<PropagatedRlimit> limits(CallerProcess caller, SrunSettings settings) {
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
