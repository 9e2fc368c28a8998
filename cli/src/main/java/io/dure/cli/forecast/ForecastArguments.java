package io.dure.cli.forecast;

import io.dure.surface.json.DocumentFormat;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What is asked for.
 *
 * @param jobs jobs as they were named, empty for all that wait
 * @param user only that user's, null for all users'
 * @param me whether only the caller's are meant
 * @param all whether all are shown, not only the first to start
 * @param accuracy whether it is asked how well forecasts have held
 * @param json how it is written as a document, null where it is text
 */
record ForecastArguments(
    List<String> jobs,
    @Nullable String user,
    boolean me,
    boolean all,
    boolean accuracy,
    @Nullable DocumentFormat json) {}
