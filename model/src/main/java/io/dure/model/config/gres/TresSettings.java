package io.dure.model.config.gres;

import io.dure.model.gres.License;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * What the cluster counts beyond CPUs and memory.
 *
 * @param gresTypes names of the generic resources that are given out
 * @param trackedTres what counts beside the usual resources ({@code gres/gpu}, {@code
 *     license/matlab}), as {@code AccountingStorageTRES} names it
 * @param cpusPerGpu CPUs with each GPU of a job that asks for none, null where there is no default
 * @param memoryPerGpuMib memory with each GPU of a job that asks for none, null likewise
 * @param licenses licences of the cluster
 * @param oneTaskPerCore whether a core takes one task unless a job says otherwise
 * @param fillsSockets whether a job gets the cores of one socket before those of the next unless it
 *     says otherwise
 */
public record TresSettings(
    List<String> gresTypes,
    List<String> trackedTres,
    @Nullable Integer cpusPerGpu,
    @Nullable Long memoryPerGpuMib,
    List<License> licenses,
    boolean oneTaskPerCore,
    boolean fillsSockets) {
  /** Nothing but CPUs and memory. */
  public static final TresSettings NONE =
      new TresSettings(List.of(), List.of(), null, null, List.of(), false, false);

  public TresSettings {
    gresTypes = List.copyOf(gresTypes);
    trackedTres = List.copyOf(trackedTres);
    licenses = List.copyOf(licenses);
  }

  /**
   * From the values of the file.
   *
   * @param words the words of a setting by its name
   */
  public static TresSettings of(
      Function<String, List<String>> words, GpuDefaults gpuDefaults, List<License> licenses) {
    return new TresSettings(
        words.apply("GresTypes"),
        words.apply("AccountingStorageTRES").stream()
            .filter(name -> name.startsWith("gres/") || name.startsWith(License.TRES))
            .toList(),
        gpuDefaults.cpus(),
        gpuDefaults.memoryMib(),
        licenses,
        selects(words, "CR_ONE_TASK_PER_CORE"),
        selects(words, "CR_CORE_DEFAULT_DIST_BLOCK"));
  }

  /** What comes with each GPU of a job that does not say. */
  public GpuDefaults gpuDefaults() {
    return new GpuDefaults(cpusPerGpu, memoryPerGpuMib);
  }

  private static boolean selects(Function<String, List<String>> words, String word) {
    return words.apply("SelectTypeParameters").stream().anyMatch(word::equalsIgnoreCase);
  }
}
