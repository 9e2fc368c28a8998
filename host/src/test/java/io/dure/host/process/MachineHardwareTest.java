package io.dure.host.process;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.dure.host.process.CpuTopology.Shape;
import io.dure.model.config.SlurmdParameters.SocketKind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("process")
class MachineHardwareTest {
  private static final List<String> NO_VENDOR = List.of("/nonexistent/nvidia-smi");

  @TempDir Path root;

  @Test
  void describesThisMachine() throws Exception {
    MachineHardware machine = MachineHardware.describe();
    assertEquals(ProcFsTest.run("uname", "-n").split("\\.", -1)[0], machine.hostName());
    assertEquals(ProcFsTest.run("uname", "-m"), machine.architecture());
    assertTrue(machine.operatingSystem().startsWith("Linux "), machine::operatingSystem);
    assertEquals(machine.topology().cpus().size(), machine.shape().cpus());
    assertTrue(machine.shape().cpus() <= Integer.parseInt(ProcFsTest.run("nproc")));
    assertTrue(machine.memoryMib() > 0 && machine.tmpDiskMib() > 0, machine::toString);
  }

  @Test
  void twoSocketsWithThreads() throws IOException {
    sockets(2, 4, 2);
    assertEquals(new Shape(2, 4, 2), describe("0-15", 64_000_000).shape());
  }

  @Test
  void anAffinityMaskMakesTheMachineSmaller() throws IOException {
    sockets(2, 4, 2);
    // Threads of a core are numbered n and n + 8.
    assertEquals(new Shape(1, 4, 2), describe("0-3,8-11", 64_000_000).shape());
    assertEquals(new Shape(2, 4, 1), describe("0-7", 64_000_000).shape());
    assertEquals(new Shape(1, 1, 2), describe("3,11", 64_000_000).shape());
    assertEquals(new Shape(1, 3, 1), describe("0,1,9", 64_000_000).shape());
    assertEquals(List.of(0, 1, 9), numbers(describe("0,1,9", 64_000_000)));
  }

  @Test
  void aContainersQuotaMakesTheMachineSmaller() throws IOException {
    sockets(2, 4, 2);
    file("proc/self/cgroup", "0::/pod/container\n");
    file("cg/pod/cpu.max", "600000 100000\n");
    file("cg/pod/container/cpu.max", "max 100000\n");
    file("cg/pod/container/memory.max", "1073741824\n");
    MachineHardware machine = describe("0-15", 64_000_000);
    assertEquals(new Shape(1, 3, 2), machine.shape());
    assertEquals(List.of(0, 1, 2, 8, 9, 10), numbers(machine));
    assertEquals(1024, machine.memoryMib());
    file("cg/pod/cpu.max", "10000 100000\n");
    assertEquals(new Shape(1, 1, 1), describe("0-15", 64_000_000).shape());
  }

  @Test
  void controlGroupsOfTheFirstVersionCountToo() throws IOException {
    sockets(1, 8, 1);
    file(
        "proc/self/cgroup",
        "9:name=systemd:/\n4:memory:/a\n3:cpu,cpuacct:/a/b\n2:pids:/\n0::/\nrubbish\n");
    file("cg/cpu/a/b/cpu.cfs_quota_us", "250000\n");
    file("cg/cpu/a/b/cpu.cfs_period_us", "100000\n");
    file("cg/cpu/a/cpu.cfs_quota_us", "-1\n");
    file("cg/cpu/a/cpu.cfs_period_us", "100000\n");
    file("cg/memory/a/memory.limit_in_bytes", "2147483648\n");
    file("cg/memory/memory.limit_in_bytes", "9223372036854771712\n");
    MachineHardware machine = describe("0-7", 64_000_000);
    assertEquals(new Shape(1, 3, 1), machine.shape());
    assertEquals(2048, machine.memoryMib());
  }

  @Test
  void withoutTopologyEachCpuIsACore() throws IOException {
    assertEquals(new Shape(1, 4, 1), describe("0-3", 64_000_000).shape());
    file("cpu/cpu0/topology/core_id", "-1\n");
    file("cpu/cpu0/topology/physical_package_id", "-1\n");
    file("cpu/cpu1/topology/core_id", "rubbish\n");
    MachineHardware machine = describe("0-3", 64_000_000);
    assertEquals(new Shape(1, 4, 1), machine.shape());
    assertEquals(62_500, machine.memoryMib());
  }

  @Test
  void cpusNearTheSameMemoryOrCacheMayCountAsSockets() throws IOException {
    sockets(2, 4, 2);
    for (int cpu = 0; cpu < 16; cpu++) {
      int core = cpu % 8;
      file("cpu/cpu" + cpu + "/node" + core / 2 + "/meminfo", "");
      file("cpu/cpu" + cpu + "/nodes/x", "");
      file("cpu/cpu" + cpu + "/cache/index0/level", "1\n");
      file("cpu/cpu" + cpu + "/cache/index0/shared_cpu_list", core + "," + (core + 8) + "\n");
      file("cpu/cpu" + cpu + "/cache/index3/level", "3\n");
      file("cpu/cpu" + cpu + "/cache/index3/shared_cpu_list", core + "," + (core + 8) + "\n");
    }
    MachineHardware machine = describe("0-15", 64_000_000);
    assertEquals(new Shape(2, 4, 2), machine.shape());
    assertEquals(new Shape(4, 2, 2), with(machine, SocketKind.NUMA_NODE).shape());
    assertEquals(new Shape(8, 1, 2), with(machine, SocketKind.L3_CACHE).shape());
    assertEquals(machine, with(machine, SocketKind.PACKAGE));
  }

  @Test
  void packagesStayTheSocketsWhereTheKernelTellsOfNoOther() throws IOException {
    sockets(2, 4, 2);
    MachineHardware machine = describe("0-15", 64_000_000);
    assertEquals(machine, with(machine, SocketKind.NUMA_NODE));
    assertEquals(machine, with(machine, SocketKind.L3_CACHE));
  }

  @Test
  void memoryOfTwoPackagesKeepsTheirCoresApart() throws IOException {
    sockets(2, 4, 1);
    for (int cpu = 0; cpu < 8; cpu++) {
      file("cpu/cpu" + cpu + "/node0/meminfo", "");
    }
    MachineHardware machine = describe("0-7", 64_000_000);
    assertEquals(new Shape(1, 8, 1), with(machine, SocketKind.NUMA_NODE).shape());
  }

  private MachineHardware with(MachineHardware machine, SocketKind kind) throws IOException {
    ProcFs proc = new ProcFs(root.resolve("proc"));
    return machine.withSockets(kind, proc, root.resolve("cpu"), root.resolve("cg"));
  }

  @Test
  void readsTheKernelsLists() {
    assertEquals(List.of(0, 1, 2, 3, 8, 10, 11), CpuTopology.parseList(" 0-3,8,10-11\n"));
    assertEquals(List.of(), CpuTopology.parseList(""));
    assertEquals(List.of(), CpuTopology.parseList("a-b"));
  }

  @Test
  void gpusHaveTheirProductsNames() {
    assertEquals(
        List.of("gpu:a100-sxm4-80gb:1", "gpu:h200:2"),
        GpuDetector.gres(List.of("NVIDIA H200", "NVIDIA A100-SXM4-80GB", "NVIDIA H200 ")));
    assertEquals("h100_80gb_hbm3", GpuDetector.type("NVIDIA H100 80GB HBM3"));
    assertEquals("tesla_t4", GpuDetector.type("Tesla T4"));
    assertEquals("unknown", GpuDetector.type("  "));
    assertEquals("a_b_c_", GpuDetector.type("a,b:c="));
  }

  @Test
  void gpusAreAskedOfTheVendorsProgramElseCountedAsDevices() throws IOException {
    for (String device : List.of("nvidia0", "nvidia1", "nvidiactl", "nvidia-uvm", "null")) {
      file("dev/" + device, "");
    }
    Path dev = root.resolve("dev");
    assertEquals(List.of("gpu:2"), GpuDetector.find(NO_VENDOR, dev));
    assertEquals(List.of("gpu:2"), GpuDetector.find(List.of("false"), dev));
    assertEquals(List.of("gpu:2"), GpuDetector.find(List.of("true"), dev));
    assertEquals(
        List.of("gpu:h200:2"),
        GpuDetector.find(List.of("printf", "NVIDIA H200\\nNVIDIA H200\\n"), dev));
    assertEquals(List.of(), GpuDetector.find(NO_VENDOR, root.resolve("nowhere")));
  }

  /** Threads of a core are numbered as the kernel does: first one of each core, then the second. */
  private void sockets(int sockets, int coresPerSocket, int threadsPerCore) throws IOException {
    int cores = sockets * coresPerSocket;
    for (int cpu = 0; cpu < cores * threadsPerCore; cpu++) {
      int core = cpu % cores;
      file("cpu/cpu" + cpu + "/topology/core_id", core % coresPerSocket + "\n");
      file("cpu/cpu" + cpu + "/topology/physical_package_id", core / coresPerSocket + "\n");
    }
  }

  private MachineHardware describe(String allowed, int memoryKib) throws IOException {
    file(
        "proc/self/status", "Name:\tjava\nCpus_allowed:\tf\nCpus_allowed_list:\t" + allowed + "\n");
    file("proc/meminfo", "MemTotal:       " + memoryKib + " kB\nMemFree:        5 kB\n");
    file("proc/stat", "cpu 1 2 3\nbtime 1795190400\n");
    file("proc/sys/kernel/hostname", "node7.example.org\n");
    file("proc/sys/kernel/ostype", "Linux\n");
    file("proc/sys/kernel/osrelease", "6.1.0\n");
    file("proc/sys/kernel/version", "#1 SMP\n");
    MachineHardware machine =
        MachineHardware.describe(
            new ProcFs(root.resolve("proc")), root.resolve("cpu"), root.resolve("cg"), List.of());
    assertEquals("node7", machine.hostName());
    assertEquals("Linux 6.1.0 #1 SMP", machine.operatingSystem());
    return machine;
  }

  private static List<Integer> numbers(MachineHardware machine) {
    return machine.topology().cpus().stream().map(CpuTopology.Cpu::number).toList();
  }

  private void file(String name, String text) throws IOException {
    Path file = root.resolve(name);
    Files.createDirectories(file.getParent());
    Files.writeString(file, text);
  }
}
