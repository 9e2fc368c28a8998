package io.dure.rest;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.handler.ErrorHandler;
import org.eclipse.jetty.util.Callback;
import org.jspecify.annotations.Nullable;

/**
 * Answers what was no request, was too large or failed by a bug: the status in words, as plain
 * text, and nothing of the inside.
 */
final class PlainErrors extends ErrorHandler {
  private static final String TEXT = "text/plain";

  @Override
  public boolean errorPageForMethod(String method) {
    return true;
  }

  @Override
  protected void generateResponse(
      Request request,
      Response response,
      int code,
      @Nullable String message,
      @Nullable Throwable cause,
      Callback callback) {
    response.getHeaders().put(HttpHeader.CONTENT_TYPE, TEXT);
    response.write(true, body(code), callback);
  }

  private static ByteBuffer body(int status) {
    return ByteBuffer.wrap(HttpStatus.getMessage(status).getBytes(StandardCharsets.UTF_8));
  }
}
