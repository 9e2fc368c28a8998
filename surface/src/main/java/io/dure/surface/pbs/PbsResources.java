package io.dure.surface.pbs;

import io.dure.surface.message.CommandException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * What {@code -l} asks for. A resource that is named again replaces the one before. For one thread.
 */
public final class PbsResources {
  private final Map<String, String> values = new LinkedHashMap<>();
  private final List<String> unknown = new ArrayList<>();

  /** Adds a list, {@code nodes=2:ppn=4,walltime=1:00:00}. */
  public void add(String list) {
    for (String word : list.split(",", -1)) {
      int equals = word.indexOf('=');
      String name = (equals < 0 ? word : word.substring(0, equals)).strip();
      if (name.equals("nodes") || name.equals("select")) {
        values.remove("nodes");
        values.remove("select");
      }
      if (!name.isEmpty()) {
        values.put(name.toLowerCase(Locale.ROOT), equals < 0 ? "" : word.substring(equals + 1));
      }
    }
  }

  /** Whether there are none. */
  public boolean isEmpty() {
    return values.isEmpty();
  }

  /** A resource that is named, empty for none. */
  public String value(String name) {
    return values.getOrDefault(name, "");
  }

  /** What is passed over; complete once {@link #words} was called. */
  public List<String> unknown() {
    return unknown;
  }

  /** Options of {@code sbatch}. */
  public List<String> words() throws CommandException {
    List<String> words = new ArrayList<>();
    unknown.clear();
    for (Map.Entry<String, String> one : values.entrySet()) {
      if (!one.getKey().equals("place")) {
        words.addAll(words(one.getKey(), one.getValue()));
      }
    }
    words.addAll(place());
    return words;
  }

  private List<String> words(String name, String value) throws CommandException {
    return switch (name) {
      case "nodes" -> chunks(PbsChunks.ofNodes(value), value.endsWith("#excl"));
      case "select" -> chunks(PbsChunks.ofSelect(value), false);
      case "nodect" -> List.of("--nodes=" + PbsQuantity.count(name, value));
      case "walltime" -> List.of("--time=" + PbsQuantity.time(name, value));
      // Limits of processor time bound a job that has no other limit.
      case "cput", "pcput" ->
          values.containsKey("walltime")
              ? List.of()
              : List.of("--time=" + PbsQuantity.time(name, value));
      case "mem" -> List.of("--mem=" + PbsQuantity.mib(name, value) + "M");
      case "vmem" ->
          values.containsKey("mem")
              ? List.of()
              : List.of("--mem=" + PbsQuantity.mib(name, value) + "M");
      case "pmem", "mppmem" -> List.of("--mem-per-cpu=" + PbsQuantity.mib(name, value) + "M");
      case "pvmem" ->
          values.containsKey("pmem")
              ? List.of()
              : List.of("--mem-per-cpu=" + PbsQuantity.mib(name, value) + "M");
      case "file" -> List.of("--tmp=" + PbsQuantity.mib(name, value) + "M");
      case "ncpus", "ompthreads", "mppdepth" ->
          List.of("--cpus-per-task=" + PbsQuantity.count(name, value));
      case "procs", "mppwidth", "size" -> List.of("--ntasks=" + PbsQuantity.count(name, value));
      case "ppn", "mppnppn" -> List.of("--ntasks-per-node=" + PbsQuantity.count(name, value));
      case "gpus", "ngpus" -> List.of("--gpus=" + value);
      case "depend" -> List.of("--dependency=" + PbsDependency.of(value));
      default -> named(name, value);
    };
  }

  private List<String> named(String name, String value) {
    return switch (name) {
      case "gres" -> List.of("--gres=" + value);
      case "software" -> List.of("--licenses=" + value);
      case "host", "hostlist", "mppnodes", "vnode" ->
          List.of("--nodelist=" + value.replace('+', ','));
      case "feature", "prefer" -> List.of("--constraint=" + value.replace(':', '&'));
      case "qos" -> List.of("--qos=" + value);
      case "advres" -> List.of("--reservation=" + value);
      case "naccesspolicy" ->
          switch (value.toLowerCase(Locale.ROOT)) {
            case "singlejob", "singletask" -> List.of("--exclusive");
            case "singleuser", "uniqueuser" -> List.of("--exclusive=user");
            case "shared" -> List.of("--oversubscribe");
            default -> passedOver(name, value);
          };
      // What a node runs on, and how nice processes are, is the site's matter.
      case "arch", "opsys", "nice" -> List.of();
      default -> passedOver(name, value);
    };
  }

  private List<String> passedOver(String name, String value) {
    unknown.add(value.isEmpty() ? name : name + "=" + value);
    return List.of();
  }

  private List<String> chunks(PbsChunks chunks, boolean exclusive) {
    unknown.addAll(chunks.unknown());
    boolean packs = List.of(value("place").split(":", -1)).contains("pack");
    List<String> words = new ArrayList<>(packs ? chunks.packed() : chunks.words());
    if (exclusive) {
      words.add("--exclusive");
    }
    if (values.containsKey("mem") && words.removeIf(word -> word.startsWith("--mem="))) {
      unknown.add("mem of select, as mem is named");
    }
    return words;
  }

  private List<String> place() {
    List<String> words = new ArrayList<>();
    for (String word : value("place").split(":", -1)) {
      switch (word) {
        case "excl", "exclhost" -> words.add("--exclusive");
        case "", "free", "scatter", "vscatter", "pack", "shared" -> {}
        default -> unknown.add("place=" + word);
      }
    }
    return words;
  }
}
