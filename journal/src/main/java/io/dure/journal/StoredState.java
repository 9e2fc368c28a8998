package io.dure.journal;

import io.dure.cluster.ClusterState;
import io.dure.cluster.JobTextStore;
import io.dure.cluster.StateSnapshot;
import io.dure.cluster.TextStorage;
import io.dure.cluster.UnreadableTextException;
import io.dure.journal.segment.SnapshotItems;
import io.dure.protocol.codec.MalformedMessageException;
import io.dure.protocol.codec.RecordCodec;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The controller's state as a snapshot holds it. A state of less than {@value #ITEM} bytes is one
 * item, a {@link StateSnapshot}. Of a larger one the first item is the same without what grows with
 * nodes and jobs, and each further item a row of {@link StateSnapshot.Piece} of about that many
 * bytes; more only where texts are long. Any thread.
 */
public final class StoredState {
  private static final int ITEM = 4 * 1024 * 1024;

  /** Values of a piece: some, as each piece has words of its own, but few, as jobs may be long. */
  private static final int TOGETHER = 16;

  private static final RecordCodec<StateSnapshot> WHOLE =
      RecordCodec.of(StateSnapshot.class).sharing();
  private static final RecordCodec<StateSnapshot.Piece> PIECES =
      RecordCodec.of(StateSnapshot.Piece.class).sharing();

  private StoredState() {}

  /** The items of a state, made while they are taken. */
  public static SnapshotItems of(ClusterState state) {
    return of(state, ITEM);
  }

  /**
   * The same with items of another size.
   *
   * @param itemBytes bytes from which on an item is full, at least 1
   */
  public static SnapshotItems of(ClusterState state, int itemBytes) {
    return () -> new Divider(StateSnapshot.of(state), itemBytes);
  }

  /**
   * The state of these items, with its texts in memory.
   *
   * @throws MalformedMessageException if they are no state
   * @throws IOException if they cannot be read
   */
  public static ClusterState restore(SnapshotItems items) throws IOException {
    return restore(items, TextStorage.IN_MEMORY);
  }

  /**
   * The state of these items. Texts go where they are kept item by item, so that a state may have
   * more of them than there is memory.
   *
   * @param texts where the state keeps its texts
   * @throws MalformedMessageException if they are no state
   * @throws IOException if they cannot be read
   */
  public static ClusterState restore(SnapshotItems items, TextStorage texts) throws IOException {
    Restorer restorer = new Restorer(texts);
    items.into(restorer);
    return restorer.state();
  }

  /**
   * These items in one array, for those that know no items: the one that they are, or a {@link
   * StateSnapshot} made of several.
   *
   * @throws IOException if they cannot be read
   */
  public static byte[] joined(SnapshotItems items) throws IOException {
    Joiner joiner = new Joiner();
    byte[][] only = new byte[1][];
    items.into(bytes -> {
      if (only[0] == null) {
        only[0] = bytes;
      } else {
        if (joiner.head == null) {
          joiner.item(only[0]);
        }
        joiner.item(bytes);
      }
    });
    return joiner.divided ? WHOLE.encode(joiner.whole()) : only[0];
  }

  /** Puts what grows into rows, each given away when it is long enough. */
  private static final class Divider implements SnapshotItems.Reader {
    private final StateSnapshot all;
    private final int itemBytes;
    private final Iterator<StateSnapshot.Piece> pieces;
    private RecordCodec<StateSnapshot.Piece>.Row row = PIECES.row();
    private byte @Nullable [] second;
    private boolean divided;
    private boolean ended;

    Divider(StateSnapshot all, int itemBytes) {
      this.all = all;
      this.itemBytes = itemBytes;
      pieces =
          new Pieces(
              List.of(
                  new Part<>(all.nodes(), TOGETHER, StateSnapshot.Piece::ofNodes),
                  new Part<>(all.texts(), 1, StateSnapshot.Piece::ofTexts),
                  new Part<>(all.jobs(), TOGETHER, StateSnapshot.Piece::ofJobs),
                  new Part<>(all.requests(), TOGETHER, StateSnapshot.Piece::ofRequests),
                  new Part<>(all.answers(), TOGETHER, StateSnapshot.Piece::ofAnswers)));
    }

    @Override
    public byte @Nullable [] next() throws IOException {
      try {
        return made();
      } catch (UnreadableTextException e) {
        throw new IOException(e.reason(), e);
      }
    }

    private byte @Nullable [] made() {
      byte[] waiting = second;
      second = null;
      if (waiting != null || ended) {
        return waiting;
      }
      while (row.size() < itemBytes && pieces.hasNext()) {
        row.add(pieces.next());
      }
      if (row.size() < itemBytes) {
        ended = true;
        if (!divided) {
          return WHOLE.encode(all);
        }
        return row.size() == 0 ? null : row.toByteArray();
      }
      byte[] full = row.toByteArray();
      row = PIECES.row(); // the array that it grew in goes before the disk is waited for
      if (divided) {
        return full;
      }
      divided = true;
      second = full;
      return WHOLE.encode(all.withPiece(StateSnapshot.Piece.NONE));
    }
  }

  private record Part<T>(
      List<T> values, int together, Function<List<T>, StateSnapshot.Piece> piece) {
    StateSnapshot.Piece from(int first) {
      // Copied, since a text is read each time that it is looked at.
      return piece.apply(
          List.copyOf(values.subList(first, Math.min(values.size(), first + together))));
    }
  }

  /** The pieces of all parts, one behind the other. */
  private static final class Pieces implements Iterator<StateSnapshot.Piece> {
    private final Iterator<Part<?>> parts;
    private Part<?> part;
    private int at;

    Pieces(List<Part<?>> all) {
      parts = all.iterator();
      part = parts.next();
    }

    @Override
    public boolean hasNext() {
      while (at >= part.values().size() && parts.hasNext()) {
        part = parts.next();
        at = 0;
      }
      return at < part.values().size();
    }

    @Override
    public StateSnapshot.Piece next() {
      if (!hasNext()) {
        throw new NoSuchElementException();
      }
      int first = at;
      at += part.together();
      return part.from(first);
    }
  }

  /** Puts the texts away as they come, and the rest together. */
  private static final class Restorer implements SnapshotItems.Sink {
    private final Joiner rest = new Joiner();
    private JobTextStore texts;

    Restorer(TextStorage storage) {
      texts = JobTextStore.in(storage);
    }

    @Override
    public void item(byte[] bytes) {
      rest.item(bytes);
      for (JobTextStore.Text text : rest.all.texts()) {
        texts = texts.with(text.id(), text.content());
      }
      rest.all.texts().clear();
    }

    ClusterState state() {
      return rest.whole().restore(texts);
    }
  }

  private static final class Joiner implements SnapshotItems.Sink {
    private final StateSnapshot.Piece all =
        new StateSnapshot.Piece(
            new ArrayList<>(),
            new ArrayList<>(),
            new ArrayList<>(),
            new ArrayList<>(),
            new ArrayList<>());
    private final RecordCodec<StateSnapshot.Piece>.Rows rows = PIECES.rows();
    private @Nullable StateSnapshot head;
    private boolean divided;

    @Override
    public void item(byte[] bytes) {
      if (head == null) {
        head = WHOLE.decode(bytes);
        return;
      }
      divided = true;
      for (StateSnapshot.Piece piece : rows.decodeAll(bytes)) {
        all.nodes().addAll(piece.nodes());
        all.jobs().addAll(piece.jobs());
        all.texts().addAll(piece.texts());
        all.requests().addAll(piece.requests());
        all.answers().addAll(piece.answers());
      }
    }

    StateSnapshot whole() {
      if (head == null) {
        throw new MalformedMessageException("no state");
      }
      return divided ? head.withPiece(all) : head;
    }
  }
}
