/** Records jobs that ended where JobCompType says, each once as far as the place allows. */
@NullMarked
package io.dure.controller.completion;

import org.jspecify.annotations.NullMarked;
