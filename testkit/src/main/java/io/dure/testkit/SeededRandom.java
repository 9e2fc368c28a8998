package io.dure.testkit;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.Function;

/**
 * Random values that can be had again: the source of property tests.
 *
 * <pre>{@code
 * Seeded.check("a host list reads back as it was printed", 500, random -> {
 *   List<String> hosts = random.list(0, 20, Seeded::hostName);
 *   assertEquals(hosts, HostList.parse(HostList.of(hosts).toString()).hosts());
 * });
 * }</pre>
 *
 * <p>The seeds of a run are the same on every machine and every day, so a build that passed passes
 * again; {@link Cases} says how other seeds and fewer cases are had. A failure names its seed;
 * {@code -Ddure.seed=SEED} then runs that case alone, and {@code -Ddure.cases=N} runs N cases where
 * a test asks for fewer.
 *
 * <p>The values come from {@link Random}, whose algorithm the platform promises to keep. Not safe
 * for several threads.
 */
public final class SeededRandom {
  /** The property that names the one seed to run, decimal or as {@code 0x} hexadecimal. */
  public static final String SEED_PROPERTY = "dure.seed";

  /** The property that raises the number of cases. */
  public static final String CASES_PROPERTY = "dure.cases";

  private static final String LETTERS = "abcdefghijklmnopqrstuvwxyz";

  /** What parsers of configuration, command lines and host lists are likely to stumble over. */
  private static final List<String> ODD =
      List.of(
          "",
          " ",
          "\t",
          "\n",
          "\r\n",
          "\0",
          ",",
          "=",
          "[",
          "]",
          "[]",
          "[1-",
          "-",
          "--",
          "#",
          "\"",
          "'",
          "\\",
          "%",
          "*",
          "~",
          "/",
          "..",
          ":",
          ";",
          "|",
          "é",
          "두레",
          "\uD83D\uDE00",
          "\uFFFD",
          "-1",
          "0",
          "00",
          "4294967295",
          "1e9");

  /**
   * One run of a property: takes its values from the generator and throws when the property does
   * not hold.
   */
  @FunctionalInterface
  public interface Property {
    void check(SeededRandom random) throws Exception;
  }

  private final long seed;
  private final Random random;

  private SeededRandom(long seed) {
    this.seed = seed;
    this.random = new Random(seed);
  }

  /** The generator that gives the values of this seed, always the same ones. */
  public static SeededRandom of(long seed) {
    return new SeededRandom(seed);
  }

  /**
   * Checks a property in this many cases, each from a seed of its own.
   *
   * @param property what must hold, in words; the seeds depend on it, so two tests see different
   *     values
   * @param cases at least 1
   * @throws AssertionError at the first case that fails, naming its seed, with the case's own
   *     failure as its cause
   */
  public static void check(String property, int cases, Property body) {
    String chosen = System.getProperty(SEED_PROPERTY);
    if (chosen != null) {
      runCase(property, Long.decode(chosen), body);
      return;
    }
    Random seeds = new Random(property.hashCode() + Cases.seeds());
    int all = Math.max(Cases.of(cases), Integer.getInteger(CASES_PROPERTY, 0));
    for (int i = 0; i < all; i++) {
      runCase(property, seeds.nextLong(), body);
    }
  }

  private static void runCase(String property, long seed, Property body) {
    try {
      body.check(of(seed));
    } catch (Exception | AssertionError | StackOverflowError e) {
      throw new AssertionError(
          "does not hold: "
              + property
              + "; to see it again: -D"
              + SEED_PROPERTY
              + "="
              + seed
              + "; "
              + e,
          e);
    }
  }

  /** The seed that made this generator. */
  public long seed() {
    return seed;
  }

  /**
   * A number from low to high, both included; the ends come up more often than chance would have
   * it.
   */
  public int between(int low, int high) {
    return Math.toIntExact(between((long) low, (long) high));
  }

  /**
   * A number from low to high, both included; the ends come up more often than chance would have
   * it.
   */
  public long between(long low, long high) {
    if (low > high) {
      throw new IllegalArgumentException(low + " > " + high);
    }
    if (low == high) {
      return low;
    }
    return switch (random.nextInt(16)) {
      case 0 -> low;
      case 1 -> high;
      default ->
          high == Long.MAX_VALUE ? random.nextLong(low, high) : random.nextLong(low, high + 1);
    };
  }

  /** True in this many of a hundred calls. */
  public boolean percent(int chance) {
    return random.nextInt(100) < chance;
  }

  /** True or false, equally often. */
  public boolean coin() {
    return random.nextBoolean();
  }

  /** One of these, each equally likely; the list must not be empty. */
  public <T> T oneOf(List<T> choices) {
    return choices.get(random.nextInt(choices.size()));
  }

  /** One of these, each equally likely. */
  @SafeVarargs
  public final <T> T oneOf(T first, T... others) {
    int index = random.nextInt(others.length + 1);
    return index == 0 ? first : others[index - 1];
  }

  /** One of the constants of an enum, each equally likely. */
  public <E extends Enum<E>> E oneOf(Class<E> type) {
    return oneOf(List.of(type.getEnumConstants()));
  }

  /** A list of this many elements, both bounds included. */
  public <T> List<T> list(int fewest, int most, Function<SeededRandom, T> maker) {
    int size = between(fewest, most);
    List<T> made = new ArrayList<>(size);
    for (int i = 0; i < size; i++) {
      made.add(maker.apply(this));
    }
    return List.copyOf(made);
  }

  /** The same elements in another order. */
  public <T> List<T> shuffled(List<T> elements) {
    List<T> copy = new ArrayList<>(elements);
    for (int i = copy.size() - 1; i > 0; i--) {
      copy.set(i, copy.set(random.nextInt(i + 1), copy.get(i)));
    }
    return List.copyOf(copy);
  }

  /** Lower-case ASCII letters, this many, both bounds included. */
  public String word(int shortest, int longest) {
    return characters(LETTERS, between(shortest, longest));
  }

  /** A host name as clusters have them: {@code n7}, {@code gpu-a012}, {@code rack3-node0401}. */
  public String hostName() {
    String rack = percent(30) ? word(1, 5) + between(0, 99) + "-" : "";
    int digits = between(0, 5);
    String number = digits == 0 ? "" : String.format("%0" + digits + "d", between(0, 9999));
    return rack + word(1, 8) + number;
  }

  /**
   * Any text at all, at most this many characters: printable ASCII, other scripts, control
   * characters, and pieces that parsers stumble over. Surrogates always come in pairs.
   */
  public String text(int longest) {
    int target = between(0, longest);
    StringBuilder text = new StringBuilder(target);
    while (true) {
      String piece = percent(15) ? oneOf(ODD) : Character.toString(codePoint());
      if (text.length() + piece.length() > target) {
        return text.toString();
      }
      text.append(piece);
    }
  }

  /** Random bytes, this many, both bounds included. */
  public byte[] bytes(int shortest, int longest) {
    byte[] made = new byte[between(shortest, longest)];
    random.nextBytes(made);
    return made;
  }

  private int codePoint() {
    return switch (random.nextInt(8)) {
      case 0 -> random.nextInt(0x20);
      case 1 -> random.nextInt(0xA0, 0xD800);
      default -> random.nextInt(0x20, 0x7F);
    };
  }

  private String characters(String alphabet, int count) {
    StringBuilder made = new StringBuilder(count);
    for (int i = 0; i < count; i++) {
      made.append(alphabet.charAt(random.nextInt(alphabet.length())));
    }
    return made.toString();
  }
}
