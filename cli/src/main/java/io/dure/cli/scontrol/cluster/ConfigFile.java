package io.dure.cli.scontrol.cluster;

import io.dure.cli.scontrol.session.ScontrolSession;
import io.dure.protocol.NodeInfo;
import io.dure.protocol.Request;
import io.dure.protocol.Response;
import io.dure.surface.message.CommandException;
import io.dure.surface.show.ConfigFileText;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.format.DateTimeFormatter;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The verb {@code write config}: what the controller works with, as a file that it could read. */
public final class ConfigFile {
  private static final DateTimeFormatter DATE =
      DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss");
  private static final String PATH = "SLURM_CONF";

  private final ScontrolSession session;

  /** Asks in the session. */
  public ConfigFile(ScontrolSession session) {
    this.session = session;
  }

  /**
   * Writes it; the date is added to the name.
   *
   * @param name the file, null for the controller's own beside which it is put
   */
  public void write(@Nullable String name) throws CommandException {
    String prefix = "slurm_load_ctl_conf error";
    List<String> lines = session.ask(prefix, new Request.ShowConfig(), Response.Text.class).lines();
    Response.Cluster cluster = session.cluster(prefix, Response.Cluster.NODES);
    String date = DATE.format(cluster.now().atZone(session.context().clock().zone()));
    String file = (name == null ? path(lines) : name) + "." + date;
    String text =
        ConfigFileText.of(
            date,
            lines,
            cluster.nodes().stream().map(NodeInfo::config).toList(),
            cluster.partitions());
    Path target = session.context().directory().resolve(file);
    try (OutputStream out = session.context().caller().write(target)) {
      out.write(text.getBytes(StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw CommandException.plain("Could not create file " + file + ": " + e.getMessage());
    }
    session.print("Slurm config saved to " + file + "\n");
  }

  private static String path(List<String> lines) throws CommandException {
    for (String line : lines) {
      int sign = line.indexOf('=');
      if (sign > 0 && line.substring(0, sign).strip().equals(PATH)) {
        return line.substring(sign + 1).strip();
      }
    }
    throw CommandException.plain("too few arguments for keyword:write");
  }
}
