package io.dure.model.config.gres;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What comes with each GPU of a job that does not say.
 *
 * @param cpus CPUs, null where that is not said here
 * @param memoryMib memory, null likewise
 */
public record GpuDefaults(@Nullable Integer cpus, @Nullable Long memoryMib) {
  /** Nothing is said. */
  public static final GpuDefaults NONE = new GpuDefaults(null, null);

  private static final String CPUS = "DefCpuPerGPU";
  private static final String MEMORY = "DefMemPerGPU";

  /** From {@code DefCpuPerGPU=2,DefMemPerGPU=300}, in MiB; null where that cannot be read. */
  public static @Nullable GpuDefaults parse(String text) {
    GpuDefaults defaults = NONE;
    for (String part : text.isBlank() ? new String[0] : text.split(",", -1)) {
      int equals = part.indexOf('=');
      String name = part.substring(0, Math.max(0, equals)).strip();
      String digits = part.substring(equals + 1).strip();
      if (!digits.matches("[0-9]{1,9}")) {
        return null;
      }
      if (name.equalsIgnoreCase(CPUS)) {
        defaults = new GpuDefaults(Integer.valueOf(digits), defaults.memoryMib);
      } else if (name.equalsIgnoreCase(MEMORY)) {
        defaults = new GpuDefaults(defaults.cpus, Long.valueOf(digits));
      } else {
        return null;
      }
    }
    return defaults;
  }

  /** The same with what another says where this says nothing. */
  public GpuDefaults or(@Nullable Integer otherCpus, @Nullable Long otherMemoryMib) {
    return new GpuDefaults(
        cpus == null ? otherCpus : cpus, memoryMib == null ? otherMemoryMib : memoryMib);
  }

  /** As {@link #parse} reads it, empty for nothing. */
  public String text() {
    List<String> parts = new ArrayList<>();
    if (cpus != null) {
      parts.add(CPUS + "=" + cpus);
    }
    if (memoryMib != null) {
      parts.add(MEMORY + "=" + memoryMib);
    }
    return String.join(",", parts);
  }
}
