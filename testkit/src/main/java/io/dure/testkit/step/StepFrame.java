package io.dure.testkit.step;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** One frame of a step's wire: a type and a payload of big-endian numbers and bytes. Immutable. */
public final class StepFrame {
  private final char type;
  private final byte[] payload;

  /** A frame of that type. */
  public StepFrame(char type, byte... payload) {
    this.type = type;
    this.payload = payload.clone();
  }

  /** A frame of numbers, 4 bytes each. */
  public static StepFrame ofNumbers(char type, int... numbers) {
    ByteBuffer bytes = ByteBuffer.allocate(4 * numbers.length);
    for (int number : numbers) {
      bytes.putInt(number);
    }
    return new StepFrame(type, bytes.array());
  }

  /** A frame of a number and bytes behind it. */
  public static StepFrame of(char type, int number, byte[] bytes) {
    return new StepFrame(
        type, ByteBuffer.allocate(4 + bytes.length).putInt(number).put(bytes).array());
  }

  /** A frame of a number and text behind it. */
  public static StepFrame of(char type, int number, String text) {
    return of(type, number, text.getBytes(StandardCharsets.UTF_8));
  }

  /** What kind of frame it is. */
  public char type() {
    return type;
  }

  /** How many bytes its payload has. */
  public int length() {
    return payload.length;
  }

  /** The number at that place; the first is 0. */
  public int number(int place) {
    return ByteBuffer.wrap(payload).getInt(4 * place);
  }

  /** The bytes behind that many numbers. */
  public byte[] bytes(int numbers) {
    return Arrays.copyOfRange(payload, 4 * numbers, payload.length);
  }

  /** The text behind that many numbers. */
  public String text(int numbers) {
    return new String(bytes(numbers), StandardCharsets.UTF_8);
  }

  /** As it is sent. */
  public byte[] encoded() {
    return ByteBuffer.allocate(5 + payload.length)
        .put((byte) type)
        .putInt(payload.length)
        .put(payload)
        .array();
  }

  @Override
  public String toString() {
    return type + Arrays.toString(Arrays.copyOf(payload, Math.min(payload.length, 64)));
  }
}
