/** In which order jobs are considered, and how long they are believed to run. */
@NullMarked
package io.dure.rules.queueorder;

import org.jspecify.annotations.NullMarked;
