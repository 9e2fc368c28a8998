package io.dure.host.gpu;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * GPUs by what the kernel shows of its graphics drivers under {@code /sys/class/drm}: AMD's and
 * Intel's. What only draws pictures, an Intel processor's own graphics, is none.
 */
final class DrmDriver implements GpuDriver {
  private static final Map<String, String> VENDORS = Map.of("0x1002", "AMD", "0x8086", "Intel");

  /** A GPU that has no screen. */
  private static final String COMPUTE_CLASS = "0x0380";

  private final String vendor;
  private final Path sys;
  private final Path devices;

  /**
   * Of one vendor.
   *
   * @param vendor its number on the PCI bus, {@code 0x1002} or {@code 0x8086}
   * @param sys {@code /sys}
   * @param devices {@code /dev}
   */
  DrmDriver(String vendor, Path sys, Path devices) {
    this.vendor = vendor;
    this.sys = sys;
    this.devices = devices;
  }

  @Override
  public String description() {
    return VENDORS.get(vendor) + " by " + sys.resolve("class/drm");
  }

  @Override
  public String name() {
    return "sysfs";
  }

  private record Found(Path device, GpuDevice gpu) {}

  private List<Found> find() throws IOException {
    List<Found> found = new ArrayList<>();
    for (Path render : SysFiles.list(sys.resolve("class/drm"), "renderD*")) {
      Path device = render.resolve("device");
      if (!SysFiles.text(device.resolve("vendor")).equals(vendor) || !computes(device)) {
        continue;
      }
      List<String> files = new ArrayList<>();
      files.add(devices.resolve("dri/" + render.getFileName()).toString());
      for (Path card : SysFiles.list(device.resolve("drm"), "card*")) {
        files.add(devices.resolve("dri/" + card.getFileName()).toString());
      }
      String unique = SysFiles.text(device.resolve("unique_id"));
      found.add(
          new Found(
              device,
              new GpuDevice(
                  product(device),
                  "",
                  unique.isEmpty() ? busId(device) : unique,
                  busId(device),
                  files,
                  SysFiles.cpusNear(device),
                  List.of(),
                  SysFiles.number(device.resolve("mem_info_vram_total")) >> 20)));
    }
    found.sort(Comparator.comparing(one -> one.gpu().busId()));
    return found;
  }

  private boolean computes(Path device) {
    return !vendor.equals("0x8086")
        || SysFiles.text(device.resolve("class")).startsWith(COMPUTE_CLASS);
  }

  private static String busId(Path device) throws IOException {
    return Files.exists(device) ? device.toRealPath().getFileName().toString() : "";
  }

  private String product(Path device) {
    String name = SysFiles.text(device.resolve("product_name"));
    String maker = VENDORS.getOrDefault(vendor, "");
    return name.isEmpty()
        ? maker + " " + SysFiles.text(device.resolve("device"))
        : name.startsWith(maker) ? name : maker + " " + name;
  }

  @Override
  public List<GpuCard> cards() throws IOException {
    return find().stream().map(Found::gpu).map(GpuCard::uncut).toList();
  }

  /** Of AMD's alone there are counters. */
  @Override
  public boolean tellsFaults() {
    return vendor.equals("0x1002");
  }

  @Override
  public List<GpuFault> faults() throws IOException {
    List<GpuFault> faults = new ArrayList<>();
    for (Found one : find()) {
      for (String line : SysFiles.text(one.device().resolve("ras/umc_err_count")).split("\n", -1)) {
        String[] words = line.split(":", 2);
        if (words.length == 2 && words[0].equals("ue") && !words[1].strip().equals("0")) {
          faults.add(
              GpuFault.standing(
                  one.gpu().uuid(),
                  "GPU " + one.gpu().busId(),
                  words[1].strip() + " uncorrected memory errors"));
        }
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
