package io.dure.cli.scontrol.show;

import io.dure.cli.scontrol.session.ScontrolSession;
import io.dure.protocol.Request;
import io.dure.protocol.Response;
import io.dure.surface.json.JsonTarget;
import io.dure.surface.json.RecordsJson;
import io.dure.surface.message.CommandException;
import io.dure.surface.scontrol.AbbreviationTable;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The word {@code show} and what can stand after it. */
public final class ScontrolShow {

  private enum Entity {
    ALIASES,
    ASSOC_MGR,
    BURST_BUFFER,
    CONFIG,
    DAEMONS,
    FEDERATION,
    HOST_LIST,
    HOST_LIST_SORTED,
    HOST_NAMES,
    JOB,
    LICENSES,
    NODE,
    PARTITION,
    REPLICAS,
    RESERVATION,
    RESOURCES,
    SLURMD,
    STEP,
    TOPOLOGY
  }

  /** What has documents of its own; of the others what is printed becomes one. */
  private static final Set<Entity> DOCUMENTS =
      EnumSet.of(Entity.JOB, Entity.LICENSES, Entity.NODE, Entity.PARTITION, Entity.RESERVATION);

  private static final AbbreviationTable<Entity> ENTITIES =
      new AbbreviationTable<>(
          List.of(
              new AbbreviationTable.Entry<>("aliases", 1, Entity.ALIASES),
              new AbbreviationTable.Entry<>("assoc_mgr", 2, Entity.ASSOC_MGR),
              new AbbreviationTable.Entry<>("bbstat", 2, Entity.BURST_BUFFER),
              new AbbreviationTable.Entry<>("burstbuffer", 2, Entity.BURST_BUFFER),
              new AbbreviationTable.Entry<>("dwstat", 2, Entity.BURST_BUFFER),
              new AbbreviationTable.Entry<>("cache", 2, Entity.ASSOC_MGR),
              new AbbreviationTable.Entry<>("configuration", 1, Entity.CONFIG),
              new AbbreviationTable.Entry<>("daemons", 1, Entity.DAEMONS),
              new AbbreviationTable.Entry<>("federations", 1, Entity.FEDERATION),
              new AbbreviationTable.Entry<>("fed", 1, Entity.FEDERATION),
              new AbbreviationTable.Entry<>("hostlistsorted", 9, Entity.HOST_LIST_SORTED),
              new AbbreviationTable.Entry<>("hostlist", 5, Entity.HOST_LIST),
              new AbbreviationTable.Entry<>("hostnames", 5, Entity.HOST_NAMES),
              new AbbreviationTable.Entry<>("jobs", 1, Entity.JOB),
              new AbbreviationTable.Entry<>("jobid", 1, Entity.JOB),
              new AbbreviationTable.Entry<>("licenses", 2, Entity.LICENSES),
              new AbbreviationTable.Entry<>("nodes", 1, Entity.NODE),
              new AbbreviationTable.Entry<>("nodename", 1, Entity.NODE),
              new AbbreviationTable.Entry<>("partitions", 1, Entity.PARTITION),
              new AbbreviationTable.Entry<>("partitionname", 1, Entity.PARTITION),
              new AbbreviationTable.Entry<>("replicas", 3, Entity.REPLICAS),
              new AbbreviationTable.Entry<>("reservations", 1, Entity.RESERVATION),
              new AbbreviationTable.Entry<>("reservationname", 1, Entity.RESERVATION),
              new AbbreviationTable.Entry<>("resources", 4, Entity.RESOURCES),
              new AbbreviationTable.Entry<>("slurmd", 2, Entity.SLURMD),
              new AbbreviationTable.Entry<>("steps", 2, Entity.STEP),
              new AbbreviationTable.Entry<>("stepid", 2, Entity.STEP),
              new AbbreviationTable.Entry<>("topology", 1, Entity.TOPOLOGY),
              new AbbreviationTable.Entry<>("topoconf", 5, Entity.TOPOLOGY)));

  private final ScontrolSession session;

  /** Prints by what the session says. */
  public ScontrolShow(ScontrolSession session) {
    this.session = session;
  }

  /**
   * Shows what the words name.
   *
   * @param words the words after {@code show}, at least one
   */
  public void run(List<String> words) throws CommandException {
    String first = words.getFirst();
    int equals = first.indexOf('=');
    String tag = equals < 0 ? first : first.substring(0, equals);
    String value = equals < 0 ? null : first.substring(equals + 1);
    if (value == null && words.size() > 1) {
      value = words.get(1);
    }
    Entity entity = ENTITIES.find(tag);
    if (entity == null) {
      throw CommandException.plain("invalid entity:" + first + " for keyword:show ");
    }
    show(entity, value);
  }

  private void show(Entity entity, @Nullable String value) throws CommandException {
    JsonTarget document = session.document();
    if (document != null && !DOCUMENTS.contains(entity)) {
      session.startDocument();
      print(entity, value);
      String name = entity.name().toLowerCase(Locale.ROOT);
      String text = session.endDocument();
      RecordsJson.print(document, name, entity == Entity.CONFIG ? settings(text) : text);
      return;
    }
    print(entity, value);
  }

  /** The lines that are settings, without the date and the state of the controllers. */
  private static String settings(String text) {
    return String.join("\n", text.lines().filter(line -> line.contains(" = ")).toList());
  }

  private void print(Entity entity, @Nullable String value) throws CommandException {
    switch (entity) {
      case JOB -> new ShowJobs(session).show(value);
      case STEP -> new ShowJobs(session).showSteps(value);
      case NODE -> new ShowCluster(session).nodes(value);
      case PARTITION -> new ShowCluster(session).partitions(value);
      case HOST_NAMES -> new ShowHostNames(session).expand(value);
      case HOST_LIST -> new ShowHostNames(session).compress(value, false);
      case HOST_LIST_SORTED -> new ShowHostNames(session).compress(value, true);
      case CONFIG -> config();
      case LICENSES -> new ShowCluster(session).licenses(value);
      case RESERVATION -> new ShowReservations(session).show(value);
      case TOPOLOGY -> new ShowTopology(session).show(value);
      case DAEMONS -> daemons();
      case REPLICAS -> replicas();
      case RESOURCES -> session.print("No resources configured in Slurm.\n");
      case FEDERATION -> new ShowFederation(session).show();
      // Without other names of nodes and a plugin for burst buffers there is nothing to print.
      case ALIASES, BURST_BUFFER -> {}
      case SLURMD -> new ShowDaemon(session).show(value);
      case ASSOC_MGR -> throw CommandException.error("show assoc_mgr is not supported yet");
    }
  }

  /** The controllers that keep the state together, which Slurm has not. */
  private void replicas() throws CommandException {
    String prefix = "slurm_load_replicas error";
    Response.Replicas found =
        session.ask(prefix, new Request.ShowReplicas(), Response.Replicas.class);
    for (Response.Replica replica : found.replicas()) {
      session.print(
          "SlurmctldHost="
              + replica.host()
              + " Role="
              + replica.role()
              + " Term="
              + replica.term()
              + " Voting="
              + (replica.voting() ? "YES" : "NO")
              + " Lag="
              + (replica.lag() < 0 ? "UNKNOWN" : replica.lag())
              + (replica.silentSeconds() > 0
                  ? " NotAnsweringFor=" + replica.silentSeconds() + "s"
                  : "")
              + "\n");
    }
    if (found.trouble() != null) {
      session.print("Trouble=" + found.trouble() + "\n");
    }
  }

  private void config() throws CommandException {
    String prefix = "slurm_load_ctl_conf error";
    Response.Text text = session.ask(prefix, new Request.ShowConfig(), Response.Text.class);
    for (String line : text.lines()) {
      session.print(line + "\n");
    }
    session.print("\n");
    new ScontrolPing(session).run();
  }

  /** The daemons that belong on this machine, each with a blank behind it. */
  private void daemons() throws CommandException {
    String prefix = "slurm_load_node error";
    Response.Cluster cluster = session.cluster(prefix, Response.Cluster.NODES);
    String host = session.context().caller().hostName();
    StringBuilder daemons = new StringBuilder();
    if (session.ask(prefix, new Request.Ping()) instanceof Response.Pong pong
        && pong.hostName().equals(host)) {
      daemons.append("slurmctld ");
    }
    if (cluster.nodes().stream().anyMatch(node -> node.config().hostName().equals(host))) {
      daemons.append("slurmd ");
    }
    session.print(daemons + "\n");
  }
}
