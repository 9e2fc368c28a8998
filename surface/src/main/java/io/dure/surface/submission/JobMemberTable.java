package io.dure.surface.submission;

import io.dure.surface.body.DocumentValue;
import io.dure.surface.sbatch.SbatchOption;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What each member of {@code job_desc_msg} means. */
final class JobMemberTable {
  private static final String NONE = "it has no effect";

  /** What {@link SubmissionReader} and {@link BatchDescription} read. */
  private static final List<String> ELSEWHERE =
      List.of(
          "script",
          "user_id",
          "group_id",
          "crontab",
          "immediate",
          "argv",
          "environment",
          "rlimits",
          "allocation_node_list",
          "allocation_node_port",
          "hetjob_group");

  private static final Map<String, JobMember> ALL = new HashMap<>();

  private JobMemberTable() {}

  static {
    texts();
    numbers();
    flags();
    words();
    resources();
    withoutEffect();
    readElsewhere();
  }

  /** The meaning of a member. */
  private static JobMember of(String name) {
    return ALL.getOrDefault(name, (options, member, _) -> options.ignored(member, NONE));
  }

  /** Sets each option that members mean by themselves, then those that several say together. */
  static void setAll(DescribedOptions options, DocumentValue.Members job)
      throws SubmissionException {
    for (var member : job.all().entrySet()) {
      of(member.getKey()).set(options, member.getKey(), member.getValue());
    }
    JoinedMembers.set(options, job);
  }

  /** The members whose meaning is known, also that they have none. */
  static Set<String> known() {
    return ALL.keySet();
  }

  private static void texts() {
    option("account", SbatchOption.ACCOUNT);
    option("account_gather_frequency", SbatchOption.ACCTG_FREQ);
    option("array", SbatchOption.ARRAY);
    option("batch_features", SbatchOption.BATCH);
    option("burst_buffer", SbatchOption.BB);
    option("clusters", SbatchOption.CLUSTERS);
    option("cluster_constraint", SbatchOption.CLUSTER_CONSTRAINT);
    option("comment", SbatchOption.COMMENT);
    option("constraints", SbatchOption.CONSTRAINT);
    option("container", SbatchOption.CONTAINER);
    option("container_id", SbatchOption.CONTAINER_ID);
    option("container_type", SbatchOption.CONTAINER_TYPE);
    option("cpu_frequency", SbatchOption.CPU_FREQ);
    option("current_working_directory", SbatchOption.CHDIR);
    option("dependency", SbatchOption.DEPENDENCY);
    option("excluded_nodes", SbatchOption.EXCLUDE);
    option("extra", SbatchOption.EXTRA);
    option("licenses", SbatchOption.LICENSES);
    option("mail_user", SbatchOption.MAIL_USER);
    option("mcs_label", SbatchOption.MCS_LABEL);
    option("name", SbatchOption.JOB_NAME);
    option("network", SbatchOption.NETWORK);
    option("partition", SbatchOption.PARTITION);
    option("prefer", SbatchOption.PREFER);
    option("qos", SbatchOption.QOS);
    option("required_nodes", SbatchOption.NODELIST);
    option("reservation", SbatchOption.RESERVATION);
    option("selinux_context", SbatchOption.CONTEXT);
    option("standard_error", SbatchOption.ERROR);
    option("standard_input", SbatchOption.INPUT);
    option("standard_output", SbatchOption.OUTPUT);
    option("tres_bind", SbatchOption.TRES_BIND);
    option("tres_per_task", SbatchOption.TRES_PER_TASK);
    option("wckey", SbatchOption.WCKEY);
  }

  private static void numbers() {
    count("core_specification", SbatchOption.CORE_SPEC);
    count("cores_per_socket", SbatchOption.CORES_PER_SOCKET);
    count("cpus_per_task", SbatchOption.CPUS_PER_TASK);
    count("minimum_cpus_per_node", SbatchOption.MINCPUS);
    count("ntasks_per_tres", SbatchOption.NTASKS_PER_GPU);
    count("reserve_ports", SbatchOption.RESV_PORTS);
    count("segment_size", SbatchOption.SEGMENT);
    count("sockets_per_node", SbatchOption.SOCKETS_PER_NODE);
    count("tasks", SbatchOption.NTASKS);
    count("tasks_per_core", SbatchOption.NTASKS_PER_CORE);
    count("tasks_per_node", SbatchOption.NTASKS_PER_NODE);
    count("tasks_per_socket", SbatchOption.NTASKS_PER_SOCKET);
    count("thread_specification", SbatchOption.THREAD_SPEC);
    count("threads_per_core", SbatchOption.THREADS_PER_CORE);
    number("memory_per_cpu", SbatchOption.MEM_PER_CPU, "M");
    number("memory_per_node", SbatchOption.MEM, "M");
    number("nice", SbatchOption.NICE, "");
    number("oom_kill_step", SbatchOption.OOM_KILL_STEP, "");
    positive("temporary_disk_per_node", SbatchOption.TMP, "M");
    number("time_limit", SbatchOption.TIME, "");
    positive("time_minimum", SbatchOption.TIME_MIN, "");
    ALL.put("begin_time", moment(SbatchOption.BEGIN));
    ALL.put("deadline", moment(SbatchOption.DEADLINE));
    ALL.put(
        "delay_boot",
        (options, name, value) -> {
          if (value instanceof DocumentValue.Whole(long seconds) && seconds > 0) {
            options.set(SbatchOption.DELAY_BOOT, name, JoinedMembers.minutes(seconds));
          }
        });
    ALL.put(
        "priority",
        (options, name, value) -> {
          if (value instanceof DocumentValue.Whole(long priority)) {
            if (priority == 0) {
              options.set(SbatchOption.HOLD, name, null);
            } else {
              options.set(SbatchOption.PRIORITY, name, Long.toString(priority));
            }
          }
        });
  }

  private static void flags() {
    flag("contiguous", SbatchOption.CONTIGUOUS);
    flag("hold", SbatchOption.HOLD);
    flag("overcommit", SbatchOption.OVERCOMMIT);
    flag("reboot", SbatchOption.REBOOT);
    ALL.put("kill_on_node_fail", either(null, SbatchOption.NO_KILL));
    ALL.put("requeue", either(SbatchOption.REQUEUE, SbatchOption.NO_REQUEUE));
    ALL.put(
        "wait_all_nodes",
        (options, name, value) ->
            options.set(
                SbatchOption.WAIT_ALL_NODES,
                name,
                value.equals(new DocumentValue.Flag(true)) ? "1" : "0"));
  }

  private static void words() {
    ALL.put("flags", (options, name, value) -> JobWords.flags(options, name, texts(value)));
    ALL.put("mail_type", (options, name, value) -> JobWords.mail(options, name, texts(value)));
    ALL.put("open_mode", (options, name, value) -> JobWords.mode(options, name, texts(value)));
    ALL.put("profile", (options, name, value) -> JobWords.profile(options, name, texts(value)));
    ALL.put("shared", (options, name, value) -> JobWords.shared(options, name, texts(value)));
  }

  private static void resources() {
    gres("tres_per_job", SbatchOption.GPUS, true);
    gres("tres_per_node", SbatchOption.GRES, false);
    gres("tres_per_socket", SbatchOption.GPUS_PER_SOCKET, true);
    gres("tres_freq", SbatchOption.GPU_FREQ, true);
    gres("cpus_per_tres", SbatchOption.CPUS_PER_GPU, true);
    gres("memory_per_tres", SbatchOption.MEM_PER_GPU, true);
  }

  private static void withoutEffect() {
    String daemon = "only the controller or a plugin of it sets it";
    none("admin_comment", "it can be set with scontrol update once the job is there");
    none("cpu_binding", "each step of the job says how its tasks are bound");
    none("cpu_binding_flags", "each step of the job says how its tasks are bound");
    none("end_time", "time_limit and deadline say when a job ends");
    none("job_id", "the controller gives each job its number");
    none("maximum_cpus", "a job gets the CPUs that it asks for");
    none("minimum_boards_per_node", "nodes have one board");
    none("power_flags", "power is not managed by job");
    none("site_factor", daemon);
    none("spank_environment", "there are no SPANK plugins");
    none("step_id", "the controller gives each job its number");
    none("tasks_per_board", "nodes have one board");
    none("x11", "batch jobs have no X11 forwarding");
    none("x11_magic_cookie", "batch jobs have no X11 forwarding");
    none("x11_target_host", "batch jobs have no X11 forwarding");
    none("x11_target_port", "batch jobs have no X11 forwarding");
  }

  /** What is read by other classes: {@link JoinedMembers} and others. */
  private static void readElsewhere() {
    for (String name : JoinedMembers.NAMES) {
      ALL.put(name, (_, _, _) -> {});
    }
    for (String name : ELSEWHERE) {
      ALL.put(name, (_, _, _) -> {});
    }
  }

  private static List<String> texts(DocumentValue value) {
    return value instanceof DocumentValue.Items items ? items.texts() : List.of();
  }

  /** A text, or a list that the command line has with commas. */
  private static void option(String member, SbatchOption option) {
    ALL.put(
        member,
        (options, name, value) -> {
          String text =
              value instanceof DocumentValue.Text(String one)
                  ? one
                  : String.join(",", texts(value));
          if (!text.isEmpty()) {
            options.set(option, name, text);
          }
        });
  }

  private static void count(String member, SbatchOption option) {
    positive(member, option, "");
  }

  /** A number, of which 0 is as good as none. */
  private static void positive(String member, SbatchOption option, String unit) {
    ALL.put(
        member,
        (options, name, value) -> {
          if (!value.equals(new DocumentValue.Whole(0))) {
            options.set(option, name, digits(value, unit));
          }
        });
  }

  private static void number(String member, SbatchOption option, String unit) {
    ALL.put(member, (options, name, value) -> options.set(option, name, digits(value, unit)));
  }

  private static String digits(DocumentValue value, String unit) {
    return value instanceof DocumentValue.Whole(long number) ? number + unit : "UNLIMITED";
  }

  private static JobMember moment(SbatchOption option) {
    return (options, name, value) -> {
      if (value instanceof DocumentValue.Whole(long seconds) && seconds > 0) {
        options.set(option, name, "uts" + seconds);
      }
    };
  }

  private static void flag(String member, SbatchOption option) {
    ALL.put(member, either(option, null));
  }

  private static JobMember either(@Nullable SbatchOption on, @Nullable SbatchOption off) {
    return (options, name, value) -> {
      SbatchOption meant = value.equals(new DocumentValue.Flag(true)) ? on : off;
      if (meant != null) {
        options.set(meant, name, null);
      }
    };
  }

  private static void none(String member, String why) {
    ALL.put(
        member,
        (options, name, value) -> {
          if (!JobWords.isEmpty(value)) {
            options.ignored(name, why);
          }
        });
  }

  /** Generic resources as {@code gres/gpu:2}; options of GPUs take no name. */
  private static void gres(String member, SbatchOption option, boolean gpu) {
    ALL.put(
        member,
        (options, name, value) -> {
          if (value instanceof DocumentValue.Text(String text) && !text.isEmpty()) {
            options.set(option, name, JobWords.resources(options, name, text, gpu));
          }
        });
  }
}
