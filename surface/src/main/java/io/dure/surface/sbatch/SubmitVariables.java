package io.dure.surface.sbatch;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The variables that tell a job how it was submitted.
 *
 * @param jobName name of the job
 * @param nice of the process that submits
 * @param directory from which it is submitted
 * @param host from which it is submitted
 * @param umask file mode mask, 0 to 0777
 */
public record SubmitVariables(String jobName, int nice, String directory, String host, int umask) {

  /** The variables of a user with these over them, as {@code NAME=value}. */
  public List<String> added(Map<String, String> variables, SbatchSettings settings) {
    Map<String, String> all = new LinkedHashMap<>(variables);
    all.put("SLURM_JOB_NAME", jobName);
    all.put("SLURM_PRIO_PROCESS", Integer.toString(nice));
    all.put("SLURM_SUBMIT_DIR", directory);
    all.put("SLURM_SUBMIT_HOST", host);
    all.put("SLURM_UMASK", octal());
    put(all, "SLURM_CONTAINER_IMAGE", settings, SbatchOption.CONTAINER_IMAGE);
    put(all, "SLURM_CONTAINER_MOUNTS", settings, SbatchOption.CONTAINER_MOUNTS);
    put(all, "SLURM_CONTAINER_WORKDIR", settings, SbatchOption.CONTAINER_WORKDIR);
    String frequency = settings.value(SbatchOption.CPU_FREQ);
    if (frequency != null) {
      all.put("SLURM_CPU_FREQ_REQ", frequency);
    }
    List<String> lines = new ArrayList<>(all.size());
    for (Map.Entry<String, String> entry : all.entrySet()) {
      lines.add(entry.getKey() + "=" + entry.getValue());
    }
    return List.copyOf(lines);
  }

  /** What is not asked for is not taken from around the call. */
  private static void put(
      Map<String, String> all, String name, SbatchSettings settings, SbatchOption option) {
    String value = settings.value(option);
    if (value == null) {
      all.remove(name);
    } else {
      all.put(name, value);
    }
  }

  private String octal() {
    String digits = Integer.toOctalString(umask);
    return "0".repeat(Math.max(0, 4 - digits.length())) + digits;
  }
}
