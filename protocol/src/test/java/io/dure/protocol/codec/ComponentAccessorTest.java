package io.dure.protocol.codec;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.lang.reflect.RecordComponent;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("pure")
class ComponentAccessorTest {
  private record Mixed(int number, long size, boolean flag, double share, String text) {}

  @Test
  void readsTheSameByReflectionAndCompiled() {
    RecordComponent[] parts = Mixed.class.getRecordComponents();
    Mixed value = new Mixed(-7, 1L << 40, true, 0.5, "x");
    List<Object> expected = List.of(-7, 1L << 40, true, 0.5, "x");
    for (int i = 0; i < parts.length; i++) {
      ComponentAccessor accessor = new ComponentAccessor(parts[i]);
      for (int read = 0; read < 2 * ComponentAccessor.OFTEN; read++) {
        assertEquals(expected.get(i), accessor.of(value), parts[i].getName());
      }
    }
  }

  @Test
  void readsNull() {
    ComponentAccessor text = new ComponentAccessor(Mixed.class.getRecordComponents()[4]);
    Mixed without = new Mixed(0, 0, false, 0, null);
    for (int read = 0; read < 2 * ComponentAccessor.OFTEN; read++) {
      assertNull(text.of(without));
    }
  }

  private record Inner(int id, List<String> words) {}

  private record Outer(List<Inner> inner, String tail) {}

  @Test
  void aRowOfValuesThatShareTheirFirstOrLastComponentIsReadBack() {
    RecordCodec<Outer> codec = RecordCodec.of(Outer.class).sharing();
    List<Outer> values =
        List.of(
            new Outer(List.of(), "a"),
            new Outer(List.of(), "a"),
            new Outer(List.of(new Inner(1, List.of("x")), new Inner(2, List.of("x"))), "a"),
            new Outer(List.of(new Inner(3, List.of("x")), new Inner(2, List.of("x"))), "a"),
            new Outer(List.of(new Inner(3, List.of("x")), new Inner(2, List.of("x"))), "b"),
            new Outer(List.of(new Inner(2, List.of("y"))), "b"),
            new Outer(List.of(new Inner(2, List.of())), "b"));
    RecordCodec<Outer>.Row row = codec.row();
    values.forEach(row::add);
    assertEquals(values, codec.decodeAll(row.toByteArray()));
  }
}
