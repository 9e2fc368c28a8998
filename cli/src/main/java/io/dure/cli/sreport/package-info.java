/** Reports of what was used. */
@NullMarked
package io.dure.cli.sreport;

import org.jspecify.annotations.NullMarked;
