/** Database servers of Debian's packages, each for one test, on loopback. */
@NullMarked
package io.dure.testkit.database;

import org.jspecify.annotations.NullMarked;
