/** What a script of the site says of submissions and changes of jobs before they are decided. */
@NullMarked
package io.dure.controller.hook;

import org.jspecify.annotations.NullMarked;
