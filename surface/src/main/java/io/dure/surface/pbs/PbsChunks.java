package io.dure.surface.pbs;

import io.dure.surface.message.CommandException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Nodes as {@code -l nodes=} and {@code -l select=} describe them: parts set apart by {@code +}.
 *
 * @param chunks the parts in order
 * @param unknown what is passed over
 */
record PbsChunks(List<Chunk> chunks, List<String> unknown) {

  /**
   * Some nodes that are alike.
   *
   * @param host the one that is meant, null for any
   * @param tasks tasks on each, 0 where nothing is said
   * @param cpus CPUs of a task, 0 where nothing is said
   * @param mib memory of each, 0 where nothing is said
   */
  private record Chunk(
      int count,
      @Nullable String host,
      int tasks,
      int cpus,
      long mib,
      int gpus,
      List<String> features) {}

  /** {@code 2:ppn=4:bigmem+n7:ppn=2}. */
  static PbsChunks ofNodes(String text) throws CommandException {
    List<String> unknown = new ArrayList<>();
    List<Chunk> chunks = new ArrayList<>();
    // A sign for all of them, of old.
    int sharp = text.indexOf('#');
    for (String part : (sharp < 0 ? text : text.substring(0, sharp)).split("\\+", -1)) {
      String[] words = part.split(":", -1);
      boolean counted = !words[0].isEmpty() && words[0].chars().allMatch(Character::isDigit);
      int tasks = 0;
      int gpus = 0;
      List<String> features = new ArrayList<>();
      for (int i = 1; i < words.length; i++) {
        int equals = words[i].indexOf('=');
        String value = words[i].substring(equals + 1);
        switch (equals < 0 ? "" : words[i].substring(0, equals)) {
          case "ppn", "procs" -> tasks = PbsQuantity.count("nodes", value);
          case "gpus" -> gpus = PbsQuantity.count("nodes", value);
          case "" -> feature(value, features);
          default -> unknown.add(words[i]);
        }
      }
      int count = counted ? PbsQuantity.count("nodes", words[0]) : 1;
      if (count == 0 || words[0].isEmpty()) {
        throw PbsQuantity.illegal("nodes", text);
      }
      chunks.add(new Chunk(count, counted ? null : words[0], tasks, 0, 0, gpus, features));
    }
    return new PbsChunks(chunks, unknown);
  }

  private static void feature(String word, List<String> features) {
    switch (word) {
      // How GPUs are shared, which is a matter of the GPUs.
      case "shared",
          "exclusive_process",
          "exclusive_thread",
          "exclusive",
          "default",
          "reseterr" -> {}
      default -> features.add(word);
    }
  }

  /** {@code 2:ncpus=8:mpiprocs=4:mem=4gb+1:ncpus=2}. */
  static PbsChunks ofSelect(String text) throws CommandException {
    List<String> unknown = new ArrayList<>();
    List<Chunk> chunks = new ArrayList<>();
    for (String part : text.split("\\+", -1)) {
      Map<String, String> values = new LinkedHashMap<>();
      int count = 1;
      for (String word : part.split(":", -1)) {
        int equals = word.indexOf('=');
        if (equals < 0) {
          count = PbsQuantity.count("select", word);
        } else {
          values.put(word.substring(0, equals), word.substring(equals + 1));
        }
      }
      if (count == 0) {
        throw PbsQuantity.illegal("select", text);
      }
      chunks.add(chunk(count, values, unknown));
    }
    return new PbsChunks(chunks, unknown);
  }

  private static Chunk chunk(int count, Map<String, String> values, List<String> unknown)
      throws CommandException {
    int cpus = 0;
    int tasks = 1;
    int threads = 0;
    int gpus = 0;
    long mib = 0;
    String host = null;
    List<String> features = new ArrayList<>();
    for (Map.Entry<String, String> one : values.entrySet()) {
      String value = one.getValue();
      switch (one.getKey()) {
        case "ncpus" -> cpus = PbsQuantity.count("ncpus", value);
        case "mpiprocs" -> tasks = PbsQuantity.count("mpiprocs", value);
        case "ompthreads" -> threads = PbsQuantity.count("ompthreads", value);
        case "ngpus", "naccelerators" -> gpus = PbsQuantity.count("ngpus", value);
        case "mem", "vmem" -> mib = Math.max(mib, PbsQuantity.mib("mem", value));
        case "host", "vnode" -> host = value;
        case "arch" -> {}
        default -> {
          if (value.equalsIgnoreCase("true")) {
            features.add(one.getKey());
          } else {
            unknown.add(one.getKey() + "=" + value);
          }
        }
      }
    }
    int each = tasks == 0 ? cpus : -Math.floorDiv(-cpus, tasks);
    return new Chunk(count, host, tasks, cpus == 0 ? threads : each, mib, gpus, features);
  }

  /** Options of {@code sbatch}. */
  List<String> words() {
    List<String> words = new ArrayList<>();
    int nodes = chunks.stream().mapToInt(Chunk::count).sum();
    words.add("--nodes=" + nodes);
    boolean alike = chunks.stream().mapToInt(Chunk::tasks).distinct().count() == 1;
    int tasks = chunks.getFirst().tasks();
    if (!alike) {
      int all = chunks.stream().mapToInt(one -> one.count() * Math.max(1, one.tasks())).sum();
      words.add("--ntasks=" + all);
    } else if (tasks > 0) {
      words.add("--ntasks-per-node=" + tasks);
    }
    most(words, "--cpus-per-task=", chunks.stream().mapToLong(Chunk::cpus).max().orElse(0), "");
    most(words, "--mem=", chunks.stream().mapToLong(Chunk::mib).max().orElse(0), "M");
    most(words, "--gpus-per-node=", chunks.stream().mapToLong(Chunk::gpus).max().orElse(0), "");
    String hosts =
        chunks.stream()
            .map(Chunk::host)
            .filter(host -> host != null)
            .collect(Collectors.joining(","));
    if (!hosts.isEmpty()) {
      words.add("--nodelist=" + hosts);
    }
    features(words);
    return words;
  }

  /** All on one node. */
  List<String> packed() {
    List<String> words = new ArrayList<>();
    words.add("--nodes=1");
    int tasks = chunks.stream().mapToInt(one -> one.count() * Math.max(1, one.tasks())).sum();
    words.add("--ntasks=" + tasks);
    most(words, "--cpus-per-task=", chunks.stream().mapToLong(Chunk::cpus).max().orElse(0), "");
    long mib = chunks.stream().mapToLong(one -> one.count() * one.mib()).sum();
    most(words, "--mem=", mib, "M");
    long gpus = chunks.stream().mapToLong(one -> (long) one.count() * one.gpus()).sum();
    most(words, "--gpus-per-node=", gpus, "");
    features(words);
    return words;
  }

  private static void most(List<String> words, String option, long amount, String unit) {
    if (amount > 0) {
      words.add(option + amount + unit);
    }
  }

  private void features(List<String> words) {
    List<String> parts = new ArrayList<>();
    for (Chunk chunk : chunks) {
      if (!chunk.features().isEmpty()) {
        String all = String.join("&", chunk.features());
        parts.add(chunks.size() == 1 ? all : all + "*" + chunk.count());
      }
    }
    if (!parts.isEmpty()) {
      String all = String.join("&", parts);
      words.add("--constraint=" + (chunks.size() == 1 ? all : "[" + all + "]"));
    }
  }
}
