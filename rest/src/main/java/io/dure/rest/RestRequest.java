package io.dure.rest;

import io.dure.surface.body.DocumentValue;
import io.dure.surface.body.RequestDocument;
import java.util.List;
import java.util.Map;

/**
 * What was asked by HTTP.
 *
 * @param path parameters of the path by name, decoded
 * @param query parameters behind the question mark by name, decoded, the last of each
 * @param document what the request brought, without errors; empty for operations that want none
 * @param host that sent the request
 */
public record RestRequest(
    Map<String, String> path, Map<String, String> query, RequestDocument document, String host) {

  /** What a request without a document brought. */
  static final RequestDocument NO_DOCUMENT =
      new RequestDocument(DocumentValue.Members.NONE, List.of(), List.of());
}
