package io.dure.e2e.rest;

import io.dure.e2e.cluster.Cluster;
import io.dure.e2e.cluster.Session;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A program that speaks HTTP with a controller.
 *
 * @param server where the controller listens
 * @param headers names and values by turns
 */
record HttpCaller(HttpClient client, URI server, List<String> headers) {
  private static final Pattern LISTENING = Pattern.compile("HTTP: listening at (\\S+:\\d+)");
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  /** One without a credential. */
  static HttpCaller of(Cluster cluster) {
    Matcher found = LISTENING.matcher(cluster.logs());
    if (!found.find()) {
      throw new AssertionError("the log does not say where HTTP is");
    }
    HttpClient client = HttpClient.newBuilder().connectTimeout(PATIENCE).build();
    return new HttpCaller(client, URI.create("http://" + found.group(1)), List.of());
  }

  HttpCaller with(String... other) {
    return new HttpCaller(client, server, List.of(other));
  }

  /** With a token of {@code scontrol token}. */
  HttpCaller as(Session who) {
    String printed = who.run("scontrol", "token").ok().strip();
    return with("X-SLURM-USER-TOKEN", printed.substring("SLURM_JWT=".length()));
  }

  HttpResponse<String> call(String method, String path) {
    return call(method, path, HttpRequest.BodyPublishers.noBody());
  }

  /** With a document of JSON. */
  HttpResponse<String> send(String method, String path, String document) {
    return call(method, path, HttpRequest.BodyPublishers.ofString(document));
  }

  HttpResponse<String> call(String method, String path, HttpRequest.BodyPublisher body) {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(server.resolve(path)).timeout(PATIENCE).method(method, body);
    if (!headers.isEmpty()) {
      request.headers(headers.toArray(String[]::new));
    }
    try {
      return client.send(request.build(), HttpResponse.BodyHandlers.ofString());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  int status(String method, String path) {
    return call(method, path).statusCode();
  }

  /** The document at a path. */
  String get(String path) {
    HttpResponse<String> response = call("GET", path);
    if (response.statusCode() != 200) {
      throw new AssertionError(path + ": " + response.statusCode() + " " + response.body());
    }
    return response.body();
  }
}
