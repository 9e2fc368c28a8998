package io.dure.controller.completion;

import io.dure.model.config.ControllerPrograms;
import io.dure.surface.completion.CompletedJob;
import io.dure.surface.completion.CompletionDocument;
import io.dure.surface.completion.TopicAnswer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;
import org.slf4j.Logger;

/** A server that takes JSON: a document each, or records of a topic. */
final class HttpTarget implements CompletionTarget {
  private static final int RECORDS = 100;
  private static final int SHOWN = 200;

  private static final int LONGEST_ANSWER = 1 << 20;

  private final URI place;
  private final boolean topic;
  private final Duration timeout;
  private final Duration longest;
  private final HttpClient client;
  private final Logger log;

  /** What the server has taken of a request that failed for the rest of it. */
  private final Set<String> taken = new LinkedHashSet<>();

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
    longest = timeout.plus(settings.connectTimeout());
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
    List<String> documents =
        ended.stream().map(CompletionDocument::of).filter(one -> !taken.contains(one)).toList();
    if (topic) {
      records(documents);
    } else {
      for (String document : documents) {
        if (send(document, "application/json") instanceof Refused refused) {
          leaveOut(refused, document);
        }
      }
    }
    taken.clear();
  }

  /**
   * One that the server cannot read takes those that are sent with it along, so they are parted.
   */
  private void records(List<String> documents) throws IOException, InterruptedException {
    if (documents.isEmpty()) {
      return;
    }
    String body =
        documents.stream()
            .map(document -> "{\"value\":" + document + "}")
            .collect(Collectors.joining(",", "{\"records\":[", "]}"));
    switch (send(body, "application/vnd.kafka.json.v2+json")) {
      case Refused refused when documents.size() == 1 -> {
        leaveOut(refused, body);
        taken.addAll(documents);
      }
      case Refused _ -> {
        int half = documents.size() / 2;
        records(documents.subList(0, half));
        records(documents.subList(half, documents.size()));
      }
      case Taken(String text) -> {
        List<Boolean> each = TopicAnswer.taken(text, documents.size());
        for (int i = 0; i < documents.size(); i++) {
          if (each.get(i)) {
            taken.add(documents.get(i));
          }
        }
        if (each.contains(false)) {
          throw new IOException("not all records were taken: " + shown(text));
        }
      }
    }
  }

  /** What a server says. */
  private sealed interface Answer {}

  private record Taken(String text) implements Answer {}

  /** It cannot read what it got, and will not read it later. */
  private record Refused(int code, String text) implements Answer {}

  private Answer send(String body, String type) throws IOException, InterruptedException {
    HttpRequest request =
        HttpRequest.newBuilder(place)
            .timeout(timeout)
            .header("Content-Type", type)
            .header("Accept", topic ? "application/vnd.kafka.v2+json" : "application/json")
            .POST(HttpRequest.BodyPublishers.ofString(body))
            .build();
    HttpResponse<String> answer = exchange(request);
    int code = answer.statusCode();
    if (code / 100 == 2) {
      return new Taken(answer.body());
    }
    if (code == 400 || code == 413 || code == 422) {
      return new Refused(code, answer.body());
    }
    throw new IOException("HTTP " + code + " " + shown(answer.body()));
  }

  /** The client's own limit ends with the headers of the answer. */
  private HttpResponse<String> exchange(HttpRequest request)
      throws IOException, InterruptedException {
    CompletableFuture<HttpResponse<String>> asked = client.sendAsync(request, this::text);
    try {
      return asked.get(longest.toMillis(), TimeUnit.MILLISECONDS);
    } catch (ExecutionException e) {
      throw e.getCause() instanceof IOException failed ? failed : new IOException(e.getCause());
    } catch (TimeoutException e) {
      throw new IOException("no whole answer within " + longest.toSeconds() + " s", e);
    } finally {
      asked.cancel(true);
    }
  }

  /** Of an answer that nothing is read from nothing is kept, of a longer one its beginning. */
  private HttpResponse.BodySubscriber<String> text(HttpResponse.ResponseInfo answer) {
    int most = !topic && answer.statusCode() / 100 == 2 ? 0 : LONGEST_ANSWER;
    ByteArrayOutputStream kept = new ByteArrayOutputStream();
    return HttpResponse.BodySubscribers.mapping(
        HttpResponse.BodySubscribers.ofByteArrayConsumer(part ->
            part.ifPresent(
                bytes -> kept.write(bytes, 0, Math.min(bytes.length, most - kept.size())))),
        _ -> kept.toString(StandardCharsets.UTF_8));
  }

  private void leaveOut(Refused refused, String body) {
    log.error(
        "JobCompLoc refuses a record, which is left out: HTTP "
            + refused.code()
            + " "
            + shown(refused.text())
            + ", of "
            + shown(body));
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
