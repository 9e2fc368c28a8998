package io.dure.host.gpu;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** NVIDIA's GPUs by the library of their driver. */
final class NvmlDriver implements GpuDriver {
  private static final int PCI_INFO = 68;
  private static final int PCI_BUS_ID = 36;
  private static final int ATTRIBUTES = 40;
  private static final int GPU_SLICES = 24;
  private static final int MEMORY_MB = 32;
  private static final int CPU_WORDS = 64;
  private static final int LINKS = 18;
  private static final int MIG_ENABLED = 1;
  private static final int UNCORRECTED = 1;
  private static final int VOLATILE = 0;
  private static final long XID_EVENTS = 8;
  private static final int EVENT = 32;
  private static final int REMAPPED = 16;

  private final NvmlLibrary nvml;
  private final Path devices;
  private final MigDeviceFiles migFiles;
  private final Arena arena = Arena.ofShared();
  private final NvmlProcesses processes;
  private @Nullable MemorySegment events;

  /**
   * Starts the library.
   *
   * @param devices {@code /dev}
   * @param proc {@code /proc}
   * @throws IOException if there is no driver, or it does not work
   */
  NvmlDriver(Path devices, Path proc) throws IOException {
    this.devices = devices;
    this.migFiles = new MigDeviceFiles(devices, proc);
    nvml = new NvmlLibrary();
    nvml.run("nvmlInit_v2");
    processes = new NvmlProcesses(nvml);
  }

  @Override
  public String description() {
    return "NVML, driver " + nvml.text("nvmlSystemGetDriverVersion", null);
  }

  @Override
  public String name() {
    return "nvml";
  }

  /** By their places, as they were when they last answered. */
  private final Map<Integer, String> uuids = new TreeMap<>();

  private List<MemorySegment> handles() throws IOException {
    long count = nvml.number("nvmlDeviceGetCount_v2", null);
    List<MemorySegment> handles = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      handles.add(nvml.handle("nvmlDeviceGetHandleByIndex_v2", i));
    }
    return handles;
  }

  @Override
  public List<GpuCard> cards() throws IOException {
    List<MemorySegment> handles = handles();
    List<String> buses = handles.stream().map(this::busId).toList();
    List<GpuCard> found = new ArrayList<>();
    for (int i = 0; i < handles.size(); i++) {
      MemorySegment gpu = handles.get(i);
      long minor = nvml.number("nvmlDeviceGetMinorNumber", gpu);
      GpuDevice whole =
          new GpuDevice(
              nvml.text("nvmlDeviceGetName", gpu),
              "",
              nvml.text("nvmlDeviceGetUUID", gpu),
              buses.get(i),
              minor < 0 ? List.of() : List.of(devices.resolve("nvidia" + minor).toString()),
              cpus(gpu),
              links(gpu, i, buses),
              memoryMib(gpu));
      boolean isCut = isPartitioned(gpu);
      found.add(new GpuCard(whole, isCut, isCut ? parts(gpu, whole, minor) : List.of()));
    }
    return found;
  }

  private String busId(MemorySegment gpu) {
    try (Arena local = Arena.ofConfined()) {
      MemorySegment info = local.allocate(PCI_INFO);
      return nvml.fill("nvmlDeviceGetPciInfo_v3", gpu, info) == NvmlLibrary.SUCCESS
          ? bus(info)
          : "";
    }
  }

  /** {@code 00000000:3B:00.0} is {@code 0000:3b:00.0} elsewhere. */
  private static String bus(MemorySegment info) {
    String text = info.getString(PCI_BUS_ID, StandardCharsets.US_ASCII).toLowerCase(Locale.ROOT);
    return text.startsWith("0000") && text.indexOf(':') == 8 ? text.substring(4) : text;
  }

  private List<Integer> cpus(MemorySegment gpu) {
    try (Arena local = Arena.ofConfined()) {
      MemorySegment set = local.allocate(JAVA_LONG, CPU_WORDS);
      List<Integer> cpus = new ArrayList<>();
      if (nvml.fill("nvmlDeviceGetCpuAffinity", gpu, CPU_WORDS, set) == NvmlLibrary.SUCCESS) {
        for (int i = 0; i < CPU_WORDS * Long.SIZE; i++) {
          if ((set.getAtIndex(JAVA_LONG, i / Long.SIZE) >>> i % Long.SIZE & 1) != 0) {
            cpus.add(i);
          }
        }
      }
      return cpus;
    }
  }

  /** How many NVLinks lead to each other GPU; those to a switch lead to none. */
  private List<Integer> links(MemorySegment gpu, int self, List<String> buses) {
    int[] links = new int[buses.size()];
    links[self] = -1;
    try (Arena local = Arena.ofConfined()) {
      MemorySegment state = local.allocate(JAVA_INT);
      MemorySegment info = local.allocate(PCI_INFO);
      for (int link = 0; link < LINKS; link++) {
        if (nvml.fill("nvmlDeviceGetNvLinkState", gpu, link, state) == NvmlLibrary.SUCCESS
            && state.get(JAVA_INT, 0) == 1
            && nvml.fill("nvmlDeviceGetNvLinkRemotePciInfo_v2", gpu, link, info)
                == NvmlLibrary.SUCCESS) {
          int other = buses.indexOf(bus(info));
          if (other >= 0 && other != self) {
            links[other]++;
          }
        }
      }
    }
    List<Integer> all = new ArrayList<>();
    for (int number : links) {
      all.add(number);
    }
    return all;
  }

  private long memoryMib(MemorySegment gpu) {
    try (Arena local = Arena.ofConfined()) {
      MemorySegment memory = local.allocate(JAVA_LONG, 3);
      return nvml.fill("nvmlDeviceGetMemoryInfo", gpu, memory) == NvmlLibrary.SUCCESS
          ? memory.get(JAVA_LONG, 0) >> 20
          : 0;
    }
  }

  private boolean isPartitioned(MemorySegment gpu) {
    try (Arena local = Arena.ofConfined()) {
      MemorySegment modes = local.allocate(JAVA_INT, 2);
      return nvml.fillTwo("nvmlDeviceGetMigMode", gpu, modes) == NvmlLibrary.SUCCESS
          && modes.get(JAVA_INT, 0) == MIG_ENABLED;
    }
  }

  private List<GpuDevice> parts(MemorySegment gpu, GpuDevice whole, long minor) {
    List<GpuDevice> parts = new ArrayList<>();
    long most = nvml.number("nvmlDeviceGetMaxMigDeviceCount", gpu);
    try (Arena local = Arena.ofConfined()) {
      MemorySegment place = local.allocate(ADDRESS);
      MemorySegment attributes = local.allocate(ATTRIBUTES, Long.BYTES);
      for (int i = 0; i < most; i++) {
        if (nvml.fill("nvmlDeviceGetMigDeviceHandleByIndex", gpu, i, place)
            != NvmlLibrary.SUCCESS) {
          continue; // fewer instances were made than there could be
        }
        MemorySegment part = place.get(ADDRESS, 0);
        boolean told =
            nvml.fill("nvmlDeviceGetAttributes_v2", part, attributes) == NvmlLibrary.SUCCESS;
        long memory = told ? attributes.get(JAVA_LONG, MEMORY_MB) : 0;
        parts.add(
            new GpuDevice(
                whole.product(),
                told ? profile(attributes.get(JAVA_INT, GPU_SLICES), memory) : "mig",
                nvml.text("nvmlDeviceGetUUID", part),
                whole.busId(),
                migFiles.of(
                    minor,
                    nvml.number("nvmlDeviceGetGpuInstanceId", part),
                    nvml.number("nvmlDeviceGetComputeInstanceId", part)),
                whole.cpus(),
                List.of(),
                memory));
      }
    }
    return parts;
  }

  /** {@code 1g.5gb}: slices of the processor, and memory in whole gigabytes, rounded up. */
  private static String profile(int slices, long memoryMib) {
    return slices + "g." + (memoryMib + 1023) / 1024 + "gb";
  }

  @Override
  public boolean tellsFaults() {
    return true;
  }

  @Override
  public List<GpuFault> faults() throws IOException {
    List<GpuFault> faults = new ArrayList<>();
    List<MemorySegment> handles = present(faults);
    for (MemorySegment gpu : handles) {
      String uuid = nvml.text("nvmlDeviceGetUUID", gpu);
      String name = name(gpu);
      try (Arena local = Arena.ofConfined()) {
        MemorySegment rows = local.allocate(REMAPPED);
        if (nvml.fillFour("nvmlDeviceGetRemappedRows", gpu, rows) == NvmlLibrary.SUCCESS) {
          if (rows.getAtIndex(JAVA_INT, 3) != 0) {
            faults.add(GpuFault.standing(uuid, name, GpuFault.ROW_LOST));
          } else if (rows.getAtIndex(JAVA_INT, 2) != 0) {
            faults.add(GpuFault.standing(uuid, name, GpuFault.ROW_WAITS));
          }
        }
        MemorySegment errors = local.allocate(JAVA_LONG);
        int code = nvml.fill("nvmlDeviceGetTotalEccErrors", gpu, UNCORRECTED, VOLATILE, errors);
        if (code == NvmlLibrary.SUCCESS && errors.get(JAVA_LONG, 0) > 0) {
          String text = errors.get(JAVA_LONG, 0) + GpuFault.UNCORRECTED;
          faults.add(GpuFault.standing(uuid, name, text));
        }
      }
    }
    faults.addAll(criticalEvents(handles));
    return faults;
  }

  /** Those that are there; one that is lost is a fault, and no reason to ask none. */
  private List<MemorySegment> present(List<GpuFault> faults) throws IOException {
    long count = nvml.number("nvmlDeviceGetCount_v2", null);
    List<MemorySegment> handles = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      try {
        MemorySegment gpu = nvml.handle("nvmlDeviceGetHandleByIndex_v2", i);
        uuids.put(i, nvml.text("nvmlDeviceGetUUID", gpu));
        handles.add(gpu);
      } catch (GpuLostException e) {
        String uuid = uuids.getOrDefault(i, "");
        String name = "GPU " + (uuid.isEmpty() ? Integer.toString(i) : uuid);
        faults.add(GpuFault.standing(uuid, name, "is lost: " + e.getMessage()));
      }
    }
    return handles;
  }

  private String name(MemorySegment gpu) {
    return "GPU " + nvml.text("nvmlDeviceGetUUID", gpu) + " (" + busId(gpu) + ")";
  }

  /** What the driver has reported as XID since it was last asked. */
  private List<GpuFault> criticalEvents(List<MemorySegment> handles) throws IOException {
    List<GpuFault> told = new ArrayList<>();
    MemorySegment set = eventSet(handles);
    if (set == null) {
      return told;
    }
    try (Arena local = Arena.ofConfined()) {
      MemorySegment event = local.allocate(EVENT, Long.BYTES);
      while (nvml.await(set, event, 0) == NvmlLibrary.SUCCESS) {
        long xid = event.get(JAVA_LONG, 2L * Long.BYTES);
        if (!Xid.isOfTheProgram(xid)) {
          MemorySegment gpu = event.get(ADDRESS, 0);
          String uuid = nvml.text("nvmlDeviceGetUUID", gpu);
          told.add(new GpuFault(uuid, name(gpu), "XID " + xid, true));
        }
      }
    }
    return told;
  }

  private @Nullable MemorySegment eventSet(List<MemorySegment> handles) {
    if (events == null) {
      MemorySegment place = arena.allocate(ADDRESS);
      if (nvml.fill("nvmlEventSetCreate", place) != NvmlLibrary.SUCCESS) {
        return null;
      }
      MemorySegment set = place.get(ADDRESS, 0);
      handles.forEach(gpu -> nvml.register(gpu, XID_EVENTS, set));
      events = set;
    }
    return events;
  }

  @Override
  public List<GpuProcess> processes() throws IOException {
    return processes.of(handles());
  }

  @Override
  public void close() {
    try {
      nvml.run("nvmlShutdown");
    } catch (IOException _) {
      // It ends with the process.
    }
    arena.close();
  }
}
