package io.dure.model.config.gres;

import io.dure.model.gres.CountedGres;
import io.dure.model.gres.GresCount;
import io.dure.model.gres.GresDevice;
import io.dure.model.gres.NodeGres;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Works out what nodes have: slurm.conf says how many ({@code Gres=}), gres.conf which devices and
 * what is near them. Without a line of gres.conf the devices are only numbered.
 *
 * @see <a href="https://slurm.schedmd.com/gres.conf.html">gres.conf(5)</a>
 */
public final class GresConfResolver {
  private static final int MOST_DEVICES = 4096;

  private final GresConfFindings findings;
  private final @Nullable List<String> types;
  private final List<GresConfLine> lines = new ArrayList<>();

  /** One word of {@code Gres=}. */
  private record Wanted(GresCount count, boolean consumed) {}

  /**
   * Without any line yet.
   *
   * @param types the resources that are given out ({@code GresTypes}), null for all
   */
  public GresConfResolver(GresConfFindings findings, @Nullable List<String> types) {
    this.findings = findings;
    this.types = types;
  }

  /** Takes in a line of gres.conf. */
  public void add(String file, int line, List<Map.Entry<String, String>> assignments) {
    GresConfLine read = new GresConfLine.Reader(findings, file, line).read(assignments);
    if (!read.name().isEmpty() || !read.autoDetect().isEmpty()) {
      lines.add(read);
    }
  }

  /**
   * What a node has.
   *
   * @param gres the value of {@code Gres}
   * @param file where it stands
   * @param line the line, from 1
   */
  public NodeGres of(String node, String gres, String file, int line) {
    List<Wanted> wanted = wanted(gres, file, line);
    List<GresDevice> devices = new ArrayList<>();
    List<CountedGres> stocks = new ArrayList<>();
    for (String name : names(wanted)) {
      if (!isShared(name)) {
        add(node, name, wanted, devices, stocks);
      }
    }
    for (Wanted one : wanted) {
      if (isShared(one.count().name())) {
        share(node, one.count(), devices, stocks);
      }
    }
    return devices.isEmpty() && stocks.isEmpty()
        ? NodeGres.NONE
        : new NodeGres(devices, stocks, autoDetect(node));
  }

  /** What the node's own line says, else what is said of all. */
  private String autoDetect(String node) {
    String mode = "";
    boolean own = false;
    for (GresConfLine line : lines) {
      boolean named = line.nodes() != null;
      if (!line.autoDetect().isEmpty() && line.concerns(node) && (named || !own)) {
        mode = line.autoDetect();
        own |= named;
      }
    }
    return mode.equals("off") ? "" : mode;
  }

  private static boolean isShared(String name) {
    return name.equals("shard") || name.equals("mps");
  }

  private static List<String> names(List<Wanted> wanted) {
    return wanted.stream().map(w -> w.count().name()).distinct().toList();
  }

  private List<Wanted> wanted(String gres, String file, int line) {
    List<Wanted> wanted = new ArrayList<>();
    for (String text : words(gres)) {
      boolean consumed = !text.toLowerCase(Locale.ROOT).contains(":no_consume");
      List<GresCount> read =
          GresCount.list(consumed ? text : text.replaceFirst("(?i):no_consume", ""));
      if (read == null) {
        String message = "value (" + text + ") is not NAME[:TYPE]:COUNT";
        findings.error(file, line, "Gres", message, "Write gpu:4, or gpu:a100:4");
      } else if (types != null && !types.contains(read.getFirst().name())) {
        String name = read.getFirst().name();
        String message = name + " is not in GresTypes, so no job gets it";
        findings.warning(file, line, "Gres", message, "Add " + name + " to GresTypes");
      } else {
        wanted.add(new Wanted(read.getFirst(), consumed));
      }
    }
    return wanted;
  }

  /** The words between commas, those in parentheses left out. */
  private static List<String> words(String gres) {
    List<String> words = new ArrayList<>();
    for (String word : gres.replaceAll("\\([^)]*\\)", "").split(",", -1)) {
      if (!word.isBlank()) {
        words.add(word.strip());
      }
    }
    return words;
  }

  /** Resources of one name: devices if they are GPUs or have files, else only a count. */
  private void add(
      String node,
      String name,
      List<Wanted> wanted,
      List<GresDevice> devices,
      List<CountedGres> stocks) {
    List<GresDevice> found = found(node, name);
    boolean told = !found.isEmpty();
    int next = found.size();
    List<GresDevice> taken = new ArrayList<>();
    for (Wanted one : wanted) {
      GresCount count = one.count();
      if (!count.name().equals(name)) {
        continue;
      }
      if (!told && (!name.equals(GresCount.GPU) || count.count() > MOST_DEVICES)) {
        stocks.add(new CountedGres(name, count.type(), null, count.count(), one.consumed()));
        continue;
      }
      long left = count.count();
      for (GresDevice device : found) {
        boolean suits =
            count.type() == null || device.type() == null || device.type().equals(count.type());
        if (left > 0 && suits && !taken.contains(device)) {
          taken.add(device);
          String type = device.type() == null ? count.type() : device.type();
          devices.add(new GresDevice(name, type, device.index(), device.cores(), device.file()));
          left--;
        }
      }
      for (; !told && left > 0; left--) {
        devices.add(new GresDevice(name, count.type(), next++, List.of(), ""));
      }
    }
  }

  /** The devices that gres.conf names, in order. */
  private List<GresDevice> found(String node, String name) {
    List<GresDevice> found = new ArrayList<>();
    for (GresConfLine line : lines) {
      if (!line.name().equals(name) || !line.concerns(node)) {
        continue;
      }
      List<String> files = line.files();
      boolean counted = files.isEmpty() && name.equals(GresCount.GPU);
      long count = counted ? Math.min(MOST_DEVICES, Math.max(1, line.count())) : files.size();
      for (int i = 0; i < count; i++) {
        String path = files.isEmpty() ? "" : files.get(i);
        found.add(new GresDevice(name, line.type(), found.size(), line.cores(), path));
      }
    }
    return found;
  }

  /** Shares of GPUs: as many of each as gres.conf says of its file, else alike on all. */
  private void share(
      String node, GresCount count, List<GresDevice> devices, List<CountedGres> stocks) {
    List<GresDevice> gpus = devices.stream().filter(d -> d.name().equals(GresCount.GPU)).toList();
    if (gpus.isEmpty()) {
      return;
    }
    List<CountedGres> told = new ArrayList<>();
    for (GresConfLine line : lines) {
      if (line.name().equals(count.name()) && line.concerns(node) && !line.files().isEmpty()) {
        for (GresDevice gpu : gpus) {
          if (line.files().contains(gpu.file())) {
            told.add(new CountedGres(count.name(), count.type(), gpu.index(), line.count(), true));
          }
        }
      }
    }
    long each = count.count() / gpus.size();
    long more = count.count() % gpus.size();
    for (GresDevice gpu : told.isEmpty() ? gpus : List.<GresDevice>of()) {
      long here = each + (more-- > 0 ? 1 : 0);
      told.add(new CountedGres(count.name(), count.type(), gpu.index(), here, true));
    }
    stocks.addAll(told);
  }
}
