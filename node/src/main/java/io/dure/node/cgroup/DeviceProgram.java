package io.dure.node.cgroup;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.SequencedCollection;

/**
 * A program of the kernel's (BPF) that keeps the processes of a control group from some devices,
 * and from no others: it is run at each opening, and at mknod(2), and answers 1 to allow.
 *
 * <p>What it is given is a {@code struct bpf_cgroup_dev_ctx} of three words: the access wanted, in
 * the upper half, with the sort of device in the lower; major; minor.
 *
 * @see <a href="https://docs.kernel.org/bpf/standardization/instruction-set.html">instruction
 *     set</a>
 */
final class DeviceProgram {
  static final int INSTRUCTION_BYTES = 8;

  private static final int LOAD_WORD = 0x61; // BPF_LDX | BPF_MEM | BPF_W
  private static final int AND = 0x57; // BPF_ALU64 | BPF_AND | BPF_K
  private static final int MOVE = 0xb7; // BPF_ALU64 | BPF_MOV | BPF_K
  private static final int JUMP_UNLESS_EQUAL = 0x55; // BPF_JMP | BPF_JNE | BPF_K
  private static final int EXIT = 0x95; // BPF_JMP | BPF_EXIT

  private static final int ANSWER = 0;
  private static final int CONTEXT = 1;
  private static final int SORT = 2;
  private static final int MAJOR = 3;
  private static final int MINOR = 4;

  private static final int SORT_BITS = 0xffff;
  private static final int BLOCK = 1; // BPF_DEVCG_DEV_BLOCK
  private static final int CHARACTER = 2; // BPF_DEVCG_DEV_CHAR

  private final ByteBuffer code;

  private DeviceProgram(int devices) {
    code =
        ByteBuffer.allocate((6 + 5 * devices) * INSTRUCTION_BYTES).order(ByteOrder.nativeOrder());
  }

  /** The instructions that refuse these, as the kernel of this machine reads them. */
  static byte[] refusing(SequencedCollection<DeviceNumber> devices) {
    DeviceProgram program = new DeviceProgram(devices.size());
    program.add(LOAD_WORD, SORT, CONTEXT, 0, 0);
    program.add(AND, SORT, 0, 0, SORT_BITS);
    program.add(LOAD_WORD, MAJOR, CONTEXT, 4, 0);
    program.add(LOAD_WORD, MINOR, CONTEXT, 8, 0);
    for (DeviceNumber device : devices) {
      program.add(JUMP_UNLESS_EQUAL, SORT, 0, 4, device.block() ? BLOCK : CHARACTER);
      program.add(JUMP_UNLESS_EQUAL, MAJOR, 0, 3, device.major());
      program.add(JUMP_UNLESS_EQUAL, MINOR, 0, 2, device.minor());
      program.add(MOVE, ANSWER, 0, 0, 0);
      program.add(EXIT, 0, 0, 0, 0);
    }
    program.add(MOVE, ANSWER, 0, 0, 1);
    program.add(EXIT, 0, 0, 0, 0);
    return program.code.array();
  }

  /** The registers are four bits each, the first one lower in memory. */
  private void add(int operation, int target, int source, int offset, int constant) {
    boolean little = code.order() == ByteOrder.LITTLE_ENDIAN;
    int registers = little ? source << 4 | target : target << 4 | source;
    code.put((byte) operation).put((byte) registers).putShort((short) offset).putInt(constant);
  }
}
