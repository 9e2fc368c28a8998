package io.dure.insight.holdings;

import io.dure.model.gres.License;
import io.dure.model.report.ResourceAmounts;
import java.util.ArrayList;
import java.util.List;

/** Amounts being counted. One thread. */
final class AmountsCounter {
  private final List<String> types;
  private final long[] milli;
  private long cpus;
  private List<License> licenses = List.of();

  /** Nothing, of these types of GPUs. */
  AmountsCounter(List<String> types) {
    this.types = types;
    milli = new long[types.size()];
  }

  void cpus(long more) {
    cpus += more;
  }

  void gpus(int type, long more) {
    milli[type] += more;
  }

  void licenses(List<License> more) {
    licenses = License.sum(licenses, more, 1);
  }

  /** What was counted. */
  ResourceAmounts amounts() {
    List<ResourceAmounts.Gpus> gpus = new ArrayList<>();
    for (int i = 0; i < milli.length; i++) {
      if (milli[i] > 0) {
        gpus.add(new ResourceAmounts.Gpus(types.get(i), milli[i]));
      }
    }
    return new ResourceAmounts(cpus, gpus, licenses);
  }
}
