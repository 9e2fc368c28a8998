package io.dure.controller.hook;

import io.dure.model.ErrorCode;
import java.util.Map;
import java.util.TreeMap;

/**
 * Slurm's codes as scripts return them. A name that is not here is worth {@code slurm.ERROR} to a
 * script: it refuses all the same.
 */
final class ErrorConstants {
  private static final Map<String, ErrorCode> NAMES =
      Map.ofEntries(
          Map.entry("ESLURM_INVALID_PARTITION_NAME", ErrorCode.INVALID_PARTITION_NAME),
          Map.entry("ESLURM_DEFAULT_PARTITION_NOT_SET", ErrorCode.DEFAULT_PARTITION_NOT_SET),
          Map.entry("ESLURM_ACCESS_DENIED", ErrorCode.ACCESS_DENIED),
          Map.entry("ESLURM_REQUESTED_NODES_NOT_IN_PARTITION", ErrorCode.NODES_NOT_IN_PARTITION),
          Map.entry("ESLURM_TOO_MANY_REQUESTED_CPUS", ErrorCode.TOO_MANY_CPUS),
          Map.entry("ESLURM_INVALID_NODE_COUNT", ErrorCode.INVALID_NODE_COUNT),
          Map.entry("ESLURM_USER_ID_MISSING", ErrorCode.USER_ID_MISSING),
          Map.entry("ESLURM_PATHNAME_TOO_LONG", ErrorCode.PATHNAME_TOO_LONG),
          Map.entry("ESLURM_REQUESTED_NODE_CONFIG_UNAVAILABLE", ErrorCode.NODE_CONFIG_UNAVAILABLE),
          Map.entry(
              "ESLURM_REQUESTED_PART_CONFIG_UNAVAILABLE", ErrorCode.PARTITION_CONFIG_UNAVAILABLE),
          Map.entry("ESLURM_NODES_BUSY", ErrorCode.NODES_BUSY),
          Map.entry("ESLURM_INVALID_JOB_ID", ErrorCode.INVALID_JOB_ID),
          Map.entry("ESLURM_INVALID_NODE_NAME", ErrorCode.INVALID_NODE_NAME),
          Map.entry("ESLURM_BAD_TASK_COUNT", ErrorCode.BAD_TASK_COUNT),
          Map.entry("ESLURM_INVALID_FEATURE", ErrorCode.INVALID_FEATURE),
          Map.entry("ESLURM_INVALID_PREFER", ErrorCode.INVALID_PREFER),
          Map.entry("ESLURM_DEPENDENCY", ErrorCode.DEPENDENCY),
          Map.entry("ESLURM_INVALID_ACCOUNT", ErrorCode.INVALID_ACCOUNT),
          Map.entry("ESLURM_INVALID_LICENSES", ErrorCode.INVALID_LICENSES),
          Map.entry("ESLURM_INVALID_TIME_LIMIT", ErrorCode.INVALID_TIME_LIMIT),
          Map.entry("ESLURM_RESERVATION_INVALID", ErrorCode.RESERVATION_INVALID),
          Map.entry("ESLURM_RESERVATION_ACCESS", ErrorCode.RESERVATION_ACCESS),
          Map.entry("ESLURM_INVALID_QOS", ErrorCode.INVALID_QOS),
          Map.entry("ESLURM_INVALID_GRES", ErrorCode.INVALID_GRES),
          Map.entry("ESLURM_INVALID_GRES_TYPE", ErrorCode.INVALID_GRES_TYPE),
          Map.entry("ESLURM_INVALID_ARRAY", ErrorCode.INVALID_ARRAY),
          Map.entry("ESLURM_CPU_COUNT", ErrorCode.CPU_COUNT_INVALID),
          Map.entry("ESLURM_INVALID_CPU_COUNT", ErrorCode.CPU_COUNT_INVALID),
          Map.entry("ESLURM_INVALID_TASK_MEMORY", ErrorCode.MEMORY_UNAVAILABLE),
          Map.entry("ESLURM_NOT_SUPPORTED", ErrorCode.NOT_SUPPORTED),
          Map.entry("ESLURM_DISABLED", ErrorCode.DISABLED),
          Map.entry("ESLURM_PARTITION_NOT_AVAIL", ErrorCode.PARTITION_NOT_AVAILABLE),
          Map.entry("ESLURM_ACCOUNTING_POLICY", ErrorCode.ACCOUNTING_POLICY),
          Map.entry("ESLURM_INVALID_TIME_VALUE", ErrorCode.INVALID_TIME_VALUE),
          Map.entry("ESLURM_TRANSITION_STATE_NO_UPDATE", ErrorCode.TRANSITION_STATE),
          Map.entry("ESLURM_JOB_NOT_PENDING", ErrorCode.JOB_NOT_PENDING),
          Map.entry("ESLURM_JOB_FINISHED", ErrorCode.JOB_FINISHED),
          Map.entry("ESLURM_NOT_TOP_PRIORITY", ErrorCode.UNSPECIFIED));

  private ErrorConstants() {}

  /** The numbers by their names. */
  static Map<String, Long> all() {
    Map<String, Long> all = new TreeMap<>();
    NAMES.forEach((name, code) -> all.put(name, (long) code.number()));
    return all;
  }

  /** The code of a number that a script returned. */
  static ErrorCode of(long number) {
    ErrorCode code = ErrorCode.of(number);
    return code == null ? ErrorCode.UNSPECIFIED : code;
  }
}
