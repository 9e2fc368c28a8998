/** What came of replays: numbers, tables, documents, pictures. */
@org.jspecify.annotations.NullMarked
package io.dure.twin.report;
