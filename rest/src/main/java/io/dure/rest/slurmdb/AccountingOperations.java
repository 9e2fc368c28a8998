package io.dure.rest.slurmdb;

import io.dure.rest.RestCall;
import io.dure.rest.RestFailure;
import io.dure.rest.RestOperation;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** What {@code /slurmdb} shows of accounts, by the words of {@code sacctmgr show}. */
public final class AccountingOperations {
  private static final String GET = "GET /slurmdb/{version}/";

  private AccountingOperations() {}

  /** The operations by method and path, as the descriptions of documents name them. */
  public static Map<String, RestOperation> all() {
    Map<String, RestOperation> all = new TreeMap<>();
    all.put(GET + "account/{account_name}", named("account", "account_name", ACCOUNT));
    all.put(GET + "accounts/", listed("account", ACCOUNT));
    all.put(GET + "association/", listed("associations", ASSOCIATION));
    all.put(GET + "associations/", listed("associations", ASSOCIATION));
    all.put(GET + "cluster/{cluster_name}", named("cluster", "cluster_name", List.of()));
    all.put(GET + "clusters/", listed("cluster", List.of()));
    all.put(GET + "qos/", listed("qos", QOS));
    all.put(GET + "qos/{qos}", named("qos", "qos", QOS));
    all.put(GET + "tres/", listed("tres", List.of()));
    all.put(GET + "user/{name}", named("user", "name", USER));
    all.put(GET + "users/", listed("user", USER));
    all.put(GET + "wckeys/", listed("wckey", WCKEY));
    return all;
  }

  /**
   * A parameter behind the question mark.
   *
   * @param word that it means, with an equals sign if its value is meant and not that it is true
   */
  private record Parameter(String name, String word) {}

  private static final List<Parameter> ACCOUNT =
      List.of(
          new Parameter("description", "description="),
          new Parameter("DELETED", "withdeleted"),
          new Parameter("with_deleted", "withdeleted"),
          new Parameter("WithAssociations", "withassoc"),
          new Parameter("with_assocs", "withassoc"),
          new Parameter("WithCoordinators", "withcoordinators"),
          new Parameter("with_coords", "withcoordinators"));

  private static final List<Parameter> ASSOCIATION =
      List.of(
          new Parameter("account", "account="),
          new Parameter("cluster", "cluster="),
          new Parameter("default_qos", "defaultqos="),
          new Parameter("Include deleted associations", "withdeleted"),
          new Parameter("Filter to only defaults", "onlydefaults"),
          new Parameter("Include sub acct information", "withsubaccounts"),
          new Parameter("Exclude parent id/name", "wopinfo"),
          new Parameter("Exclude limits from parents", "woplimits"),
          new Parameter("id", "id="),
          new Parameter("parent_account", "parent="),
          new Parameter("partition", "partition="),
          new Parameter("qos", "qos="),
          new Parameter("user", "user="));

  private static final List<Parameter> USER =
      List.of(
          new Parameter("admin_level", "adminlevel="),
          new Parameter("default_account", "defaultaccount="),
          new Parameter("default_wckey", "defaultwckey="),
          new Parameter("with_assocs", "withassoc"),
          new Parameter("with_coords", "withcoordinators"),
          new Parameter("with_deleted", "withdeleted"));

  private static final List<Parameter> QOS =
      List.of(
          new Parameter("description", "description="),
          new Parameter("id", "id="),
          new Parameter("name", "name="),
          new Parameter("Include deleted QOS", "withdeleted"),
          new Parameter("with_deleted", "withdeleted"));

  private static final List<Parameter> WCKEY =
      List.of(
          new Parameter("cluster", "cluster="),
          new Parameter("name", "wckey="),
          new Parameter("user", "user="),
          new Parameter("with_deleted", "withdeleted"));

  private static RestOperation listed(String entity, List<Parameter> parameters) {
    return call -> show(call, words(call, entity, parameters));
  }

  private static RestOperation named(String entity, String path, List<Parameter> parameters) {
    return call -> {
      List<String> words = words(call, entity, parameters);
      words.add("name=" + quoted(call.path(path)));
      show(call, words);
    };
  }

  private static void show(RestCall call, List<String> words)
      throws RestFailure, IOException, InterruptedException {
    new RestAccountingPort(call, "slurmdb_" + words.get(1) + "_get").show(words);
  }

  private static List<String> words(RestCall call, String entity, List<Parameter> parameters) {
    List<String> words = new ArrayList<>(List.of("show", entity));
    for (Parameter one : parameters) {
      String value = call.query(one.name());
      if (value == null || value.isEmpty()) {
        continue;
      }
      if (one.word().endsWith("=")) {
        words.add(one.word() + quoted(value));
      } else if (!value.equalsIgnoreCase("false") && !value.equals("0")) {
        words.add(one.word());
      }
    }
    return words;
  }

  /** A value keeps its blanks, and cannot end where it does not. */
  private static String quoted(String value) {
    return "\"" + value.replace("\"", "") + '"';
  }
}
