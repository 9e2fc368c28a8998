/** What the controller is asked, and by which user, node daemon or timer. */
@NullMarked
package io.dure.model.command;

import org.jspecify.annotations.NullMarked;
