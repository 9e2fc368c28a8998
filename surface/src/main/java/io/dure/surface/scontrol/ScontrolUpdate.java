package io.dure.surface.scontrol;

import io.dure.model.command.Command;
import io.dure.surface.message.CommandException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The words {@code update}, {@code create} and {@code delete}: finds out what is meant. */
public final class ScontrolUpdate {

  private final UpdatePort port;

  /** Acts in the port. */
  public ScontrolUpdate(UpdatePort port) {
    this.port = port;
  }

  /** Changes the job, nodes, partition or reservation that one of the words names. */
  public void update(List<String> words) throws CommandException {
    List<KeyValue> settings = settings(words);
    KeyValue job = find(settings, "jobid", 3);
    KeyValue step = find(settings, "stepid", 4);
    KeyValue node = find(settings, "nodename", 4);
    KeyValue partition = find(settings, "partitionname", 4);
    KeyValue reservation = find(settings, "reservationname", 3);
    KeyValue named = find(settings, "jobname", 4);
    KeyValue level = find(settings, "slurmctlddebug", 5);
    if (job != null) {
      new JobUpdate(port).run(job.text(), without(settings, job));
    } else if (step != null) {
      new StepUpdate(port).run(step, without(settings, step));
    } else if (node != null) {
      new NodeUpdate(port).run(node.text(), without(settings, node));
    } else if (partition != null) {
      new PartitionUpdate(port).change(partition.text(), without(settings, partition));
    } else if (reservation != null) {
      new ReservationUpdate(port).update(reservation.text(), without(settings, reservation));
    } else if (named != null) {
      new JobUpdate(port).runNamed(named.text(), settings);
    } else if (level != null) {
      port.setLogLevel(level.text());
    } else {
      throw UpdateErrors.noEntity("update");
    }
  }

  /** Creates nodes, a partition or a reservation. */
  public void create(List<String> words) throws CommandException {
    List<KeyValue> settings = settings(words);
    KeyValue node = find(settings, "nodename", 5);
    KeyValue partition = find(settings, "partitionname", 4);
    boolean reservation = words.getFirst().toLowerCase(Locale.ROOT).startsWith("res");
    if (reservation) {
      new ReservationUpdate(port)
          .create(words.getFirst().indexOf('=') < 0 ? settings(rest(words)) : settings);
    } else if (node != null) {
      new NodeUpdate(port).create(node.text(), without(settings, node));
    } else if (partition != null) {
      new PartitionUpdate(port).create(partition.text(), without(settings, partition));
    } else {
      throw UpdateErrors.noEntity("create");
    }
  }

  /** Switches nodes on or off: {@code up NODES}, {@code down [asap|force] NODES [reason=TEXT]}. */
  public void power(List<String> words) throws CommandException {
    String way = words.getFirst().toLowerCase(Locale.ROOT);
    List<String> left = rest(words);
    String state = way.equals("up") ? "POWER_UP" : way.equals("down") ? "POWER_DOWN" : null;
    if (state == null) {
      throw CommandException.plain("invalid power argument:" + words.getFirst());
    }
    String how = left.getFirst().toLowerCase(Locale.ROOT);
    if (way.equals("down") && (how.equals("asap") || how.equals("force"))) {
      state += "_" + how.toUpperCase(Locale.ROOT);
      left = rest(left);
    }
    if (left.isEmpty() || left.getFirst().indexOf('=') >= 0) {
      throw CommandException.plain("too few arguments for keyword:power");
    }
    List<KeyValue> settings = new ArrayList<>(List.of(KeyValue.parse("State=" + state)));
    for (String word : rest(left)) {
      settings.add(KeyValue.parse(word));
    }
    new NodeUpdate(port).run(left.getFirst(), settings);
  }

  /** Boots nodes: {@code [ASAP] [nextstate=RESUME|DOWN] [reason=TEXT] NODES}. */
  public void reboot(List<String> words) throws CommandException {
    Map<String, String> keys = new LinkedHashMap<>(Map.of("state", "REBOOT"));
    String nodes = null;
    for (String word : words) {
      String lower = word.toLowerCase(Locale.ROOT);
      if (lower.equals("asap")) {
        keys.put("state", "REBOOT_ASAP");
      } else if (lower.startsWith("nextstate=")) {
        String next = lower.substring("nextstate=".length()).toUpperCase(Locale.ROOT);
        if (!next.equals("RESUME") && !next.equals("DOWN")) {
          throw CommandException.plain("Invalid nextstate: " + next + ", write RESUME or DOWN");
        }
        keys.put("nextstate", next);
      } else if (lower.startsWith("reason=")) {
        keys.put("reason", KeyValue.parse(word).text());
      } else if (nodes == null && word.indexOf('=') < 0) {
        nodes = word;
      } else {
        throw CommandException.plain("invalid argument: " + word);
      }
    }
    if (nodes == null) {
      throw CommandException.plain("too few arguments for keyword:reboot");
    }
    new NodeUpdate(port).reboot(nodes, keys);
  }

  private static List<String> rest(List<String> words) {
    return words.subList(1, words.size());
  }

  /** Deletes nodes, a partition or a reservation. */
  public void delete(List<String> words) throws CommandException {
    List<KeyValue> settings = settings(words);
    KeyValue node = find(settings, "nodename", 4);
    KeyValue partition = find(settings, "partitionname", 4);
    KeyValue reservation = find(settings, "reservationname", 3);
    if (partition != null) {
      port.request(
          "delete_partition " + partition.word(), new Command.DeletePartition(partition.text()));
    } else if (node != null) {
      port.request("delete_node " + node.word(), new Command.DeleteNodes(node.hosts()));
    } else if (reservation != null) {
      new ReservationUpdate(port).delete(reservation);
    } else {
      throw UpdateErrors.noEntity("delete");
    }
  }

  private static List<KeyValue> without(List<KeyValue> settings, KeyValue entity) {
    return settings.stream().filter(setting -> !setting.equals(entity)).toList();
  }

  private static @Nullable KeyValue find(List<KeyValue> settings, String name, int least) {
    for (KeyValue setting : settings) {
      if (setting.value() != null && setting.is(name, least)) {
        return setting;
      }
    }
    return null;
  }

  /** The words as settings; {@code job 12} means the same as {@code job=12}. */
  private static List<KeyValue> settings(List<String> words) {
    List<KeyValue> settings = new ArrayList<>();
    for (int i = 0; i < words.size(); i++) {
      String word = words.get(i);
      boolean pair =
          i == 0
              && word.indexOf('=') < 0
              && i + 1 < words.size()
              && words.get(i + 1).indexOf('=') < 0;
      settings.add(KeyValue.parse(pair ? word + "=" + words.get(++i) : word));
    }
    return settings;
  }
}
