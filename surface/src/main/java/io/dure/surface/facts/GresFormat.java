package io.dure.surface.facts;

import io.dure.model.config.NodeConfig;
import io.dure.model.gres.CountedGres;
import io.dure.model.gres.GresCount;
import io.dure.model.gres.GresDevice;
import io.dure.model.gres.GresShare;
import io.dure.model.gres.License;
import io.dure.model.gres.NodeGres;
import io.dure.model.job.Allocation;
import io.dure.model.job.NodeShare;
import io.dure.model.step.LaunchedStep;
import io.dure.model.step.StepShare;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Generic resources in the words of records and listings. */
public final class GresFormat {

  private GresFormat() {}

  /** What is asked for on each node, socket or for the job: {@code gres/gpu:a100:2}. */
  public static String asked(List<GresCount> counts) {
    StringBuilder text = new StringBuilder();
    for (GresCount one : counts) {
      text.append(text.isEmpty() ? "" : ",").append("gres/").append(one.text());
    }
    return text.toString();
  }

  /** What is asked for each task: {@code gres/gpu:a100=2}. */
  public static String perTask(List<GresCount> counts) {
    StringBuilder text = new StringBuilder();
    for (GresCount one : counts) {
      text.append(text.isEmpty() ? "" : ",").append("gres/").append(one.kind());
      text.append('=').append(one.count());
    }
    return text.toString();
  }

  /** What a job holds on one node: {@code gpu:a100:2(IDX:0-1)}. */
  public static String held(List<GresShare> shares) {
    List<String> texts = new ArrayList<>();
    for (GresShare share : shares) {
      texts.add(share.text());
    }
    return String.join(",", texts);
  }

  /** What a step has on all nodes: {@code gres/gpu:a100=4}; empty if it has nothing of the kind. */
  public static String total(LaunchedStep step) {
    Map<String, Long> totals = new LinkedHashMap<>();
    for (StepShare share : step.shares()) {
      for (GresShare one : share.gres()) {
        totals.merge(one.kind(), one.count(), Long::sum);
      }
    }
    List<String> texts = new ArrayList<>();
    totals.forEach((kind, count) -> texts.add("gres/" + kind + "=" + count));
    return String.join(",", texts);
  }

  /** What a job holds on all nodes: {@code gpu:a100:4}; empty if it holds nothing of the kind. */
  public static String total(Allocation allocation) {
    Map<String, Long> totals = new LinkedHashMap<>();
    for (NodeShare share : allocation.shares()) {
      for (GresShare one : share.gres()) {
        totals.merge(one.kind(), one.count(), Long::sum);
      }
    }
    List<String> texts = new ArrayList<>();
    totals.forEach((kind, count) -> texts.add(kind + ":" + count));
    return String.join(",", texts);
  }

  /**
   * What a node has, with the sockets that its devices are near: {@code gpu:a100:4(S:0-1)}.
   *
   * @param absent what is said of none
   */
  public static String ofNode(NodeConfig config, String absent) {
    if (config.gres().isEmpty()) {
      return absent;
    }
    StringBuilder text = new StringBuilder();
    for (String word : config.gres().split(",", -1)) {
      text.append(text.isEmpty() ? "" : ",").append(word);
      if (word.indexOf('(') < 0) {
        text.append(sockets(config, word));
      }
    }
    return text.toString();
  }

  private static String sockets(NodeConfig config, String word) {
    List<GresCount> counts = GresCount.list(word);
    TreeSet<Integer> sockets = new TreeSet<>();
    for (GresDevice device : config.resources().devices()) {
      GresCount one = counts == null ? null : counts.getFirst();
      if (one != null && NodeGres.matches(one.name(), one.type(), device.name(), device.type())) {
        for (int core : device.cores()) {
          sockets.add(core / Math.max(1, config.shape().coresPerSocket()));
        }
      }
    }
    return sockets.isEmpty() ? "" : "(S:" + GresShare.ranges(List.copyOf(sockets)) + ")";
  }

  /**
   * What jobs hold of a node's: {@code gpu:a100:1(IDX:0)}, {@code gpu:a100:0(IDX:N/A)}.
   *
   * @param held what jobs hold there
   * @param absent what is said of none
   */
  public static String used(NodeConfig config, List<GresShare> held, String absent) {
    NodeGres has = config.resources();
    if (has.isEmpty()) {
      return TresFormat.unusedGres(config.gres(), absent);
    }
    Map<String, TreeSet<Integer>> devices = new LinkedHashMap<>();
    for (GresDevice device : has.devices()) {
      devices.computeIfAbsent(kind(device.name(), device.type()), _ -> new TreeSet<>());
    }
    Map<String, List<String>> stocks = new LinkedHashMap<>();
    Map<String, Long> counts = new LinkedHashMap<>();
    for (CountedGres stock : has.stocks()) {
      String kind = kind(stock.name(), stock.type());
      long used = used(stock, held);
      counts.merge(kind, used, Long::sum);
      if (stock.gpu() != null) {
        stocks.computeIfAbsent(kind, _ -> new ArrayList<>()).add(used + "/" + stock.count());
      }
    }
    for (GresShare share : held) {
      TreeSet<Integer> indices = devices.get(share.kind());
      if (indices != null) {
        indices.addAll(share.devices());
      }
    }
    List<String> texts = new ArrayList<>();
    devices.forEach((kind, indices) -> {
      String list = indices.isEmpty() ? "N/A" : GresShare.ranges(List.copyOf(indices));
      texts.add(kind + ":" + indices.size() + "(IDX:" + list + ")");
    });
    counts.forEach((kind, count) -> {
      List<String> each = stocks.get(kind);
      texts.add(kind + ":" + count + (each == null ? "" : "(" + String.join(",", each) + ")"));
    });
    return String.join(",", texts);
  }

  /**
   * What jobs hold of a node that has nothing, in a cluster that gives out generic resources:
   * {@code gpu:0}.
   *
   * @param types their names
   * @param absent what is said where there are none
   */
  public static String none(List<String> types, String absent) {
    return types.isEmpty() ? absent : String.join(":0,", types) + ":0";
  }

  private static long used(CountedGres stock, List<GresShare> held) {
    long used = 0;
    for (GresShare share : held) {
      boolean same = share.kind().equals(kind(stock.name(), stock.type()));
      boolean here = stock.gpu() == null || share.devices().contains(stock.gpu());
      used += same && here ? share.count() : 0;
    }
    return used;
  }

  private static String kind(String name, @Nullable String type) {
    return new GresCount(name, type, 0).kind();
  }

  /**
   * The tail of a word of counted resources, {@code ,gres/gpu=2,gres/gpu:a100=2}.
   *
   * @param tracked what is counted
   * @param counts so many of each sort
   */
  public static String tres(List<String> tracked, List<GresCount> counts) {
    StringBuilder text = new StringBuilder();
    for (String name : tracked) {
      List<GresCount> sort = GresCount.list(name);
      if (sort == null) {
        continue;
      }
      long count = 0;
      for (GresCount one : counts) {
        boolean same =
            NodeGres.matches(
                sort.getFirst().name(), sort.getFirst().type(), one.name(), one.type());
        count += same ? one.count() : 0;
      }
      text.append(count == 0 ? "" : "," + name + "=" + count);
    }
    return text.toString();
  }

  /** The same of licences, {@code ,license/matlab=2}. */
  public static String ofLicenses(List<String> tracked, List<License> licenses) {
    StringBuilder text = new StringBuilder();
    for (String name : tracked) {
      long count = 0;
      for (License one : licenses) {
        count += one.tres().equals(name) ? one.count() : 0;
      }
      text.append(count == 0 ? "" : "," + name + "=" + count);
    }
    return text.toString();
  }

  /** What is held, by sort. */
  public static List<GresCount> counts(List<GresShare> shares) {
    List<GresCount> counts = new ArrayList<>();
    for (GresShare share : shares) {
      counts.add(new GresCount(share.name(), share.type(), share.count()));
    }
    return counts;
  }

  /** What a node has, by sort. */
  public static List<GresCount> counts(NodeGres gres) {
    List<GresCount> counts = new ArrayList<>();
    for (GresDevice device : gres.devices()) {
      counts.add(new GresCount(device.name(), device.type(), 1));
    }
    for (CountedGres stock : gres.stocks()) {
      counts.add(new GresCount(stock.name(), stock.type(), stock.count()));
    }
    return counts;
  }
}
