package io.dure.cli.allocation;

import io.dure.cli.command.CommandContext;
import io.dure.cli.command.ControllerConnection;
import io.dure.cli.command.DisplayForward;
import io.dure.cli.step.NodePlace;
import io.dure.model.ErrorCode;
import io.dure.protocol.Request;
import io.dure.protocol.Response;
import io.dure.protocol.WireCodecs;
import io.dure.protocol.step.DisplayRequest;
import io.dure.surface.message.CommandException;
import io.dure.surface.message.StderrMessage;
import io.dure.surface.srun.DisplayName;
import io.dure.surface.srun.DisplayNodes;
import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Lets X clients on nodes of a job reach the X server of the caller: {@code --x11}. */
public final class DisplayForwarding {
  private static final String KEY = "PrologFlags ";
  private static final byte[] NOTHING = {};
  private static final int CODE = 255;

  private final CommandContext context;
  private final DisplayNodes nodes;
  private final DisplayName display;

  private DisplayForwarding(CommandContext context, DisplayNodes nodes, DisplayName display) {
    this.context = context;
    this.nodes = nodes;
    this.display = display;
  }

  /**
   * What an option asks for.
   *
   * @param asked its argument, empty for none, null where it was not given
   * @return null for nothing
   * @throws CommandException if the caller has no X server
   */
  public static @Nullable DisplayForwarding of(CommandContext context, @Nullable String asked)
      throws CommandException {
    DisplayNodes nodes = asked == null ? null : DisplayNodes.of(asked);
    if (nodes == null) {
      return null;
    }
    String name = context.environment().get("DISPLAY");
    if (name == null) {
      throw failed("No DISPLAY variable set, cannot setup x11 forwarding.");
    }
    DisplayName display = DisplayName.of(name);
    if (display == null) {
      throw failed("Error parsing DISPLAY environment variable. Cannot use X11 forwarding.");
    }
    return new DisplayForwarding(context, nodes, display);
  }

  /**
   * Sees that the cluster and the caller's machine have what it takes.
   *
   * @param refused how a refusal of the cluster begins
   */
  public void check(ControllerConnection connection, String refused)
      throws IOException, CommandException {
    ask(List.of(), NOTHING);
    if (!isOffered(connection)) {
      throw CommandException.error(refused + ErrorCode.X11_NOT_AVAIL.text());
    }
  }

  /** It ends as Slurm's commands do that lack something for it. */
  private static CommandException failed(String text) {
    return CommandException.error(text).withExitCode(CODE);
  }

  private static boolean isOffered(ControllerConnection connection) throws IOException {
    if (!(connection.ask(new Request.ShowConfig()) instanceof Response.Text text)) {
      return true; // what else is wrong is told by what is asked next
    }
    return text.lines().stream()
        .filter(line -> line.startsWith(KEY))
        .anyMatch(line -> line.toLowerCase(Locale.ROOT).contains("x11"));
  }

  /**
   * Makes displays on nodes.
   *
   * @param step whose tasks are to have them, null for all of the job
   * @param all the nodes, of which some may be meant
   */
  public void open(int jobId, @Nullable Integer step, List<Response.StepNode> all)
      throws IOException, CommandException {
    List<String> entries = new ArrayList<>();
    for (Response.StepNode node : nodes.among(all)) {
      entries.add("node=" + node.name() + ":" + NodePlace.of(node, context.caller()));
    }
    if (!entries.isEmpty()) {
      ask(entries, WireCodecs.displayRequests().encode(new DisplayRequest(jobId, step)));
    }
  }

  private void ask(List<String> nodes, byte[] request) throws IOException, CommandException {
    List<String> entries = new ArrayList<>();
    entries.add("xauth=" + display.text());
    servers().forEach(place -> entries.add("server=" + place));
    entries.addAll(nodes);
    DisplayForward.Answer answer =
        context.caller().forwardDisplay(new DisplayForward(entries, request));
    switch (answer.outcome()) {
      case FINE -> {}
      case NO_XAUTH ->
          throw failed("Problem running xauth command. Cannot use X11 forwarding.")
              .and(StderrMessage.error(answer.text()));
      case NO_COOKIE ->
          throw failed(
              "x11_get_xauth: Could not retrieve magic cookie. Cannot use X11 forwarding.");
      case NO_SERVER -> throw failed("Cannot stat() local X11 socket `" + answer.text() + "`");
      case NO_DISPLAY -> throw CommandException.error("X11 forwarding: " + answer.text());
    }
  }

  private List<String> servers() throws CommandException {
    if (display.host().isEmpty()) {
      return List.of(display.socket());
    }
    try {
      List<String> places = new ArrayList<>();
      for (InetAddress address : InetAddress.getAllByName(display.host())) {
        places.add(address.getHostAddress() + "/" + display.port());
      }
      return places;
    } catch (UnknownHostException e) {
      throw failed("DISPLAY=" + display.text() + ": no address of " + display.host() + " is known");
    }
  }
}
