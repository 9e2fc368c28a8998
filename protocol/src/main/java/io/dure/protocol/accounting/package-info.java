/** What is asked of the accounting database, and its answers. */
@NullMarked
package io.dure.protocol.accounting;

import org.jspecify.annotations.NullMarked;
