package io.dure.surface.submission;

import io.dure.surface.body.DocumentValue;
import io.dure.surface.sbatch.SbatchOption;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Members of which several together mean one option. */
final class JoinedMembers {
  private static final int MINUTE = 60;
  private static final int MOST_DIGITS = 9;

  private static final String NODES = "nodes";
  private static final String LEAST_NODES = "minimum_nodes";
  private static final String MOST_NODES = "maximum_nodes";
  private static final String LEAST_CPUS = "minimum_cpus";
  private static final String LEAST_SOCKETS = "minimum_sockets_per_board";
  private static final String SWITCHES = "required_switches";
  private static final String SWITCH_WAIT = "wait_for_switch";
  private static final String SIGNAL = "kill_warning_signal";
  private static final String SIGNAL_FLAGS = "kill_warning_flags";
  private static final String SIGNAL_DELAY = "kill_warning_delay";
  private static final String DISTRIBUTION = "distribution";
  private static final String PLANE = "distribution_plane_size";
  private static final String BINDING = "memory_binding";
  private static final String BINDING_TYPE = "memory_binding_type";
  private static final String MARGIN = "memory_update_margin";
  private static final String DELAY = "memory_update_delay";

  /** The members that are read here. */
  static final Set<String> NAMES =
      Set.of(
          NODES,
          LEAST_NODES,
          MOST_NODES,
          LEAST_CPUS,
          LEAST_SOCKETS,
          SWITCHES,
          SWITCH_WAIT,
          SIGNAL,
          SIGNAL_FLAGS,
          SIGNAL_DELAY,
          DISTRIBUTION,
          PLANE,
          BINDING,
          BINDING_TYPE,
          MARGIN,
          DELAY);

  private JoinedMembers() {}

  static void set(DescribedOptions options, DocumentValue.Members job) throws SubmissionException {
    nodes(options, job);
    cpus(options, job);
    layout(options, job);
    switches(options, job);
    signal(options, job);
    memory(options, job);
  }

  /** Seconds as a time of minutes and seconds. */
  static String minutes(long seconds) {
    return seconds / MINUTE + ":" + String.format(Locale.ROOT, "%02d", seconds % MINUTE);
  }

  private static @Nullable Long positive(DocumentValue.Members job, String name) {
    Long number = job.number(name);
    return number == null || number == 0 ? null : number;
  }

  private static void nodes(DescribedOptions options, DocumentValue.Members job)
      throws SubmissionException {
    String range = job.text(NODES);
    Long least = positive(job, LEAST_NODES);
    Long most = positive(job, MOST_NODES);
    if (range != null) {
      options.set(SbatchOption.NODES, NODES, range);
    } else if (most != null) {
      options.set(SbatchOption.NODES, MOST_NODES, (least == null ? 1 : least) + "-" + most);
    } else if (least != null) {
      options.set(SbatchOption.NODES, LEAST_NODES, least.toString());
    }
  }

  /** The least number of nodes that is asked for, 0 for none. */
  private static long leastNodes(DocumentValue.Members job) {
    String range = job.text(NODES);
    if (range != null) {
      int end = 0;
      while (end < range.length() && end < MOST_DIGITS && Character.isDigit(range.charAt(end))) {
        end++;
      }
      return end == 0 ? 0 : Long.parseLong(range.substring(0, end));
    }
    Long least = positive(job, LEAST_NODES);
    return least != null ? least : positive(job, MOST_NODES) != null ? 1 : 0;
  }

  /** CPUs are asked for by node where there is a number of nodes, else by tasks. */
  private static void cpus(DescribedOptions options, DocumentValue.Members job)
      throws SubmissionException {
    Long least = positive(job, LEAST_CPUS);
    Long each = positive(job, "cpus_per_task");
    boolean untold = positive(job, "tasks") == null && positive(job, "tasks_per_node") == null;
    long nodes = leastNodes(job);
    if (least != null && untold && nodes > 0) {
      if (positive(job, "minimum_cpus_per_node") == null) {
        long perNode = (least - 1) / nodes + 1;
        options.set(SbatchOption.MINCPUS, LEAST_CPUS, Long.toString(perNode));
      }
    } else if (least != null && untold) {
      long perTask = each == null ? 1 : each;
      long tasks = least <= 0 || perTask <= 0 ? least : (least - 1) / perTask + 1;
      options.set(SbatchOption.NTASKS, LEAST_CPUS, Long.toString(tasks));
    } else if (least != null) {
      options.ignored(LEAST_CPUS, "the tasks of the job say how many it gets");
    }
    Long sockets = positive(job, LEAST_SOCKETS);
    if (sockets != null && positive(job, "sockets_per_node") == null) {
      options.set(SbatchOption.SOCKETS_PER_NODE, LEAST_SOCKETS, sockets.toString());
    }
  }

  private static void layout(DescribedOptions options, DocumentValue.Members job)
      throws SubmissionException {
    Long plane = positive(job, PLANE);
    String text = job.text(DISTRIBUTION);
    if (plane != null) {
      options.set(SbatchOption.DISTRIBUTION, PLANE, "plane=" + plane);
    } else if (text != null) {
      options.set(SbatchOption.DISTRIBUTION, DISTRIBUTION, text);
    }
    StringBuilder binding = new StringBuilder();
    String list = job.text(BINDING);
    for (String word : job.texts(BINDING_TYPE)) {
      String plain = word.toLowerCase(Locale.ROOT);
      String option =
          switch (plain) {
            case "map", "mask" -> plain + "_mem:" + (list == null ? "" : list);
            default -> plain;
          };
      binding.append(binding.isEmpty() ? "" : ",").append(option);
    }
    if (!binding.isEmpty()) {
      options.set(SbatchOption.MEM_BIND, BINDING_TYPE, binding.toString());
    } else if (list != null) {
      options.ignored(BINDING, BINDING_TYPE + " does not say what it is");
    }
  }

  private static void switches(DescribedOptions options, DocumentValue.Members job)
      throws SubmissionException {
    Long count = positive(job, SWITCHES);
    Long wait = positive(job, SWITCH_WAIT);
    if (count != null) {
      options.set(
          SbatchOption.SWITCHES,
          SWITCHES,
          wait == null ? count.toString() : count + "@" + minutes(wait));
    } else if (wait != null) {
      options.ignored(SWITCH_WAIT, SWITCHES + " is not set");
    }
  }

  private static void signal(DescribedOptions options, DocumentValue.Members job)
      throws SubmissionException {
    String signal = job.text(SIGNAL);
    List<String> flags = job.texts(SIGNAL_FLAGS);
    Long delay = job.number(SIGNAL_DELAY);
    if (signal == null) {
      if (delay != null && delay > 0 || !flags.isEmpty()) {
        options.ignored(SIGNAL, "no signal is named");
      }
      return;
    }
    String letters =
        (flags.contains("RESERVATION_JOB") ? "R" : "") + (flags.contains("BATCH_JOB") ? "B" : "");
    options.set(
        SbatchOption.SIGNAL,
        SIGNAL,
        (letters.isEmpty() ? "" : letters + ":") + signal + (delay == null ? "" : "@" + delay));
  }

  private static void memory(DescribedOptions options, DocumentValue.Members job)
      throws SubmissionException {
    Long margin = positive(job, MARGIN);
    Long delay = positive(job, DELAY);
    if (margin != null || delay != null) {
      options.set(
          SbatchOption.MEM_UPDATE,
          margin == null ? DELAY : MARGIN,
          (margin == null ? 0 : margin) + "@" + (delay == null ? 0 : delay));
    }
  }
}
