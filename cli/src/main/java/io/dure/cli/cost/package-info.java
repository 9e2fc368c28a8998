/** {@code dure-cost}: what jobs cost by a list of prices, and budgets. */
@NullMarked
package io.dure.cli.cost;

import org.jspecify.annotations.NullMarked;
