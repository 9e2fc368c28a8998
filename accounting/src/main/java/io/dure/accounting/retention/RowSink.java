package io.dure.accounting.retention;

import java.io.IOException;
import java.util.List;

/** What takes rows, some that belong together at a time. */
interface RowSink {
  void take(List<ArchivedRow> rows) throws IOException;
}
