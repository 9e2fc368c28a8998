package io.dure.controller.completion;

import io.dure.model.config.ControllerPrograms;
import io.dure.surface.completion.CompletedJob;
import io.dure.surface.completion.CompletionDocument;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.slf4j.Logger;

/** A server that takes JSON: a document each, or records of a topic. */
final class HttpTarget implements CompletionTarget {
  private static final int RECORDS = 100;
  private static final int SHOWN = 200;

  /** In the answer of a REST proxy that has taken the request, but not each record. */
  private static final Pattern NOT_TAKEN = Pattern.compile("\"error_code\"\\s*:\\s*[0-9]");

  private final URI place;
  private final boolean topic;
  private final Duration timeout;
  private final HttpClient client;
  private final Logger log;

  HttpTarget(ControllerPrograms settings, Logger log) throws IOException {
    String text = settings.completionPlace();
    try {
      place = URI.create(text.contains("://") ? text : "http://" + text);
      if (place.getHost() == null) {
        throw new IllegalArgumentException("it names no host");
      }
    } catch (IllegalArgumentException e) {
      throw new IOException("this is no URL: " + e.getMessage(), e);
    }
    topic = settings.completion() == ControllerPrograms.Completion.TOPIC;
    timeout = settings.answerTimeout();
    client =
        HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(settings.connectTimeout())
            .build();
    this.log = log;
  }

  @Override
  public int most() {
    return topic ? RECORDS : 1;
  }

  @Override
  public void record(List<CompletedJob> ended) throws IOException, InterruptedException {
    List<String> documents = ended.stream().map(CompletionDocument::of).toList();
    if (topic) {
      records(documents);
    } else {
      for (String document : documents) {
        send(document, "application/json");
      }
    }
  }

  private void records(List<String> documents) throws IOException, InterruptedException {
    String body =
        documents.stream()
            .map(document -> "{\"value\":" + document + "}")
            .collect(Collectors.joining(",", "{\"records\":[", "]}"));
    String answer = send(body, "application/vnd.kafka.json.v2+json");
    if (NOT_TAKEN.matcher(answer).find()) {
      throw new IOException("not all records were taken: " + shown(answer));
    }
  }

  private String send(String body, String type) throws IOException, InterruptedException {
    HttpRequest request =
        HttpRequest.newBuilder(place)
            .timeout(timeout)
            .header("Content-Type", type)
            .header("Accept", topic ? "application/vnd.kafka.v2+json" : "application/json")
            .POST(HttpRequest.BodyPublishers.ofString(body))
            .build();
    HttpResponse<String> answer = client.send(request, HttpResponse.BodyHandlers.ofString());
    int code = answer.statusCode();
    if (code / 100 == 2) {
      return answer.body();
    }
    // What the server cannot read now it will not read later, and would hold up all behind it.
    if (code == 400 || code == 413 || code == 422) {
      log.error(
          "JobCompLoc refuses a record, which is left out: HTTP "
              + code
              + " "
              + shown(answer.body())
              + ", of "
              + shown(body));
      return "";
    }
    throw new IOException("HTTP " + code + " " + shown(answer.body()));
  }

  private static String shown(String text) {
    String line = text.replaceAll("\\p{Cntrl}", " ").strip();
    return line.length() <= SHOWN ? line : line.substring(0, SHOWN) + "...";
  }

  @Override
  public void close() {
    client.shutdownNow();
  }
}
