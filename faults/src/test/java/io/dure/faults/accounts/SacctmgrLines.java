package io.dure.faults.accounts;

import io.dure.model.accounting.LimitKind;
import io.dure.model.accounting.QosFlag;
import io.dure.testkit.SeededRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Random command lines of sacctmgr: mostly ones that an administrator might type, many with a wrong
 * word, some with names that no parser likes. They depend on nothing but the generator, so any of
 * them can be left out.
 */
final class SacctmgrLines {
  static final List<String> CALLERS = List.of("root", "adm", "opr", "crd", "usr");

  private static final List<String> ACCOUNTS =
      List.of("sci", "phys", "bio", "lab", "ops", "deep", "root", "nope");
  private static final List<String> USERS =
      List.of("adm", "opr", "crd", "usr", "ann", "ben", "cid", "root", "nobody");
  private static final List<String> QOS = List.of("normal", "high", "low", "long", "none");
  private static final List<String> WCKEYS = List.of("key1", "key2", "key3", "none");
  private static final List<String> PARTITIONS = List.of("debug", "gpu", "nowhere");

  private static final List<String> HOSTILE =
      List.of(
          "a b",
          "a'b",
          "a\"b",
          "'",
          "\"",
          "''",
          "\"\"",
          "`id`",
          "$(id)",
          "a\u0001b",
          "\u001b[31mred\u001b[0m",
          "a\nb",
          "\t",
          "a\u0000b",
          "a\u007fb",
          "a\u0085b",
          "a\u2028b",
          "\u202eabc",
          "a\u00a0b",
          "a\u200bb",
          "é",
          "ÀÉ",
          "두레",
          "\ud83d\ude00",
          "\ud83d",
          "\ude00x",
          "İstanbul",
          "ß",
          "\u212a",
          "x".repeat(1024),
          "x".repeat(10_000),
          "'; DROP TABLE job; --",
          "x' OR '1'='1",
          "1;--",
          "../../etc/passwd",
          "/",
          "a,b",
          "a|b",
          "a:b",
          "-1",
          "-",
          "--help",
          "",
          " ",
          ",",
          ",,",
          "=",
          "a=b",
          "a+=b",
          "%s%n%x",
          "set",
          "where",
          "*",
          "#",
          "\\",
          "null",
          "parent",
          "4294967295",
          "99999999999999999999");

  private static final List<String> VALUES =
      List.of(
          ("0;1;2;5;10;100;-1;-5;;parent;4294967295;9223372036854775807"
                  + ";9007199254740993;1-00:00:00;10:00;90;0.5;1e9;UNLIMITED;cpu=4"
                  + ";cpu=4,mem=2G;mem=999999999P;mem=3;node=2;cpu=-1;cpu=;=;cpu;gres/gpu=2"
                  + ";gres/gpu:a100=2;gres/=1;nonsense=3;cpu=4,,;cpu+=2;cpu-=3;billing=10"
                  + ";CPU=7;gres/g'p\u0001u=1;license/a b=1")
              .split(";"));

  private static final List<String> KEYS =
      List.of(
          ("Fairshare;Shares;fair;Priority;Comment;DefaultQOS;DefQOS;QOS;QosLevel"
                  + ";MaxJobs;MaxSubmit;MaxWall;GrpCPUs;GrpMemory;GrpNodes;GrpCPUMins"
                  + ";MaxCPUsPerJob;MaxNodes;RawUsage;Flags;Nonsense")
              .split(";"));

  private static final List<String> OF_QOS =
      List.of(
          ("Preempt;PreemptMode;GraceTime;PreemptExemptTime;UsageFactor"
                  + ";UsageThreshold;LimitFactor;Flags;Description;Priority")
              .split(";"));
  private static final List<String> OF_PLACES =
      List.of("QOS", "QOS", "DefaultQOS", "Fairshare", "Comment", "Priority");

  private final SeededRandom random;

  SacctmgrLines(SeededRandom random) {
    this.random = random;
  }

  /**
   * A command line and who types it.
   *
   * @param caller a user's name
   * @param words the words
   * @param file the file {@code load.cfg} at that time
   */
  record Line(String caller, List<String> words, String file) {
    @Override
    public String toString() {
      String text = caller + ": " + words + (words.contains("load.cfg") ? " <<< " + file : "");
      return AccountsInvariants.visible(text);
    }
  }

  /** The lines that each story begins with: a tree, and somebody of each kind. */
  static List<Line> opening() {
    return List.of(
            "add qos high,low",
            "add account sci description=science",
            "add account phys,bio parent=sci",
            "add account lab parent=phys fairshare=7",
            "add account ops organization=lab",
            "add user adm account=ops adminlevel=admin",
            "add user opr account=ops adminlevel=operator",
            "add user crd account=phys,lab",
            "add user usr,ann account=lab",
            "add user ben account=bio partition=debug,gpu",
            "add coordinator account=phys names=crd",
            "modify account sci set qos=normal,high,low defaultqos=normal grpjobs=50")
        .stream()
        .map(line -> new Line("root", List.of(line.split(" ")), ""))
        .toList();
  }

  /** One more. */
  Line next() {
    if (random.percent(12)) {
      return random.oneOf(opening());
    }
    String caller = random.percent(40) ? "root" : random.oneOf(CALLERS);
    List<String> words =
        new ArrayList<>(
            switch (random.between(0, 19)) {
              case 0, 1, 2 -> add();
              case 3, 4, 5, 6, 7, 8, 9 -> modify();
              case 10, 11, 12 -> delete();
              case 13 -> show();
              case 14, 15 -> coordinator();
              case 16 -> List.of("load", "load.cfg", random.percent(10) ? "clean" : "");
              case 17 -> qos();
              case 18 -> random.percent(75) ? user() : random.coin() ? resource() : federation();
              default -> other();
            });
    if (random.percent(3)) {
      words.add(random.between(0, words.size()), odd());
    }
    words.removeIf(word -> word.isEmpty() && random.percent(90));
    String file = words.contains("load.cfg") ? file() : "";
    return new Line(caller, List.copyOf(words), file);
  }

  private String odd() {
    return random.percent(80) ? random.oneOf(HOSTILE) : random.text(12);
  }

  private String name(List<String> usual) {
    return random.percent(4) ? odd() : random.oneOf(usual);
  }

  private String names(List<String> usual) {
    List<String> some = random.list(1, random.percent(75) ? 1 : 3, _ -> name(usual));
    String text = String.join(random.percent(5) ? " , " : ",", some);
    return random.percent(8)
        ? '"' + text + '"'
        : random.percent(5) ? text.toUpperCase(Locale.ROOT) : text;
  }

  private String key(String key) {
    String cased = random.percent(20) ? key.toLowerCase(Locale.ROOT) : key;
    return random.percent(5) ? cased.substring(0, random.between(1, cased.length())) : cased;
  }

  private String sign() {
    return random.percent(85) ? "=" : random.oneOf("+=", "-=");
  }

  private List<String> add() {
    List<String> words = new ArrayList<>(List.of(random.oneOf("add", "create", "a")));
    words.add(random.oneOf("account", "acct", "accounts"));
    words.add((random.coin() ? "" : "names=") + names(ACCOUNTS));
    if (random.percent(70)) {
      words.add(key("parent") + "=" + name(ACCOUNTS));
    }
    about(words, 20);
    settings(words, false, 30);
    return words;
  }

  private List<String> user() {
    List<String> words = new ArrayList<>(List.of("add", "user", names(USERS)));
    words.add(key("accounts") + "=" + names(ACCOUNTS));
    if (random.percent(25)) {
      words.add(key("partitions") + "=" + names(PARTITIONS));
    }
    if (random.percent(15)) {
      words.add("adminlevel=" + random.oneOf("none", "operator", "admin", "god", ""));
    }
    if (random.percent(15)) {
      words.add("wckeys=" + names(WCKEYS));
    }
    if (random.percent(10)) {
      words.add("defaultwckey=" + name(WCKEYS));
    }
    if (random.percent(20)) {
      words.add("defaultaccount=" + name(ACCOUNTS));
    }
    settings(words, false, 30);
    return words;
  }

  private List<String> qos() {
    List<String> words = new ArrayList<>(List.of(random.oneOf("add", "modify"), "qos", names(QOS)));
    if (words.getFirst().equals("modify") || random.coin()) {
      words.add("set");
    }
    settings(words, true, 80);
    return words;
  }

  private List<String> coordinator() {
    List<String> words = new ArrayList<>(List.of(random.oneOf("add", "add", "delete")));
    words.add("coordinator");
    words.add(key("account") + "=" + names(ACCOUNTS));
    words.add(random.percent(90) ? "names=" + names(USERS) : "");
    return words;
  }

  private void about(List<String> words, int chance) {
    if (random.percent(chance)) {
      words.add(key("description") + "=" + (random.coin() ? odd() : "some text"));
    }
    if (random.percent(chance)) {
      words.add(key("organization") + "=" + (random.coin() ? odd() : "Lab"));
    }
  }

  private void settings(List<String> words, boolean ofQos, int chance) {
    while (random.percent(chance)) {
      words.add(setting(ofQos));
    }
  }

  private String setting(boolean ofQos) {
    if (random.percent(70)) {
      LimitKind limit = random.oneOf(LimitKind.class);
      boolean of = ofQos || limit.compareTo(LimitKind.MAX_TRES_PER_USER) < 0;
      String value = random.percent(70) ? fitting(limit) : random.oneOf(VALUES);
      return key(of ? limit.word() : "MaxJobs") + sign() + (of ? value : "3");
    }
    String key = random.percent(30) ? random.oneOf(KEYS) : random.oneOf(ofQos ? OF_QOS : OF_PLACES);
    String value =
        switch (key) {
          case "QOS", "QosLevel", "Preempt" -> names(QOS);
          case "DefaultQOS", "DefQOS" -> name(QOS);
          case "Flags" -> random.oneOf(QosFlag.class).word() + (random.coin() ? "" : ",nonsense");
          case "PreemptMode" ->
              random.oneOf("off", "cancel", "requeue", "cluster", "REQUEUE", "fly");
          case "Comment", "Description" -> random.coin() ? odd() : "some words";
          default -> random.percent(5) ? odd() : random.oneOf(VALUES);
        };
    return key(key) + sign() + (random.percent(5) ? "-1" : value);
  }

  private String fitting(LimitKind limit) {
    return switch (limit.unit()) {
      case COUNT -> Integer.toString(random.between(0, 99));
      case MINUTES -> random.oneOf("30", "1-00:00:00", "10:00", "-1");
      case TRES, TRES_MINUTES ->
          random.oneOf("cpu=4", "cpu=8,mem=2G", "node=2,gres/gpu:a100=2", "cpu=-1", "cpu+=3");
    };
  }

  private void where(List<String> words, List<String> named) {
    if (random.percent(80)) {
      words.add((random.coin() ? "" : "names=") + names(named));
    }
    while (random.percent(25)) {
      words.add(
          random.oneOf(
              "account=" + names(ACCOUNTS),
              "user=" + names(USERS),
              "partition=" + names(PARTITIONS),
              "parent=" + names(ACCOUNTS),
              "cluster=" + random.oneOf("test", "other"),
              "id=" + random.between(1, 40),
              "adminlevel=" + random.oneOf("none", "operator", "administrator"),
              "defaultaccount=" + names(ACCOUNTS),
              "organization=" + name(ACCOUNTS),
              "withsubaccounts",
              "onlydefaults"));
    }
  }

  private List<String> modify() {
    List<String> words = new ArrayList<>(List.of(random.oneOf("modify", "update", "m")));
    String entity = random.oneOf("account", "account", "user", "user", "user", "cluster", "qos");
    words.add(entity);
    if (random.percent(30)) {
      words.add("where");
    }
    where(
        words,
        switch (entity) {
          case "account" -> ACCOUNTS;
          case "user" -> USERS;
          case "qos" -> QOS;
          default -> List.of("test", "other");
        });
    words.add("set");
    settings(words, entity.equals("qos"), 55);
    if (entity.equals("account")) {
      about(words, 15);
      if (random.percent(25)) {
        words.add("parent=" + name(ACCOUNTS));
      }
    } else if (entity.equals("user") && random.percent(45)) {
      words.add(
          random.oneOf(
              "adminlevel=" + random.oneOf("none", "operator", "admin", "god"),
              "defaultaccount=" + name(ACCOUNTS),
              "defaultwckey=" + name(WCKEYS),
              "newname=" + name(USERS)));
    }
    return words;
  }

  private List<String> delete() {
    List<String> words = new ArrayList<>(List.of(random.oneOf("delete", "remove", "del")));
    String entity = random.oneOf("account", "account", "user", "user", "user", "qos");
    words.add(entity);
    where(words, entity.equals("account") ? ACCOUNTS : entity.equals("user") ? USERS : QOS);
    if (entity.equals("user") && random.percent(25)) {
      words.add("wckeys=" + names(WCKEYS));
    }
    return words;
  }

  private List<String> resource() {
    List<String> words = new ArrayList<>(List.of(random.oneOf("add", "modify", "delete")));
    boolean adds = words.getFirst().equals("add");
    boolean changes = words.getFirst().equals("modify");
    words.addAll(List.of("resource", "name=" + name(List.of("lic1", "lic2", "lic3"))));
    words.add("server=" + random.oneOf("flex", "rlm"));
    if (random.percent(50)) {
      words.add("cluster=" + random.oneOf("test", "test", "other"));
    }
    if (changes) {
      words.add("set");
    }
    if (adds || changes) {
      words.add("count=" + random.oneOf("5", "100", "0", "-3", "x"));
      words.add("percentallowed=" + random.oneOf("0", "30", "100", "101", "x"));
    }
    if (adds && random.percent(90)) {
      words.add("type=license");
    }
    return words;
  }

  private List<String> federation() {
    String verb = random.oneOf("add", "modify", "delete");
    if (random.percent(30)) {
      String state = random.oneOf("", "DRAIN", "drain+", "INACTIVE", "bogus");
      String features = "features" + sign() + names(List.of("big", "gpu", "amd"));
      String to = "federation=" + name(List.of("fed1", "fed2", ""));
      return List.of("modify", "cluster", "test", "set", to, features, "fedstate=" + state);
    }
    String clusters = "clusters" + sign() + random.oneOf("test", "test", "other", "");
    return List.of(verb, "federation", name(List.of("fed1", "fed2")), "set", clusters);
  }

  private List<String> show() {
    List<String> words = new ArrayList<>(List.of(random.oneOf("show", "list")));
    String entity =
        random.oneOf(
            "account",
            "association",
            "user",
            "qos",
            "cluster",
            "tres",
            "configuration",
            "events",
            "problems",
            "resource",
            "federation",
            "reservation",
            "runaway",
            "stats",
            "transactions",
            "wckey");
    words.add(entity);
    if (random.percent(40)) {
      where(words, entity.equals("user") ? USERS : ACCOUNTS);
    }
    if (random.percent(40)) {
      words.add(random.oneOf("withassoc", "withcoord", "tree", "wopl", "withdeleted"));
    }
    if (random.percent(30)) {
      words.add(
          "format="
              + String.join(
                  ",",
                  random.list(
                      1,
                      4,
                      r ->
                          r.oneOf(
                              "account",
                              "user",
                              "qos",
                              "parentname",
                              "grptres%20",
                              "desc",
                              "org%-5",
                              "coord",
                              "name%0",
                              "comment%99999",
                              "nonsense",
                              ""))));
    }
    return words;
  }

  private List<String> other() {
    return switch (random.between(0, 5)) {
      case 0 -> List.of("dump", random.oneOf("test", "other", ""), "file=" + odd());
      case 1 -> List.of("clear", random.oneOf("stats", "nothing"));
      case 2 -> List.of(odd(), odd());
      case 3 -> List.of(random.oneOf("version", "ping", "archive", "help", "assoc", "quiet"));
      case 4 -> List.of("add", "cluster", odd());
      default -> List.of(random.oneOf("add", "modify", "delete", "show"), odd(), odd());
    };
  }

  private String file() {
    StringBuilder text = new StringBuilder();
    text.append(
        random.percent(95) ? "Cluster - '" + random.oneOf("test", "test", "other") + "'" : odd());
    text.append('\n');
    for (int i = random.between(0, 8); i > 0; i--) {
      text.append(
          switch (random.between(0, 9)) {
            case 0, 1, 2 -> "Parent - '" + name(ACCOUNTS) + "'";
            case 3, 4, 5 -> "Account - '" + name(ACCOUNTS) + "'" + parts();
            case 6, 7, 8 -> "User - '" + name(USERS) + "'" + parts() + ofUser();
            default -> odd();
          });
      text.append('\n');
    }
    return text.toString();
  }

  private String parts() {
    StringBuilder text = new StringBuilder();
    while (random.percent(30)) {
      text.append(':').append(random.percent(70) ? setting(false) : "Description='" + odd() + "'");
    }
    return text.toString();
  }

  private String ofUser() {
    return random.percent(70)
        ? ""
        : ":"
            + random.oneOf(
                "DefaultAccount='" + name(ACCOUNTS) + "'",
                "AdminLevel='" + random.oneOf("Operator", "Administrator", "god") + "'",
                "Coordinator='" + names(ACCOUNTS) + "'",
                "Partition='" + name(PARTITIONS) + "'");
  }
}
