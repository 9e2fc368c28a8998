package io.dure.model.constraint;

import io.dure.model.ErrorCode;
import java.util.ArrayList;
import java.util.List;

/**
 * What one node must have: feature names joined by {@code &} or {@code ,} (all) and {@code |}
 * (any), with parentheses; {@code &} binds closer than {@code |}.
 */
public sealed interface FeatureExpression {

  /** One feature. */
  record Feature(String name) implements FeatureExpression {}

  /** All must hold; at least two. */
  record All(List<FeatureExpression> parts) implements FeatureExpression {}

  /** One must hold; at least two. */
  record Any(List<FeatureExpression> parts) implements FeatureExpression {}

  /** The text is no expression, or one that no nodes can satisfy. */
  final class InvalidFeatureException extends Exception {
    private static final long serialVersionUID = 1;
    private final ErrorCode code;

    InvalidFeatureException(ErrorCode code, String message) {
      super(message);
      this.code = code;
    }

    /** What a request with this text is refused with. */
    public ErrorCode code() {
      return code;
    }
  }

  /** Whether a node with these features will do. */
  default boolean matches(List<String> features) {
    return switch (this) {
      case Feature(String name) -> features.contains(name);
      case All(List<FeatureExpression> parts) -> {
        for (FeatureExpression part : parts) {
          if (!part.matches(features)) {
            yield false;
          }
        }
        yield true;
      }
      case Any(List<FeatureExpression> parts) -> {
        for (FeatureExpression part : parts) {
          if (part.matches(features)) {
            yield true;
          }
        }
        yield false;
      }
    };
  }

  /** The features it names, in order, with repeats. */
  default List<String> names() {
    List<String> names = new ArrayList<>();
    switch (this) {
      case Feature(String name) -> names.add(name);
      case All(List<FeatureExpression> parts) -> parts.forEach(p -> names.addAll(p.names()));
      case Any(List<FeatureExpression> parts) -> parts.forEach(p -> names.addAll(p.names()));
    }
    return names;
  }
}
