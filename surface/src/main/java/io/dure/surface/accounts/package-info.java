/** What the commands of accounts share: their tables, and amounts as they are typed and printed. */
@NullMarked
package io.dure.surface.accounts;

import org.jspecify.annotations.NullMarked;
