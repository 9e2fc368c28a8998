package io.dure.cli.command;

import io.dure.model.ErrorCode;
import io.dure.protocol.JobInfo;
import io.dure.protocol.NodeCriteria;
import io.dure.protocol.Request;
import io.dure.protocol.Response;
import io.dure.surface.facts.NodeDetails;
import io.dure.surface.sinfo.NodeMatcher;
import io.dure.surface.squeue.JobMatcher;
import java.io.IOException;
import java.time.Instant;
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

  /** The answer without what the request does not ask for, as the controller gives it. */
  private static Response narrowed(Request request, Response answer) {
    if (request instanceof Request.ListJobs list
        && list.criteria() != null
        && answer instanceof Response.Jobs(List<JobInfo> jobs, Instant now, var left)) {
      JobMatcher matcher = JobMatcher.ofRequest(list.criteria());
      return new Response.Jobs(
          jobs.stream().filter(info -> matcher.matches(info.job())).toList(), now, left);
    }
    if (request instanceof Request.ShowCluster(NodeCriteria criteria, _)
        && criteria != null
        && answer instanceof Response.Cluster cluster) {
      NodeMatcher matcher = NodeMatcher.ofRequest(criteria);
      return cluster.withNodes(
          cluster.nodes().stream().filter(node -> matcher.matches(new NodeDetails(node))).toList());
    }
    return answer;
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
        return narrowed(request, (Response) answer);
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
