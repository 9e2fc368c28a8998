package io.dure.reservation;

import io.dure.model.command.Command;
import io.dure.model.gres.GresCount;
import io.dure.model.gres.License;
import io.dure.model.reservation.NameListEdit;
import io.dure.model.reservation.ReservationFlag;
import io.dure.model.reservation.ReservationRequest;
import io.dure.testkit.cluster.TestCluster;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What is said of a reservation, in scontrol's words: {@code start=60 duration=30 nodes=n1
 * users=alice}. Times are minutes after the beginning of the test's cluster.
 */
final class Asked {
  private @Nullable String name;
  private @Nullable Instant start;
  private @Nullable Instant end;
  private @Nullable Duration duration;
  private @Nullable Duration lengthen;
  private @Nullable List<String> nodes;
  private @Nullable Integer nodeCount;
  private @Nullable Integer cores;
  private @Nullable List<Integer> coreCounts;
  private @Nullable String licenses;
  private @Nullable String features;
  private @Nullable String partition;
  private @Nullable NameListEdit users;
  private @Nullable NameListEdit accounts;
  private @Nullable NameListEdit groups;
  private final List<ReservationFlag> set = new ArrayList<>();
  private final List<ReservationFlag> clear = new ArrayList<>();
  private @Nullable Duration delay;
  private @Nullable Duration purge;
  private boolean skip;
  private @Nullable NameListEdit qos;
  private @Nullable NameListEdit allowed;
  private @Nullable String gres;

  private Asked() {}

  static ReservationRequest request(String text) {
    Asked asked = new Asked();
    for (String word : text.isBlank() ? new String[0] : text.split(" ", -1)) {
      asked.read(word);
    }
    return new ReservationRequest(
        asked.name,
        asked.start,
        asked.end,
        asked.duration,
        asked.lengthen,
        asked.nodes,
        asked.nodeCount,
        asked.cores,
        asked.features,
        asked.partition,
        asked.users,
        asked.accounts,
        asked.groups,
        asked.set,
        asked.clear,
        asked.delay,
        asked.purge,
        asked.skip,
        "UTC",
        asked.coreCounts,
        asked.licenses == null ? null : License.list(asked.licenses),
        asked.qos,
        asked.allowed,
        asked.gres == null ? null : GresCount.list(asked.gres));
  }

  static Command.CreateReservation create(String text) {
    return new Command.CreateReservation(request(text));
  }

  static Command.UpdateReservation update(String name, String text) {
    return new Command.UpdateReservation(name, request(text));
  }

  private void read(String word) {
    int equals = word.indexOf('=');
    String key = equals < 0 ? word : word.substring(0, equals);
    String value = equals < 0 ? "" : word.substring(equals + 1);
    switch (key) {
      case "name" -> name = value;
      case "start" -> start = minute(value);
      case "end" -> end = minute(value);
      case "duration" -> duration = Duration.ofMinutes(Long.parseLong(value));
      case "duration+" -> lengthen = Duration.ofMinutes(Long.parseLong(value));
      case "nodes" -> nodes = value.isEmpty() ? List.of() : List.of(value.split(",", -1));
      case "nodecnt" -> nodeCount = Integer.parseInt(value);
      case "corecnt" -> {
        List<Integer> counts = Stream.of(value.split(",", -1)).map(Integer::valueOf).toList();
        cores = counts.size() == 1 ? counts.getFirst() : null;
        coreCounts = counts.size() == 1 ? null : counts;
      }
      case "licenses" -> licenses = value;
      case "features" -> features = value;
      case "partition" -> partition = value;
      case "users", "users+", "users-" -> users = edit(key, value);
      case "accounts" -> accounts = edit(key, value);
      case "groups" -> groups = edit(key, value);
      case "qos" -> qos = edit(key, value);
      case "allowed" -> allowed = edit(key, value);
      case "gres" -> gres = value;
      case "flags" -> flags(value, set);
      case "flags-" -> flags(value, clear);
      case "delay" -> delay = Duration.ofMinutes(Long.parseLong(value));
      case "purge" -> purge = Duration.ofMinutes(Long.parseLong(value));
      case "skip" -> skip = true;
      default -> throw new IllegalArgumentException(word);
    }
  }

  private static Instant minute(String value) {
    return TestCluster.START.plus(Duration.ofMinutes(Long.parseLong(value)));
  }

  private static NameListEdit edit(String key, String value) {
    List<String> names = value.isEmpty() ? List.of() : List.of(value.split(",", -1));
    return switch (key.charAt(key.length() - 1)) {
      case '+' -> new NameListEdit(NameListEdit.Mode.ADD, names);
      case '-' -> new NameListEdit(NameListEdit.Mode.REMOVE, names);
      default -> new NameListEdit(NameListEdit.Mode.SET, names);
    };
  }

  private static void flags(String value, List<ReservationFlag> into) {
    for (String word : value.split(",", -1)) {
      ReservationFlag flag = ReservationFlag.named(word);
      if (flag == null) {
        throw new IllegalArgumentException(word);
      }
      into.add(flag);
    }
  }
}
