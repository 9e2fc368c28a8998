package io.dure.surface.accounts;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A column of a table.
 *
 * @param header what stands above it
 * @param names what it is called in {@code format=}; a name may be cut short to three letters
 * @param width characters; negative to stand on the left
 * @param value what stands in it
 */
public record AccountingField<R>(
    String header, List<String> names, int width, Function<R, String> value) {

  private static final int SHORTEST = 3;

  /** A field that is asked to be wider keeps its usual width. */
  private static final int WIDEST = 65_536;

  /** The same with another width. */
  public AccountingField<R> wide(int other) {
    return new AccountingField<>(header, names, other, value);
  }

  private boolean isCalled(String word, boolean exactly) {
    for (String name : names) {
      if (exactly ? name.equals(word) : word.length() >= SHORTEST && name.startsWith(word)) {
        return true;
      }
    }
    return false;
  }

  /** The field of that name: a whole one before one cut short; null for none. */
  public static <R> @Nullable AccountingField<R> find(List<AccountingField<R>> all, String name) {
    String word = name.toLowerCase(Locale.ROOT);
    for (AccountingField<R> field : all) {
      if (field.isCalled(word, true)) {
        return field;
      }
    }
    for (AccountingField<R> field : all) {
      if (field.isCalled(word, false)) {
        return field;
      }
    }
    return null;
  }

  /**
   * The fields that a list names, {@code NAME%WIDTH,...}.
   *
   * @return null with the first unknown name in {@code unknown}
   */
  public static <R> @Nullable List<AccountingField<R>> parse(
      List<AccountingField<R>> all, String list, List<String> unknown) {
    List<AccountingField<R>> found = new ArrayList<>();
    for (String word : list.split(",", -1)) {
      if (word.isBlank()) {
        continue;
      }
      int percent = word.indexOf('%');
      String name = percent < 0 ? word : word.substring(0, percent);
      AccountingField<R> field = find(all, name.strip());
      if (field == null) {
        unknown.add(name);
        return null;
      }
      Integer width = percent < 0 ? null : width(word.substring(percent + 1));
      found.add(width == null ? field : field.wide(width));
    }
    return found;
  }

  private static @Nullable Integer width(String text) {
    try {
      int width = Integer.parseInt(text);
      return width == 0 || Math.abs((long) width) > WIDEST ? null : width;
    } catch (NumberFormatException e) {
      return null;
    }
  }
}
