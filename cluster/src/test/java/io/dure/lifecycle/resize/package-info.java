/** Tests of jobs whose nodes become fewer while they run. */
@NullMarked
package io.dure.lifecycle.resize;

import org.jspecify.annotations.NullMarked;
