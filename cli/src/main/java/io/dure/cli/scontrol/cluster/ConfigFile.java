package io.dure.cli.scontrol.cluster;

import io.dure.cli.scontrol.session.ScontrolSession;
import io.dure.protocol.NodeInfo;
import io.dure.protocol.Request;
import io.dure.protocol.Response;
import io.dure.surface.message.CommandException;
import io.dure.surface.show.ConfigFileText;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.format.DateTimeFormatter;
import java.util.HexFormat;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Verbs about files: {@code write config} makes one of what the controller works with, which it
 * could read, and {@code hash} tells apart the files of several machines.
 */
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
    String path = name == null ? value(lines, PATH) : name;
    if (path == null) {
      throw CommandException.plain("too few arguments for keyword:write");
    }
    String file = path + "." + date;
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

  /** Prints the hash of a file by {@code HashPlugin}. */
  public void hash(String name) throws CommandException {
    String prefix = "slurm_load_ctl_conf error";
    List<String> lines = session.ask(prefix, new Request.ShowConfig(), Response.Text.class).lines();
    boolean sha3 = "hash/sha3".equals(value(lines, "HashPlugin"));
    Path file = session.context().directory().resolve(name);
    try (InputStream in = session.context().caller().read(file)) {
      byte[] hash = sha3 ? FileHash.sha3(in) : FileHash.k12(in);
      session.print(HexFormat.of().formatHex(hash) + "\n");
    } catch (IOException e) {
      throw CommandException.error("Could not read file " + name + ": " + e.getMessage());
    }
  }

  private static @Nullable String value(List<String> lines, String key) {
    for (String line : lines) {
      int sign = line.indexOf('=');
      if (sign > 0 && line.substring(0, sign).strip().equals(key)) {
        return line.substring(sign + 1).strip();
      }
    }
    return null;
  }
}
