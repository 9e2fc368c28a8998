package io.dure.node.cgroup;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Devices, and the program that refuses them, run here as the kernel runs it. */
@Tag("pure")
class DeviceProgramTest {
  private static final DeviceNumber ZERO = new DeviceNumber(false, 1, 5);
  private static final DeviceNumber FULL = new DeviceNumber(false, 1, 7);
  private static final DeviceNumber GPU = new DeviceNumber(false, 195, 3);
  private static final DeviceNumber MIG = new DeviceNumber(false, 236, 1_048_575);
  private static final DeviceNumber DISK = new DeviceNumber(true, 1, 5);

  /** What the words of an opening come to: 1 for allowed. */
  private static long run(byte[] code, int access, DeviceNumber device) {
    int sort = device.block() ? 1 : 2;
    int[] words = {access << 16 | sort, device.major(), device.minor()};
    ByteBuffer program = ByteBuffer.wrap(code).order(ByteOrder.LITTLE_ENDIAN);
    long[] registers = new long[11];
    for (int at = 0; ; at++) {
      int operation = program.get(at * 8) & 0xff;
      int target = program.get(at * 8 + 1) & 0xf;
      short offset = program.getShort(at * 8 + 2);
      int constant = program.getInt(at * 8 + 4);
      switch (operation) {
        case 0x61 -> registers[target] = words[offset / 4] & 0xffffffffL;
        case 0x57 -> registers[target] &= constant;
        case 0xb7 -> registers[target] = constant;
        case 0x55 -> at += registers[target] == constant ? 0 : offset;
        case 0x95 -> {
          return registers[0];
        }
        default -> throw new AssertionError("operation " + operation);
      }
    }
  }

  @Test
  void whatIsRefusedIsRefusedAndNothingElse() {
    List<DeviceNumber> all = List.of(ZERO, FULL, GPU, MIG, DISK);
    for (int chosen = 0; chosen < 1 << all.size(); chosen++) {
      List<DeviceNumber> refused = new ArrayList<>();
      for (int i = 0; i < all.size(); i++) {
        if ((chosen >> i & 1) != 0) {
          refused.add(all.get(i));
        }
      }
      byte[] code = DeviceProgram.refusing(refused);
      for (DeviceNumber device : all) {
        for (int access = 1; access < 8; access++) {
          assertEquals(
              refused.contains(device) ? 0 : 1,
              run(code, access, device),
              device + " of " + refused + ", access " + access);
        }
      }
    }
  }

  @Test
  void theInstructionsAreThoseOfTheKernelsDocumentation() {
    assertEquals(
        String.join(
            " ",
            "61 12 00 00 00 00 00 00", // r2 = *(u32 *)(r1 + 0)
            "57 02 00 00 ff ff 00 00", // r2 &= 0xffff
            "61 13 04 00 00 00 00 00", // r3 = *(u32 *)(r1 + 4)
            "61 14 08 00 00 00 00 00", // r4 = *(u32 *)(r1 + 8)
            "55 02 04 00 02 00 00 00", // if r2 != 2 goto +4
            "55 03 03 00 c3 00 00 00", // if r3 != 195 goto +3
            "55 04 02 00 03 00 00 00", // if r4 != 3 goto +2
            "b7 00 00 00 00 00 00 00", // r0 = 0
            "95 00 00 00 00 00 00 00", // exit
            "b7 00 00 00 01 00 00 00", // r0 = 1
            "95 00 00 00 00 00 00 00"), // exit
        HexFormat.ofDelimiter(" ").formatHex(DeviceProgram.refusing(List.of(GPU))));
  }

  @Test
  void devicesAreReadFromTheirFiles() throws IOException {
    assertEquals(ZERO, DeviceNumber.of(Path.of("/dev/zero")));
    assertNull(DeviceNumber.of(Path.of("/dev/none")));
    assertNull(DeviceNumber.of(Path.of("/etc")));
    List<Path> files = List.of(Path.of("/dev/full"), Path.of("/dev/zero"), Path.of("/"));
    assertEquals(List.of(ZERO, FULL), List.copyOf(DeviceNumber.ofAll(files)));
    assertEquals("c 1:5 rwm", ZERO.rule());
    assertEquals("b 1:5 rwm", DISK.rule());
    // 12 bits of one and 8 of the other in the lower half, the rest of the other, and that of one.
    long number = 0x12345L << 44 | 0x6789abL << 20 | 0xcdeL << 8 | 0xf0;
    assertEquals(0x12345cde, DeviceNumber.major(number));
    assertEquals(0x6789abf0, DeviceNumber.minor(number));
  }
}
