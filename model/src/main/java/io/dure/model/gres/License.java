package io.dure.model.gres;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * So many of a licence that the cluster counts: {@code matlab:2}.
 *
 * @param name its name, which may hold a server: {@code matlab@flex}
 * @param count how many, 0 or more
 */
public record License(String name, int count) {

  /** What the names of licences begin with among the resources that are counted. */
  public static final String TRES = "license/";

  /** Its name among the resources that are counted. */
  public String tres() {
    return TRES + name;
  }

  /** A list such as {@code matlab:10,ansys}; null where it cannot be read. */
  public static @Nullable List<License> list(String text) {
    List<License> licenses = new ArrayList<>();
    if (text.isBlank()) {
      return List.of();
    }
    for (String word : text.split("[,;]", -1)) {
      String plain = word.strip().replace('*', ':');
      int colon = plain.lastIndexOf(':');
      String name = colon < 0 ? plain : plain.substring(0, colon);
      long count = colon < 0 ? 1 : GresCount.count(plain.substring(colon + 1));
      if (name.isEmpty() || name.length() > 128 || count < 0 || count > Integer.MAX_VALUE) {
        return null;
      }
      licenses.add(new License(name, (int) count));
    }
    return List.copyOf(licenses);
  }

  /** The ways that a request names, any of which will do ({@code a:1|b:2}); null if unreadable. */
  static @Nullable List<List<License>> alternatives(String text) {
    List<List<License>> ways = new ArrayList<>();
    for (String way : text.split("\\|", -1)) {
      List<License> licenses = list(way);
      if (licenses == null) {
        return null;
      }
      ways.add(licenses);
    }
    return List.copyOf(ways);
  }

  /** The text of several, {@code matlab:2,ansys:1}. */
  public static String text(List<License> licenses) {
    StringBuilder text = new StringBuilder();
    for (License one : licenses) {
      text.append(text.isEmpty() ? "" : ",").append(one.name()).append(':').append(one.count());
    }
    return text.toString();
  }

  /** How many of a name there are in a list. */
  public static int count(List<License> licenses, String name) {
    int count = 0;
    for (License one : licenses) {
      count += one.name().equals(name) ? one.count() : 0;
    }
    return count;
  }

  /** The sum of two lists, by name in the order of first mention; what comes to nothing is gone. */
  public static List<License> sum(List<License> one, List<License> other, int sign) {
    if (other.isEmpty()) {
      return one;
    }
    List<License> sum = new ArrayList<>();
    for (License license : one) {
      int count = license.count() + sign * count(other, license.name());
      if (count > 0) {
        sum.add(new License(license.name(), count));
      }
    }
    List<String> done = new ArrayList<>(one.stream().map(License::name).toList());
    for (License license : other) {
      if (sign > 0 && !done.contains(license.name())) {
        done.add(license.name());
        sum.add(new License(license.name(), count(other, license.name())));
      }
    }
    return List.copyOf(sum);
  }
}
