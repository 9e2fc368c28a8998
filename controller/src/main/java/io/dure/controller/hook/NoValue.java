package io.dure.controller.hook;

import org.jspecify.annotations.Nullable;

/** Slurm's numbers for what was not asked for, which scripts compare with. */
final class NoValue {
  /** Of 8 bits. */
  static final long BYTE = 0xfe;

  /** Of 16 bits. */
  static final long SHORT = 0xfffe;

  /** Of 32 bits. */
  static final long INT = 0xffff_fffeL;

  /** No bound, of 32 bits. */
  static final long INFINITE = 0xffff_ffffL;

  /** Of 64 bits, as a number of Lua. */
  static final double LONG = 0x1p64;

  /** What is added to memory that is meant for each CPU. */
  static final double PER_CPU = 0x1p63;

  /** What is added to nice values. */
  static final long NICE_OFFSET = 0x8000_0000L;

  private NoValue() {}

  static long ofInt(@Nullable Number value) {
    return value == null ? INT : value.longValue();
  }

  static long ofShort(@Nullable Number value) {
    return value == null ? SHORT : value.longValue();
  }
}
