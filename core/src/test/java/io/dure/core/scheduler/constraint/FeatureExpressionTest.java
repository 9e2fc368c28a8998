package io.dure.core.scheduler.constraint;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.dure.core.scheduler.constraint.FeatureExpression.InvalidFeatureException;
import java.util.List;
import org.junit.jupiter.api.Test;

class FeatureExpressionTest {
  private static boolean matches(String text, String... features) throws Exception {
    return FeatureExpression.parse(text).matches(List.of(features));
  }

  @Test
  void andBindsCloserThanOr() throws Exception {
    assertTrue(matches("a|b&c", "a"));
    assertFalse(matches("a|b&c", "b"));
    assertTrue(matches("a|b&c", "b", "c"));
    assertFalse(matches("(a|b)&c", "a"));
    assertTrue(matches("a,b", "a", "b"));
    assertFalse(matches("a,b", "a"));
  }

  @Test
  void namesAreListedInOrder() throws Exception {
    assertEquals(List.of("x", "y", "z"), FeatureExpression.parse("x&(y|z)").names());
  }

  @Test
  void whatIsNoExpressionIsRefused() {
    for (String text : List.of("", "a&", "|a", "(a", "a)", "()", "a&&b", "(".repeat(100))) {
      assertFalse(refused(text).unsupported(), text);
    }
    assertFalse(refused("a".repeat(2000)).unsupported());
  }

  @Test
  void countsAndBracketsAreNotSupported() {
    for (String text : List.of("a*2", "[a|b]", "a*2&b*1", "[rack1*2&rack2*3]")) {
      assertTrue(refused(text).unsupported(), text);
    }
  }

  private static InvalidFeatureException refused(String text) {
    return assertThrows(InvalidFeatureException.class, () -> FeatureExpression.parse(text));
  }
}
