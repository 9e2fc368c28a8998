package io.dure.controller.service;

import io.dure.model.ErrorCode;
import io.dure.model.HostList;
import io.dure.model.TaskIndices;
import io.dure.model.accounting.record.JobCorrection;
import io.dure.model.command.Command;
import io.dure.model.command.CrontabChange;
import io.dure.model.command.JobChange;
import io.dure.model.command.Reply;
import io.dure.model.config.ClusterSettings;
import io.dure.model.config.PartitionConfig;
import io.dure.model.config.parameters.StoredTextLimits;
import io.dure.model.hook.Trigger;
import io.dure.model.jobtext.JobTexts;
import io.dure.model.jobtext.TextValue;
import io.dure.model.request.DependencyList;
import io.dure.model.request.JobSpec;
import io.dure.model.request.ResourceRequest;
import io.dure.model.request.Workload;
import io.dure.model.reservation.ReservationRequest;
import io.dure.protocol.Request;
import io.dure.protocol.TriggerCriteria;
import io.dure.protocol.codec.ComponentAccessor;
import io.dure.protocol.slurmdbd.ClusterChange;
import java.lang.reflect.Modifier;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * How long the texts of a request may be: what one request asks to be kept must not weigh on
 * everybody's listings and on the controller's memory. Checked here and not by the commands alone,
 * since anybody may write a command. A text of which nothing else is said has Slurm's usual bound,
 * so that a component that is added to a request is bounded without a word. Any thread.
 */
public final class RequestBounds {
  /** Bytes of a name, a comment and the like; several names have it together. */
  static final int TEXT = 1024;

  /** Bytes of a path, PATH_MAX. */
  static final int PATH = 4096;

  /** Bytes of a list of names that are no job's. */
  static final int LIST = 64 << 10;

  private static final int DEPENDENCIES = 128 << 10;

  /** What an element of a list weighs that is no text. */
  private static final int ELEMENT = 8;

  /** Of UTF-8; a text that is short enough even so is not counted byte by byte. */
  private static final long MOST_BYTES_OF_CHAR = 3;

  private enum Bound {
    TEXT,
    PATH,
    LIST,
    NODES,
    DEPENDENCIES,
    SUBMIT_LINE,
    SCRIPT,
    CRONTAB,
    ENVIRONMENT,
    /** No text itself; those in it have their own. */
    PARTS
  }

  private static final Map<Class<?>, Map<String, Bound>> UNUSUAL =
      Map.of(
          JobSpec.class,
          Map.of("partitions", Bound.TEXT, "reservations", Bound.TEXT, "arrayTasks", Bound.LIST),
          JobChange.class,
          Map.of("partitions", Bound.TEXT, "reservations", Bound.TEXT),
          ResourceRequest.class,
          Map.of("requiredNodes", Bound.NODES, "excludedNodes", Bound.NODES),
          JobChange.ResourceChange.class,
          Map.of("requiredNodes", Bound.NODES, "excludedNodes", Bound.NODES),
          ResourceRequest.CoreLayout.class,
          Map.of("gpuBind", Bound.LIST, "memoryBind", Bound.LIST),
          DependencyList.class,
          Map.of("conditions", Bound.DEPENDENCIES),
          Workload.BatchSpec.class,
          Map.of(
              "arguments", Bound.SUBMIT_LINE,
              "workDirectory", Bound.PATH,
              "standardInput", Bound.PATH,
              "standardOutput", Bound.PATH,
              "standardError", Bound.PATH,
              "command", Bound.PATH,
              "submitLine", Bound.SUBMIT_LINE),
          Workload.InteractiveAllocation.class,
          Map.of("workDirectory", Bound.PATH, "submitLine", Bound.SUBMIT_LINE),
          JobChange.OutputChange.class,
          Map.of(
              "standardInput", Bound.PATH,
              "standardOutput", Bound.PATH,
              "standardError", Bound.PATH,
              "workDirectory", Bound.PATH),
          JobTexts.class,
          Map.of("script", Bound.SCRIPT, "environment", Bound.ENVIRONMENT));

  /** Of what an operator sends, which is long on a large cluster. */
  private static final Map<Class<?>, Map<String, Bound>> LONG =
      Map.ofEntries(
          Map.entry(PartitionConfig.class, Map.of("nodes", Bound.NODES)),
          Map.entry(
              ReservationRequest.class, Map.of("nodes", Bound.NODES, "coreCounts", Bound.PARTS)),
          Map.entry(Command.UpdateNodes.class, Map.of("nodes", Bound.NODES, "keys", Bound.PARTS)),
          Map.entry(Command.DeleteNodes.class, Map.of("nodes", Bound.NODES)),
          Map.entry(Command.CreateNodes.class, Map.of("nodes", Bound.PARTS)),
          Map.entry(Command.ChangeAccounting.class, Map.of("changes", Bound.PARTS)),
          Map.entry(Request.ChangeClusters.class, Map.of("changes", Bound.PARTS)),
          Map.entry(Request.EndRunawayJobs.class, Map.of("attempts", Bound.PARTS)),
          Map.entry(Request.CorrectJobs.class, Map.of("attempts", Bound.PARTS)),
          // Epilogs of clusters put there what they measured on each node.
          Map.entry(JobCorrection.class, Map.of("adminComment", Bound.LIST)),
          Map.entry(ClusterChange.class, Map.of("changes", Bound.PARTS)),
          Map.entry(Command.TopJobs.class, Map.of("jobs", Bound.PARTS)),
          Map.entry(Command.KillJobs.class, Map.of("jobs", Bound.PARTS, "waits", Bound.PARTS)),
          Map.entry(Command.SubmitHetJob.class, Map.of("components", Bound.PARTS)),
          Map.entry(CrontabChange.class, Map.of("text", Bound.CRONTAB, "entries", Bound.PARTS)),
          Map.entry(Trigger.Wish.class, Map.of("nodes", Bound.NODES, "program", Bound.PATH)),
          Map.entry(TriggerCriteria.class, Map.of("nodes", Bound.NODES)),
          Map.entry(Command.NotifyJob.class, Map.of("text", Bound.LIST)),
          Map.entry(TaskIndices.class, Map.of("ranges", Bound.PARTS)));

  /** Of each type of record those components that may hold a text; most are numbers. */
  private static final Map<Class<?>, Component[]> COMPONENTS = new ConcurrentHashMap<>();

  private record Component(ComponentAccessor accessor, Bound bound) {}

  private final int scriptBytes;
  private final StoredTextLimits limits;
  private final boolean bounded;
  private @Nullable String nul;
  private @Nullable String tooLong;

  private RequestBounds(@Nullable ClusterSettings settings) {
    bounded = settings != null;
    scriptBytes = settings == null ? 0 : settings.scheduling().maxScriptBytes();
    limits = settings == null ? StoredTextLimits.of(Map.of()) : settings.scheduling().textLimits();
  }

  /** Why a change or a trial of one may not be asked for so, null if it may. */
  public static Reply.@Nullable Refused refusal(Request request, ClusterSettings settings) {
    RequestBounds bounds = new RequestBounds(settings);
    bounds.value("request", request, Bound.PARTS);
    return bounds.refusal();
  }

  /** Why a question may not be asked so, null if it may: it holds a NUL. */
  public static Reply.@Nullable Refused refusal(Request question) {
    RequestBounds bounds = new RequestBounds(null);
    bounds.value("request", question, Bound.PARTS);
    return bounds.refusal();
  }

  private Reply.@Nullable Refused refusal() {
    if (nul != null) {
      return new Reply.Refused(ErrorCode.BAD_INPUT, nul + ": a NUL character is not allowed");
    }
    return tooLong == null ? null : new Reply.Refused(ErrorCode.PATHNAME_TOO_LONG, tooLong);
  }

  private static Component[] components(Class<?> type) {
    Map<String, Bound> unusual = new HashMap<>(UNUSUAL.getOrDefault(type, Map.of()));
    unusual.putAll(LONG.getOrDefault(type, Map.of()));
    List<Component> found = new ArrayList<>();
    for (RecordComponent part : type.getRecordComponents()) {
      Bound bound = unusual.remove(part.getName());
      if (bound == null) {
        bound =
            part.getType() == List.class || part.getType() == Map.class ? Bound.LIST : Bound.TEXT;
      }
      if (mayHoldText(part.getType(), new HashSet<>())) {
        found.add(new Component(new ComponentAccessor(part), bound));
      }
    }
    if (!unusual.isEmpty()) {
      throw new IllegalStateException(type + " has no component " + unusual.keySet());
    }
    return found.toArray(Component[]::new);
  }

  /** Of a type that {@link #value} looks into. */
  private static boolean mayHoldText(Class<?> type, Set<Class<?>> above) {
    if (type.isPrimitive() || type.isEnum() || !above.add(type)) {
      return false;
    }
    boolean may;
    if (type.isRecord() && !TextValue.class.isAssignableFrom(type)) {
      may = false;
      for (RecordComponent part : type.getRecordComponents()) {
        may |= mayHoldText(part.getType(), above);
      }
    } else if (type.isSealed()) {
      may = false;
      for (Class<?> kind : type.getPermittedSubclasses()) {
        may |= mayHoldText(kind, above);
      }
    } else {
      may =
          type == String.class
              || TextValue.class.isAssignableFrom(type)
              || Collection.class.isAssignableFrom(type)
              || Map.class.isAssignableFrom(type)
              || !Modifier.isFinal(type.getModifiers());
    }
    above.remove(type);
    return may;
  }

  private void record(Record record) {
    Component[] parts = COMPONENTS.get(record.getClass());
    if (parts == null) {
      parts = COMPONENTS.computeIfAbsent(record.getClass(), RequestBounds::components);
    }
    for (Component part : parts) {
      Object value = part.accessor().of(record);
      if (value != null) {
        value(part.accessor().name(), value, part.bound());
      }
    }
  }

  private void value(String name, Object value, Bound bound) {
    switch (value) {
      case String text -> text(name, text, bound);
      case TextValue text -> text(name, text.text(), bound);
      case Record record -> record(record);
      case List<?> list -> list(name, list, bound);
      case Map<?, ?> map ->
          map.forEach((key, one) -> {
            value(name, key, Bound.TEXT);
            // A node's address stands in one list with those of others.
            boolean many = String.valueOf(key).toLowerCase(Locale.ROOT).startsWith("node");
            value(String.valueOf(key), one, many ? Bound.LIST : Bound.TEXT);
          });
      default -> {}
    }
  }

  private void text(String name, String text, Bound bound) {
    findNul(name, text, bound);
    if (text.length() * MOST_BYTES_OF_CHAR > most(bound)) {
      check(name, bytes(text, bound), bound);
    }
  }

  private void list(String name, List<?> list, Bound bound) {
    if (list.isEmpty()) {
      return;
    }
    long size = 0;
    for (Object one : list) {
      if (one instanceof String text) {
        findNul(name, text, bound);
        size += 1 + text.length() * MOST_BYTES_OF_CHAR;
      } else {
        value(name, one, bound == Bound.PARTS ? Bound.TEXT : bound);
        size += ELEMENT;
      }
    }
    if (size > most(bound)) {
      check(name, bytes(list, bound), bound);
    }
  }

  private void findNul(String name, String text, Bound bound) {
    // The environment is a list that a NUL parts.
    if (bound != Bound.ENVIRONMENT && nul == null && text.indexOf('\0') >= 0) {
      nul = words(name);
    }
  }

  private static long bytes(String text, Bound bound) {
    long bytes = text.length();
    if (bound == Bound.SCRIPT || bound == Bound.CRONTAB) {
      return bytes; // each char is a byte of it
    }
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      bytes += c < 0x80 ? 0 : c < 0x800 || Character.isSurrogate(c) ? 1 : 2;
    }
    return bytes;
  }

  private static long bytes(List<?> list, Bound bound) {
    long size = -1; // as text there is a comma between two
    for (Object one : list) {
      size += one instanceof String text ? 1 + bytes(text, bound) : ELEMENT;
    }
    return bound == Bound.NODES && size > LIST
        ? HostList.compress(list.stream().map(String::valueOf).toList()).length()
        : size;
  }

  private long most(Bound bound) {
    if (!bounded || tooLong != null) {
      return Long.MAX_VALUE;
    }
    return switch (bound) {
      case TEXT -> TEXT;
      case PATH -> PATH;
      case LIST, NODES -> LIST;
      case DEPENDENCIES -> DEPENDENCIES;
      case SUBMIT_LINE -> limits.submitLineBytes();
      case SCRIPT -> scriptBytes;
      case CRONTAB -> CrontabChange.MOST_BYTES;
      case ENVIRONMENT -> limits.environmentBytes();
      case PARTS -> Long.MAX_VALUE;
    };
  }

  private void check(String name, long bytes, Bound bound) {
    long most = most(bound);
    if (bytes > most) {
      String setting =
          switch (bound) {
            case SUBMIT_LINE -> StoredTextLimits.SUBMIT_LINE;
            case SCRIPT -> "max_script_size";
            case ENVIRONMENT -> StoredTextLimits.ENVIRONMENT;
            case TEXT, PATH, LIST, NODES, DEPENDENCIES, CRONTAB, PARTS -> null;
          };
      tooLong =
          words(name)
              + ": "
              + bytes
              + " bytes, at most "
              + most
              + " are taken"
              + (setting == null ? "" : " (SchedulerParameters=" + setting + ")");
    }
  }

  /** {@code workDirectory} as {@code work directory}. */
  private static String words(String component) {
    StringBuilder words = new StringBuilder();
    for (int i = 0; i < component.length(); i++) {
      char c = component.charAt(i);
      words.append(Character.isUpperCase(c) ? " " + Character.toLowerCase(c) : c);
    }
    return words.toString();
  }
}
