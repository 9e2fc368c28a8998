package io.dure.cli.scontrol.show;

import io.dure.cli.print.MemorySize;

/** Counted resources as one word: {@code cpu=4,mem=16G,node=1,billing=4}. */
final class Tres {

  private Tres() {}

  /** What a job asks for or holds; each CPU is billed as one. */
  static String ofJob(int cpus, long memoryMib, int nodes) {
    return counted(cpus, memoryMib, true) + ",node=" + nodes + ",billing=" + cpus;
  }

  /** What a node has. */
  static String ofNode(int cpus, long memoryMib) {
    return counted(cpus, memoryMib, true) + ",billing=" + cpus;
  }

  /** What is held on a node; nothing where nothing is. */
  static String held(int cpus, long memoryMib) {
    return cpus == 0 && memoryMib == 0 ? "" : counted(cpus, memoryMib, cpus > 0);
  }

  private static String counted(int cpus, long memoryMib, boolean withCpus) {
    String memory = memoryMib == 0 ? "" : "mem=" + MemorySize.format(memoryMib);
    String cpu = withCpus ? "cpu=" + cpus : "";
    return cpu.isEmpty() || memory.isEmpty() ? cpu + memory : cpu + "," + memory;
  }
}
