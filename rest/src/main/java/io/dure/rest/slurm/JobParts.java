package io.dure.rest.slurm;

import io.dure.protocol.JobInfo;
import io.dure.protocol.Request;
import io.dure.protocol.Response;
import io.dure.rest.RequestSession;
import io.dure.surface.facts.JobDetails;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.UncheckedIOException;
import java.util.Iterator;
import java.util.NoSuchElementException;

/**
 * The jobs of a listing, asked for part by part while they are written: as many are in memory at a
 * time as one part has. One thread.
 */
final class JobParts implements Iterator<JobDetails> {
  /** Jobs of a part. */
  static final int MOST = 500;

  private final RequestSession session;
  private Response.Jobs part;
  private Iterator<JobInfo> rows;

  JobParts(RequestSession session, Response.Jobs first) {
    this.session = session;
    part = first;
    rows = listed(first);
  }

  @Override
  public boolean hasNext() {
    while (!rows.hasNext() && part.left() > 0) {
      part = more();
      rows = listed(part);
    }
    return rows.hasNext();
  }

  /** Without those of partitions that are not listed. */
  private static Iterator<JobInfo> listed(Response.Jobs part) {
    return part.jobs().stream().filter(info -> !info.hidden()).iterator();
  }

  @Override
  public JobDetails next() {
    if (!hasNext()) {
      throw new NoSuchElementException();
    }
    return new JobDetails(rows.next(), part.now());
  }

  private Response.Jobs more() {
    try {
      if (session.ask(new Request.MoreJobs(MOST)) instanceof Response.Jobs next) {
        return next;
      }
      throw new UncheckedIOException(new IOException("the controller did not tell all jobs"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new UncheckedIOException(new InterruptedIOException());
    }
  }
}
