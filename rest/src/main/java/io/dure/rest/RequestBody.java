package io.dure.rest;

import io.dure.surface.body.DocumentReader;
import io.dure.surface.body.MalformedDocumentException;
import io.dure.surface.body.RequestDocument;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.Locale;
import org.eclipse.jetty.http.HttpException;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Request;

/** Reads the document that a request brings. */
final class RequestBody {
  private static final String JSON = "application/json";
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final int PART = 16 << 10;

  private RequestBody() {}

  /**
   * Reads it, once there is memory for it.
   *
   * @param most bytes of it at most
   * @throws RefusedRequestException if it is too large, is no document, or there is no memory
   * @throws IOException if the client went away
   */
  static RequestDocument read(
      Request request, DocumentReader reader, RequestSession session, int most)
      throws RefusedRequestException, IOException {
    String type = request.getHeaders().get(HttpHeader.CONTENT_TYPE);
    if (type != null && !isJson(type)) {
      throw new RefusedRequestException(
          HttpStatus.UNSUPPORTED_MEDIA_TYPE_415,
          "A request brings " + JSON + ", not " + type + ".");
    }
    long length = request.getLength();
    if (length > most) {
      throw tooLarge(most);
    }
    try {
      session.admit(length < 0 ? most : (int) length);
    } catch (IOException e) {
      throw new RefusedRequestException(HttpStatus.SERVICE_UNAVAILABLE_503, e.getMessage() + "");
    }
    byte[] body = bytes(request, most);
    try {
      return reader.read(body);
    } catch (MalformedDocumentException e) {
      throw new RefusedRequestException(HttpStatus.BAD_REQUEST_400, "Unable to parse query.");
    }
  }

  private static boolean isJson(String type) {
    int end = type.indexOf(';');
    return (end < 0 ? type : type.substring(0, end)).strip().toLowerCase(Locale.ROOT).equals(JSON);
  }

  private static byte[] bytes(Request request, int most)
      throws RefusedRequestException, IOException {
    try (InputStream in = Content.Source.asInputStream(request)) {
      byte[] body = bytes(in, most + 1);
      if (body.length > most) {
        throw tooLarge(most);
      }
      return body;
    } catch (IOException e) {
      // The server itself counts what comes without a length.
      if (e.getCause() instanceof HttpException bound) {
        throw new RefusedRequestException(bound.getCode(), HttpStatus.getMessage(bound.getCode()));
      }
      throw e;
    }
  }

  /** What comes within the time that a request may take. */
  private static byte[] bytes(InputStream in, int most)
      throws RefusedRequestException, IOException {
    long end = System.nanoTime() + PATIENCE.toNanos();
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    byte[] part = new byte[PART];
    int count = in.read(part);
    while (count >= 0 && all.size() < most) {
      if (System.nanoTime() > end) {
        throw new RefusedRequestException(
            HttpStatus.REQUEST_TIMEOUT_408, "The request took longer than " + PATIENCE + ".");
      }
      all.write(part, 0, count);
      count = in.read(part);
    }
    return all.toByteArray();
  }

  private static RefusedRequestException tooLarge(int most) {
    return new RefusedRequestException(
        HttpStatus.PAYLOAD_TOO_LARGE_413, "A request brings " + most + " bytes at most.");
  }
}
