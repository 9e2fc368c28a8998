package io.dure.surface.body;

import io.dure.surface.json.DocumentProblem;
import java.util.List;

/**
 * What a request brought.
 *
 * @param root the document
 * @param errors what is not as the schema wants it; the document is not to be acted on then
 * @param warnings what has no meaning and was left out
 */
public record RequestDocument(
    DocumentValue.Members root, List<DocumentProblem> errors, List<DocumentProblem> warnings) {}
