/** {@code ./dure bench published}: what others published of known logs, and what the twin says. */
@org.jspecify.annotations.NullMarked
package io.dure.bench.publishedresults;
