package io.dure.cli.command;

import io.dure.model.ErrorCode;
import io.dure.protocol.Request;
import io.dure.protocol.Response;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/** A controller that gives prepared answers in order and remembers what it was asked. */
public final class ScriptedController implements ControllerConnector {

  public final List<Request> requests = new ArrayList<>();
  private final Deque<Object> answers = new ArrayDeque<>();

  /** The next answer. */
  public ScriptedController answer(Response response) {
    answers.add(response);
    return this;
  }

  /** The next request finds the connection broken. */
  public ScriptedController broken(String text) {
    answers.add(new IOException(text));
    return this;
  }

  /** Whether every answer was fetched. */
  public boolean isDone() {
    return answers.isEmpty();
  }

  @Override
  public ControllerConnection open() {
    return new ControllerConnection() {
      @Override
      public Response ask(Request request) throws IOException {
        if (request instanceof Request.ExplainJob
            && !(answers.peek() instanceof Response.Explained)) {
          return new Response.Failed(ErrorCode.INVALID_JOB_ID, "");
        }
        requests.add(request);
        Object answer = answers.remove();
        if (answer instanceof IOException broken) {
          throw broken;
        }
        return (Response) answer;
      }

      @Override
      public Response await(Request request) throws IOException {
        return ask(request);
      }

      @Override
      public void close() {}
    };
  }
}
