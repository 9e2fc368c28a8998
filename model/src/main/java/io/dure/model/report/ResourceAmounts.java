package io.dure.model.report;

import io.dure.model.gres.License;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * So much of a cluster.
 *
 * @param cpus CPUs
 * @param gpus GPUs of each type that there are any of, types in order
 * @param licenses licences
 */
public record ResourceAmounts(long cpus, List<Gpus> gpus, List<License> licenses) {
  /** Nothing. */
  public static final ResourceAmounts NONE = new ResourceAmounts(0, List.of(), List.of());

  /**
   * GPUs of a type.
   *
   * @param type its name, empty where GPUs have none; of what is asked for, where any will do
   * @param milli how many, in thousandths: jobs may share them
   */
  public record Gpus(String type, long milli) {}

  public ResourceAmounts {
    gpus = List.copyOf(gpus);
    licenses = List.copyOf(licenses);
  }

  /** GPUs of all types, in thousandths. */
  public long gpuMilli() {
    long sum = 0;
    for (Gpus one : gpus) {
      sum += one.milli();
    }
    return sum;
  }

  /** GPUs of one type, in thousandths. */
  public long gpuMilli(String type) {
    long sum = 0;
    for (Gpus one : gpus) {
      sum += one.type().equals(type) ? one.milli() : 0;
    }
    return sum;
  }

  /** Both together. */
  public ResourceAmounts plus(ResourceAmounts other) {
    List<Gpus> sum = new ArrayList<>();
    for (Gpus one : gpus) {
      sum.add(new Gpus(one.type(), one.milli() + other.gpuMilli(one.type())));
    }
    for (Gpus one : other.gpus) {
      if (gpus.stream().noneMatch(known -> known.type().equals(one.type()))) {
        sum.add(one);
      }
    }
    sum.sort(Comparator.comparing(Gpus::type));
    return new ResourceAmounts(cpus + other.cpus, sum, License.sum(licenses, other.licenses, 1));
  }

  /** Its part of a whole, 0 to 1: of the CPUs or of the GPUs, whichever is more. */
  public double partOf(ResourceAmounts whole) {
    double ofCpus = whole.cpus == 0 ? 0 : (double) cpus / whole.cpus;
    long gpuWhole = whole.gpuMilli();
    double ofGpus = gpuWhole == 0 ? 0 : (double) gpuMilli() / gpuWhole;
    return Math.min(1, Math.max(ofCpus, ofGpus));
  }
}
