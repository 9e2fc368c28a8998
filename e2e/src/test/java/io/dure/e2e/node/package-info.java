/** What jobs meet on their nodes, and nodes on their jobs. */
@NullMarked
package io.dure.e2e.node;

import org.jspecify.annotations.NullMarked;
