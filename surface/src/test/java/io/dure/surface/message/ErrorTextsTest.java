package io.dure.surface.message;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.dure.model.ErrorCode;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Each error has one number, Slurm's where Slurm has one. */
@Tag("pure")
class ErrorTextsTest {
  private static final NavigableMap<Integer, String> SLURM = ErrorTexts.slurm();

  @Test
  void noTwoErrorsShareANumberOrAText() {
    Map<Integer, ErrorCode> numbers = new TreeMap<>();
    Map<String, ErrorCode> texts = new TreeMap<>();
    for (ErrorCode code : ErrorCode.values()) {
      assertNull(numbers.put(code.number(), code), code + " shares the number " + code.number());
      assertNull(texts.put(code.text(), code), code + " shares its text");
    }
  }

  @Test
  void numbersAreSlurms() {
    Map<String, Integer> numbers = new TreeMap<>();
    SLURM.forEach((number, text) -> numbers.put(text, number));
    for (ErrorCode code : ErrorCode.values()) {
      Integer number = numbers.get(code.text());
      if (number != null) {
        assertEquals(number, code.number(), code + " has another number in Slurm");
      } else {
        assertTrue(
            code.number() >= ErrorCode.FIRST_OWN && code.number() <= ErrorCode.LAST_OWN,
            code + ": Slurm has no number for this text, so it is one of Dure's own");
      }
    }
    assertTrue(SLURM.subMap(ErrorCode.FIRST_OWN, ErrorCode.LAST_OWN).isEmpty());
  }

  @Test
  void everyNumberHasItsText() {
    assertEquals(375, SLURM.size());
    SLURM.forEach((number, text) -> assertEquals(text, ErrorTexts.of(number)));
    for (ErrorCode code : ErrorCode.values()) {
      assertEquals(code.text(), ErrorTexts.of(code.number()));
      assertEquals(code, ErrorCode.of(code.number()));
    }
    assertEquals("Unknown error 134", ErrorTexts.of(134));
    assertEquals("Unknown negative error number", ErrorTexts.of(-22));
    assertNull(ErrorCode.of(134));
    assertFalse(SLURM.containsKey(134));
  }

  @Test
  void numbersAreReadAsInSlurm() {
    assertEquals(0, ErrorTexts.number(""));
    assertEquals(12, ErrorTexts.number(" +12"));
    assertEquals(-1, ErrorTexts.number("-1"));
    assertEquals(1_215_752_191, ErrorTexts.number("99999999999"));
    assertEquals(-1, ErrorTexts.number("99999999999999999999"));
    assertNull(ErrorTexts.number("12 "));
    assertNull(ErrorTexts.number("0x7e1"));
    assertNull(ErrorTexts.number("+"));
  }
}
