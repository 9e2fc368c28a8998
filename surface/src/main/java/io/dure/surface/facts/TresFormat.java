package io.dure.surface.facts;

import io.dure.surface.print.MemorySizeFormat;

/** Counted resources as one word: {@code cpu=4,mem=16G,node=1,billing=4}. */
public final class TresFormat {

  private TresFormat() {}

  /** What a job asks for or holds, or a partition has. */
  public static String ofJob(int cpus, long memoryMib, int nodes, long billing) {
    return counted(cpus, memoryMib, true) + ",node=" + nodes + ",billing=" + billing;
  }

  /** What a step holds. */
  public static String ofStep(int cpus, long memoryMib, int nodes) {
    return counted(cpus, memoryMib, true) + ",node=" + nodes;
  }

  /** What a node has. */
  public static String ofNode(int cpus, long memoryMib) {
    return counted(cpus, memoryMib, true) + ",billing=" + cpus;
  }

  /** What is held on a node; nothing where nothing is. */
  public static String held(int cpus, long memoryMib) {
    return cpus == 0 && memoryMib == 0 ? "" : counted(cpus, memoryMib, cpus > 0);
  }

  /**
   * Generic resources as they are in use, which nothing gives out yet: {@code gpu:a100:0(IDX:N/A)}.
   *
   * @param absent what is said of none
   */
  public static String unusedGres(String gres, String absent) {
    if (gres.isEmpty()) {
      return absent;
    }
    StringBuilder text = new StringBuilder();
    for (String one : gres.split(",", -1)) {
      int paren = one.indexOf('(');
      String plain = paren < 0 ? one : one.substring(0, paren);
      int colon = plain.lastIndexOf(':');
      boolean counted =
          colon > 0 && colon + 1 < plain.length() && Character.isDigit(plain.charAt(colon + 1));
      text.append(text.isEmpty() ? "" : ",")
          .append(counted ? plain.substring(0, colon) : plain)
          .append(":0(IDX:N/A)");
    }
    return text.toString();
  }

  private static String counted(int cpus, long memoryMib, boolean withCpus) {
    String memory = memoryMib == 0 ? "" : "mem=" + MemorySizeFormat.format(memoryMib);
    String cpu = withCpus ? "cpu=" + cpus : "";
    return cpu.isEmpty() || memory.isEmpty() ? cpu + memory : cpu + "," + memory;
  }
}
