/** Federations: clusters of one set of books that are named together. */
@NullMarked
package io.dure.model.federation;

import org.jspecify.annotations.NullMarked;
