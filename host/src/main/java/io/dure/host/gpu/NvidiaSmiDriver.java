package io.dure.host.gpu;

import io.dure.host.process.ProgramAnswer;
import io.dure.host.process.ProgramHangsException;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * NVIDIA's GPUs by the program of their driver, for machines where its library cannot be loaded. Of
 * links between GPUs and of XIDs it tells nothing.
 *
 * @see <a href="https://docs.nvidia.com/deploy/nvidia-smi/">nvidia-smi</a>
 */
final class NvidiaSmiDriver implements GpuDriver {
  private static final String UNITLESS = "--format=csv,noheader,nounits";
  private static final int OFF_THE_BUS = 15;
  private static final int ROW_FACTS = 4;

  /** A line of {@code -L}: {@code MIG 1g.5gb Device 0: (UUID: MIG-...)}. */
  private static final Pattern PART =
      Pattern.compile("MIG (\\S+)\\s+Device\\s+(\\d+): \\(UUID: (\\S+)\\)");

  private static final Pattern WHOLE = Pattern.compile("GPU \\d+: .* \\(UUID: (\\S+)\\)");

  private final String program;
  private final Path proc;
  private final Path sys;
  private final Path devices;
  private final MigDeviceFiles migFiles;
  private final Duration patience;
  private final String version;
  private volatile @Nullable ProgramHangsException hanging;

  /**
   * Asks for the driver's version.
   *
   * @param program {@code nvidia-smi}
   * @param patience after which it is said to hang
   * @throws IOException if the program is not there, or the driver does not work
   */
  NvidiaSmiDriver(String program, Path proc, Path sys, Path devices, Duration patience)
      throws IOException {
    this.program = program;
    this.patience = patience;
    this.proc = proc;
    this.sys = sys;
    this.devices = devices;
    this.migFiles = new MigDeviceFiles(devices, proc);
    List<String> said = lines("--query-gpu=driver_version", "--format=csv,noheader");
    version = said.isEmpty() ? "unknown" : said.getFirst().strip();
  }

  @Override
  public String description() {
    return program + ", driver " + version;
  }

  @Override
  public String name() {
    return "nvidia-smi";
  }

  private ProgramAnswer ask(String... arguments) throws IOException {
    List<String> command = new ArrayList<>(List.of(program));
    command.addAll(List.of(arguments));
    ProgramHangsException former = hanging;
    if (former != null && former.process().isAlive()) {
      throw former; // each further one would hang as well
    }
    try {
      return ProgramAnswer.of(command, patience);
    } catch (ProgramHangsException e) {
      hanging = e;
      throw e;
    }
  }

  private List<String> lines(String... arguments) throws IOException {
    ProgramAnswer answer = ask(arguments);
    if (answer.code() != 0) {
      String first = answer.lines().isEmpty() ? "" : ": " + answer.lines().getFirst().strip();
      throw new IOException(program + " ends with status " + answer.code() + first);
    }
    return answer.lines();
  }

  /** The values of a line, as many as were asked for; empty where it is something else. */
  private static List<String> values(String line, int count) {
    List<String> values = List.of(line.strip().split(", *", -1));
    return values.size() == count ? values : List.of();
  }

  @Override
  public List<GpuCard> cards() throws IOException {
    List<GpuCard> found = new ArrayList<>();
    Map<String, List<Part>> parts = parts();
    Map<String, Map<Integer, MigFacts>> facts = parts.isEmpty() ? Map.of() : migFacts();
    for (String line : lines("--query-gpu=name,uuid,pci.bus_id,memory.total", UNITLESS)) {
      List<String> gpu = values(line, 4);
      if (gpu.isEmpty()) {
        throw new IOException(program + " says of a GPU: " + line);
      }
      String bus = bus(gpu.get(2));
      long minor = NvidiaProcDriver.minor(proc, bus);
      GpuDevice whole =
          new GpuDevice(
              gpu.get(0),
              "",
              gpu.get(1),
              bus,
              minor < 0 ? List.of() : List.of(devices.resolve("nvidia" + minor).toString()),
              SysFiles.cpusNear(sys.resolve("bus/pci/devices").resolve(bus)),
              List.of(),
              number(gpu.get(3)));
      Map<Integer, MigFacts> numbers = facts.getOrDefault(bus, Map.of());
      List<GpuDevice> own = new ArrayList<>();
      for (Part part : parts.getOrDefault(whole.uuid(), List.of())) {
        own.add(part(part, numbers.getOrDefault(part.index(), MigFacts.UNKNOWN), whole, minor));
      }
      found.add(new GpuCard(whole, !own.isEmpty(), own));
    }
    return found;
  }

  /** A MIG instance, and its place among those of its GPU. */
  private record Part(String profile, String uuid, int index) {}

  /** The driver's numbers of it, below zero where they are not known, and its memory. */
  private record MigFacts(long gpuInstance, long computeInstance, long memoryMib) {
    private static final MigFacts UNKNOWN = new MigFacts(-1, -1, 0);
  }

  /** {@code 00000000:3B:00.0} is {@code 0000:3b:00.0} elsewhere. */
  private static String bus(String text) {
    String lower = text.toLowerCase(Locale.ROOT);
    return lower.startsWith("0000") && lower.indexOf(':') == 8 ? lower.substring(4) : lower;
  }

  private static long number(String text) {
    return text.matches("[0-9]{1,18}") ? Long.parseLong(text) : 0;
  }

  private GpuDevice part(Part part, MigFacts facts, GpuDevice whole, long minor) {
    return new GpuDevice(
        whole.product(),
        part.profile(),
        part.uuid(),
        whole.busId(),
        migFiles.of(minor, facts.gpuInstance(), facts.computeInstance()),
        whole.cpus(),
        List.of(),
        facts.memoryMib());
  }

  /** The parts of each GPU that is cut into some, by its UUID. */
  private Map<String, List<Part>> parts() throws IOException {
    Map<String, List<Part>> all = new TreeMap<>();
    String gpu = "";
    for (String line : lines("-L")) {
      Matcher whole = WHOLE.matcher(line.strip());
      Matcher part = PART.matcher(line.strip());
      if (whole.matches()) {
        gpu = whole.group(1);
      } else if (part.matches()) {
        all.computeIfAbsent(gpu, _ -> new ArrayList<>())
            .add(new Part(part.group(1), part.group(3), Integer.parseInt(part.group(2))));
      }
    }
    return all;
  }

  /** What only the long form tells of MIG instances, by the GPU's bus address and their place. */
  private Map<String, Map<Integer, MigFacts>> migFacts() throws IOException {
    Map<String, Map<Integer, MigFacts>> all = new TreeMap<>();
    String gpu = "";
    boolean inPart = false;
    boolean inMemory = false;
    int index = -1;
    for (String line : lines("-q")) {
      String[] words = line.strip().split("\\s*:\\s", 2);
      String name = words[0].toLowerCase(Locale.ROOT);
      String value = words.length < 2 ? "" : words[1].strip();
      // Sections of a GPU are indented by four blanks, what they say and theirs by more.
      inPart = indent(line) <= 4 ? name.equals("mig device") : inPart;
      if (indent(line) == 0 && name.startsWith("gpu ")) {
        gpu = bus(name.substring("gpu ".length()));
      } else if (words.length < 2) {
        inMemory = name.equals("fb memory usage");
      } else if (inPart) {
        index = name.equals("index") ? (int) number(value) : index;
        Map<Integer, MigFacts> own = all.computeIfAbsent(gpu, _ -> new TreeMap<>());
        own.put(index, told(own.getOrDefault(index, MigFacts.UNKNOWN), name, value, inMemory));
      }
    }
    return all;
  }

  private static int indent(String line) {
    return line.length() - line.stripLeading().length();
  }

  private static MigFacts told(MigFacts known, String name, String value, boolean inMemory) {
    return switch (name) {
      case "gpu instance id" ->
          new MigFacts(number(value), known.computeInstance(), known.memoryMib());
      case "compute instance id" ->
          new MigFacts(known.gpuInstance(), number(value), known.memoryMib());
      case "total" ->
          inMemory
              ? new MigFacts(
                  known.gpuInstance(), known.computeInstance(), number(value.replace(" MiB", "")))
              : known;
      default -> known;
    };
  }

  @Override
  public boolean tellsFaults() {
    return true;
  }

  @Override
  public List<GpuFault> faults() throws IOException {
    ProgramAnswer gpus =
        ask("--query-gpu=uuid,pci.bus_id,ecc.errors.uncorrected.volatile.total", UNITLESS);
    if (gpus.code() == OFF_THE_BUS) {
      return List.of(
          GpuFault.standing("", "", "a GPU has fallen off the bus or cannot be reached otherwise"));
    } else if (gpus.code() != 0) {
      throw new IOException(program + " ends with status " + gpus.code());
    }
    ProgramAnswer remapped =
        ask(
            "--query-remapped-rows=gpu_uuid,remapped_rows.uncorrectable,remapped_rows.pending,"
                + "remapped_rows.failure",
            UNITLESS);
    Map<String, List<String>> rows = new TreeMap<>();
    // GPUs and drivers without them end it with another status.
    for (String line : remapped.code() == 0 ? remapped.lines() : List.<String>of()) {
      List<String> facts = values(line, ROW_FACTS);
      if (!facts.isEmpty()) {
        rows.put(facts.getFirst(), facts);
      }
    }
    List<GpuFault> faults = new ArrayList<>();
    for (String line : gpus.lines()) {
      List<String> facts = values(line, 3);
      if (!facts.isEmpty()) {
        addFaults(facts, rows.getOrDefault(facts.getFirst(), List.of()), faults);
      }
    }
    return faults;
  }

  private static void addFaults(List<String> gpu, List<String> rows, List<GpuFault> faults) {
    String uuid = gpu.getFirst();
    String name = "GPU " + uuid + " (" + bus(gpu.get(1)) + ")";
    if (!rows.isEmpty() && isTrue(rows.get(3))) {
      faults.add(GpuFault.standing(uuid, name, GpuFault.ROW_LOST));
    } else if (!rows.isEmpty() && isTrue(rows.get(2))) {
      faults.add(GpuFault.standing(uuid, name, GpuFault.ROW_WAITS));
    }
    long errors = number(gpu.get(2));
    if (errors > 0) {
      faults.add(GpuFault.standing(uuid, name, errors + GpuFault.UNCORRECTED));
    }
  }

  /** Drivers write it as a number or as a word. */
  private static boolean isTrue(String text) {
    return text.equalsIgnoreCase("yes") || number(text) > 0;
  }

  @Override
  public List<GpuProcess> processes() throws IOException {
    List<GpuProcess> found = new ArrayList<>();
    for (String line : lines("--query-compute-apps=pid,used_gpu_memory", UNITLESS)) {
      List<String> facts = values(line, 2);
      if (!facts.isEmpty() && number(facts.getFirst()) > 0) {
        found.add(new GpuProcess((int) number(facts.getFirst()), 0, number(facts.get(1)) << 20));
      }
    }
    if (!found.isEmpty()) {
      addUse(found);
    }
    return found;
  }

  /** A table below a line with the names of its columns, of which there are more with time. */
  private void addUse(List<GpuProcess> found) throws IOException {
    List<String> columns = List.of();
    // It fails on a GPU that is cut into parts; what the processes have of its memory is known.
    ProgramAnswer answer = ask("pmon", "-c", "1", "-s", "u");
    for (String line : answer.code() == 0 ? answer.lines() : List.<String>of()) {
      List<String> words = List.of(line.replace('#', ' ').strip().split("\\s+"));
      if (columns.isEmpty()) {
        columns = words;
      }
      int pid = columns.indexOf("pid");
      int use = columns.indexOf("sm");
      if (pid >= 0 && use >= 0 && words.size() > Math.max(pid, use) && number(words.get(pid)) > 0) {
        found.add(new GpuProcess((int) number(words.get(pid)), (int) number(words.get(use)), 0));
      }
    }
  }

  @Override
  public void close() {}
}
