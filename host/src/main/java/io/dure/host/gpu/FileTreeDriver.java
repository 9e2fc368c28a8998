package io.dure.host.gpu;

import io.dure.host.process.CpuTopology;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * GPUs that a directory tree stands in for, on machines that have none. Each folder is a GPU, in
 * the order of their numbers; its files say what it is like: {@code type}, {@code uuid}, {@code
 * vendor}, {@code file} (device files, one a line), {@code memory} (MiB), {@code cores} (those of
 * the node), {@code links}, {@code health}; {@code mig} has a folder for each part of it, with
 * {@code profile}, {@code uuid} and {@code memory}. Each may be missing.
 */
final class FileTreeDriver implements GpuDriver {
  private static final String WELL = "ok";

  private final Path root;
  private final String mode;

  /**
   * Of a tree.
   *
   * @param mode as {@code AutoDetect} names drivers: GPUs that are another vendor's are left out
   */
  FileTreeDriver(Path root, String mode) {
    this.root = root.toAbsolutePath();
    this.mode = mode;
  }

  @Override
  public String description() {
    return "files in " + root + ", which stand in for GPUs: no real device is behind them";
  }

  @Override
  public String name() {
    return "files";
  }

  /** The folders of GPUs that the mode is to find. */
  private List<Path> folders() throws IOException {
    if (!Files.isDirectory(root)) {
      throw new IOException(root + " is no directory");
    }
    return folders(root).filter(this::isWanted).toList();
  }

  private static Stream<Path> folders(Path of) throws IOException {
    return SysFiles.list(of, "*").stream()
        .filter(Files::isDirectory)
        .sorted(
            Comparator.comparingInt((Path folder) -> name(folder).length())
                .thenComparing(FileTreeDriver::name));
  }

  private static String name(Path folder) {
    return folder.getFileName().toString();
  }

  private boolean isWanted(Path gpu) {
    String vendor = text(gpu, "vendor", "");
    return switch (mode) {
      case "nvml", "nvidia" -> vendor.isEmpty() || vendor.equalsIgnoreCase("nvidia");
      case "rsmi" -> vendor.isEmpty() || vendor.equalsIgnoreCase("amd");
      case "oneapi" -> vendor.isEmpty() || vendor.equalsIgnoreCase("intel");
      default -> true;
    };
  }

  @Override
  public List<GpuCard> cards() throws IOException {
    List<GpuCard> found = new ArrayList<>();
    for (Path gpu : folders()) {
      GpuDevice whole = device(gpu, gpu, "");
      List<GpuDevice> parts = new ArrayList<>();
      for (Path part : folders(gpu.resolve("mig")).toList()) {
        parts.add(device(gpu, part, text(part, "profile", "mig")));
      }
      found.add(new GpuCard(whole, Files.isDirectory(gpu.resolve("mig")), parts));
    }
    return found;
  }

  /**
   * A GPU, or a part of one.
   *
   * @param facts the folder of what differs between parts
   */
  private static GpuDevice device(Path gpu, Path facts, String profile) throws IOException {
    return new GpuDevice(
        text(gpu, "type", "stand-in"),
        profile,
        uuid(facts),
        "",
        // Without a device the folder is what jobs are kept from, so that it does not seem missing.
        text(gpu, "file", gpu.toString()).lines().map(String::strip).toList(),
        List.of(),
        profile.isEmpty() ? numbers(gpu, "links") : List.of(),
        SysFiles.number(facts.resolve("memory")),
        cores(gpu));
  }

  private static String uuid(Path facts) {
    return text(facts, "uuid", name(facts));
  }

  private static String text(Path folder, String file, String otherwise) {
    String text = SysFiles.text(folder.resolve(file));
    return text.isEmpty() ? otherwise : text;
  }

  private static List<Integer> cores(Path gpu) throws IOException {
    String text = text(gpu, "cores", "");
    List<Integer> cores = CpuTopology.parseList(text);
    if (cores.isEmpty() && !text.isEmpty()) {
      throw new IOException(gpu.resolve("cores") + ": " + text + " are no cores such as 0-3,8");
    }
    return cores;
  }

  private static List<Integer> numbers(Path gpu, String file) throws IOException {
    String text = text(gpu, file, "");
    try {
      return text.isEmpty()
          ? List.of()
          : Stream.of(text.split(",", -1)).map(String::strip).map(Integer::valueOf).toList();
    } catch (NumberFormatException e) {
      throw new IOException(
          gpu.resolve(file) + ": " + text + " are no numbers of links such as -1,2,0", e);
    }
  }

  @Override
  public boolean tellsFaults() {
    return true;
  }

  @Override
  public List<GpuFault> faults() throws IOException {
    List<GpuFault> faults = new ArrayList<>();
    for (Path gpu : folders()) {
      String health = text(gpu, "health", WELL).lines().findFirst().orElse(WELL);
      if (!health.equalsIgnoreCase(WELL)) {
        faults.add(GpuFault.standing(uuid(gpu), "GPU " + uuid(gpu), health));
      }
    }
    return faults;
  }

  @Override
  public @Nullable List<GpuProcess> processes() {
    return null;
  }

  @Override
  public void close() {}
}
