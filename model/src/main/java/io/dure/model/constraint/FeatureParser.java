package io.dure.model.constraint;

import io.dure.model.ErrorCode;
import io.dure.model.constraint.FeatureExpression.InvalidFeatureException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads feature expressions by recursive descent. */
public final class FeatureParser {
  private static final int MAX_LENGTH = 1024;
  private static final int MAX_DEPTH = 32;
  private static final String SPECIAL = "&|,()[]*";

  private final String text;
  private int at;
  private int depth;

  private FeatureParser(String text) {
    this.text = text;
  }

  /**
   * Reads an expression of at most 1,024 characters, without counts and brackets.
   *
   * @throws InvalidFeatureException saying what is wrong
   */
  public static FeatureExpression parse(String text) throws InvalidFeatureException {
    return new FeatureParser(text).parse();
  }

  /**
   * Reads a constraint of at most 1,024 characters.
   *
   * @throws InvalidFeatureException saying what is wrong
   */
  public static FeatureConstraint constraint(String text) throws InvalidFeatureException {
    return new FeatureParser(text).constraint();
  }

  private FeatureExpression parse() throws InvalidFeatureException {
    if (text.length() > MAX_LENGTH) {
      throw invalid("is too long");
    }
    if (isOfSeveral()) {
      String message = "node counts and alternatives in brackets are not supported here";
      throw new InvalidFeatureException(ErrorCode.NOT_SUPPORTED, message);
    }
    FeatureExpression expression = any();
    if (at < text.length()) {
      throw invalid("has an unexpected '" + text.charAt(at) + "'");
    }
    return expression;
  }

  private boolean isOfSeveral() {
    return text.indexOf('[') >= 0 || text.indexOf('*') >= 0;
  }

  private FeatureConstraint constraint() throws InvalidFeatureException {
    if (text.length() > MAX_LENGTH || !isOfSeveral()) {
      return new FeatureConstraint(parse(), List.of(), List.of(), true);
    }
    List<FeatureExpression> each = new ArrayList<>();
    List<FeatureExpression> oneOf = new ArrayList<>();
    List<FeatureConstraint.Count> counts = new ArrayList<>();
    boolean bracket = false;
    int counted = 0;
    do {
      if (peek() == '[' && !bracket) {
        bracket = true;
        bracket(oneOf, counts);
      } else {
        each.add(single());
        if (peek() == '*') {
          counted = count();
          counts.add(new FeatureConstraint.Count(each.getLast(), counted));
        }
      }
    } while (isJoined());
    if (at < text.length()) {
      throw invalid("has an unexpected '" + text.charAt(at) + "'");
    }
    if (counted == 0) {
      return new FeatureConstraint(joined(each), oneOf, counts, false);
    }
    if (bracket || counts.size() > 1) {
      // Slurm finds no nodes for these; its manual wants brackets around several counts.
      String message = "several node counts stand in brackets: [a*2&b*1]";
      throw new InvalidFeatureException(ErrorCode.NODE_CONFIG_UNAVAILABLE, message);
    }
    FeatureExpression all = each.size() == 1 ? each.getFirst() : joinedAll(each);
    return new FeatureConstraint(
        null, List.of(), List.of(new FeatureConstraint.Count(all, counted)), true);
  }

  private static @Nullable FeatureExpression joined(List<FeatureExpression> parts) {
    return parts.isEmpty() ? null : parts.size() == 1 ? parts.getFirst() : joinedAll(parts);
  }

  private static FeatureExpression joinedAll(List<FeatureExpression> parts) {
    return new FeatureExpression.All(List.copyOf(parts));
  }

  private boolean isJoined() {
    boolean joins = peek() == '&' || peek() == ',';
    at += joins ? 1 : 0;
    return joins;
  }

  /** Alternatives, or counts. */
  private void bracket(List<FeatureExpression> oneOf, List<FeatureConstraint.Count> counts)
      throws InvalidFeatureException {
    char between = ']';
    do {
      at++;
      FeatureExpression part = single();
      if (peek() == '*') {
        counts.add(new FeatureConstraint.Count(part, count()));
      } else {
        oneOf.add(part);
      }
      boolean joins = peek() == '&' || peek() == '|';
      if (joins && between != ']' && peek() != between) {
        throw invalid("mixes '&' and '|' in brackets");
      }
      between = joins ? peek() : between;
    } while (peek() == '&' || peek() == '|');
    if (peek() != ']') {
      throw invalid("lacks a ']'");
    }
    at++;
    if (between == '&'
        ? !oneOf.isEmpty()
        : !counts.isEmpty() && (between == '|' || !oneOf.isEmpty())) {
      throw invalid("has brackets around what is neither [a|b] nor [a*2&b*1]");
    }
  }

  private int count() throws InvalidFeatureException {
    int start = ++at;
    while (at < text.length() && Character.isDigit(text.charAt(at))) {
      at++;
    }
    String digits = text.substring(start, at);
    if (digits.isEmpty() || digits.length() > 6 || Integer.parseInt(digits) == 0) {
      throw invalid("lacks a number of nodes behind '*'");
    }
    return Integer.parseInt(digits);
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
    return new InvalidFeatureException(
        ErrorCode.INVALID_FEATURE, "constraint \"" + text + "\" " + what);
  }
}
