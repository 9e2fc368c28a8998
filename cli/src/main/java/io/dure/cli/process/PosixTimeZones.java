package io.dure.cli.process;

import java.io.IOException;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.DayOfWeek;
import java.time.LocalTime;
import java.time.Month;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.zone.ZoneOffsetTransition;
import java.time.zone.ZoneOffsetTransitionRule;
import java.time.zone.ZoneRules;
import java.time.zone.ZoneRulesProvider;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What the C library makes of the variable {@code TZ} (tzset(3)): the name of a file of zone data,
 * else a rule as POSIX has it, whose offsets count westwards, else UTC. Any thread.
 */
public final class PosixTimeZones {
  private static final String NAME = "(?:[A-Za-z]{3,}|<[A-Za-z0-9+-]{3,}>)";
  private static final String OFFSET = "([+-]?)(\\d{1,2})(?::(\\d{2}))?(?::(\\d{2}))?";
  private static final Pattern RULE =
      Pattern.compile(NAME + OFFSET + "(" + NAME + "(?:" + OFFSET + ")?(?:,(.*))?)?");
  private static final Pattern CHANGE =
      Pattern.compile("M(\\d{1,2})\\.([1-5])\\.([0-6])(?:/(\\d{1,2})(?::(\\d{2}))?)?");

  /** What is meant where a rule names a summer time and not when it is. */
  private static final String USUAL = "M3.2.0,M11.1.0";

  /** Files of zone data that are no regions of Java's. */
  private static final Map<String, ZoneId> OTHERS =
      Map.of(
          "EST",
          ZoneOffset.ofHours(-5),
          "MST",
          ZoneOffset.ofHours(-7),
          "HST",
          ZoneOffset.ofHours(-10));

  private static final Set<String> REGIONS = ZoneId.getAvailableZoneIds();
  private static final Map<String, ZoneId> RULES = new ConcurrentHashMap<>();
  private static final int MOST_KNOWN = 256;
  private static final AtomicInteger REGIONS_MADE = new AtomicInteger();
  private static final int FIRST_YEAR = 1970;
  private static final int LONGEST = 100;

  private PosixTimeZones() {}

  /**
   * The zone of a value.
   *
   * @param machine the zone that counts where the variable is not set
   */
  public static ZoneId of(@Nullable String value, ZoneId machine) {
    if (value == null) {
      return machine;
    }
    String name = value.startsWith(":") ? value.substring(1) : value;
    ZoneId file = file(name, machine);
    if (file != null) {
      return file;
    }
    if (name.length() > LONGEST) {
      return ZoneOffset.UTC;
    }
    ZoneId known = RULES.get(name);
    if (known != null || RULES.size() >= MOST_KNOWN) {
      return known == null ? rule(name) : known;
    }
    return RULES.computeIfAbsent(name, PosixTimeZones::rule);
  }

  private static @Nullable ZoneId file(String name, ZoneId machine) {
    String region = name;
    if (name.startsWith("/")) {
      if (name.equals("/etc/localtime")) {
        return machine;
      }
      region = belowZoneinfo(name);
      if (region == null) {
        return null;
      }
    }
    if (region.startsWith("posix/")) {
      region = region.substring("posix/".length());
    }
    return REGIONS.contains(region) ? ZoneId.of(region) : OTHERS.get(region);
  }

  private static @Nullable String belowZoneinfo(String path) {
    try {
      String real = Path.of(path).toRealPath().toString();
      int at = real.indexOf("/zoneinfo/");
      return at < 0 ? null : real.substring(at + "/zoneinfo/".length());
    } catch (IOException | InvalidPathException e) {
      return null;
    }
  }

  private static ZoneId rule(String text) {
    Matcher found = RULE.matcher(text);
    if (!found.matches()) {
      return ZoneOffset.UTC;
    }
    ZoneOffset standard = offset(found, 1);
    if (standard == null) {
      return ZoneOffset.UTC;
    }
    if (found.group(5) == null) {
      return standard;
    }
    ZoneOffset summer =
        found.group(7) == null
            ? ZoneOffset.ofTotalSeconds(Math.min(standard.getTotalSeconds() + 3600, 18 * 3600))
            : offset(found, 6);
    String[] changes = (found.group(10) == null ? USUAL : found.group(10)).split(",", -1);
    if (summer == null || changes.length != 2) {
      return standard;
    }
    ZoneOffsetTransitionRule begin = change(changes[0], standard, standard, summer);
    ZoneOffsetTransitionRule end = change(changes[1], standard, summer, standard);
    return begin == null || end == null ? standard : region(standard, begin, end);
  }

  /** Java takes rules as those of a region: each rule becomes one, up to some hundreds. */
  private static ZoneId region(
      ZoneOffset standard, ZoneOffsetTransitionRule begin, ZoneOffsetTransitionRule end) {
    int number = REGIONS_MADE.getAndIncrement();
    if (number >= MOST_KNOWN) {
      return standard;
    }
    List<ZoneOffsetTransitionRule> ordered =
        Stream.of(begin, end)
            .sorted(Comparator.comparing(rule -> rule.createTransition(FIRST_YEAR)))
            .toList();
    List<ZoneOffsetTransition> first =
        ordered.stream().map(rule -> rule.createTransition(FIRST_YEAR)).toList();
    ZoneRules rules =
        ZoneRules.of(standard, first.getFirst().getOffsetBefore(), List.of(), first, ordered);
    String name = "Dure/Rule" + number;
    ZoneRulesProvider.registerProvider(new OneRegion(name, rules));
    return ZoneId.of(name);
  }

  private static final class OneRegion extends ZoneRulesProvider {
    private final String name;
    private final ZoneRules rules;

    OneRegion(String name, ZoneRules rules) {
      this.name = name;
      this.rules = rules;
    }

    @Override
    protected Set<String> provideZoneIds() {
      return Set.of(name);
    }

    @Override
    protected ZoneRules provideRules(String zone, boolean caching) {
      return rules;
    }

    @Override
    protected NavigableMap<String, ZoneRules> provideVersions(String zone) {
      return new TreeMap<>(Map.of("1", rules));
    }
  }

  /** A sign, hours, minutes and seconds from a group on; null if there is no such offset. */
  private static @Nullable ZoneOffset offset(Matcher found, int group) {
    int seconds =
        number(found.group(group + 1)) * 3600
            + number(found.group(group + 2)) * 60
            + number(found.group(group + 3));
    boolean east = "-".equals(found.group(group));
    return seconds > 18 * 3600 ? null : ZoneOffset.ofTotalSeconds(east ? seconds : -seconds);
  }

  private static int number(@Nullable String digits) {
    return digits == null ? 0 : Integer.parseInt(digits);
  }

  /** {@code Mm.w.d/time}: a weekday, 0 for Sunday, of a week of a month, 5 for the last. */
  private static @Nullable ZoneOffsetTransitionRule change(
      String text, ZoneOffset standard, ZoneOffset before, ZoneOffset after) {
    Matcher found = CHANGE.matcher(text);
    if (!found.matches()) {
      return null;
    }
    int month = number(found.group(1));
    int week = number(found.group(2));
    int hour = found.group(4) == null ? 2 : number(found.group(4));
    if (month < 1 || month > 12 || hour > 24 || number(found.group(5)) > 59) {
      return null;
    }
    int day = number(found.group(3));
    boolean midnight = hour == 24;
    return ZoneOffsetTransitionRule.of(
        Month.of(month),
        week == 5 ? -1 : 1 + 7 * (week - 1),
        day == 0 ? DayOfWeek.SUNDAY : DayOfWeek.of(day),
        midnight ? LocalTime.MIDNIGHT : LocalTime.of(hour, number(found.group(5))),
        midnight,
        ZoneOffsetTransitionRule.TimeDefinition.WALL,
        standard,
        before,
        after);
  }
}
