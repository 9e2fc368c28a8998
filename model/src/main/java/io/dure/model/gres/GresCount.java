package io.dure.model.gres;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * So many of a generic resource: {@code gpu:a100:2}.
 *
 * @param name its name, {@code gpu}
 * @param type its type, null for any
 * @param count how many, 0 or more
 */
public record GresCount(String name, @Nullable String type, long count) {
  /** Graphics processors, of which other options than {@code --gres} speak too. */
  public static final String GPU = "gpu";

  private static final long MOST = 1L << 50;

  /** Several sorts, {@code gpu:a100:2,tmp:4G}; null where one of them cannot be read. */
  public static @Nullable List<GresCount> list(String text) {
    List<GresCount> counts = new ArrayList<>();
    for (String word : text.split(",", -1)) {
      GresCount one = of(word.strip());
      if (one == null) {
        return null;
      }
      counts.add(one);
    }
    return List.copyOf(counts);
  }

  /** Types and counts of one resource, {@code a100:2,v100:1} or {@code 4}; null if unreadable. */
  public static @Nullable List<GresCount> list(String name, String text) {
    List<GresCount> counts = new ArrayList<>();
    for (String word : text.split(",", -1)) {
      GresCount one = of(name + ":" + word.strip());
      if (one == null) {
        return null;
      }
      counts.add(one);
    }
    return List.copyOf(counts);
  }

  /** One sort: a name, and a type or a count or both; {@code gres/} before it is passed over. */
  private static @Nullable GresCount of(String word) {
    String plain = word.regionMatches(true, 0, "gres", 0, 4) ? bare(word) : word;
    String[] parts = plain.replace('=', ':').split(":", -1);
    if (parts.length > 3 || !isName(parts[0])) {
      return null;
    }
    if (parts.length == 1) {
      return new GresCount(parts[0], null, 1);
    }
    long count = count(parts[parts.length - 1]);
    if (parts.length == 3) {
      return count < 0 || !isType(parts[1]) ? null : new GresCount(parts[0], parts[1], count);
    }
    if (count >= 0) {
      return new GresCount(parts[0], null, count);
    }
    return isType(parts[1]) ? new GresCount(parts[0], parts[1], 1) : null;
  }

  private static String bare(String word) {
    return word.length() > 4 && (word.charAt(4) == '/' || word.charAt(4) == ':')
        ? word.substring(5)
        : word;
  }

  private static boolean isName(String text) {
    return isWord(text) && !Character.isDigit(text.charAt(0));
  }

  /** Types may begin with a digit, {@code 1g.5gb}, but be no number. */
  private static boolean isType(String text) {
    return isWord(text) && count(text) < 0 && !text.chars().allMatch(Character::isDigit);
  }

  private static boolean isWord(String text) {
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      boolean usual = c == '_' || c == '-' || c == '.' || (c < 128 && Character.isLetterOrDigit(c));
      if (!usual) {
        return false;
      }
    }
    return !text.isEmpty() && text.length() <= 64;
  }

  /** A count with its unit (K, M, G, T by 1024), -1 where the text is none. */
  public static long count(String text) {
    int digits = 0;
    while (digits < text.length() && Character.isDigit(text.charAt(digits))) {
      digits++;
    }
    if (digits == 0 || digits > 15 || text.length() > digits + 1) {
      return -1;
    }
    int unit =
        digits == text.length() ? 0 : " kmgtp".indexOf(Character.toLowerCase(text.charAt(digits)));
    if (unit < 0) {
      return -1;
    }
    long count = Long.parseLong(text.substring(0, digits));
    return count > MOST >> (10 * unit) ? -1 : count << (10 * unit);
  }

  /** Name and type without the count: {@code gpu:a100}. */
  public String kind() {
    return type == null ? name : name + ":" + type;
  }

  /** The whole: {@code gpu:a100:2}. */
  public String text() {
    return kind() + ":" + count;
  }

  /** The same sort in another number, at most as many as can be asked for. */
  public GresCount times(long factor) {
    boolean beyond = factor > 0 && count > MOST / factor;
    return new GresCount(name, type, beyond ? MOST : count * factor);
  }
}
