package io.dure.cli.torque;

import io.dure.cli.command.CallOptions;
import io.dure.cli.command.CliCommand;
import io.dure.cli.command.CommandContext;
import io.dure.cli.scontrol.Scontrol;
import io.dure.model.job.NodeShare;
import io.dure.protocol.JobInfo;
import io.dure.protocol.NodeInfo;
import io.dure.protocol.Request;
import io.dure.protocol.Response;
import io.dure.surface.facts.NodeDetails;
import io.dure.surface.facts.SlurmNodeState;
import io.dure.surface.message.CommandException;
import io.dure.surface.option.ParsedOption;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/** Lists nodes, takes them out of use and back. */
public final class Pbsnodes implements CliCommand {
  private static final String NO_NOTE = "offline by pbsnodes";

  @Override
  public int execute(CommandContext context) throws CommandException {
    CallOptions<PbsnodesOption> parser =
        context.options(Pbsnodes.class, "pbsnodes-", PbsnodesOption.values());
    Set<PbsnodesOption> given = EnumSet.noneOf(PbsnodesOption.class);
    String note = "";
    for (ParsedOption<PbsnodesOption> option : parser.all()) {
      given.add(option.key());
      if (option.key() == PbsnodesOption.NOTE) {
        note = Objects.requireNonNullElse(option.value(), "");
      }
    }
    List<String> names = parser.operands();
    if (given.contains(PbsnodesOption.OFFLINE)) {
      String reason = "Reason=" + (note.isEmpty() ? NO_NOTE : note);
      return change(context, names, List.of("State=DRAIN", reason));
    }
    if (given.contains(PbsnodesOption.CLEAR) || given.contains(PbsnodesOption.RESET)) {
      return change(context, names, List.of("State=RESUME"));
    }
    return list(context, given, names);
  }

  private static int change(CommandContext context, List<String> names, List<String> changes) {
    PbsCall call = new PbsCall(context);
    int code = names.isEmpty() ? call.failed("name the nodes that are meant", 1) : 0;
    for (String name : names) {
      List<String> words = new ArrayList<>(List.of("update", "NodeName=" + name));
      words.addAll(changes);
      int failed = call.about(name, new Scontrol(), "scontrol", words);
      code = failed == 0 ? code : failed;
    }
    return code;
  }

  private static int list(CommandContext context, Set<PbsnodesOption> given, List<String> names)
      throws CommandException {
    Response.Cluster cluster =
        PbsCall.ask(context, new Request.ShowCluster(), Response.Cluster.class);
    boolean brief = given.contains(PbsnodesOption.LIST);
    Request running = new Request.ListJobs(List.of(), null, false);
    List<JobInfo> jobs =
        brief ? List.of() : PbsCall.ask(context, running, Response.Jobs.class).jobs();
    int code = 0;
    List<NodeInfo> chosen = new ArrayList<>(names.isEmpty() ? cluster.nodes() : List.of());
    for (String name : names) {
      List<NodeInfo> found =
          cluster.nodes().stream().filter(node -> node.config().name().equals(name)).toList();
      if (found.isEmpty()) {
        code = new PbsCall(context).failed("Unknown node " + name, PbsCall.UNKNOWN_JOB);
      }
      chosen.addAll(found);
    }
    boolean notes = given.contains(PbsnodesOption.NOTES);
    StringBuilder text = new StringBuilder();
    for (NodeInfo node : chosen) {
      if (brief) {
        text.append(brief(node, notes));
      } else {
        text.append(full(node, jobs));
      }
    }
    context.out().print(text);
    return code;
  }

  /** A line for a node that is not in use; none for any other. */
  static String brief(NodeInfo node, boolean notes) {
    String state = state(new NodeDetails(node));
    boolean out = state.contains("down") || state.contains("offline");
    String reason = Objects.requireNonNullElse(node.condition().reason(), "");
    String line = node.config().name();
    line += " ".repeat(Math.max(1, 20 - line.length())) + " " + state;
    line += notes && !reason.isEmpty() ? " ".repeat(Math.max(1, 40 - line.length())) + reason : "";
    return out ? line + "\n" : "";
  }

  /** All of a node. */
  static String full(NodeInfo node, List<JobInfo> jobs) {
    Map<String, String> all = new LinkedHashMap<>();
    NodeDetails details = new NodeDetails(node);
    all.put("state", state(details));
    all.put("np", Integer.toString(details.cpus()));
    all.put("properties", String.join(",", node.config().features()));
    all.put("ntype", "cluster");
    all.put("jobs", jobs(node.config().name(), jobs));
    long memory = node.config().realMemoryMib() * 1024;
    String status =
        "opsys=linux,ncpus="
            + details.cpus()
            + ",physmem="
            + memory
            + "kb,availmem="
            + Math.max(0, memory - node.allocatedMemoryMib() * 1024)
            + "kb";
    if (node.load() != null) {
      int load = node.load().loadHundredths();
      status += ",loadave=" + load / 100 + "." + load / 10 % 10 + load % 10;
    }
    all.put("status", status);
    all.put("gres", node.config().gres());
    all.put("note", Objects.requireNonNullElse(node.condition().reason(), ""));
    StringBuilder text = new StringBuilder(node.config().name()).append('\n');
    for (Map.Entry<String, String> one : all.entrySet()) {
      if (!one.getValue().isEmpty()) {
        text.append("     ").append(one.getKey()).append(" = ").append(one.getValue()).append('\n');
      }
    }
    return text.append('\n').toString();
  }

  private static String jobs(String node, List<JobInfo> jobs) {
    List<String> held = new ArrayList<>();
    int next = 0;
    for (JobInfo info : jobs) {
      List<NodeShare> shares =
          info.job().state().allocated() == null
              ? List.of()
              : Objects.requireNonNull(info.job().state().allocated()).shares();
      for (NodeShare share : shares) {
        if (share.node().equals(node) && share.cpus() > 0) {
          int last = next + share.cpus() - 1;
          String cpus = next == last ? Integer.toString(next) : next + "-" + last;
          held.add(cpus + "/" + info.job().displayId());
          next = last + 1;
        }
      }
    }
    return String.join(",", held);
  }

  /** By PBS's words. */
  private static String state(NodeDetails node) {
    List<String> words = new ArrayList<>();
    SlurmNodeState state = node.state();
    boolean gone =
        switch (state.base()) {
          case DOWN, FUTURE -> true;
          case UNKNOWN -> !state.responding();
          case IDLE, ALLOCATED, MIXED -> !state.responding();
        };
    if (gone) {
      words.add("down");
    }
    if (state.drain() || state.fail()) {
      words.add("offline");
    }
    if (words.isEmpty()) {
      words.add(node.info().allocatedCpus() >= node.cpus() ? "job-exclusive" : "free");
    }
    return String.join(",", words);
  }
}
