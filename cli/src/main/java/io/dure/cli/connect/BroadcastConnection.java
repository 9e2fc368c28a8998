package io.dure.cli.connect;

import io.dure.cli.command.ControllerConnection;
import io.dure.model.ErrorCode;
import io.dure.protocol.Request;
import io.dure.protocol.Response;
import io.dure.surface.message.ResponseCheck;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * A connection to several controllers: to whichever leads, but for what each of them has to do
 * itself, which is to end. For one thread.
 */
final class BroadcastConnection implements ControllerConnection {
  private static final Duration EACH = Duration.ofSeconds(10);

  private final ConnectionOpeners doors;
  private final LeaderConnection leader;

  /**
   * Connects to the first that answers.
   *
   * @throws IOException if none does
   */
  BroadcastConnection(ConnectionOpeners doors) throws IOException {
    this.doors = doors;
    leader = new LeaderConnection(doors);
  }

  @Override
  public Response ask(Request request) throws IOException {
    return request instanceof Request.Shutdown ? askEach(request) : leader.ask(request);
  }

  @Override
  public Response await(Request request) throws IOException {
    return leader.await(request);
  }

  /**
   * Asks all, the last first as Slurm does, also where some cannot be reached.
   *
   * @return what they say, and rather what one says that is not in standby
   * @throws IOException if one did not answer, which may still run, with the names of those; but
   *     not if those that did refuse
   */
  private Response askEach(Request request) throws IOException {
    Response said = null;
    IOException trouble = new IOException("there is no controller");
    List<String> silent = new ArrayList<>();
    for (int door = doors.count() - 1; door >= 0; door--) {
      try (ControllerConnection connection = doors.open(door, EACH)) {
        Response answer = connection.ask(request);
        said = said == null || standsBy(said) ? answer : said;
      } catch (IOException e) {
        trouble = e;
        String name = doors.name(door);
        if (name != null) {
          silent.addFirst(name);
        }
      }
    }
    if (said == null) {
      throw trouble;
    }
    if (!silent.isEmpty() && ResponseCheck.refusal(said) == null) {
      throw new IOException("no answer from " + String.join(", ", silent), trouble);
    }
    return said;
  }

  private static boolean standsBy(Response response) {
    return response instanceof Response.Failed failed && failed.code() == ErrorCode.IN_STANDBY;
  }

  @Override
  public void close() throws IOException {
    leader.close();
  }
}
