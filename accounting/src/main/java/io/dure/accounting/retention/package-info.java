/** What leaves the accounting database once it is old, and how it comes back from an archive. */
@NullMarked
package io.dure.accounting.retention;

import org.jspecify.annotations.NullMarked;
