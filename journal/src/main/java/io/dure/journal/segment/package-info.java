/** The files of a journal: segments of framed records, snapshots, and the disk that keeps them. */
@org.jspecify.annotations.NullMarked
package io.dure.journal.segment;
