package io.dure.surface.accounts;

import io.dure.model.accounting.TresAmounts;
import java.util.ArrayList;
import java.util.List;

/**
 * The numbers that documents give to resources: those of every cluster have 1 to 8, the others of
 * this cluster 1001 and so on.
 *
 * @param names the resources, those of every cluster first
 */
public record TresNumbers(List<String> names) {
  private static final int FIRST_OF_CLUSTER = 1001;
  private static final String KEY = "AccountingStorageTRES";

  /** The resources of every cluster alone. */
  public static final TresNumbers USUAL = new TresNumbers(TresAmounts.USUAL);

  public TresNumbers {
    names = List.copyOf(names);
  }

  /**
   * What the configuration tracks.
   *
   * @param lines of {@code scontrol show config}
   */
  public static TresNumbers tracked(List<String> lines) {
    TresNumbers found = USUAL;
    for (String line : lines) {
      int sign = line.indexOf('=');
      if (sign > 0 && line.substring(0, sign).strip().equals(KEY)) {
        found = found.and(List.of(line.substring(sign + 1).strip().split(",", -1)));
      }
    }
    return found;
  }

  /** The same with other resources behind them. */
  public TresNumbers and(List<String> more) {
    List<String> all = new ArrayList<>(names);
    for (String name : more) {
      if (!name.isEmpty() && !all.contains(name)) {
        all.add(name);
      }
    }
    return new TresNumbers(all);
  }

  /** The number of a resource; one that is not tracked has that behind the last. */
  public int of(String name) {
    int place = names.indexOf(name);
    int usual = TresAmounts.USUAL.size();
    int behind = (place < 0 ? names.size() : place) - usual;
    return place >= 0 && place < usual ? place + 1 : FIRST_OF_CLUSTER + behind;
  }
}
