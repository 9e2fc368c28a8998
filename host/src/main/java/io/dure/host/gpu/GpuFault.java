package io.dure.host.gpu;

/**
 * What is wrong with a GPU.
 *
 * @param uuid which one, empty where the driver cannot say
 * @param name what logs call it, empty where the driver cannot say
 * @param text what is wrong, {@code XID 79}
 * @param isEvent whether it is told once, when it happens; others are told while they stand
 */
public record GpuFault(String uuid, String name, String text, boolean isEvent) {
  static final String ROW_LOST = "a memory row could not be remapped, it must be replaced";
  static final String ROW_WAITS = "a memory row is to be remapped, it must be reset";

  /** Behind their number. */
  static final String UNCORRECTED = " uncorrected memory errors since its reset";

  /** One that stands. */
  static GpuFault standing(String uuid, String name, String text) {
    return new GpuFault(uuid, name, text, false);
  }

  /** All of it, for logs and as the reason of a drain. */
  public String sentence() {
    return name.isEmpty() ? text : name + ": " + text;
  }
}
