package io.dure.core.scheduler.constraint;

import io.dure.core.scheduler.constraint.FeatureExpression.InvalidFeatureException;
import java.util.ArrayList;
import java.util.List;

/** Reads feature expressions by recursive descent. */
final class FeatureParser {
  private static final int MAX_LENGTH = 1024;
  private static final int MAX_DEPTH = 32;
  private static final String SPECIAL = "&|,()[]*";

  private final String text;
  private int at;
  private int depth;

  FeatureParser(String text) {
    this.text = text;
  }

  FeatureExpression parse() throws InvalidFeatureException {
    if (text.length() > MAX_LENGTH) {
      throw invalid("is too long");
    }
    FeatureExpression expression = any();
    if (at < text.length()) {
      throw invalid("has an unexpected '" + text.charAt(at) + "'");
    }
    return expression;
  }

  private FeatureExpression any() throws InvalidFeatureException {
    List<FeatureExpression> parts = new ArrayList<>();
    parts.add(all());
    while (peek() == '|') {
      at++;
      parts.add(all());
    }
    return parts.size() == 1 ? parts.getFirst() : new FeatureExpression.Any(List.copyOf(parts));
  }

  private FeatureExpression all() throws InvalidFeatureException {
    List<FeatureExpression> parts = new ArrayList<>();
    parts.add(single());
    while (peek() == '&' || peek() == ',') {
      at++;
      parts.add(single());
    }
    return parts.size() == 1 ? parts.getFirst() : new FeatureExpression.All(List.copyOf(parts));
  }

  private FeatureExpression single() throws InvalidFeatureException {
    if (peek() == '(') {
      at++;
      if (++depth > MAX_DEPTH) {
        throw invalid("is nested too deeply");
      }
      FeatureExpression inner = any();
      if (peek() != ')') {
        throw invalid("lacks a ')'");
      }
      at++;
      depth--;
      return inner;
    }
    int start = at;
    while (at < text.length() && SPECIAL.indexOf(text.charAt(at)) < 0) {
      at++;
    }
    if (peek() == '*' || peek() == '[') {
      throw new InvalidFeatureException(
          "constraint \"" + text + "\": node counts and alternatives in brackets are not supported",
          true);
    }
    String name = text.substring(start, at).strip();
    if (name.isEmpty()) {
      throw invalid("lacks a feature name");
    }
    return new FeatureExpression.Feature(name);
  }

  private char peek() {
    return at < text.length() ? text.charAt(at) : '\0';
  }

  private InvalidFeatureException invalid(String what) {
    return new InvalidFeatureException("constraint \"" + text + "\" " + what, false);
  }
}
