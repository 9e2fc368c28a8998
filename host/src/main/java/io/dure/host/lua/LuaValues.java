package io.dure.host.lua;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Values of Lua as bytes, as frames.lua reads and writes them: texts, whole numbers as {@link
 * Long}, other numbers as {@link Double}, truth values, tables as maps, and nothing as null. A list
 * is written as a table that counts from 1.
 */
final class LuaValues {
  /** Deeper tables are no answer of ours, and could exhaust the stack. */
  private static final int MOST_DEPTH = 8;

  private LuaValues() {}

  static byte[] encode(@Nullable Object value) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try {
      put(new DataOutputStream(bytes), value);
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
    return bytes.toByteArray();
  }

  private static void put(DataOutputStream out, @Nullable Object value) throws IOException {
    switch (value) {
      case null -> out.write('n');
      case String text -> {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        out.write('s');
        out.writeInt(bytes.length);
        out.write(bytes);
      }
      case byte[] bytes -> {
        out.write('s');
        out.writeInt(bytes.length);
        out.write(bytes);
      }
      case Boolean truth -> out.write(truth ? 't' : 'f');
      case Double number -> {
        out.write('d');
        out.writeDouble(number);
      }
      case Number number -> {
        out.write('i');
        out.writeLong(number.longValue());
      }
      case Map<?, ?> map -> {
        out.write('m');
        out.writeInt(map.size());
        for (Map.Entry<?, ?> entry : map.entrySet()) {
          put(out, entry.getKey());
          put(out, entry.getValue());
        }
      }
      case List<?> list -> {
        out.write('m');
        out.writeInt(list.size());
        for (int i = 0; i < list.size(); i++) {
          put(out, (long) (i + 1));
          put(out, list.get(i));
        }
      }
      default -> throw new IllegalArgumentException(value.getClass().getName());
    }
  }

  /**
   * The value that these bytes are.
   *
   * @throws IOException if they are none
   */
  static @Nullable Object decode(byte[] bytes) throws IOException {
    return get(new DataInputStream(new ByteArrayInputStream(bytes)), 0);
  }

  private static @Nullable Object get(DataInputStream in, int depth) throws IOException {
    int kind = in.readUnsignedByte();
    return switch (kind) {
      case 'n' -> null;
      case 't' -> true;
      case 'f' -> false;
      case 'i' -> in.readLong();
      case 'd' -> in.readDouble();
      case 's' -> {
        int length = in.readInt();
        if (length < 0 || length > in.available()) {
          throw new IOException("a text of " + length + " bytes");
        }
        yield new String(in.readNBytes(length), StandardCharsets.UTF_8);
      }
      case 'm' -> {
        if (depth > MOST_DEPTH) {
          throw new IOException("tables within tables");
        }
        int count = in.readInt();
        Map<Object, Object> map = new LinkedHashMap<>();
        for (int i = 0; i < count; i++) {
          Object key = get(in, depth + 1);
          Object value = get(in, depth + 1);
          if (key != null && value != null) {
            map.put(key, value);
          }
        }
        yield map;
      }
      default -> throw new IOException("no value begins with " + kind);
    };
  }
}
