package io.dure.model.constraint;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.dure.model.ErrorCode;
import io.dure.model.constraint.FeatureExpression.InvalidFeatureException;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("pure")
class FeatureExpressionTest {
  private static boolean matches(String text, String... features) throws Exception {
    return FeatureParser.parse(text).matches(List.of(features));
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
    assertEquals(List.of("x", "y", "z"), FeatureParser.parse("x&(y|z)").names());
  }

  @Test
  void whatIsNoExpressionIsRefused() {
    for (String text : List.of("", "a&", "|a", "(a", "a)", "()", "a&&b", "(".repeat(100))) {
      assertEquals(ErrorCode.INVALID_FEATURE, refused(text).code(), text);
    }
    assertEquals(ErrorCode.INVALID_FEATURE, refused("a".repeat(2000)).code());
  }

  @Test
  void countsAndBracketsAreNoMatterOfOneNode() {
    for (String text : List.of("a*2", "[a|b]", "a*2&b*1", "[rack1*2&rack2*3]")) {
      assertEquals(ErrorCode.NOT_SUPPORTED, refused(text).code(), text);
    }
  }

  @Test
  void alternativesInBrackets() throws Exception {
    FeatureConstraint constraint = FeatureParser.constraint("c&[a|b]");
    assertEquals(2, constraint.oneOf().size());
    assertEquals(1, constraint.leastNodes());
    assertTrue(constraint.matches(List.of("b", "c")));
    assertFalse(constraint.matches(List.of("b")));
    assertFalse(constraint.matches(List.of("c")));
  }

  @Test
  void countsInBrackets() throws Exception {
    FeatureConstraint constraint = FeatureParser.constraint("[a*2&b*1]");
    assertEquals(3, constraint.leastNodes());
    assertTrue(constraint.matches(List.of("b")));
    assertFalse(constraint.matches(List.of("c")));
    assertEquals(List.of("a", "b"), constraint.names());
  }

  @Test
  void aCountWithoutBracketsLeavesOtherNodesFree() throws Exception {
    FeatureConstraint constraint = FeatureParser.constraint("a*2&b");
    assertEquals(2, constraint.leastNodes());
    assertTrue(constraint.matches(List.of()));
    assertFalse(constraint.isSimple());
  }

  @Test
  void whatIsNoConstraintIsRefused() {
    for (String text :
        List.of(
            "[a",
            "a]",
            "[]",
            "[a&b]",
            "[a*1|b*1]",
            "[a|b&c]",
            "[[a|b]|c]",
            "[a]&[b]",
            "a*0",
            "a*x",
            "a**2",
            "a*",
            "a|b*2",
            "a*1234567")) {
      InvalidFeatureException refusal =
          assertThrows(InvalidFeatureException.class, () -> FeatureParser.constraint(text), text);
      assertEquals(ErrorCode.INVALID_FEATURE, refusal.code(), text);
    }
    InvalidFeatureException several =
        assertThrows(InvalidFeatureException.class, () -> FeatureParser.constraint("a*2&b*1"));
    assertEquals(ErrorCode.NODE_CONFIG_UNAVAILABLE, several.code());
  }

  private static InvalidFeatureException refused(String text) {
    return assertThrows(InvalidFeatureException.class, () -> FeatureParser.parse(text));
  }
}
