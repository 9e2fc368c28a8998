package io.dure.rest;

import io.dure.host.net.PeerCredentials;
import io.dure.model.command.Caller;
import io.dure.protocol.DureVersion;
import io.dure.surface.body.RequestDocument;
import io.dure.surface.document.DocumentSchemas;
import io.dure.surface.document.JsonNotation;
import io.dure.surface.document.OpenApiDocument;
import io.dure.surface.json.DocumentFormat;
import io.dure.surface.json.DocumentMeta;
import io.dure.surface.json.DocumentProblem;
import io.dure.surface.json.JsonEnvelope;
import io.dure.surface.json.JsonTarget;
import io.dure.surface.json.SlurmJsonWriter;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.IntStream;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.io.EndPoint;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.Fields;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/** Finds out who asks and what, and has it answered. Any thread. */
final class RestHandler extends Handler.Abstract {
  private static final String SEE = " Please view /openapi/v3 for API reference.";
  private static final String BEARER = "Bearer ";
  private static final String JSON = "application/json";
  private static final String YAML = "application/yaml";
  private static final String TEXT = "text/plain";

  private final RequestPort port;
  private final RestRoutes routes;
  private final TextPages pages;
  private final int bodyBytes;
  private final Logger log;

  /**
   * A handler.
   *
   * @param bodyBytes that a request may bring at most
   */
  RestHandler(RequestPort port, RestRoutes routes, TextPages pages, int bodyBytes, Logger log) {
    this.port = port;
    this.routes = routes;
    this.pages = pages;
    this.bodyBytes = bodyBytes;
    this.log = log;
  }

  @Override
  public boolean handle(Request request, Response response, Callback callback) throws Exception {
    String path = Request.getPathInContext(request);
    switch (path) {
      case "/livez" -> text(response, callback, HttpStatus.OK_200, "");
      case "/healthz", "/readyz" -> {
        int status = port.isReady() ? HttpStatus.OK_200 : HttpStatus.SERVICE_UNAVAILABLE_503;
        text(response, callback, status, "");
      }
      case "/openapi", "/openapi/v3", "/openapi.json" -> openApi(response, callback);
      default -> {
        if (pages.has(path)) {
          page(request, response, callback, path);
        } else {
          operation(request, response, callback, path);
        }
      }
    }
    return true;
  }

  private @Nullable RequestSession session(@Nullable RestCredential credential)
      throws RefusedRequestException {
    try {
      return credential == null ? null : port.open(credential);
    } catch (IOException e) {
      log.error("REST: {}", e.getMessage());
      throw new RefusedRequestException(
          HttpStatus.SERVICE_UNAVAILABLE_503, "The controller cannot be reached.");
    }
  }

  private void openApi(Response response, Callback callback) throws IOException {
    response.getHeaders().put(HttpHeader.CONTENT_TYPE, JSON);
    List<Integer> versions =
        IntStream.rangeClosed(DocumentSchemas.OLDEST, DocumentSchemas.NEWEST).boxed().toList();
    try (OutputStream out = Content.Sink.asOutputStream(response)) {
      OpenApiDocument.write(new JsonNotation(out, true), versions, routes::has, DureVersion.SLURM);
    }
    callback.succeeded();
  }

  private void page(Request request, Response response, Callback callback, String path)
      throws IOException, InterruptedException {
    if (!request.getMethod().equals("GET")) {
      text(response, callback, HttpStatus.METHOD_NOT_ALLOWED_405, "This can only be read.");
      return;
    }
    List<String> accepted = request.getHeaders().getQualityCSV(HttpHeader.ACCEPT);
    try {
      TextPages.TextPage page = pages.page(path, caller(request), accepted);
      response.getHeaders().put(HttpHeader.CONTENT_TYPE, page.type());
      write(response, callback, page.text());
    } catch (RestFailure e) {
      text(response, callback, e.status(), e.problem().description());
    } catch (RuntimeException e) {
      log.error("HTTP: GET {} failed", path, e);
      throw e;
    }
  }

  /** Who asks, null where nothing proves it. */
  private Caller.@Nullable User caller(Request request) throws IOException {
    RestCredential credential = credential(request);
    try (RequestSession session = credential == null ? null : port.open(credential)) {
      return session == null ? null : session.caller();
    }
  }

  private void operation(Request request, Response response, Callback callback, String path)
      throws IOException, InterruptedException {
    List<String> segments = RestRoutes.segments(path);
    RestRoutes.Match match = routes.find(request.getMethod(), segments);
    if (match == null) {
      if (routes.knows(segments)) {
        String text = "Requested REST method is not defined at URL." + SEE;
        text(response, callback, HttpStatus.METHOD_NOT_ALLOWED_405, text);
      } else {
        text(response, callback, HttpStatus.NOT_FOUND_404, "Unable find requested URL." + SEE);
      }
      return;
    }
    String type = answerType(request);
    if (type == null) {
      text(response, callback, HttpStatus.NOT_ACCEPTABLE_406, "JSON and YAML can be answered.");
      return;
    }
    try (RequestSession session = session(credential(request))) {
      if (session == null) {
        text(response, callback, HttpStatus.UNAUTHORIZED_401, "Authentication failure");
        return;
      }
      RequestDocument document =
          match.reader() == null
              ? RestRequest.NO_DOCUMENT
              : RequestBody.read(request, match.reader(), session, bodyBytes);
      response.getHeaders().put(HttpHeader.CONTENT_TYPE, type);
      answer(request, response, match, document, session);
    } catch (RefusedRequestException e) {
      text(response, callback, e.status(), e.getMessage() + "");
      return;
    }
    callback.succeeded();
  }

  /** Answers. What fails half-way ends the connection: an answer that only looks whole is none. */
  private void answer(
      Request request,
      Response response,
      RestRoutes.Match match,
      RequestDocument document,
      RequestSession session)
      throws IOException, InterruptedException {
    boolean yaml = YAML.equals(response.getHeaders().get(HttpHeader.CONTENT_TYPE));
    OutputStream out = Content.Sink.asOutputStream(response);
    JsonTarget target =
        new JsonTarget(
            out, true, meta(request, session.caller()), new DocumentFormat(match.version(), yaml));
    try {
      if (document.errors().isEmpty()) {
        match
            .operation()
            .answer(
                new RestCall(
                    new RestRequest(match.parameters(), query(request), document, host(request)),
                    session,
                    target,
                    response::setStatus));
      } else {
        response.setStatus(RestCall.UNPROCESSABLE);
        problems(target, match.schema(), document.errors(), document.warnings());
      }
    } catch (RestFailure e) {
      response.setStatus(e.status());
      problems(target, match.schema(), List.of(e.problem()), document.warnings());
    } catch (RuntimeException e) {
      if (!isOfConnection(e)) {
        log.error("REST: {} {} failed", request.getMethod(), request.getHttpURI().getPath(), e);
      }
      throw e;
    }
    out.close();
  }

  /** Whether the client went away, or a list could not be told to its end. */
  private static boolean isOfConnection(Throwable failure) {
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      if (cause instanceof IOException) {
        return true;
      }
    }
    return false;
  }

  /** The document of an operation that was not done: empty but for its list of errors. */
  private static void problems(
      JsonTarget target,
      String schema,
      List<DocumentProblem> errors,
      List<DocumentProblem> warnings) {
    try (SlurmJsonWriter json = SlurmJsonWriter.of(target, schema)) {
      json.object();
      JsonEnvelope.end(json, "", errors, warnings);
    }
  }

  /** The host that asks; this one over a unix socket. */
  private static String host(Request request) {
    return request.getConnectionMetaData().getRemoteSocketAddress()
            instanceof InetSocketAddress address
        ? address.getAddress().getHostAddress()
        : "localhost";
  }

  private static DocumentMeta meta(Request request, Caller.User caller) {
    SocketAddress peer = request.getConnectionMetaData().getRemoteSocketAddress();
    String source =
        peer instanceof InetSocketAddress address
            ? "[" + address.getAddress().getHostAddress() + "]:" + address.getPort()
            : "unix:" + request.getConnectionMetaData().getLocalSocketAddress();
    String path = request.getHttpURI().getPath();
    String plugin = path.startsWith("/slurmdb/") ? "slurmdbd" : "slurmctld";
    return new DocumentMeta(
        "openapi/" + plugin,
        "Slurm OpenAPI " + plugin,
        source,
        caller.identity().userName(),
        caller.identity().groupName(),
        List.of());
  }

  private static Map<String, String> query(Request request) {
    Map<String, String> all = new LinkedHashMap<>();
    for (Fields.Field field : Request.extractQueryParameters(request)) {
      List<String> values = field.getValues();
      // Flags may be said one by one.
      boolean list = field.getName().equals("flags");
      all.put(
          field.getName(),
          values.isEmpty() ? "" : list ? String.join(",", values) : values.getLast());
    }
    return all;
  }

  private static @Nullable RestCredential credential(Request request) throws IOException {
    String token = request.getHeaders().get("X-SLURM-USER-TOKEN");
    String user = request.getHeaders().get("X-SLURM-USER-NAME");
    String bearer = request.getHeaders().get(HttpHeader.AUTHORIZATION);
    if (token == null && bearer != null && bearer.startsWith(BEARER)) {
      token = bearer.substring(BEARER.length()).strip();
    }
    if (token != null) {
      return new RestCredential.Token(token, user);
    }
    EndPoint end = request.getConnectionMetaData().getConnection().getEndPoint();
    if (end.getTransport() instanceof SocketChannel channel
        && !(channel.getLocalAddress() instanceof InetSocketAddress)) {
      PeerCredentials peer = PeerCredentials.of(channel);
      return new RestCredential.Peer(peer.uid(), peer.gid());
    }
    return null;
  }

  /** The type of the answer, null if the client takes none that there is. */
  private static @Nullable String answerType(Request request) {
    String wanted = request.getHeaders().get(HttpHeader.ACCEPT);
    if (wanted == null || wanted.isBlank()) {
      return JSON;
    }
    for (String one : request.getHeaders().getQualityCSV(HttpHeader.ACCEPT)) {
      switch (one.toLowerCase(Locale.ROOT)) {
        case JSON, "application/*", "*/*", "application/jsonrequest" -> {
          return JSON;
        }
        case YAML, "application/x-yaml", "text/yaml" -> {
          return YAML;
        }
        default -> {} // the next one
      }
    }
    return null;
  }

  private static void text(Response response, Callback callback, int status, String text) {
    response.setStatus(status);
    response.getHeaders().put(HttpHeader.CONTENT_TYPE, TEXT);
    write(response, callback, text);
  }

  private static void write(Response response, Callback callback, String text) {
    response.write(true, ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8)), callback);
  }
}
