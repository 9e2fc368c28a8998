/** What messages and files are made of, held against what they were made of before. */
@org.jspecify.annotations.NullMarked
package io.dure.schema;
